//! A bounded table from expressions to what is known of their fitness. A hit compares the whole expression, not only its
//! hash, so that what it says is exact.

use super::objective::Fitness;
use crate::expression::{PositionSet, Symbol, positions_of};

/// Longer expressions hardly ever come twice.
const MAX_SYMBOLS: usize = 32;
/// Number of places; an expression has one, and the last one to come stays.
const N_PLACES: usize = 1 << 15;

/// What is known of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Known {
    /// Its fitness.
    Fitness(Fitness),
    /// That it is worse than this.
    WorseThan(Fitness),
}

/// The table of one thread.
pub(super) struct Memo {
    entries: Vec<Entry>,
    /// The symbols of each place.
    symbols: Vec<[Symbol; MAX_SYMBOLS]>,
    key: Key,
}

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    n_symbols: usize,
    known: Known,
}

/// The active symbols in the order of their positions: together they fix which positions are active.
struct Key {
    symbols: [Symbol; MAX_SYMBOLS],
    n_symbols: usize,
    hash: u64,
}

impl Memo {
    pub(super) fn new() -> Memo {
        let nothing = [Symbol::feature(0); MAX_SYMBOLS];
        let empty = Entry { hash: 0, n_symbols: 0, known: Known::Fitness(Fitness::INVALID) };
        Memo {
            entries: vec![empty; N_PLACES],
            symbols: vec![nothing; N_PLACES],
            key: Key { symbols: nothing, n_symbols: 0, hash: 0 },
        }
    }

    /// What is known of an expression. Remembers which one was asked for, see [`Memo::remember`].
    pub(super) fn look_up(&mut self, symbols: &[Symbol], active: PositionSet) -> Option<Known> {
        if active.count_ones() as usize > MAX_SYMBOLS {
            self.key.n_symbols = 0;
            return None;
        }
        let key = &mut self.key;
        (key.n_symbols, key.hash) = (0, 0);
        for position in positions_of(active) {
            let symbol = symbols[position];
            key.symbols[key.n_symbols] = symbol;
            key.n_symbols += 1;
            key.hash =
                (key.hash.rotate_left(5) ^ symbol.word()).wrapping_mul(0x517C_C1B7_2722_0A95);
        }
        let place = place_of(key.hash);
        let entry = &self.entries[place];
        let is_same = entry.hash == key.hash
            && entry.n_symbols == key.n_symbols
            && self.symbols[place][..key.n_symbols] == key.symbols[..key.n_symbols];
        is_same.then_some(entry.known)
    }

    /// Notes what was found out about the expression that was asked for last.
    pub(super) fn remember(&mut self, known: Known) {
        let Key { symbols, n_symbols, hash } = &self.key;
        if *n_symbols > 0 {
            let place = place_of(*hash);
            self.entries[place] = Entry { hash: *hash, n_symbols: *n_symbols, known };
            self.symbols[place][..*n_symbols].copy_from_slice(&symbols[..*n_symbols]);
        }
    }
}

/// The highest bits of a product are its best mixed ones.
fn place_of(hash: u64) -> usize {
    (hash >> (u64::BITS - N_PLACES.trailing_zeros())) as usize
}
