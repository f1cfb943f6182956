//! Draws one figure of each kind, and extreme ones, from made-up data: `cargo run --example figures -- FOLDER`.

use std::path::Path;

use intron_lab::figures::{
    AverageRank, BoxPlot, BoxPlotFigure, BoxPlotPanel, ComparisonFigure, ComparisonPanel,
    ComparisonRow, ConvergenceFigure, ConvergencePanel, CriticalDifferenceFigure, Curve,
    CurvePoint, Estimate, HeatMapFigure, HeatMapRow, ImprovementMatrix, IntervalFigure,
    IntervalPanel, IntervalRow, Matrix, PanelFigure, Scale, Sharing,
};

const LABELS: [&str; 9] = [
    "Node",
    "MI_masked",
    "#CS",
    "Node subtrees",
    "Node (static)",
    "MI",
    "MI_adjusted",
    "Random",
    "Univariate",
];
const LONG: [&str; 3] = [
    "Node with a name that is far longer than any column of labels should be",
    "averyveryverylongnamewithoutanyplacewhereitcouldbebroken_into_lines",
    "< & > \"x\"",
];
const PROBLEMS: [&str; 5] =
    ["Airfoil", "Bike Sharing (Daily)", "Concrete Compressive Strength", "Dow Chemical", "Tower"];

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "figures".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let save = |name: &str, svg: String| std::fs::write(folder.join(format!("{name}.svg")), svg);
    let one = &LABELS[..1];
    let six = ["Node", "MI_masked", "Node (static)", "MI", "MI_adjusted", "Random"];
    let mixed: Vec<&str> = LONG.iter().chain(&LABELS[..4]).copied().collect();
    save(
        "convergence",
        convergence(
            &LABELS,
            &["height 5", "height 7", "height 5, LS", "height 7, LS"],
            2,
            Sharing::Row,
        ),
    )?;
    save("convergence-one", convergence(one, &[""], 1, Sharing::Separate))?;
    save("convergence-problems", convergence(&six, &PROBLEMS, 3, Sharing::Separate))?;
    save("convergence-effort", two_efforts(&six))?;
    save("convergence-long", convergence(&mixed, &LONG[..2], 2, Sharing::All))?;
    save("convergence-gaps", gaps())?;
    save("intervals", intervals(&LABELS, &["IQM", "Mean of medians", "Median", "Mean"], 4))?;
    save("intervals-problems", intervals(&six, &PROBLEMS, 2))?;
    save("intervals-one", intervals(one, &["IQM"], 1))?;
    save("intervals-long", intervals(&mixed, &["IQM", LONG[0]], 2))?;
    let ten: Vec<&str> = LABELS.iter().chain(["own measure"].iter()).copied().collect();
    let eight = ["5", "5, LS", "7", "7, LS"].map(|setting| format!("height {setting}"));
    let eight: Vec<&str> = eight.iter().chain(&eight).map(String::as_str).collect();
    save("intervals-eight", intervals(&ten, &eight, 4))?;
    save("convergence-eight", convergence(&ten, &eight, 4, Sharing::Row))?;
    save("critical-difference", ranks(&LABELS, 1.0))?;
    save("critical-difference-one", ranks(one, 1.0))?;
    save("critical-difference-long", ranks(&mixed, 0.6))?;
    save("critical-difference-equal", ranks(&LABELS[..4], 0.0))?;
    save("improvement", improvement(&LABELS))?;
    save("improvement-one", improvement(one))?;
    save("improvement-three", improvement(&LABELS[..3]))?;
    save("improvement-long", improvement(&mixed))?;
    save("boxes", boxes(&LABELS, &PROBLEMS, 3, None))?;
    save("boxes-one", boxes(one, &PROBLEMS[..1], 1, None))?;
    save("boxes-limits", boxes(&mixed, &PROBLEMS[..2], 2, Some((0.55, 0.85))))?;
    save("comparison", comparison(&LABELS, &PROBLEMS, 3))?;
    save("comparison-one", comparison(one, &PROBLEMS[..1], 1))?;
    save("heat-map", heat_map(5, &["MI", "MI_adjusted", "MI_masked", "Node"]))?;
    save("heat-map-7", heat_map(7, &["MI", "MI_masked"]))?;
    save("heat-map-one", heat_map(5, &["MI_masked"]))?;
    save("equal", equal())
}

/// Noise between −1 and 1 from two whole numbers.
fn noise(a: usize, b: usize) -> f64 {
    let mixed = (a as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (b as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed >> 40) as f64 / (1_u64 << 23) as f64) - 1.0
}

fn curve(label: &str, index: usize, panel: usize, reach: f64) -> Curve {
    let final_value = 0.85 - 0.03 * index as f64 + 0.02 * noise(index, panel);
    let point = |step: usize| {
        let effort = 10_f64.powf(2.0 + (reach - 2.0) * step as f64 / 60.0);
        let middle = final_value * (1.0 - (-(effort.log10() - 1.0) * 0.55).exp())
            + 0.002 * noise(step, index);
        CurvePoint { effort, middle, low: middle - 0.015, high: middle + 0.012 }
    };
    Curve {
        label: label.to_owned(),
        points: (0..=60).map(point).collect(),
        cross: None,
        has_final_line: false,
    }
}

