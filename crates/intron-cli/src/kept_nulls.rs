//! What a checkpoint keeps of the searches on shuffled targets, so that none of them is lost: how the search itself has ended, and
//! what they have found so far.

use intron::{NullFront, NullFronts, Outcome, Settings, StopReason, ValidSettings};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::json;

/// Seconds after which a search ends that is not to do anything.
const AT_ONCE: f64 = 1e-9;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeptNulls {
    /// What the search had spent when it ended.
    n_evaluations: u64,
    stop_reason: StopReason,
    pub(crate) fronts: NullFronts,
}

impl KeptNulls {
    /// Before the first of them.
    pub(crate) fn of(outcome: &Outcome) -> KeptNulls {
        KeptNulls {
            n_evaluations: outcome.n_evaluations,
            stop_reason: outcome.stop_reason,
            fronts: NullFronts::default(),
        }
    }

    /// With these settings a search that goes on after so many evaluations ends where it had ended, also where that was by its time.
    pub(crate) fn settings_of_search(
        &self,
        settings: &ValidSettings,
        n_done: u64,
    ) -> Result<ValidSettings, Failure> {
        let mut settings: Settings = settings.settings().clone();
        match self.stop_reason {
            StopReason::Time if n_done < self.n_evaluations => {
                settings.limits.evaluations = Some(self.n_evaluations);
                settings.limits.seconds = None;
            }
            // Nothing was done after the checkpoint.
            StopReason::Time => settings.limits.seconds = Some(AT_ONCE),
            _ => {}
        }
        Ok(settings.validate()?)
    }

    /// Says why the search had ended, after it was done again up to there.
    pub(crate) fn tell_of_search(&self, outcome: &mut Outcome) {
        if outcome.n_evaluations == self.n_evaluations {
            outcome.stop_reason = self.stop_reason;
        }
    }

    /// Whether they belong to a search with this outcome.
    pub(crate) fn belong_to(&self, outcome: &Outcome) -> bool {
        (self.n_evaluations, self.stop_reason) == (outcome.n_evaluations, outcome.stop_reason)
    }

    pub(crate) fn to_json(&self) -> Value {
        let entry = |&(size, r2): &(usize, f64)| json!([size, json::number(r2)]);
        let front = |front: &NullFront| {
            json!({
                "least_mdl": json::number(front.least_mdl),
                "entries": front.entries.iter().map(entry).collect::<Vec<_>>(),
            })
        };
        json!({
            "n_evaluations": self.n_evaluations,
            "stop_reason": self.stop_reason.name(),
            "fronts": self.fronts.0.iter().map(front).collect::<Vec<_>>(),
        })
    }

    pub(crate) fn from_json(value: &Value) -> Option<KeptNulls> {
        let entry = |entry: &Value| {
            Some((usize::try_from(entry[0].as_u64()?).ok()?, json::as_number(&entry[1])?))
        };
        let front = |front: &Value| {
            let entries = front["entries"].as_array()?.iter().map(entry).collect::<Option<_>>()?;
            Some(NullFront { least_mdl: json::as_number(&front["least_mdl"])?, entries })
        };
        let fronts = value["fronts"].as_array()?.iter().map(front).collect::<Option<_>>()?;
        Some(KeptNulls {
            n_evaluations: value["n_evaluations"].as_u64()?,
            stop_reason: StopReason::from_name(value["stop_reason"].as_str()?)?,
            fronts: NullFronts(fronts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_back_to_the_bit() {
        let front = NullFront {
            least_mdl: -0.1 - 0.2,
            entries: vec![(1, 1.0 / 3.0), (7, f64::NEG_INFINITY)],
        };
        let empty = NullFront { least_mdl: f64::INFINITY, entries: vec![] };
        let kept = KeptNulls {
            n_evaluations: 12,
            stop_reason: StopReason::TargetR2,
            fronts: NullFronts(vec![front, empty]),
        };
        let text = kept.to_json().to_string();
        assert_eq!(KeptNulls::from_json(&serde_json::from_str(&text).unwrap()), Some(kept));
        for damaged in ["{}", r#"{"n_evaluations": 1, "stop_reason": "why", "fronts": []}"#] {
            assert_eq!(KeptNulls::from_json(&serde_json::from_str(damaged).unwrap()), None);
        }
    }
}
