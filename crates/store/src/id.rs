//! Names of runs.

use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a run and of its folder: the local time it began and three more characters, such as
/// `20261115-2107-a3f`, or the name that the user gave it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRunName {
    #[error("`{0}` cannot name a run: only letters, digits, `-`, `_` and `.` can, not first `.` or `-`, at most 80")]
    Malformed(String),
    #[error("`{0}` cannot name a run: the word means the newest one")]
    Reserved(&'static str),
}

const LONGEST: usize = 80;

/// Means the newest run where a run is asked for.
pub(crate) const LATEST: &str = "latest";

impl RunId {
    /// Checks that the name is safe as the name of a folder.
    pub fn new(name: &str) -> Result<RunId, BadRunName> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let good =
            !name.is_empty() && name.len() <= LONGEST && !name.starts_with(['.', '-']) && name.chars().all(allowed);
        match name {
            LATEST => Err(BadRunName::Reserved(LATEST)),
            _ if good => Ok(RunId(name.to_owned())),
            _ => Err(BadRunName::Malformed(name.to_owned())),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An id for a run that began at `started`; `salt` tells runs of one minute apart.
    pub(crate) fn from_time(started: Timestamp, salt: u32) -> RunId {
        let local = started.to_zoned(TimeZone::system());
        RunId(format!("{}-{}", local.strftime("%Y%m%d-%H%M"), salt_text(salt)))
    }

    /// `name`, `name-2`, `name-3`, …
    pub(crate) fn numbered(&self, number: u32) -> RunId {
        if number < 2 { self.clone() } else { RunId(format!("{}-{number}", self.0)) }
    }

    /// The part that tells runs of one minute apart.
    pub(crate) fn tail(&self) -> &str {
        self.0.rsplit('-').next().unwrap_or(&self.0)
    }
}

/// Three characters that are hard to take for one another.
fn salt_text(salt: u32) -> String {
    const DIGITS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    [salt, salt >> 5, salt >> 10].iter().map(|part| char::from(DIGITS[(part & 31) as usize])).collect()
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for RunId {
    type Error = BadRunName;

    fn try_from(name: String) -> Result<RunId, BadRunName> {
        RunId::new(&name)
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> String {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_as_folders() {
        for bad in ["", ".", "..", ".hidden", "a/b", "a\\b", "-x", "a b", "é", "latest", &"x".repeat(81)] {
            assert!(RunId::new(bad).is_err(), "{bad:?} was accepted");
        }
        for good in ["nightly", "20261115-2107-a3f", "a.b_c-d", "7"] {
            assert!(RunId::new(good).is_ok(), "{good:?} was refused");
        }
    }

    #[test]
    fn generated_ids_are_short_valid_and_sort_by_time() {
        let at = |seconds| Timestamp::from_second(seconds).expect("in range");
        let early = RunId::from_time(at(1_700_000_000), 5);
        let late = RunId::from_time(at(1_700_000_120), 0);
        assert!(early < late);
        for salt in [0, 1, 31, 32, u32::MAX] {
            let id = RunId::from_time(at(1_700_000_000), salt);
            assert_eq!(RunId::new(id.as_str()), Ok(id.clone()));
            assert_eq!(id.as_str().len(), 17);
            assert_eq!(id.tail().len(), 3);
        }
    }
}
