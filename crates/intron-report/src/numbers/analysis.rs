//! All numbers of a report, computed once.

use std::collections::BTreeSet;

use intron::{Dataset, Formula, Meaning};

use super::effect::Effect;
use super::fit::{PartFit, is_varied};
use super::histogram::Histogram;
use super::importance::{Importance, importances};
use super::linkage::Linkage;
use super::sample::sample;
use super::trace::Trace;
use crate::subject::{Kind, Part, Subject};

/// Points of all scatter plots together: they are most of the page's size.
const MOST_POINTS: usize = 80_000;
/// Points of one part in one scatter plot: at least so many, and at most.
const POINTS_OF_PLOT: (usize, usize) = (150, 1000);
/// Rows that stand behind the effect of a feature.
const MOST_EFFECT_ROWS: usize = 400;
/// Rows on which columns are shuffled.
const MOST_IMPORTANCE_ROWS: usize = 5000;
/// Features whose effect is shown, the most important first.
pub(crate) const MOST_EFFECTS: usize = 12;

/// Formulas that are looked at closely; of a longer front some are left out, evenly.
const MOST_VIEWS: usize = 60;

/// The numbers of one formula.
#[derive(Debug, Clone)]
pub(crate) struct FormulaNumbers {
    /// Its number in the front.
    pub(crate) index: usize,
    pub(crate) formula: Formula,
    /// One for each part.
    pub(crate) fits: Vec<PartFit>,
    pub(crate) histogram: Histogram,
    /// The features in use, the most important first.
    pub(crate) importances: Vec<Importance>,
    /// The effects of the most important features.
    pub(crate) effects: Vec<Effect>,
    /// Features in use whose effect is not shown.
    pub(crate) n_more_effects: usize,
}

/// The numbers of a report.
#[derive(Debug, Clone)]
pub(crate) struct Analysis {
    /// The formulas that are looked at closely, the chosen one among them.
    pub(crate) formulas: Vec<FormulaNumbers>,
    /// How many rows of each part are drawn at most.
    pub(crate) most_drawn: usize,
    /// How many rows stand behind each effect.
    pub(crate) n_effect_rows: usize,
    /// Which part columns are shuffled in, and how many rows of it; none where R² is not defined on any.
    pub(crate) importance_rows: Option<(Kind, usize)>,
    pub(crate) trace: Option<Trace>,
    pub(crate) linkage: Option<Linkage>,
}

impl Analysis {
    /// Computes everything. Formulas that cannot be read are an error.
    pub(crate) fn new(subject: &Subject) -> Result<Analysis, intron::Error> {
        let views = views_of(subject.model.front.len(), subject.model.chosen);
        let (least, most) = POINTS_OF_PLOT;
        let n_plots = 2 * views.len() * subject.parts.len();
        let most_drawn = (MOST_POINTS / n_plots.max(1)).clamp(least, most);
        let effect_rows = some_rows(subject, 0, MOST_EFFECT_ROWS);
        let shuffled = part_to_shuffle(subject)
            .map(|part| (subject.parts[part].kind, some_rows(subject, part, MOST_IMPORTANCE_ROWS)));
        let rows =
            Rows { most_drawn, effect: &effect_rows, shuffled: shuffled.as_ref().map(|s| &s.1) };
        let formulas: Vec<FormulaNumbers> = views
            .iter()
            .map(|&index| FormulaNumbers::new(subject, index, &rows))
            .collect::<Result<_, _>>()?;
        Ok(Analysis {
            formulas,
            most_drawn,
            n_effect_rows: effect_rows.n_rows(),
            importance_rows: shuffled.map(|(kind, rows)| (kind, rows.n_rows())),
            trace: subject.run.and_then(Trace::of_run),
            linkage: subject.run.and_then(Linkage::of_run),
        })
    }
}

/// The rows behind the numbers of every formula.
struct Rows<'a> {
    most_drawn: usize,
    effect: &'a Dataset,
    shuffled: Option<&'a Dataset>,
}

impl FormulaNumbers {
    fn new(subject: &Subject, index: usize, rows: &Rows) -> Result<FormulaNumbers, intron::Error> {
        let formula = subject.model.formula(&subject.model.front[index])?;
        let fits: Vec<PartFit> = (0..subject.parts.len())
            .map(|part| PartFit::new(&formula, subject, part, rows.most_drawn))
            .collect();
        let residuals: Vec<&[f64]> = fits.iter().map(|fit| fit.residuals.as_slice()).collect();
        let histogram = Histogram::new(&residuals);
        let features = features_in_use(&formula);
        let importances = match rows.shuffled {
            Some(rows) => importances(&formula, &features, rows, subject.seed),
            None => Vec::new(),
        };
        let order: Vec<usize> = match rows.shuffled {
            Some(_) => importances.iter().map(|importance| importance.feature).collect(),
            None => features,
        };
        let effect =
            |&feature: &usize| Effect::new(&formula, feature, subject.parts[0].rows, rows.effect);
        let effects: Vec<Effect> = order.iter().take(MOST_EFFECTS).map(effect).collect();
        let n_more_effects = order.len() - effects.len();
        Ok(FormulaNumbers { index, formula, fits, histogram, importances, effects, n_more_effects })
    }
}

/// The formulas of a front that are looked at closely: all, or some of them spread evenly, and the chosen one.
fn views_of(n_formulas: usize, chosen: usize) -> Vec<usize> {
    if n_formulas <= MOST_VIEWS {
        return (0..n_formulas).collect();
    }
    let spread = |view: usize| view * (n_formulas - 1) / (MOST_VIEWS - 2);
    let views = (0..MOST_VIEWS - 1).map(spread).chain([chosen]).collect::<BTreeSet<usize>>();
    views.into_iter().collect()
}

/// The test rows where R² is defined on them, else the first part.
fn part_to_shuffle(subject: &Subject) -> Option<usize> {
    let is_usable = |part: &Part| part.rows.n_rows() > 1 && is_varied(part.rows);
    let test = subject.parts.iter().position(|part| part.kind == Kind::Test && is_usable(part));
    test.or_else(|| subject.parts.first().is_some_and(is_usable).then_some(0))
}

fn some_rows(subject: &Subject, part: usize, most: usize) -> Dataset {
    let rows = subject.parts[part].rows;
    rows.rows(&sample(rows.n_rows(), most, subject.seed, part))
}

/// The features that a formula uses, by index.
fn features_in_use(formula: &Formula) -> Vec<usize> {
    let feature = |meaning| match meaning {
        Meaning::Feature(index) => Some(index as usize),
        _ => None,
    };
    let used = formula.nodes().iter().filter_map(|node| feature(node.symbol.meaning()));
    used.collect::<BTreeSet<usize>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_front_is_looked_at_evenly_with_both_ends_and_the_chosen_one() {
        assert_eq!(views_of(3, 1), [0, 1, 2]);
        let views = views_of(1000, 501);
        assert!(views.len() <= MOST_VIEWS && views.contains(&501));
        assert_eq!((views[0], views[views.len() - 1]), (0, 999));
    }
}