fn panel(title: &str, curves: Vec<Curve>) -> ConvergencePanel {
    ConvergencePanel {
        title: title.to_owned(),
        effort_label: "evaluations".to_owned(),
        effort_scale: Scale::Logarithmic,
        value_limits: None,
        budget: None,
        curves,
    }
}

fn figure(panels: Vec<ConvergencePanel>, n_columns: usize, sharing: Sharing) -> String {
    ConvergenceFigure {
        title: "Convergence".to_owned(),
        description: "Interquartile mean over evaluations.".to_owned(),
        value_label: "training R² (IQM)".to_owned(),
        n_columns,
        sharing,
        panels,
    }
    .draw()
}

fn convergence(labels: &[&str], titles: &[&str], n_columns: usize, sharing: Sharing) -> String {
    let curves = |p: usize| labels.iter().enumerate().map(|(i, l)| curve(l, i, p, 6.0)).collect();
    let panels = titles.iter().enumerate().map(|(p, title)| panel(title, curves(p))).collect();
    figure(panels, n_columns, sharing)
}

fn two_efforts(labels: &[&str]) -> String {
    let curves = |cross, has_final_line| -> Vec<Curve> {
        let all = labels.iter().enumerate().map(|(i, l)| curve(l, i, 0, 6.0));
        all.enumerate()
            .map(|(i, c)| Curve { cross, has_final_line: has_final_line && i > 2, ..c })
            .collect()
    };
    let evaluations = ConvergencePanel {
        effort_scale: Scale::Linear,
        budget: Some(8e5),
        ..panel("over evaluations", curves(Some(8e5), true))
    };
    let mut seconds = panel("over time", curves(Some(300.0), false));
    seconds.effort_label = "seconds".to_owned();
    for point in seconds.curves.iter_mut().flat_map(|curve| &mut curve.points) {
        point.effort /= 2000.0;
    }
    figure(vec![evaluations, seconds], 2, Sharing::Row)
}

fn gaps() -> String {
    let mut curves: Vec<Curve> =
        LABELS[..3].iter().enumerate().map(|(i, l)| curve(l, i, 0, 6.0)).collect();
    curves[0].points[20..30].iter_mut().for_each(|point| point.middle = f64::NAN);
    curves[1].points.iter_mut().for_each(|point| point.low = f64::NAN);
    curves[2].points.clear();
    let steep =
        ConvergencePanel { value_limits: Some((0.6, 0.9)), ..panel("limits", curves.clone()) };
    figure(vec![panel("gaps", curves), steep, panel("empty", Vec::new())], 3, Sharing::Separate)
}

fn estimate(index: usize, other: usize) -> Estimate {
    let point = 0.8 - 0.02 * index as f64 + 0.015 * noise(index, other);
    Estimate { point, low: point - 0.02 - 0.01 * noise(other, index).abs(), high: point + 0.02 }
}

fn intervals(labels: &[&str], titles: &[&str], n_columns: usize) -> String {
    let rows = |p: usize| {
        let row =
            |(i, l): (usize, &&str)| IntervalRow { label: l.to_string(), estimate: estimate(i, p) };
        labels.iter().enumerate().map(row).collect()
    };
    let panels = titles.iter().enumerate();
    IntervalFigure {
        title: "Intervals".to_owned(),
        description: "Aggregates with 95 % intervals.".to_owned(),
        value_label: "training R²".to_owned(),
        n_columns,
        sharing: Sharing::Separate,
        panels: panels
            .map(|(p, title)| IntervalPanel {
                title: title.to_string(),
                value_limits: None,
                rows: rows(p),
            })
            .collect(),
    }
    .draw()
}

fn ranks(labels: &[&str], spread: f64) -> String {
    let n = labels.len() as f64;
    let rank = |i: usize| {
        (n + 1.0) / 2.0 + spread * 0.85 * (i as f64 - (n - 1.0) / 2.0) + spread * 0.3 * noise(i, 3)
    };
    let owned = |from: usize, to: usize| -> Vec<String> {
        labels.iter().take(to).skip(from).map(|label| label.to_string()).collect()
    };
    CriticalDifferenceFigure {
        title: "Average ranks".to_owned(),
        description: "Friedman test with Nemenyi's critical difference.".to_owned(),
        ranks: labels
            .iter()
            .enumerate()
            .map(|(i, label)| AverageRank { label: label.to_string(), rank: rank(i) })
            .collect(),
        critical_difference: 1.34,
        groups: vec![owned(1, 3), owned(2, 4), owned(3, 6), owned(6, 8)],
    }
    .draw()
}

