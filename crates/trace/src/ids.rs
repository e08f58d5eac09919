//! Typed numbers for everything a recording names.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id!(
    /// A recorded thread, numbered from 1 in order of its first recorded method.
    ThreadId,
    "t"
);
id!(
    /// A class as met at run time, numbered from 1.
    ClassId,
    "c"
);
id!(
    /// A class file that the agent rewrote, numbered from 1.
    DefinitionId,
    "d"
);
id!(
    /// A method of a rewritten class file; a definition's methods have consecutive numbers.
    MethodId,
    "m"
);
id!(
    /// A class loader; 0 is the boot loader.
    LoaderId,
    "l"
);
id!(
    /// An object; 0 is `null`.
    ObjectId,
    "o"
);

impl LoaderId {
    pub const BOOT: LoaderId = LoaderId(0);
}

impl ObjectId {
    pub const NULL: ObjectId = ObjectId(0);

    pub fn is_null(self) -> bool {
        self == ObjectId::NULL
    }
}
