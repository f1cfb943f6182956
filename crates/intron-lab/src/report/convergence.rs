//! Accuracy over evaluations or CPU time: the interquartile mean over all problems (figure 4 of the paper), and medians
//! with quartiles per problem (figure 6 and the supplement).

use super::analysis::{Analysis, Effort, FLOOR, Rows, Run};
use super::comparison::Comparison;
use super::estimates::{CURVE_BOOTSTRAP, FEWEST_FOR_INTERVAL, caution};
use super::parts::{Csv, Figure};
use crate::figures::{ConvergenceFigure, ConvergencePanel, Curve, CurvePoint, Scale, Sharing};
use crate::statistics::{StatisticsError, Trace, interquartile_mean_curve, median_curve};

/// Points of a curve.
const N_POINTS: usize = 60;

/// Shares of the points at the beginning that need not fit into a panel: values are still very low there.
const BEGINNING: [f64; 2] = [0.05, 0.5];

/// The measures that there were before the paper; a line shows where they end.
pub(super) const EXISTING: [&str; 3] = ["Random", "MI", "MI_adjusted"];

impl Effort {
    fn label(self) -> &'static str {
        match self {
            Effort::Evaluations => "evaluations",
            Effort::Seconds => "CPU time in seconds",
        }
    }

    fn scale(self) -> Scale {
        match self {
            Effort::Evaluations => Scale::Linear,
            Effort::Seconds => Scale::Logarithmic,
        }
    }

    /// Places up to the end: evenly over evaluations, by equal factors over time.
    fn grid(self, end: f64) -> Vec<f64> {
        let place = |index: usize| {
            let share = (index + 1) as f64 / N_POINTS as f64;
            match self {
                Effort::Evaluations => end * share,
                Effort::Seconds => end * libm::pow(100.0, share - 1.0),
            }
        };
        (0..N_POINTS).map(place).collect()
    }

    fn file_ending(self) -> &'static str {
        match self {
            Effort::Evaluations => "",
            Effort::Seconds => "-time",
        }
    }
}

/// The interquartile mean of the training R² in every comparison.
pub(super) fn interquartile_means(
    analysis: &Analysis,
    comparisons: &[Comparison],
    effort: Effort,
) -> Result<Figure, StatisticsError> {
    let mut csv = Csv::new(&["scope", "setting", effort.label(), "iqm", "low", "high", "runs"]);
    let mut panels = Vec::new();
    for comparison in comparisons.iter().filter(|comparison| comparison.n_blocks() > 0) {
        let grid =
            effort.grid(end_of(analysis, effort, comparison.runs.iter().flatten().flatten()));
        let mut curves = Vec::new();
        for (setting, label) in comparison.labels.iter().enumerate() {
            let traces = comparison.map(setting, |run| run.trace(Rows::Train, effort));
            let intervals = interquartile_mean_curve(&traces, &grid, FLOOR, &CURVE_BOOTSTRAP)?;
            let has_band = comparison.fewest_runs() >= FEWEST_FOR_INTERVAL;
            let point = |(&effort, interval): (&f64, &crate::statistics::Interval)| CurvePoint {
                effort,
                middle: interval.estimate,
                low: if has_band { interval.lower } else { f64::NAN },
                high: if has_band { interval.upper } else { f64::NAN },
            };
            let points: Vec<CurvePoint> = grid.iter().zip(&intervals).map(point).collect();
            add_rows(&mut csv, &comparison.title, label, &points, comparison.n_blocks());
            let has_final_line = EXISTING.contains(&label.as_str());
            curves.push(Curve { label: label.clone(), points, cross: None, has_final_line });
        }
        panels.push(panel(comparison.title.clone(), effort, budget_line(analysis, effort), curves));
    }
    let figure = ConvergenceFigure {
        title: format!("Interquartile mean of the training R² over {}", effort.label()),
        description: "One curve per linkage setting with a 95 % band, one panel per combination of height and \
                      linear scaling."
            .to_owned(),
        value_label: "IQM of training R²".to_owned(),
        n_columns: 2,
        sharing: Sharing::Separate,
        panels,
    };
    let samples: Vec<String> = comparisons
        .iter()
        .map(|comparison| format!("{} ({})", comparison.title, comparison.sample()))
        .collect();
    let caption = format!(
        "Interquartile mean (IQM) of the training R² over {}, with 95 % bands of a stratified bootstrap{}. Thin dashed \
         lines: final values of the measures that there were before the paper. Budget: {}. Panels: {}.",
        effort.label(),
        bands(comparisons),
        analysis.budget(),
        samples.join("; ")
    );
    let name = format!("convergence{}", effort.file_ending());
    Ok(Figure { name, svg: figure.draw(), csv: csv.text(), caption })
}

/// What is to be said of the bands where runs are few.
fn bands(comparisons: &[Comparison]) -> String {
    let fewest = comparisons.iter().map(Comparison::fewest_runs).filter(|runs| *runs > 0).min();
    match fewest.unwrap_or(0) {
        fewest if fewest < FEWEST_FOR_INTERVAL => {
            "; they are left out where some problem has a single run".to_owned()
        }
        fewest => caution(fewest),
    }
}

