//! The text form of a checkpoint: lines of words, every 64-bit float as the digits of its bits. The last line has the
//! fingerprint of all before it.

use std::fmt::Write;

use super::state::{Checkpoint, Origin, SavedLane, SavedPopulation, SavedSlot, text_fingerprint};
use crate::expression::{Compositions, Meaning, Node, Symbol};
use crate::model::Model;
use crate::random::RESULTS_VERSION;
use crate::settings::Key;

/// The first word.
pub(super) const FORMAT: &str = "intron-checkpoint";
/// The version of the text form.
pub(super) const VERSION: u64 = 2;

/// Writing to a text cannot fail.
macro_rules! put {
    ($text:expr, $($arguments:tt)*) => {
        write!($text, $($arguments)*).expect("there is always room in a text")
    };
}

impl Checkpoint {
    /// The checkpoint as text, exact to the last bit.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        put!(text, "{FORMAT} {VERSION}\nresults {RESULTS_VERSION}\n");
        self.origin.write(&mut text);
        let spent = &self.spent;
        put!(text, "seconds {:016x}\n", spent.seconds.to_bits());
        put!(text, "evaluations {}\n", spent.n_evaluations);
        put!(text, "generations {}\n", spent.n_generations);
        match spent.solved_at {
            Some(at) => put!(text, "solved {at}\n"),
            None => put!(text, "unsolved\n"),
        }
        put!(text, "rows_since_progress {}\n", self.rows_since_progress);
        put!(text, "memory_limit_told {}\n", u8::from(self.has_told_memory_limit));
        put!(text, "models {}\n", self.front().len());
        self.front().iter().for_each(|model| write_model(model, &mut text));
        put!(text, "shelved {}\n", self.archive.shelved().len());
        self.archive.shelved().iter().for_each(|model| write_model(model, &mut text));
        put!(text, "lanes {}\n", self.lanes.len());
        self.lanes.iter().for_each(|lane| self.write_lane(lane, &mut text));
        let fingerprint = text_fingerprint(&text);
        put!(text, "end {fingerprint:016x}\n");
        text
    }

    fn write_lane(&self, lane: &SavedLane, text: &mut String) {
        let SavedLane { n_evaluations, schedule } = lane;
        put!(text, "lane {n_evaluations}\n");
        put!(text, "turn {}\n", schedule.turn);
        put!(text, "populations {} {}\n", schedule.n_gone, schedule.slots.len());
        for SavedSlot { ticks, population } in &schedule.slots {
            match population {
                None => put!(text, "retired {ticks}\n"),
                Some(population) => {
                    write_population(*ticks, population, &self.settings().own_operators, text);
                }
            }
        }
    }
}

impl Origin {
    fn write(&self, text: &mut String) {
        for key in Key::all() {
            match key.name {
                "linkage" => put!(text, "setting linkage {}\n", self.linkage),
                name => put!(text, "setting {name} {}\n", key.value(&self.settings)),
            }
        }
        put!(text, "features {}\n", self.n_features);
        put!(text, "data {:016x}\n", self.data);
    }
}

/// Size, complexity, error, and the nodes, each with the places of its arguments.
fn write_model(model: &Model, text: &mut String) {
    let Model { size, complexity, fitness, .. } = model;
    put!(text, "model {size} {complexity} {:016x}", fitness.nmse().to_bits());
    for Node { symbol, arguments } in model.formula.nodes() {
        write_symbol(*symbol, &Compositions::default(), text);
        arguments[..symbol.arity()].iter().for_each(|argument| put!(text, ":{argument}"));
    }
    text.push('\n');
}

fn write_population(ticks: u64, saved: &SavedPopulation, own: &Compositions, text: &mut String) {
    let SavedPopulation { generation, temperature, population, stretches, .. } = saved;
    let (n_still, n_solutions) = (saved.n_generations_without_improvement, population.len());
    let temperature = temperature.to_bits();
    put!(text, "population {ticks} {generation} {n_still} {temperature:016x} {n_solutions}\n");
    for (solution, stretch) in population.iter().zip(stretches.iter()) {
        put!(text, "{stretch} {:016x}", solution.fitness.nmse().to_bits());
        let symbols = solution.genome.symbols().iter();
        symbols.for_each(|symbol| write_symbol(*symbol, own, text));
        text.push('\n');
    }
}

/// A space, and an operator by its name, a feature as `x3`, one with a factor as `x3*` and its bits, or a constant as `#` and its bits.
fn write_symbol(symbol: Symbol, own: &Compositions, text: &mut String) {
    if let Some(composition) = own.of(symbol) {
        return put!(text, " {}", composition.name());
    }
    if let Some((index, factor)) = symbol.as_weighted() {
        return put!(text, " x{index}*{:016x}", factor.to_bits());
    }
    match symbol.meaning() {
        Meaning::Operator(operator) => put!(text, " {}", operator.name()),
        Meaning::Feature(index) => put!(text, " x{index}"),
        Meaning::Constant(value) => put!(text, " #{:016x}", value.to_bits()),
    }
}
