//! `intron bench`: how fast this machine searches, every figure next to its reference from the same run.

use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use intron::{
    Dataset, Event, Interrupt, Linkage, Outcome, Run, Seed, Settings, StreamName, hold_out,
};
use serde_json::{Value, json};

use crate::arguments::BenchArguments;
use crate::failure::Failure;
use crate::{json, terminal};

/// The paper trains on four fifths of three quarters of the rows.
const HELD_OUT: f64 = 0.4;

/// One search, measured.
struct Measured {
    outcome: Outcome,
    cpu_seconds: f64,
    wall_seconds: f64,
    /// Share of the wall time that linkage learning took.
    linkage_share: f64,
    seconds_to_first_formula: f64,
}

impl Measured {
    fn microseconds_per_evaluation(&self) -> f64 {
        1e6 * self.cpu_seconds / self.outcome.n_evaluations as f64
    }
}

/// What is printed: rows of text, and the same as JSON.
struct Table {
    rows: Vec<Value>,
    is_shown: bool,
}

impl Table {
    fn add(&mut self, what: &str, figure: f64, unit: &str, note: &str) -> Result<(), Failure> {
        if self.is_shown {
            let line = format!("{what:<44} {figure:>9.3} {unit:<18} {note}");
            terminal::print(&format!("{}\n", line.trim_end()))?;
        }
        self.rows.push(
            json!({"what": what, "figure": json::number(figure), "unit": unit, "note": note}),
        );
        Ok(())
    }
}

pub(crate) fn bench(arguments: &BenchArguments) -> Result<(), Failure> {
    let mut settings = Settings::default();
    settings.set("evaluations", &arguments.evaluations)?;
    let n_evaluations = settings.limits.evaluations.unwrap_or(1_000_000).max(10_000);
    let mut table = Table { rows: Vec::new(), is_shown: !arguments.output.json };
    let airfoil = training_rows("airfoil", None)?;
    let tower = match training_rows("tower", arguments.data_dir.as_deref()) {
        Ok(tower) => Some(tower),
        Err(failure) if arguments.data_dir.is_some() => return Err(failure),
        Err(_) => None,
    };
    for (name, data, height) in [
        ("airfoil", Some(&airfoil), 5),
        ("airfoil", Some(&airfoil), 7),
        ("tower", tower.as_ref(), 7),
    ] {
        match data {
            Some(data) => bench_search(&mut table, name, data, height, n_evaluations)?,
            None if arguments.output.quiet => {}
            None => terminal::tell("tower: not measured; --data-dir says where its file is"),
        }
    }
    if let Some(megabytes) = peak_memory() {
        table.add("all of these, peak memory", megabytes, "MB", "")?;
    }
    bench_linkage(&mut table, &airfoil, n_evaluations)?;
    bench_threads(&mut table, &airfoil, n_evaluations)?;
    bench_rows(&mut table, n_evaluations)?;
    if arguments.output.json {
        let object = json!({"format": "intron-bench", "version": 1, "rows": table.rows});
        return terminal::print(&json::text(&object));
    }
    Ok(())
}

/// The most memory that this process has had so far, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// The rows that the paper would train on.
fn training_rows(name: &str, data_dir: Option<&Path>) -> Result<Dataset, Failure> {
    let (source, bytes) = intron_files::bytes_of(name, data_dir)?;
    let data = intron_files::whole_table(&source, &bytes)?;
    let split = hold_out(&data, HELD_OUT, Seed(0))?;
    Ok(data.rows(&split.train))
}

/// A search against the plain way: every candidate from scratch, all rows always.
fn bench_search(
    table: &mut Table,
    name: &str,
    data: &Dataset,
    height: usize,
    n_evaluations: u64,
) -> Result<(), Failure> {
    let height_text = height.to_string();
    let fast = measure(data, n_evaluations, &[("height", &height_text)])?;
    let plain =
        [("height", height_text.as_str()), ("evaluator", "full"), ("early_rejection", "off")];
    // The cost of an evaluation changes in the course of a search, so the same part of it is compared.
    let begin = measure(data, n_evaluations / 10, &[("height", &height_text)])?;
    let reference = measure(data, n_evaluations / 10, &plain)?;
    let what = format!("{name}, {} rows, height {height}", data.n_rows());
    let per_evaluation = fast.microseconds_per_evaluation();
    let note = format!("1e7 evaluations in {:.1} s of CPU", 10.0 * per_evaluation);
    table.add(&what, per_evaluation, "µs/evaluation", &note)?;
    let ratio = reference.cpu_seconds / begin.cpu_seconds;
    table.add(&format!("{what}, plain evaluator"), ratio, "times slower", "")?;
    if height == 5 {
        let first = fast.seconds_to_first_formula;
        table.add(&format!("{what}, first formula"), first, "s after start", "")?;
    }
    Ok(())
}

