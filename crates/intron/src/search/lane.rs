//! What tells one of the multistarts side by side from the others: whether it grafts, how large it starts, its part of the evaluations.

use crate::settings::Settings;

/// For one evaluation without grafting there are so many with it: accuracy takes longer to find than small laws do.
const SHARE_OF_GRAFTING: u64 = 3;

/// How many times as large a population that grafts is as the one before it.
const GROWTH_OF_GRAFTING: usize = 4;

/// How many times as many generations a population that grafts has for one of the next larger: it goes on getting better for long,
/// and until then a larger one only takes evaluations from it.
const HEAD_START_OF_GRAFTING: u64 = 3;

/// What tells one of the lanes from the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane {
    index: usize,
    n_lanes: usize,
}

impl Lane {
    /// All lanes of a run.
    pub(super) fn all(settings: &Settings) -> impl Iterator<Item = Lane> + use<> {
        let n_lanes = settings.n_lanes();
        (0..n_lanes).map(move |index| Lane { index, n_lanes })
    }

    /// The number that a population has in the run: lanes take turns.
    pub(super) fn number_in_run(self, number: usize) -> usize {
        number * self.n_lanes + self.index
    }

    /// Whether parts are put elsewhere in its populations.
    pub(super) fn grafts(self, settings: &Settings) -> bool {
        settings.tuning.grafting > 0.0 && self.is_last()
    }

    /// Whether the features of its initial solutions may have factors: not where another lane has them.
    pub(super) fn has_factors(self) -> bool {
        self.is_last()
    }

    fn is_last(self) -> bool {
        self.index + 1 == self.n_lanes
    }

    /// The size of its first population. A lane of accurate formulas does better with twice as many solutions.
    pub(super) fn start(self, settings: &Settings) -> usize {
        settings.multistart.start.saturating_mul(1 + self.index)
    }

    /// How many times as large each population is as the one before. Populations that graft converge within few generations, so
    /// that in between a smaller step only costs time.
    pub(super) fn growth(self, settings: &Settings) -> usize {
        if self.grafts(settings) { GROWTH_OF_GRAFTING } else { 2 }
    }

    /// How many generations each population has for one of the next larger.
    pub(super) fn n_subgenerations(self, settings: &Settings) -> u64 {
        let times = if self.grafts(settings) { HEAD_START_OF_GRAFTING } else { 1 };
        settings.multistart.n_subgenerations.saturating_mul(times)
    }

    /// Its part of the evaluations.
    pub(super) fn share(self) -> u64 {
        if self.is_last() { SHARE_OF_GRAFTING } else { 1 }
    }

    pub(super) fn n_lanes(self) -> usize {
        self.n_lanes
    }
}
