//! The verdict on a formula: branch and bound over a box of feature values, the same every time, with bounded work.

use super::enclosure::Steps;
use super::interval::Interval;
use super::mean_value::Part;
use crate::data::FeatureRanges;
use crate::expression::{FeatureNames, Formula, Operator};

/// Whether a formula can be trusted where new rows may lie.
#[derive(Debug, Clone, PartialEq)]
pub enum Safety {
    /// Proved: every part is finite in the whole box, and the value stays near the training target.
    Safe,
    /// A point was found where that is not so.
    Dangerous(Danger),
    /// Neither was found with the work that was allowed.
    Undecided,
}

/// What is wrong with a formula, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Danger {
    /// The operator that has no finite value; none where the value of the formula is too far from the training target.
    pub operator: Option<Operator>,
    /// A point there, or next to it: feature and value for each feature that matters.
    pub point: Vec<(u32, f64)>,
}

/// A value that leaves the range of the training target by more than this many times its width is a surprise. So far off
/// even one row in ten thousand spoils any score; less far is where corners of the box lie that no row comes near.
const MOST_WIDTHS: f64 = 100.0;
/// No more intervals than this are computed for one formula: some tens of milliseconds.
const MOST_INTERVALS: usize = 600_000;
/// After so many intervals corners are tried: a danger that middles of boxes find sooner is told nearer to where it begins.
const HARD: usize = 20_000;
/// A side that was halved this often is a point.
const MOST_HALVINGS: u32 = 20;

impl Safety {
    /// `safe`, `dangerous` or `undecided`.
    pub fn name(&self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::Dangerous(_) => "dangerous",
            Safety::Undecided => "undecided",
        }
    }

    /// What is wrong with a dangerous formula, and where.
    pub fn describe(&self, names: &FeatureNames) -> Option<String> {
        match self {
            Safety::Dangerous(danger) => Some(danger.describe(names)),
            _ => None,
        }
    }

    /// Whether it was proved. What could not be decided counts as dangerous: to pass over a sound formula costs little, as
    /// only one that is nearly as good takes its place.
    pub fn is_safe(&self) -> bool {
        *self == Safety::Safe
    }
}

impl Danger {
    /// What is wrong and where, such as `divides by 0 near x0 = 1.5`.
    pub fn describe(&self, names: &FeatureNames) -> String {
        let what = match self.operator {
            Some(Operator::Divide | Operator::Inverse) => "divides by 0",
            Some(Operator::Log) => "takes the logarithm of a number that is not above 0",
            Some(Operator::Sqrt) => "takes the root of a negative number",
            Some(_) => "is not finite",
            None => "is far from all training targets",
        };
        let places: Vec<String> = self
            .point
            .iter()
            .map(|&(feature, value)| format!("{} = {}", names.name(feature), short(value)))
            .collect();
        match places.is_empty() {
            true => format!("{what} everywhere"),
            false => format!("{what} near {}", places.join(", ")),
        }
    }
}

/// A number with four digits.
fn short(value: f64) -> String {
    let near: f64 = format!("{value:.3e}").parse().expect("a number as Rust writes it");
    let size = near.abs();
    if near == 0.0 || (1e-4..1e7).contains(&size) { format!("{near}") } else { format!("{near:e}") }
}

/// Where new rows may lie, and what they may be expected to give.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The box of feature values.
    pub ranges: FeatureRanges,
    /// The smallest and the largest training target.
    pub target: (f64, f64),
}

impl Region {
    /// Examines a formula in this region.
    pub fn examine(&self, formula: &Formula) -> Safety {
        let Region { ranges, target } = self;
        let steps = Steps::new(formula);
        let side = |&feature: &u32| {
            let [low, high] = ranges.0[feature as usize];
            Interval { low, high }
        };
        let whole: Vec<Interval> = steps.features().iter().map(side).collect();
        let room = MOST_WIDTHS * (target.1 - target.0);
        let limits = Interval { low: target.0 - room, high: target.1 + room };
        Examination { steps, whole, limits }.verdict()
    }
}

struct Examination {
    steps: Steps,
    whole: Vec<Interval>,
    limits: Interval,
}

/// A step that may not be finite, or none where the value may leave the limits.
type Suspect = Option<usize>;