fn bench_linkage(table: &mut Table, data: &Dataset, n_evaluations: u64) -> Result<(), Failure> {
    for height in ["5", "7"] {
        for linkage in Linkage::names() {
            let measured =
                measure(data, n_evaluations / 5, &[("height", height), ("linkage", linkage)])?;
            let what = format!("linkage learning, {linkage}, height {height}");
            table.add(&what, 100.0 * measured.linkage_share, "% of the time", "")?;
        }
    }
    Ok(())
}

fn bench_threads(table: &mut Table, data: &Dataset, n_evaluations: u64) -> Result<(), Failure> {
    let with = |threads| {
        let flags = [("population", "1024"), ("convergence", "identical"), ("threads", threads)];
        measure(data, n_evaluations, &flags)
    };
    let (one, two) = (with("1")?, with("2")?);
    let ratio = one.wall_seconds / two.wall_seconds;
    table.add("two threads, population 1024", ratio, "times as fast", "wall time")?;
    Ok(())
}

/// How the cost per row grows with the number of rows. A short bench leaves out the large tables.
fn bench_rows(table: &mut Table, longest: u64) -> Result<(), Failure> {
    for n_rows in [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|&n| n as u64 <= longest) {
        let data = generated(n_rows, 20)?;
        let measured = measure(&data, 2_000, &[])?;
        let per_row = 1e3 * measured.microseconds_per_evaluation() / n_rows as f64;
        let what = format!("generated, {n_rows} rows, 20 features");
        table.add(&what, per_row, "ns/evaluation/row", "")?;
    }
    Ok(())
}

/// A target that depends on some of the features, with noise.
fn generated(n_rows: usize, n_features: usize) -> Result<Dataset, Failure> {
    let mut stream = Seed(0).stream(StreamName::Split);
    let mut column = || -> Vec<f64> { (0..n_rows).map(|_| stream.unit() * 10.0 - 5.0).collect() };
    let features: Vec<Vec<f64>> = (0..n_features).map(|_| column()).collect();
    let noise = column();
    let target = (0..n_rows)
        .map(|row| features[0][row] * features[1][row] + features[2][row] + noise[row])
        .collect();
    let names = (0..n_features).map(|k| format!("x{k}")).collect();
    Ok(Dataset::new(names, features, target, None)?)
}

fn measure(
    data: &Dataset,
    n_evaluations: u64,
    flags: &[(&str, &str)],
) -> Result<Measured, Failure> {
    let mut settings = Settings { threads: 1, ..Settings::default() };
    settings.limits.evaluations = Some(n_evaluations);
    for (key, value) in flags {
        settings.set(key, value)?;
    }
    let wall = Instant::now();
    let run = Run::new(data, &settings.validate()?, Interrupt::default())?;
    // What comes before is done once, however long the search is.
    let cpu = ProcessTime::now();
    let (mut linkage_seconds, mut first, mut since) = (0.0, None, 0.0);
    let mut observer = |event: &Event<'_>| {
        let now = wall.elapsed().as_secs_f64();
        match event {
            // Learning comes right after a population was made or has finished a generation.
            Event::LinkageLearned { .. } => linkage_seconds += now - since,
            Event::BestImproved { .. } => {
                first.get_or_insert(now);
            }
            _ => since = now,
        }
    };
    let outcome = run.finish(&mut observer);
    let wall_seconds = wall.elapsed().as_secs_f64();
    Ok(Measured {
        outcome,
        cpu_seconds: cpu.elapsed().as_secs_f64(),
        wall_seconds,
        linkage_share: linkage_seconds / wall_seconds,
        seconds_to_first_formula: first.unwrap_or(wall_seconds),
    })
}
