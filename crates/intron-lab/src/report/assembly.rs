//! The whole report: a pure function of a plan and its records. What was measured (times, machines) is confined to the
//! section on times and to files whose names end in `-time`.

use std::collections::BTreeSet;

use super::analysis::{Analysis, Effort, Rows};
use super::claims::{Claim, against_the_paper, against_the_paper_in_time, claims_csv};
use super::comparison::{Comparison, comparisons};
use super::estimates::ENOUGH;
use super::parts::{Part, Section, capitalized, plural};
use super::similarity::Selection;
use super::{
    boxes, convergence, improvement, intervals, operators, page, ranks, similarity, tables,
};
use crate::plan::Plan;
use crate::record::Record;
use crate::task::AllFacts;

/// A report, not yet written.
#[derive(Debug, Clone)]
pub struct Report {
    /// Paths inside of the folder of the report, and contents.
    pub files: Vec<(String, String)>,
    /// The paper's claims and what the records say of them.
    pub claims: Vec<Claim>,
    /// The same, of claims about time.
    pub time_claims: Vec<Claim>,
    /// Number of figures.
    pub n_figures: usize,
    /// Number of runs that have a record.
    pub n_runs: usize,
    /// Number of runs of the plan.
    pub n_planned: usize,
}

impl Report {
    /// Computes and draws everything.
    pub fn new(plan: &Plan, facts: &AllFacts, records: &[Record]) -> Report {
        let analysis = Analysis::new(plan, records);
        let comparisons = comparisons(&analysis);
        let claims = against_the_paper(&analysis, &comparisons);
        let time_claims = against_the_paper_in_time(&comparisons);
        let mut sections = vec![overview(&analysis, &comparisons, facts)];
        sections.push(paper_section(&analysis, &claims, &comparisons));
        sections.push(convergence_section(&analysis, &comparisons));
        sections.push(intervals_section(&analysis, &comparisons));
        sections.push(ranks_section(&analysis, &comparisons));
        sections.push(improvement_section(&analysis, &comparisons));
        sections.push(problems_section(&analysis));
        sections.extend(similarity_section(&analysis));
        sections.extend(operators_section(&analysis, &comparisons));
        let mut times = times_section(&analysis, &comparisons, &time_claims);
        let mut taken = BTreeSet::from(["claims".to_owned(), "claims-time".to_owned()]);
        let all = sections.iter_mut().chain([&mut times]);
        all.for_each(|section| make_distinct(&mut section.parts, &mut taken));
        let mut files = vec![("index.html".to_owned(), page::page(&analysis, &sections, &times))];
        files.push(("data/claims.csv".to_owned(), claims_csv(&claims)));
        files.push(("data/claims-time.csv".to_owned(), claims_csv(&time_claims)));
        let n_before = files.len();
        sections.push(times);
        sections.iter().for_each(|section| collect_files(&section.parts, &mut files));
        let names: BTreeSet<&String> = files.iter().map(|file| &file.0).collect();
        assert_eq!(names.len(), files.len(), "no two files of a report have the same name");
        let is_figure = |file: &&(String, String)| file.0.starts_with("figures/");
        let n_figures = files[n_before..].iter().filter(is_figure).count();
        let (n_runs, n_planned) = (analysis.n_runs, analysis.n_planned);
        Report { files, claims, time_claims, n_figures, n_runs, n_planned }
    }
}

