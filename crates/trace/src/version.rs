//! Versions of the file format.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Grows by one with every change that an older reader would misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormatVersion(pub u32);

impl FormatVersion {
    pub const CURRENT: FormatVersion = FormatVersion(2);

    pub fn is_readable(self) -> bool {
        self == FormatVersion::CURRENT
    }
}

impl fmt::Display for FormatVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