fn improvement(labels: &[&str]) -> String {
    let n = labels.len();
    let cell = |row: usize, column: usize| {
        let point = 0.5 + 0.06 * (column as f64 - row as f64);
        (row != column && row + column != 13).then_some(Estimate {
            point,
            low: point - 0.07,
            high: point + 0.06,
        })
    };
    ImprovementMatrix {
        title: "Probability of improvement".to_owned(),
        description: "P(row better than column).".to_owned(),
        labels: labels.iter().map(|label| label.to_string()).collect(),
        cells: (0..n).map(|row| (0..n).map(|column| cell(row, column)).collect()).collect(),
    }
    .draw()
}

fn boxes(
    labels: &[&str],
    titles: &[&str],
    n_columns: usize,
    value_limits: Option<(f64, f64)>,
) -> String {
    let one = |i: usize, p: usize| {
        let median = 0.8 - 0.02 * i as f64 + 0.02 * noise(i, p);
        BoxPlot {
            label: labels[i].to_owned(),
            low_whisker: median - 0.06,
            first_quartile: median - 0.025,
            median,
            third_quartile: median + 0.02,
            high_whisker: median + 0.05,
            outliers: if i.is_multiple_of(2) {
                vec![median - 0.1, median - 0.2, median + 0.07]
            } else {
                Vec::new()
            },
        }
    };
    let panels = titles.iter().enumerate().map(|(p, title)| BoxPlotPanel {
        title: title.to_string(),
        value_limits,
        rows: (0..labels.len()).map(|i| one(i, p)).collect(),
    });
    BoxPlotFigure {
        title: "Boxes".to_owned(),
        description: "Final training R² per problem.".to_owned(),
        value_label: "training R²".to_owned(),
        n_columns,
        sharing: Sharing::Separate,
        panels: panels.collect(),
    }
    .draw()
}

fn comparison(labels: &[&str], titles: &[&str], n_columns: usize) -> String {
    let rows = |p: usize| {
        let row = |(i, l): (usize, &&str)| ComparisonRow {
            label: l.to_string(),
            estimates: vec![Some(estimate(i, p)), (i != 4).then(|| estimate(i + 1, p + 9))],
        };
        labels.iter().enumerate().map(row).collect()
    };
    let panels = titles.iter().enumerate();
    let variants =
        vec!["+ − × ÷ (small)".to_owned(), "+ − × ÷ sin cos exp log √ x² (large)".to_owned()];
    let frame = PanelFigure {
        title: "Operator sets".to_owned(),
        description: "Small against large operator set.".to_owned(),
        value_label: "training R² (IQM)".to_owned(),
        n_columns,
        sharing: Sharing::Separate,
        panels: panels
            .map(|(p, title)| ComparisonPanel {
                title: title.to_string(),
                value_limits: None,
                rows: rows(p),
            })
            .collect(),
    };
    ComparisonFigure { frame, variants }.draw()
}

fn heat_map(height: u32, labels: &[&str]) -> String {
    let n = (1_usize << height) - 1;
    let distance = |mut a: usize, mut b: usize| {
        let mut steps = 0;
        while a != b {
            if a > b {
                a = (a - 1) / 2
            } else {
                b = (b - 1) / 2
            }
            steps += 1;
        }
        steps
    };
    let value = |row: usize, column: usize, i: usize| {
        let (a, b) = (i / n, i % n);
        let near = 1.0 / f64::from(distance(a, b).max(1));
        let strength = 0.3 + 0.2 * column as f64;
        if a == b {
            f64::NAN
        } else {
            near * strength + 0.1 * noise(a.min(b) + row, a.max(b) + 31 * column).abs()
        }
    };
    let matrix = |row: usize, column: usize| {
        let is_there = !(row + 1 == labels.len() && labels.len() > 1 && column > 0);
        is_there.then(|| Matrix {
            n_positions: n,
            values: (0..n * n).map(|i| value(row, column, i)).collect(),
        })
    };
    let rows = labels.iter().enumerate().map(|(row, label)| HeatMapRow {
        label: label.to_string(),
        value_limits: None,
        // The node measure does not change, so it is shown once.
        matrices: (0..if *label == "Node" { 1 } else { 4 })
            .map(|column| matrix(row, column))
            .collect(),
    });
    HeatMapFigure {
        title: "Similarities".to_owned(),
        description: "Similarity of positions over generations.".to_owned(),
        column_titles: [0, 5, 10, 20].map(|generation| format!("generation {generation}")).into(),
        level_sizes: (0..height).map(|level| 1 << level).collect(),
        rows: rows.collect(),
    }
    .draw()
}

/// All values alike.
fn equal() -> String {
    let same = Estimate { point: 0.7, low: 0.7, high: 0.7 };
    let row = |label: &&str| IntervalRow { label: label.to_string(), estimate: same };
    IntervalFigure {
        title: "Equal".to_owned(),
        description: "No differences.".to_owned(),
        value_label: "training R²".to_owned(),
        n_columns: 2,
        sharing: Sharing::Separate,
        panels: ["IQM", "Median"]
            .map(|title| IntervalPanel {
                title: title.to_owned(),
                value_limits: None,
                rows: LABELS.iter().map(row).collect(),
            })
            .into(),
    }
    .draw()
}
