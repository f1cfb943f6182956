//! Queries read a table as it is: words, gaps and marks for gaps in it.

mod harness;

use harness::{Folder, colours, intron};

/// Rows of words and numbers with gaps in both: `colour` and `a` are filled in.
fn coloured_gaps(n_rows: usize) -> String {
    let mut lines = colours(n_rows).lines().map(str::to_owned).collect::<Vec<_>>();
    for (k, line) in lines.iter_mut().enumerate().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        match k % 23 {
            4 => *line = format!(",{},{}", cells[1], cells[2]),
            5 => *line = format!(" {} ,{},{}", cells[0], cells[1], cells[2]),
            6 => *line = format!("n/a,{},{}", cells[1], cells[2]),
            7 => *line = format!("-,{},{}", cells[1], cells[2]),
            8 => *line = format!("{},,{}", cells[0], cells[2]),
            9 => *line = format!("{},NA,{}", cells[0], cells[2]),
            _ => {}
        }
    }
    lines.join("\n") + "\n"
}

/// Runs the query of a file on a table of text, as a user's table may be, and compares with predictions.
const QUERY: &str = "
import csv, json, sqlite3, sys
table, query, predictions = sys.argv[1:]
rows = list(csv.reader(open(table, encoding='utf-8')))
database = sqlite3.connect(':memory:')
database.execute('CREATE TABLE data (%s)' % ','.join('\"%s\"' % name for name in rows[0]))
marks = ','.join('?' * len(rows[0]))
database.executemany(f'INSERT INTO data VALUES ({marks})', [[None if cell == '-' else cell for cell in row] for row in rows[1:]])
found = [row[0] for row in database.execute(open(query, encoding='utf-8').read())]
expected = json.load(open(predictions, encoding='utf-8'))['predictions']
assert len(found) == len(expected) == len(rows) - 1
for one, other in zip(found, expected):
    assert abs(one - other) <= 1e-9 * max(1, abs(other)), (one, other)
";

/// A query gives what `predict` gives for a table; the query.
fn assert_query_predicts(folder: &Folder, content: &str, flags: &[&str]) -> String {
    let data = folder.file("data.csv", content);
    let run = folder.path("run");
    let more = ["--operators", "+,*", "--select", "accuracy", "--out", &run];
    let begin = ["fit", &data, "--evaluations", "10000"];
    intron(&[&begin, flags, &more].concat()).expect_success();
    let predicted = intron(&["predict", &run, &data, "--json"]).expect_success().output;
    let predictions = folder.file("predictions.json", predicted);
    let sql = intron(&["show", &run, "--format", "sql"]).expect_success().output;
    let query = folder.file("query.sql", &sql);
    let checked = std::process::Command::new("python3")
        .args(["-c", QUERY, &data, &query, &predictions])
        .output()
        .expect("python3 starts");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    sql
}

#[test]
fn a_query_makes_the_same_of_words_and_gaps_as_predict_does() {
    let folder = Folder::new();
    let flags = ["--one-hot", "auto", "--missing", "impute"];
    let sql = assert_query_predicts(&folder, &coloured_gaps(120), &flags);
    assert!(sql.contains("= 'red' THEN 1"), "{sql}");
    assert!(sql.contains("(1 where colour is red, else 0; missing counts as"), "{sql}");
    // A row of the table has one colour at most.
    let points: Vec<&str> = sql.lines().filter(|line| line.contains(" gives ")).collect();
    let n_ones = |point: &str| {
        ["red", "green"].iter().filter(|word| point.contains(&format!("={word} = 1.0"))).count()
    };
    let n_ones: Vec<usize> = points.iter().map(|point| n_ones(point)).collect();
    assert_eq!(n_ones, [1, 1, 0], "{points:?}");
    let run = folder.path("run");
    let sheet = intron(&["show", &run, "--format", "excel"]).expect_success().output;
    assert!(sheet.contains("EXACT(TRIM(A2),\"red\")"), "{sheet}");
    assert!(sheet.contains("#   B2: a (where it is missing: "), "{sheet}");
    let python = intron(&["show", &run, "--format", "python"]).expect_success().output;
    assert!(python.contains("colour=red (1 where colour is red, else 0"), "{python}");
}

#[test]
fn a_query_knows_numbers_that_are_words_however_they_are_written() {
    let months = colours(120).replace("red", "01").replace("blue", "2.0").replace("green", "3");
    let sql = assert_query_predicts(&Folder::new(), &months, &["--one-hot", "colour"]);
    assert!(sql.contains("(1 where colour is 2, else 0)"), "{sql}");
}
