//! The settings of a run, grouped as in table 2, with their defaults.

use super::tuning::Tuning;
use crate::data::FeatureRanges;
use crate::error::Error;
use crate::evaluation::{EvaluatorKind, Instructions, LinearScaling};
use crate::expression::{ComplexityMeasure, Compositions, Operator, SizeLimits};
use crate::linkage::{Binning, DEFAULT_BINS, Linkage};
use crate::population::Initialization;
use crate::random::Seed;
use crate::selection::Selection;

/// Everything that can be set. `Settings::default()` is the paper's setting, without a limit.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Template height in levels: 5 is 31 positions, 7 is 127.
    pub height: usize,
    /// Children of each inner position of the template.
    pub arity: usize,
    /// Formulas have at most this many nodes.
    pub max_size: Option<usize>,
    /// Formulas have at most this many active positions: a feature with a factor of its own is one, though it has three nodes.
    /// Not in force where `max_size` is set.
    pub max_positions: Option<usize>,
    /// What the front weighs against accuracy.
    pub complexity: ComplexityMeasure,
    /// What operators, `feature` and `constant` cost, by their names, where the complexity is the cost; the others cost 1.
    pub costs: Vec<(String, usize)>,
    /// How many different formulas of each complexity on the front are kept.
    pub per_size: usize,
    /// The operators in use.
    pub operators: Vec<Operator>,
    /// Operators of one's own, in use beside them.
    pub own_operators: Compositions,
    /// From where constants are drawn.
    pub constants: ConstantSource,
    /// How often a feature of an initial solution comes with a factor.
    pub factors: f64,
    /// How constants change during the search.
    pub tuning: Tuning,
    /// Whether formulas are scaled before they are scored.
    pub linear_scaling: LinearScaling,
    /// Formulas to start from, as text.
    pub start: Vec<String>,
    /// How initial populations are made.
    pub initialization: Initialization,
    /// The linkage.
    pub linkage: Linkage,
    /// Number of bins for constants when linkage is learned.
    pub bins: usize,
    /// How a constant finds its bin.
    pub binning: Binning,
    /// One population, or the interleaved multistart.
    pub population: PopulationSize,
    /// The interleaved multistart, where it is used.
    pub multistart: Multistart,
    /// When a population has converged.
    pub convergence: Convergence,
    /// Whether a solution that mixing did not improve is forced towards the best.
    pub forced_improvement: ForcedImprovement,
    /// Whether the constants of the front are tuned after the search.
    pub polish: Polish,
    /// Whether the formulas of the front are brought to their smallest form after the search.
    pub simplify: Simplify,
    /// How one formula of the front is chosen.
    pub selection: Selection,
    /// Whether the formulas of the front are examined for safety, and by which share of its range each feature may lie
    /// beyond the training rows; nothing leaves them unexamined.
    pub safety_margin: Option<f64>,
    /// When the run stops.
    pub limits: Limits,
    /// Populations stop growing before they take more than this many bytes together.
    pub memory_limit_bytes: u64,
    /// How candidates are evaluated.
    pub evaluator: EvaluatorKind,
    /// Whether a candidate is given up as soon as some rows prove that it will be rejected.
    pub early_rejection: EarlyRejection,
    /// Instructions for the inner loops.
    pub instructions: Instructions,
    /// The seed.
    pub seed: Seed,
    /// Number of threads; 0 takes as many as the machine has. The result is the same for any number.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            height: 5,
            arity: 2,
            max_size: None,
            max_positions: None,
            complexity: ComplexityMeasure::Size,
            costs: Vec::new(),
            per_size: 1,
            operators: Operator::SMALL.to_vec(),
            own_operators: Compositions::default(),
            constants: ConstantSource::Target,
            factors: 0.0,
            tuning: Tuning::default(),
            linear_scaling: LinearScaling::On,
            start: Vec::new(),
            initialization: Initialization::default(),
            linkage: Linkage::NODE,
            bins: DEFAULT_BINS,
            binning: Binning::UpperEdge,
            population: PopulationSize::Multistart,
            multistart: Multistart::default(),
            convergence: Convergence::NoImprovement,
            forced_improvement: ForcedImprovement::Off,
            polish: Polish::Off,
            simplify: Simplify::Off,
            selection: Selection::Accuracy,
            safety_margin: None,
            limits: Limits::default(),
            memory_limit_bytes: 1 << 30,
            evaluator: EvaluatorKind::Incremental,
            early_rejection: EarlyRejection::On,
            instructions: Instructions::Detected,
            seed: Seed(0),
            threads: 0,
        }
    }
}

impl Settings {
    /// What a person who wants a formula is best served with: the linkage that the lab found best, operators for many
    /// fields, constants that are tuned, a front that is polished and brought to its smallest form, and safe formulas first.
    pub fn recommended() -> Settings {
        Settings {
            height: 7,
            max_positions: Some(28),
            operators: Operator::LARGE.to_vec(),
            constants: ConstantSource::Data,
            factors: 0.5,
            tuning: Tuning {
                probability: 0.5,
                weighing: 0.5,
                grafting: 1.0,
                pruning: 1.0,
                new_parts: 0.25,
                ..Tuning::default()
            },
            linkage: Linkage::COMMON_SUBFUNCTIONS,
            polish: Polish::On,
            simplify: Simplify::On,
            selection: Selection::Mdl,
            safety_margin: Some(FeatureRanges::MARGIN),
            ..Settings::default()
        }
    }