impl Examination {
    fn verdict(&self) -> Safety {
        let (mut values, mut parts, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut boxes = vec![self.whole.clone()];
        let (mut n_intervals, mut is_open) = (0, false);
        while let Some(region) = boxes.pop() {
            if n_intervals > MOST_INTERVALS {
                return Safety::Undecided;
            }
            n_intervals += self.steps.len();
            if self.suspect(self.steps.enclose(&region, &mut values)).is_none() {
                continue;
            }
            n_intervals += self.steps.len() * (region.len() + 1);
            let by_slopes = self.steps.enclose_by_slopes(&region, &mut parts);
            let Some(suspect) = self.suspect(by_slopes) else { continue };
            if let Err(found) = self.surprise(&region, &mut numbers) {
                return self.danger(found, &region);
            }
            let is_hard = n_intervals > HARD;
            for corner in self.corners(suspect, &region, &parts).iter().filter(|_| is_hard) {
                if let Err(found) = self.surprise(corner, &mut numbers) {
                    return self.danger(found, corner);
                }
            }
            let Some(variable) = self.side_to_halve(suspect, &region, &parts) else {
                // A point to speak of, but nothing is wrong in its middle: intervals may be too coarse even here.
                is_open = true;
                continue;
            };
            let [mut near, mut far] = halves(&region, variable);
            if self.surprise(&near, &mut numbers) < self.surprise(&far, &mut numbers) {
                std::mem::swap(&mut near, &mut far);
            }
            // The last one comes first: where the value is farthest off, a danger is found soonest.
            boxes.extend([far, near]);
        }
        if is_open { Safety::Undecided } else { Safety::Safe }
    }

    /// What cannot be ruled out where the formula has these values; none where all is well.
    fn suspect(&self, values: Result<Interval, usize>) -> Option<Suspect> {
        match values {
            Err(step) => Some(Some(step)),
            Ok(value) => {
                let is_near = self.limits.low <= value.low && value.high <= self.limits.high;
                (!is_near).then_some(None)
            }
        }
    }

    /// How far the value in the middle of a box is off, or what is wrong there.
    fn surprise(&self, region: &[Interval], numbers: &mut Vec<f64>) -> Result<f64, Suspect> {
        let middle: Vec<f64> = region.iter().map(|side| side.middle()).collect();
        let value = self.steps.value(&middle, numbers).map_err(Some)?;
        if self.limits.low <= value && value <= self.limits.high {
            Ok((value - self.limits.middle()).abs())
        } else {
            Err(None)
        }
    }

    /// The side along which what is suspected changes most, by its slopes; without them the widest one of those that matter, compared
    /// with the whole box. None if they are all points.
    fn side_to_halve(
        &self,
        suspect: Suspect,
        region: &[Interval],
        parts: &[Part],
    ) -> Option<usize> {
        let step = suspect.unwrap_or(self.steps.len() - 1);
        let least = 1.0 / (1_u64 << MOST_HALVINGS) as f64;
        let share = |variable: usize| {
            let (part, whole) = (region[variable], self.whole[variable]);
            (part.high / 2.0 - part.low / 2.0) / (whole.high / 2.0 - whole.low / 2.0)
        };
        let can_be_halved = |&variable: &usize| {
            let side = region[variable];
            let has_middle = side.low < side.middle() && side.middle() < side.high;
            self.steps.depends(step, variable) && has_middle && share(variable) > least
        };
        let slopes = self.slopes(suspect, parts);
        let change = |variable: usize| {
            slopes.map_or(0.0, |slopes| {
                slopes[variable].size() * region[variable].about_middle().high
            })
        };
        let most = |weight: &dyn Fn(usize) -> f64| {
            let sides = (0..region.len()).filter(can_be_halved).filter(|&v| weight(v) > 0.0);
            sides.reduce(|most, next| if weight(next) > weight(most) { next } else { most })
        };
        most(&change).or_else(|| most(&share))
    }

    /// How steep what is suspected is along each variable: the whole formula, or what a step that may not be finite is taken of.
    fn slopes<'a>(&self, suspect: Suspect, parts: &'a [Part]) -> Option<&'a Vec<Interval>> {
        let cause = match suspect {
            Some(step) => self.steps.last_argument(step)?,
            None => self.steps.len() - 1,
        };
        parts.get(cause)?.slopes.as_ref()
    }

    /// The corners of a box where the slopes lead: there a danger is, if it is at a corner at all.
    fn corners(&self, suspect: Suspect, region: &[Interval], parts: &[Part]) -> Vec<Vec<Interval>> {
        let Some(slopes) = self.slopes(suspect, parts) else { return Vec::new() };
        let corner = |is_upwards: bool| {
            let sides = region.iter().zip(slopes);
            let end = |(side, slope): (&Interval, &Interval)| {
                Interval::point(if (slope.middle() > 0.0) == is_upwards {
                    side.high
                } else {
                    side.low
                })
            };
            sides.map(end).collect()
        };
        vec![corner(false), corner(true)]
    }

    fn danger(&self, suspect: Suspect, region: &[Interval]) -> Safety {
        let step = suspect.unwrap_or(self.steps.len() - 1);
        let variables = (0..region.len()).filter(|&variable| self.steps.depends(step, variable));
        let place = |variable: usize| (self.steps.features()[variable], region[variable].middle());
        Safety::Dangerous(Danger {
            operator: suspect.and_then(|step| self.steps.operator(step)),
            point: variables.map(place).collect(),
        })
    }
}

/// A box cut in the middle of one side.
fn halves(region: &[Interval], variable: usize) -> [Vec<Interval>; 2] {
    let (mut lower, mut upper) = (region.to_vec(), region.to_vec());
    let middle = region[variable].middle();
    lower[variable].high = middle;
    upper[variable].low = middle;
    [lower, upper]
}