/// Gives a number to figures and tables whose name is taken, so that none overwrites another.
fn make_distinct(parts: &mut [Part], taken: &mut BTreeSet<String>) {
    for part in parts {
        let name = match part {
            Part::Figure(figure) => &mut figure.name,
            Part::Table(table) => &mut table.name,
            Part::Folded(_, parts) => {
                make_distinct(parts, taken);
                continue;
            }
            Part::Heading(_) | Part::Note(_) | Part::Html(_) => continue,
        };
        // The ending says that a file is about times, so that it stays the ending.
        let (stem, ending) =
            name.strip_suffix("-time").map_or((name.as_str(), ""), |s| (s, "-time"));
        let numbered = (2..).map(|number| format!("{stem}-{number}{ending}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        *name = candidates.find(|name| !taken.contains(name)).expect("numbers do not run out");
        taken.insert(name.clone());
    }
}

fn collect_files(parts: &[Part], files: &mut Vec<(String, String)>) {
    for part in parts {
        match part {
            Part::Figure(figure) => {
                files.push((format!("figures/{}.svg", figure.name), figure.svg.clone()));
                files.push((format!("data/{}.csv", figure.name), figure.csv.clone()));
            }
            Part::Table(table) => {
                files.push((format!("data/{}.csv", table.name), table.csv.clone()))
            }
            Part::Folded(_, parts) => collect_files(parts, files),
            Part::Heading(_) | Part::Note(_) | Part::Html(_) => {}
        }
    }
}

fn overview(analysis: &Analysis, comparisons: &[Comparison], facts: &AllFacts) -> Section {
    let n_missing = analysis.n_planned.saturating_sub(analysis.n_runs);
    let mut lead = if n_missing == 0 {
        "Every run of the plan has a record.".to_owned()
    } else {
        format!(
            "{n_missing} of {} runs have no record yet. Figures of single problems use every run there is; comparisons use \
             the runs that all settings have, so that all are judged by the same folds and seeds.",
            analysis.n_planned
        )
    };
    let fewest = comparisons.iter().map(Comparison::fewest_runs).filter(|runs| *runs > 0).min();
    if let Some(few) = fewest.filter(|runs| *runs < ENOUGH) {
        lead += &format!(
            " Some problem has only {} that every setting has: below {ENOUGH}, intervals and tests mean little.",
            plural(few, "run")
        );
    }
    let parts = vec![Part::Table(tables::overview(analysis, facts))];
    Section { id: "overview", title: "What was run".to_owned(), lead, parts }
}

fn paper_section(analysis: &Analysis, claims: &[Claim], comparisons: &[Comparison]) -> Section {
    let mut parts = vec![Part::Html(page::claims(claims))];
    let widest = comparisons.first().filter(|comparison| comparison.n_blocks() > 0);
    let stated = widest.map(|comparison| improvement::stated_probabilities(analysis, comparison));
    if let Some(Ok(Some(table))) = stated {
        parts.push(Part::Heading("Probabilities that the paper states".to_owned()));
        parts.push(Part::Table(table));
    }
    let lead = "Each claim of the paper, and what these records say of it. A claim holds, or does not, only if an interval \
                or a test says so; otherwise it is undecided. Intervals are 95 %; where a claim rests on several \
                comparisons, all must support it, and one that shows the opposite refutes it. A claim is about 10⁷ \
                evaluations, so that records of smaller budgets may rightly say something else."
        .to_owned();
    Section { id: "paper", title: "Against the paper".to_owned(), lead, parts }
}

fn convergence_section(analysis: &Analysis, comparisons: &[Comparison]) -> Section {
    let what = "Interquartile mean over evaluations";
    let all = convergence::interquartile_means(analysis, comparisons, Effort::Evaluations);
    let mut parts = vec![Part::figure_or_reason(what, all)];
    for (condition, one) in analysis.begun() {
        let draw = |rows| {
            let figure = convergence::medians(analysis, condition, rows, Effort::Evaluations);
            Part::figure_or_reason("Medians per problem", figure)
        };
        let title = format!("Per problem: {}", one.title);
        let is_folded = analysis.conditions.len() > 1;
        let own: Vec<Part> = analysis.rows().iter().copied().map(draw).collect();
        if is_folded {
            parts.push(Part::Folded(title, own));
        } else {
            parts.push(Part::Heading(title));
            parts.extend(own);
        }
    }
    let lead = "How accurate the best formula is after a number of evaluations.".to_owned();
    Section { id: "convergence", title: "Convergence".to_owned(), lead, parts }
}

fn intervals_section(analysis: &Analysis, comparisons: &[Comparison]) -> Section {
    let draw = |comparison: &Comparison| {
        let figure = intervals::intervals(analysis, comparison);
        let heading = Part::Heading(capitalized(&comparison.title));
        [heading, Part::figure_or_reason("Intervals", figure)]
    };
    let lead = "The final accuracy of each linkage setting with its uncertainty.".to_owned();
    let parts = comparisons.iter().flat_map(draw).collect();
    Section { id: "intervals", title: "Final accuracy".to_owned(), lead, parts }
}

fn ranks_section(analysis: &Analysis, comparisons: &[Comparison]) -> Section {
    let draw = |comparison: &Comparison| {
        let figure = ranks::critical_differences(analysis, comparison);
        let heading = Part::Heading(capitalized(&comparison.title));
        [heading, Part::figure_or_reason("Ranks", figure)]
    };
    let lead = "Which settings differ significantly.".to_owned();
    let parts = comparisons.iter().flat_map(draw).collect();
    Section { id: "ranks", title: "Average ranks".to_owned(), lead, parts }
}

fn improvement_section(analysis: &Analysis, comparisons: &[Comparison]) -> Section {
    let draw = |comparison: &Comparison| {
        let figure = improvement::improvements(analysis, comparison);
        Part::figure_or_reason(&format!("Probabilities, {}", comparison.title), figure)
    };
    let mut parts: Vec<Part> = comparisons.iter().take(1).map(draw).collect();
    let rest: Vec<Part> = comparisons.iter().skip(1).map(draw).collect();
    if !rest.is_empty() {
        parts.push(Part::Folded("Each height and scaling".to_owned(), rest));
    }
    let lead = "How probable it is that a run of one setting beats a run of another.".to_owned();
    Section { id: "improvement", title: "Probability of improvement".to_owned(), lead, parts }
}

fn problems_section(analysis: &Analysis) -> Section {
    let mut parts = Vec::new();
    for (condition, one) in analysis.begun() {
        parts.push(Part::Heading(capitalized(&one.title)));
        let figure = boxes::boxes(analysis, condition);
        parts.push(Part::figure_or_reason("Box plots", figure));
        for &rows in analysis.rows() {
            parts.push(Part::Table(tables::final_medians(analysis, condition, rows)));
        }
    }
    let lead = "The final accuracy problem by problem.".to_owned();
    Section { id: "problems", title: "Problem by problem".to_owned(), lead, parts }
}

fn similarity_section(analysis: &Analysis) -> Option<Section> {
    if similarity::generations(analysis).is_empty() {
        return None;
    }
    let n_problems = analysis.problems.len();
    let mut parts = Vec::new();
    for (condition, one) in analysis.begun() {
        parts.push(Part::Heading(capitalized(&one.title)));
        match similarity::correlations(analysis, condition) {
            Some(table) => parts.push(Part::Table(table)),
            None => parts.push(Part::Note(format!(
                "Correlations with the template are left out: no run of {} has a record.",
                similarity::TEMPLATE
            ))),
        }
        let draw =
            |selection| similarity::heat_maps(analysis, condition, selection).map(Part::Figure);
        parts.extend(Some(Selection::All).filter(|_| n_problems > 1).and_then(draw));
        let problems: Vec<Part> =
            (0..n_problems).map(Selection::Problem).filter_map(draw).collect();
        if n_problems > 1 {
            parts.push(Part::Folded("Each problem".to_owned(), problems));
        } else {
            parts.extend(problems);
        }
        let first: Vec<Part> = (0..n_problems).map(Selection::FirstRun).filter_map(draw).collect();
        parts.push(Part::Folded("The first run of each problem".to_owned(), first));
    }
    let lead = "Which positions of the template each measure takes to belong together, generation by generation.".to_owned();
    Some(Section { id: "similarity", title: "Learned structure".to_owned(), lead, parts })
}

fn operators_section(analysis: &Analysis, comparisons: &[Comparison]) -> Option<Section> {
    if analysis.plan.operators.len() < 2 {
        return None;
    }
    let draw = |rows| {
        let figure = operators::operator_sets(analysis, comparisons, rows);
        Part::figure_or_reason("Operator sets", figure)
    };
    let lead = "The same settings with other operators.".to_owned();
    let parts = analysis.rows().iter().copied().map(draw).collect();
    Some(Section { id: "operators", title: "Operator sets".to_owned(), lead, parts })
}

fn times_section(analysis: &Analysis, comparisons: &[Comparison], claims: &[Claim]) -> Section {
    let all = convergence::interquartile_means(analysis, comparisons, Effort::Seconds);
    let mut parts = vec![
        Part::Html(page::claims(claims)),
        Part::figure_or_reason("Interquartile mean over time", all),
    ];
    for (condition, one) in analysis.begun() {
        let figure = convergence::medians(analysis, condition, Rows::Train, Effort::Seconds);
        let own = vec![
            Part::Table(tables::run_times(analysis, condition)),
            Part::figure_or_reason("Medians over time", figure),
        ];
        parts.push(Part::Folded(capitalized(&one.title), own));
    }
    let mut places: Vec<String> = analysis
        .all_runs()
        .map(|run| format!("{} (intron {})", run.record.measured.host, run.record.measured.version))
        .collect();
    places.sort_unstable();
    places.dedup();
    let lead = format!(
        "All that was measured rather than computed: two reports of the same runs differ here alone. Runs were done on: {}.",
        places.join(", ")
    );
    Section { id: "times", title: "Times".to_owned(), lead, parts }
}
