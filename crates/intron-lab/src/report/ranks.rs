//! Critical-difference diagrams (figure 8 of the paper and of its supplement): Friedman and Nemenyi over runs as blocks.

use super::analysis::{Analysis, Rows};
use super::comparison::Comparison;
use super::estimates::ENOUGH;
use super::parts::{Csv, Figure, number};
use crate::figures::{AverageRank, CriticalDifferenceFigure};
use crate::statistics::{
    ALPHA, Friedman, Nemenyi, StatisticsError, blocks_of_runs, friedman, nemenyi,
};

/// Both tests of the final scores of a comparison.
pub(super) struct RankTests {
    pub(super) friedman: Friedman,
    pub(super) nemenyi: Nemenyi,
}

impl RankTests {
    pub(super) fn of(comparison: &Comparison, rows: Rows) -> Result<RankTests, StatisticsError> {
        let settings: Vec<Vec<Vec<f64>>> =
            (0..comparison.labels.len()).map(|setting| comparison.scores(setting, rows)).collect();
        let friedman = friedman(&blocks_of_runs(&settings)?)?;
        let nemenyi = nemenyi(&friedman)?;
        Ok(RankTests { friedman, nemenyi })
    }

    /// Whether the Friedman test finds any difference.
    pub(super) fn finds_difference(&self) -> bool {
        self.friedman.p_value < ALPHA
    }

    /// Whether one setting ranks significantly better than another.
    pub(super) fn is_better(&self, setting: usize, other: usize) -> bool {
        let ranks = &self.friedman.mean_ranks;
        self.finds_difference() && ranks[other] - ranks[setting] > self.nemenyi.critical_difference
    }
}

/// The diagram of a comparison.
pub(super) fn critical_differences(
    analysis: &Analysis,
    comparison: &Comparison,
) -> Result<Figure, StatisticsError> {
    let tests = RankTests::of(comparison, Rows::Train)?;
    let RankTests { friedman, nemenyi } = &tests;
    let mut csv = Csv::new(&[
        "setting",
        "mean_rank",
        "critical_difference",
        "statistic",
        "p_value",
        "blocks",
    ]);
    for &setting in &nemenyi.order {
        csv.row(&[
            &comparison.labels[setting],
            &friedman.mean_ranks[setting],
            &nemenyi.critical_difference,
            &friedman.statistic,
            &friedman.p_value,
            &friedman.n_blocks,
        ]);
    }
    let labels = comparison.labels.iter().zip(&friedman.mean_ranks);
    let label = |place: usize| comparison.labels[nemenyi.order[place]].clone();
    let figure = CriticalDifferenceFigure {
        title: format!("Average ranks, {}", comparison.title),
        description: "Average rank of each linkage setting; bars join settings that do not differ."
            .to_owned(),
        ranks: labels.map(|(label, &rank)| AverageRank { label: label.clone(), rank }).collect(),
        critical_difference: nemenyi.critical_difference,
        groups: nemenyi.groups.iter().map(|group| group.clone().map(label).collect()).collect(),
    };
    let outcome = if tests.finds_difference() {
        "the settings differ; those that no bar joins differ significantly (Nemenyi, p = 0.05)"
    } else {
        "no difference is shown, so that bars and gaps mean little"
    };
    // The tests go by an approximation for many blocks.
    let few = if comparison.fewest_runs() < ENOUGH {
        format!(" Some problem has fewer than {ENOUGH} runs: the tests are coarse.")
    } else {
        String::new()
    };
    let caption = format!(
        "Average ranks of the final training R² (1 is best), {}, with the critical difference (CD). Friedman test: \
         χ² = {}, {} degrees of freedom, p {}: {outcome}. Each of the {} blocks is one run of one problem, with the same \
         fold and seed in every setting.{few} Budget: {}. {}.",
        comparison.title,
        number(friedman.statistic, 1),
        friedman.degrees_of_freedom,
        p_value(friedman.p_value),
        friedman.n_blocks,
        analysis.budget(),
        comparison.sample()
    );
    let name = format!("ranks-{}", comparison.slug);
    Ok(Figure { name, svg: figure.draw(), csv: csv.text(), caption })
}

/// A p value as it is written.
fn p_value(value: f64) -> String {
    if value < 0.0001 { "< 0.0001".to_owned() } else { format!("= {value:.4}") }
}
