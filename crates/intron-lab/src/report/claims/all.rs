//! All claims together, and as a table.

use super::super::analysis::Analysis;
use super::super::comparison::Comparison;
use super::super::parts::Csv;
use super::claim::Claim;
use super::{baselines, conditions, operator_sets, order, speed, structure};

/// The paper's claims, and what the records say of them.
pub(in super::super) fn against_the_paper(
    analysis: &Analysis,
    comparisons: &[Comparison],
) -> Vec<Claim> {
    let comparable: Vec<Comparison> = with_runs(comparisons);
    [
        order::claims(analysis, &comparable),
        baselines::claims(analysis, &comparable),
        speed::claims(analysis, &comparable),
        conditions::claims(analysis, &comparable),
        structure::claims(analysis),
        operator_sets::claims(analysis, &comparable),
    ]
    .concat()
}

/// Those about time.
pub(in super::super) fn against_the_paper_in_time(comparisons: &[Comparison]) -> Vec<Claim> {
    speed::time_claims(&with_runs(comparisons))
}

fn with_runs<'a>(comparisons: &[Comparison<'a>]) -> Vec<Comparison<'a>> {
    comparisons.iter().filter(|comparison| comparison.n_blocks() > 0).cloned().collect()
}

/// One row per finding.
pub(in super::super) fn claims_csv(claims: &[Claim]) -> String {
    let mut csv = Csv::new(&["claim", "statement", "scope", "verdict", "numbers"]);
    for claim in claims {
        for finding in &claim.findings {
            let verdict = finding.verdict.name();
            csv.row(&[&claim.id, &claim.statement, &finding.scope, &verdict, &finding.numbers]);
        }
    }
    csv.text()
}