    /// How large solutions may be. Who limits the nodes gets as many as that.
    pub(crate) fn size_limits(&self) -> SizeLimits {
        match self.max_size {
            Some(n_nodes) => SizeLimits { n_nodes, n_positions: usize::MAX },
            None => SizeLimits {
                n_nodes: usize::MAX,
                n_positions: self.max_positions.unwrap_or(usize::MAX),
            },
        }
    }

    /// How many multistarts there are side by side: where parts are grafted, one does so and one does without. A lone population has
    /// nothing beside it.
    pub(crate) fn n_lanes(&self) -> usize {
        let is_alone =
            self.population != PopulationSize::Multistart || self.multistart.max_populations == 1;
        if self.tuning.grafting > 0.0 && !is_alone { 2 } else { 1 }
    }

    /// Whether features have factors of their own: that takes a product, and leave to use constants.
    pub(crate) fn has_factors(&self) -> bool {
        let is_wanted = self.factors > 0.0 || self.tuning.weighing > 0.0;
        let may = self.operators.contains(&Operator::Multiply);
        is_wanted && may && self.constants != ConstantSource::Off
    }

    /// The settings of a preset by its name: `default` or `paper`.
    pub fn preset(name: &str) -> Result<Settings, Error> {
        match name {
            "default" => Ok(Settings::recommended()),
            "paper" => Ok(Settings::default()),
            _ => Err(Error::UnknownName {
                what: "preset",
                given: name.to_owned(),
                known: "default paper".to_owned(),
            }),
        }
    }
}

/// From where constants (ERCs) are drawn, uniformly where it does not say otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstantSource {
    /// Between the smallest and the largest training target.
    Target,
    /// Between two numbers.
    Range(f64, f64),
    /// Between −5 and 5, and as often up to ten times the largest value of a feature, of either sign, small ones more often.
    Data,
    /// There are no constants.
    Off,
}

/// How many solutions a population has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PopulationSize {
    /// The interleaved multistart (IMS) finds out.
    Multistart,
    /// One population of this size; the run ends when it has converged.
    Fixed(usize),
}

/// The interleaved multistart (IMS).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multistart {
    /// Size of the first population; each further one is twice as large. Of those that graft the first is twice as large, and each
    /// further one four times.
    pub start: usize,
    /// Generations of a population for one of the next larger (the subgeneration factor); where parts are grafted three times as
    /// many.
    pub n_subgenerations: u64,
    /// No more populations than this in each multistart. With one, there is no second multistart.
    pub max_populations: usize,
    /// Whether a larger population that is only as good retires a smaller one.
    pub retire_on_equal: RetireOnEqual,
}

impl Default for Multistart {
    fn default() -> Multistart {
        Multistart {
            start: 64,
            n_subgenerations: 10,
            max_populations: 25,
            retire_on_equal: RetireOnEqual::Yes,
        }
    }
}

/// Whether a larger population whose best is equal retires a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetireOnEqual {
    /// Equal is enough.
    Yes,
    /// It must be better.
    No,
}

/// When a population has converged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convergence {
    /// No better best for 1 + ⌊log₁₀ n⌋ generations in a row. In a population that grafts ten times as many, and a best that takes away
    /// less than 0.05 % of the error counts as standing still.
    NoImprovement,
    /// As `NoImprovement`, and the last generation needed no evaluation.
    NoImprovementNorEvaluation,
    /// All active parts are identical; or no better best for 1000 generations and nothing to evaluate in the last one.
    IdenticalActiveParts,
}

/// Forced improvements, which other GOMEA variants have and the paper has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForcedImprovement {
    /// None.
    Off,
    /// A solution that did not change, or has not improved for 1 + ⌊log₁₀ n⌋ generations, is mixed with the best.
    On,
}

/// Whether the constants of every formula on the front are tuned by least squares after the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polish {
    /// Tuned, and kept where the formula gets better.
    On,
    /// As the search left them.
    Off,
}

/// Whether the formulas of the front are brought to their smallest equal form after the search, with simple constants and
/// only the digits that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simplify {
    /// The smallest form.
    On,
    /// As the search left them.
    Off,
}

/// Whether a candidate is given up as soon as some rows prove that it will be rejected. The decisions are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyRejection {
    /// As soon as it is proved.
    On,
    /// All rows are computed, always.
    Off,
}

/// When the run stops; the first limit that is met ends it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Exactly this many evaluations, initial ones included.
    pub evaluations: Option<u64>,
    /// This many generations, those of all populations added up.
    pub generations: Option<u64>,
    /// This many seconds.
    pub seconds: Option<f64>,
    /// As soon as the best training R² is at least this.
    pub target_r2: Option<f64>,
    /// What to do once the training R² is 1 to the last bit.
    pub when_solved: WhenSolved,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            evaluations: None,
            generations: None,
            seconds: None,
            target_r2: None,
            when_solved: WhenSolved::Stop,
        }
    }
}

/// What to do once the training R² is 1 to the last bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenSolved {
    /// Look for a smaller formula for as long again (at least 100,000 evaluations), then stop.
    Stop,
    /// Go on until another limit is met.
    GoOn,
}
