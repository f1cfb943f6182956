//! What the features of a formula do: how much each one matters, and how the prediction changes with it.

use std::fmt::Write;

use intron::FeatureNames;

use super::html::{figure, html, plural, r2};
use crate::figures::{EffectFigure, ImportanceFigure, limits_of_effects};
use crate::math::short_number;
use crate::numbers::{Analysis, Effect, FormulaNumbers, Importance, N_REPEATS};
use crate::subject::{Kind, Subject};

/// Names of features that are listed.
const MOST_NAMES: usize = 30;

pub(super) fn part(
    subject: &Subject,
    analysis: &Analysis,
    numbers: &FormulaNumbers,
    names: &FeatureNames,
) -> String {
    if numbers.effects.is_empty() {
        return "<h3>Features</h3>\n<p class=\"note\">No feature is in this formula: it is a constant.</p>\n".to_owned();
    }
    format!(
        "<h3>Features</h3>\n<div class=\"charts\">\n{}{}</div>\n{}{}",
        importance(analysis, numbers, names),
        effects(subject, numbers, names),
        effect_note(subject, analysis, numbers),
        absent(subject, numbers),
    )
}

fn importance(analysis: &Analysis, numbers: &FormulaNumbers, names: &FeatureNames) -> String {
    let Some((kind, n_rows)) = analysis.importance_rows else {
        return String::new();
    };
    let shown = &numbers.importances[..numbers.importances.len().min(MOST_NAMES)];
    let name = |importance: &Importance| names.name(importance.feature as u32);
    let said: Vec<String> =
        shown.iter().map(|one| format!("{}: {}", name(one), r2(one.mean))).collect();
    let svg = ImportanceFigure {
        title: "Importance of the features",
        description: &format!("Mean loss of R² when a feature is shuffled. {}.", said.join(", ")),
        names: shown.iter().map(name).collect(),
        importances: shown,
    }
    .draw();
    let not_finite: usize = shown.iter().map(|one| one.n_not_finite).sum();
    let more = match not_finite {
        0 => String::new(),
        n => format!(" {} left the formula undefined and do not count.", plural(n, "shuffle")),
    };
    figure(
        &svg,
        &format!(
            "Importance: the R² that is lost on {} rows when the values of a feature are shuffled, mean and range of \
             {N_REPEATS} shuffles ({}). A value above 1 is worse than the mean of the target.{more}",
            kind.name(),
            plural(n_rows, "row")
        ),
    )
}

fn effects(subject: &Subject, numbers: &FormulaNumbers, names: &FeatureNames) -> String {
    let limits = limits_of_effects(&numbers.effects);
    let mut text = String::new();
    for effect in &numbers.effects {
        let name = names.name(effect.feature as u32);
        let svg = EffectFigure {
            title: &format!("Effect of {name}"),
            description: &description(effect),
            feature_label: name,
            target_label: "mean prediction",
            limits,
            effect,
        }
        .draw();
        let gap = match effect.n_not_finite {
            0 => "",
            _ => " The formula is not finite at some of these points; they are left out.",
        };
        let caption = format!(
            "<b>{}</b> and the predicted <b>{}</b>.{gap}",
            html(name),
            html(&subject.model.target)
        );
        text.push_str(&figure(&svg, &caption));
    }
    text
}

/// The ends of the curve in words.
fn description(effect: &Effect) -> String {
    let means = effect.points.iter().filter_map(|point| Some((point.value, point.mean?)));
    let known: Vec<(f64, f64)> = means.collect();
    match (known.first(), known.last()) {
        (Some(first), Some(last)) => format!(
            "The mean prediction is {} at {} and {} at {}.",
            short_number(first.1),
            short_number(first.0),
            short_number(last.1),
            short_number(last.0)
        ),
        _ => "The formula is not finite at any of these values.".to_owned(),
    }
}

fn effect_note(subject: &Subject, analysis: &Analysis, numbers: &FormulaNumbers) -> String {
    let rows = match subject.parts[0].kind {
        Kind::Given => "given",
        _ => "training",
    };
    let mut text = format!(
        "<p class=\"note\">Effect (partial dependence): the line is the mean prediction when the feature has that value and \
         all other features are as they stand in {} of the {rows} rows; four fifths of these rows lie in the band. Ticks \
         below mark the tenths of the feature’s values. All effects have the same scale.",
        plural(analysis.n_effect_rows, "row")
    );
    if numbers.n_more_effects > 0 {
        let more = plural(numbers.n_more_effects, "less important feature");
        let _ = write!(text, " Not drawn: {more}.");
    }
    text.push_str("</p>\n");
    text
}

/// The features that are not in the formula.
fn absent(subject: &Subject, numbers: &FormulaNumbers) -> String {
    let used = |index: &usize| {
        numbers.effects.iter().any(|effect| effect.feature == *index)
            || numbers.importances.iter().any(|one| one.feature == *index)
    };
    let features = &subject.model.features;
    let absent: Vec<usize> = (0..features.len()).filter(|index| !used(index)).collect();
    if absent.is_empty() || numbers.n_more_effects > 0 && numbers.importances.is_empty() {
        return String::new();
    }
    let listed: Vec<String> =
        absent.iter().take(MOST_NAMES).map(|&index| html(&features[index])).collect();
    let more = match absent.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("<p class=\"note\">Not in this formula: {}{more}.</p>\n", listed.join(", "))
}
