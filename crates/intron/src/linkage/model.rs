//! The linkage model of one population: a measure, and how often its linkage tree is built.

use super::family_of_subsets::FamilyOfSubsets;
use super::measure::{CustomMeasure, LinkageMeasure, MeasureContext, SimilarityMeasure};
use super::similarity::SimilarityMatrix;
use crate::error::Error;
use crate::population::Solution;
use crate::random::Stream;

/// How often the linkage tree is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rebuild {
    /// In every generation, ties broken anew.
    EveryGeneration,
    /// Once per population: "static".
    Once,
}

/// The linkage of a run. The eight curves of the paper are values of this type, and one more.
#[derive(Clone)]
pub enum Linkage {
    /// A linkage tree from a measure.
    Tree {
        /// The measure.
        measure: LinkageMeasure,
        /// How often the tree is built.
        rebuild: Rebuild,
    },
    /// A linkage tree from a measure of one's own.
    Custom {
        /// Makes the measure.
        measure: CustomMeasure,
        /// How often the tree is built.
        rebuild: Rebuild,
    },
    /// Every position on its own.
    Univariate,
    /// Beyond the paper: the linkage tree of node proximity, and the whole subtree of every inner position but the root.
    NodeSubtrees,
}

/// Name in settings, label in figures, linkage.
static CATALOGUE: [(&str, &str, Linkage); 9] = [
    ("random", "Random", tree(LinkageMeasure::Random, Rebuild::EveryGeneration)),
    ("mi", "MI", tree(LinkageMeasure::MutualInformation, Rebuild::EveryGeneration)),
    (
        "mi-adjusted",
        "MI_adjusted",
        tree(LinkageMeasure::AdjustedMutualInformation, Rebuild::EveryGeneration),
    ),
    (
        "mi-masked",
        "MI_masked",
        tree(LinkageMeasure::MaskedMutualInformation, Rebuild::EveryGeneration),
    ),
    ("node", "Node", tree(LinkageMeasure::NodeProximity, Rebuild::EveryGeneration)),
    ("node-static", "Node (static)", tree(LinkageMeasure::NodeProximity, Rebuild::Once)),
    ("cs", "#CS", tree(LinkageMeasure::CommonSubfunctionCount, Rebuild::EveryGeneration)),
    ("univariate", "Univariate", Linkage::Univariate),
    ("node-subtrees", "Node subtrees", Linkage::NodeSubtrees),
];

const fn tree(measure: LinkageMeasure, rebuild: Rebuild) -> Linkage {
    Linkage::Tree { measure, rebuild }
}

impl Linkage {
    /// The paper's best: node proximity, the tree built anew in every generation.
    pub const NODE: Linkage = tree(LinkageMeasure::NodeProximity, Rebuild::EveryGeneration);

    /// The best in the experiments of this project: the number of common subfunctions (#CS).
    pub const COMMON_SUBFUNCTIONS: Linkage =
        tree(LinkageMeasure::CommonSubfunctionCount, Rebuild::EveryGeneration);

