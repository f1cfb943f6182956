//! `intron bench` measures what it names.

mod harness;

use harness::{intron, list, number, text};

#[test]
fn a_short_bench_has_every_figure() {
    let bench = intron(&["bench", "--evaluations", "1e4", "--json"]).json();
    assert_eq!((text(&bench, "format"), number(&bench, "version")), ("intron-bench", 1.0));
    let rows = list(&bench, "rows");
    for what in [
        "airfoil",
        "height 7",
        "plain evaluator",
        "first formula",
        "mi-masked",
        "two threads",
        "generated",
    ] {
        assert!(rows.iter().any(|row| text(row, "what").contains(what)), "no `{what}`");
    }
    for row in rows {
        let figure = number(row, "figure");
        assert!(figure >= 0.0 && figure.is_finite(), "{row}");
    }
}