/// Medians and quartiles of one condition, problem by problem.
pub(super) fn medians(
    analysis: &Analysis,
    condition: usize,
    rows: Rows,
    effort: Effort,
) -> Result<Figure, StatisticsError> {
    let header = ["problem", "setting", effort.label(), "median", "quartile1", "quartile3", "runs"];
    let mut csv = Csv::new(&header);
    let mut panels = Vec::new();
    for (problem, name) in analysis.problems.iter().enumerate() {
        let settings = 0..analysis.labels.len();
        let all = settings.clone().flat_map(|setting| analysis.runs(condition, problem, setting));
        let grid = effort.grid(end_of(analysis, effort, all));
        let mut curves = Vec::new();
        for setting in settings {
            let runs = analysis.runs(condition, problem, setting);
            if runs.is_empty() {
                continue;
            }
            let traces: Vec<Trace> = runs.iter().map(|run| run.trace(rows, effort)).collect();
            let quartiles = median_curve(&traces, &grid, FLOOR)?;
            let points = grid.iter().zip(&quartiles);
            let points: Vec<CurvePoint> = points
                .map(|(&effort, q)| CurvePoint {
                    effort,
                    middle: q.median,
                    low: q.lower,
                    high: q.upper,
                })
                .collect();
            let label = analysis.labels[setting].clone();
            add_rows(&mut csv, name, &label, &points, runs.len());
            let first_finished =
                runs.iter().map(|run| run.effort(effort)).fold(f64::INFINITY, f64::min);
            let cross = Some(first_finished).filter(|_| effort == Effort::Seconds);
            curves.push(Curve { label, points, cross, has_final_line: false });
        }
        panels.push(panel(name.clone(), effort, budget_line(analysis, effort), curves));
    }
    let title = &analysis.conditions[condition].title;
    let figure = ConvergenceFigure {
        title: format!("Median {} R² over {}, {title}", rows.name(), effort.label()),
        description: "One curve per linkage setting with its quartiles, one panel per problem."
            .to_owned(),
        value_label: format!("median of {} R²", rows.name()),
        n_columns: 2,
        sharing: Sharing::Separate,
        panels,
    };
    let crosses = match effort {
        Effort::Evaluations => "",
        Effort::Seconds => {
            " Crosses: the first run has ended; its final value is kept from there on."
        }
    };
    let caption = format!(
        "Median {} R² over {}, {title}; bands are quartiles over runs.{crosses} Budget: {}. {}.",
        rows.name(),
        effort.label(),
        analysis.budget(),
        runs_per_cell(analysis, condition)
    );
    let ending = match effort {
        Effort::Evaluations => format!("-{}", rows.name()),
        Effort::Seconds => "-time".to_owned(),
    };
    let name = format!("problems-{}{ending}", analysis.conditions[condition].slug);
    Ok(Figure { name, svg: figure.draw(), csv: csv.text(), caption })
}

/// How many runs the cells of a condition have, in words.
pub(super) fn runs_per_cell(analysis: &Analysis, condition: usize) -> String {
    let cells = (0..analysis.problems.len())
        .flat_map(|problem| (0..analysis.labels.len()).map(move |setting| (problem, setting)));
    let counts: Vec<usize> =
        cells.map(|(problem, setting)| analysis.runs(condition, problem, setting).len()).collect();
    let (fewest, most) =
        (counts.iter().min().copied().unwrap_or(0), counts.iter().max().copied().unwrap_or(0));
    if fewest == most {
        format!("n = {} per problem and setting", super::parts::plural(most, "run"))
    } else {
        format!("n = {fewest} to {most} runs per problem and setting: some are missing")
    }
}

fn end_of<'r, 'a: 'r>(
    analysis: &Analysis,
    effort: Effort,
    runs: impl Iterator<Item = &'r Run<'a>>,
) -> f64 {
    let longest = runs.map(|run| run.effort(effort)).fold(0.0, f64::max);
    match effort {
        Effort::Evaluations => analysis.plan.budget.evaluations.unwrap_or(longest).max(1.0),
        Effort::Seconds => longest.max(1e-3),
    }
}

fn budget_line(analysis: &Analysis, effort: Effort) -> Option<f64> {
    analysis.plan.budget.evaluations.filter(|_| effort == Effort::Evaluations)
}

fn panel(
    title: String,
    effort: Effort,
    budget: Option<f64>,
    curves: Vec<Curve>,
) -> ConvergencePanel {
    let effort_label = effort.label().to_owned();
    let value_limits = limits(&curves, BEGINNING[usize::from(effort == Effort::Seconds)]);
    ConvergencePanel {
        title,
        effort_label,
        effort_scale: effort.scale(),
        value_limits,
        budget,
        curves,
    }
}

/// Limits that hold every band but for the beginning.
fn limits(curves: &[Curve], beginning: f64) -> Option<(f64, f64)> {
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for curve in curves {
        let n_skipped = (curve.points.len() as f64 * beginning) as usize;
        for point in &curve.points[n_skipped..] {
            for value in [point.low, point.middle, point.high] {
                if value.is_finite() {
                    lowest = lowest.min(value);
                    highest = highest.max(value);
                }
            }
        }
    }
    let margin = 0.04 * (highest - lowest);
    (margin > 0.0).then_some((lowest - margin, highest + margin))
}

fn add_rows(csv: &mut Csv, scope: &str, label: &str, points: &[CurvePoint], n_runs: usize) {
    for point in points {
        let CurvePoint { effort, middle, low, high } = point;
        csv.row(&[&scope, &label, effort, middle, low, high, &n_runs]);
    }
}