    /// The names that settings know.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CATALOGUE.iter().map(|row| row.0)
    }

    /// Finds a linkage by name; `_` counts as `-`.
    pub fn from_name(name: &str) -> Result<Linkage, Error> {
        let wanted = name.trim().replace('_', "-");
        let row = CATALOGUE.iter().find(|row| row.0 == wanted);
        row.map(|row| row.2.clone()).ok_or_else(|| Error::UnknownName {
            what: "linkage",
            given: name.to_owned(),
            known: Linkage::names().collect::<Vec<_>>().join(" "),
        })
    }

    /// The name in settings; `custom` for a measure of one's own.
    pub fn name(&self) -> &'static str {
        self.row().map_or("custom", |row| row.0)
    }

    /// The label in figures, the paper's for those that it has.
    pub fn label(&self) -> &'static str {
        self.row().map_or("custom", |row| row.1)
    }

    /// Whether its similarities come from the template alone, whatever the population.
    pub fn is_of_template(&self) -> bool {
        use LinkageMeasure::{CommonSubfunctionCount, NodeProximity};
        match self {
            Linkage::Tree { measure, .. } => {
                matches!(measure, NodeProximity | CommonSubfunctionCount)
            }
            Linkage::NodeSubtrees => true,
            Linkage::Custom { .. } | Linkage::Univariate => false,
        }
    }

    fn row(&self) -> Option<&'static (&'static str, &'static str, Linkage)> {
        CATALOGUE.iter().find(|row| match (&row.2, self) {
            (Linkage::Univariate, Linkage::Univariate)
            | (Linkage::NodeSubtrees, Linkage::NodeSubtrees) => true,
            (
                Linkage::Tree { measure, rebuild },
                Linkage::Tree { measure: other_measure, rebuild: other_rebuild },
            ) => measure == other_measure && rebuild == other_rebuild,
            _ => false,
        })
    }
}

impl std::fmt::Debug for Linkage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What one population has learned: its similarities and its family of subsets.
pub struct LinkageModel {
    measure: Option<(Box<dyn SimilarityMeasure>, Rebuild)>,
    context: MeasureContext,
    /// Whether the subtrees of the template are subsets too.
    has_subtrees: bool,
    learned: Option<Learned>,
}

struct Learned {
    similarity: Option<SimilarityMatrix>,
    family: FamilyOfSubsets,
}

impl LinkageModel {
    /// The model of a population with these initial solutions; nothing is learned yet.
    pub fn new(linkage: &Linkage, initial: &[Solution], context: MeasureContext) -> LinkageModel {
        let measure = match linkage {
            Linkage::Tree { measure, rebuild } => {
                Some((measure.build(initial, &context), *rebuild))
            }
            Linkage::Custom { measure, rebuild } => Some((measure(initial, &context), *rebuild)),
            Linkage::NodeSubtrees => Some((
                LinkageMeasure::NodeProximity.build(initial, &context),
                Rebuild::EveryGeneration,
            )),
            Linkage::Univariate => None,
        };
        let has_subtrees = matches!(linkage, Linkage::NodeSubtrees);
        LinkageModel { measure, context, has_subtrees, learned: None }
    }

    /// Learns from the population as it is at the start of a generation, as often as the model asks for.
    pub fn learn(&mut self, population: &[Solution], stream: &mut Stream) -> &FamilyOfSubsets {
        let is_due = match (&self.measure, &self.learned) {
            (_, None) | (Some((_, Rebuild::EveryGeneration)), _) => true,
            (Some((_, Rebuild::Once)) | None, Some(_)) => false,
        };
        if is_due {
            self.learned = Some(match &mut self.measure {
                None => Learned {
                    similarity: None,
                    family: FamilyOfSubsets::univariate(self.context.template.n_positions()),
                },
                Some((measure, _)) => {
                    let similarity = measure.estimate_similarity(population, &self.context, stream);
                    let mut family = FamilyOfSubsets::linkage_tree(&similarity, stream);
                    if self.has_subtrees {
                        family.add_subtrees(&self.context.template);
                    }
                    Learned { similarity: Some(similarity), family }
                }
            });
        }
        self.family().expect("something has been learned")
    }

    /// Whether the first thing learned stays for the life of the population.
    pub(crate) fn is_learned_once(&self) -> bool {
        matches!(self.measure, Some((_, Rebuild::Once)))
    }

    /// The family learned last.
    pub fn family(&self) -> Option<&FamilyOfSubsets> {
        self.learned.as_ref().map(|learned| &learned.family)
    }

    /// The similarities learned last; "Univariate" has none.
    pub fn similarity(&self) -> Option<&SimilarityMatrix> {
        self.learned.as_ref().and_then(|learned| learned.similarity.as_ref())
    }
}
