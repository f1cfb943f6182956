//! A claim and its findings.

/// What the records say of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// An interval or a test supports it.
    Holds,
    /// An interval or a test supports the opposite.
    DoesNotHold,
    /// Neither.
    Undecided,
    /// The records have nothing on it.
    NotTested,
}

impl ClaimVerdict {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::Undecided => "undecided",
            ClaimVerdict::NotTested => "not tested",
        }
    }

    /// All must hold for the whole to hold; one that does not refutes it.
    pub(super) fn all(verdicts: impl Iterator<Item = ClaimVerdict>) -> ClaimVerdict {
        let verdicts: Vec<ClaimVerdict> = verdicts.collect();
        if verdicts.is_empty() {
            ClaimVerdict::NotTested
        } else if verdicts.contains(&ClaimVerdict::DoesNotHold) {
            ClaimVerdict::DoesNotHold
        } else if verdicts.iter().all(|verdict| *verdict == ClaimVerdict::Holds) {
            ClaimVerdict::Holds
        } else {
            ClaimVerdict::Undecided
        }
    }
}

/// A verdict on a claim for some part of the records, with its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Which part, such as a height with linear scaling.
    pub scope: String,
    /// What that part says.
    pub verdict: ClaimVerdict,
    /// The numbers behind it.
    pub numbers: String,
}

/// Something that the paper claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// A short name.
    pub id: &'static str,
    /// What is claimed.
    pub statement: String,
    /// Where the paper says so, and when it counts as held here.
    pub source: String,
    /// What the records say.
    pub findings: Vec<Finding>,
}

impl Claim {
    /// A claim of which the records say nothing is not tested, which is a finding too.
    pub(super) fn new(
        id: &'static str,
        statement: &str,
        source: &str,
        mut findings: Vec<Finding>,
    ) -> Claim {
        if findings.is_empty() {
            let numbers = "the records have nothing to compare".to_owned();
            let scope = "all records".to_owned();
            findings.push(Finding { scope, verdict: ClaimVerdict::NotTested, numbers });
        }
        Claim { id, statement: statement.to_owned(), source: source.to_owned(), findings }
    }
}
