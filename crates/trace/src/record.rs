//! The structured records of a recording, each one block.

use crate::ids::{ClassId, DefinitionId, LoaderId, MethodId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A class file that the agent rewrote, or wanted to rewrite and could not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    pub id: DefinitionId,
    /// Internal name, `java/lang/String`.
    pub name: String,
    pub loader: LoaderId,
    pub first_method: MethodId,
    /// One for each method of the class file, in its order.
    pub methods: Vec<MethodStatus>,
    pub replaces: Option<Replaced>,
    /// The class file before it was rewritten.
    #[serde(with = "bytes")]
    pub bytes: Vec<u8>,
}

/// What another agent has changed: the class is defined anew, and its methods run this definition from then on.
/// The other agent may have put code of its own around them, so they are never called directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    pub definition: DefinitionId,
    /// The change comes after this synchronisation.
    pub sequence: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MethodStatus {
    Recorded,
    /// Abstract or native.
    NoCode,
    Refused(Refusal),
}

/// Why a method was left as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Refusal {
    /// `jsr` or `ret`.
    Subroutine,
    /// The rewritten code would be over 64 kB.
    TooLarge,
    /// No room for more constants in the class.
    ConstantPoolFull,
    /// A constructor call whose `new` cannot be told.
    UnusualConstructorCall,
    /// A handler that is also reached without an exception.
    HandlerReachedByJump,
    /// The code could not be read.
    Malformed,
    /// The JVM replaces the method by code of its own.
    Intrinsic,
    /// An empty `finalize()`: the JVM takes it for none, and any code in it for one to run.
    EmptyFinalizer,
}

impl Refusal {
    pub fn name(self) -> &'static str {
        match self {
            Refusal::Subroutine => "subroutine",
            Refusal::TooLarge => "too-large",
            Refusal::ConstantPoolFull => "constant-pool-full",
            Refusal::UnusualConstructorCall => "unusual-constructor-call",
            Refusal::HandlerReachedByJump => "handler-reached-by-jump",
            Refusal::Malformed => "malformed",
            Refusal::Intrinsic => "intrinsic",
            Refusal::EmptyFinalizer => "empty-finalizer",
        }
    }

    pub fn explanation(self) -> &'static str {
        match self {
            Refusal::Subroutine => "uses jsr/ret, which compilers stopped writing in 2003",
            Refusal::TooLarge => "would be over the JVM's limit of 64 kB of code",
            Refusal::ConstantPoolFull => "the class has no room for more constants",
            Refusal::UnusualConstructorCall => "calls a constructor in a way compilers do not",
            Refusal::HandlerReachedByJump => "jumps into an exception handler",
            Refusal::Malformed => "the code could not be read",
            Refusal::Intrinsic => "the JVM replaces it by code of its own",
            Refusal::EmptyFinalizer => "an empty finalize() must stay empty",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A class as met at run time: the class of some object, or a supertype of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    pub id: ClassId,
    /// Internal name; arrays as descriptors, `[I`, `[Ljava/lang/String;`; hidden classes as the JVM names them.
    pub name: String,
    pub loader: LoaderId,
    pub definition: Option<DefinitionId>,
    pub access: u16,
    pub superclass: Option<ClassId>,
    pub interfaces: Vec<ClassId>,
    /// The element class of an array of references.
    pub element: Option<ClassId>,
    /// Declared methods; only for classes without a definition that have a recorded supertype.
    pub methods: Vec<MethodSignature>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodSignature {
    pub name: String,
    pub descriptor: String,
    pub access: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loader {
    pub id: LoaderId,
    /// Internal name of the loader's class.
    pub class_name: String,
    pub parent: LoaderId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    pub name: String,
    pub java_id: u64,
}

/// A thread ended: its log is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadEnd;

/// The last block of a recording that was closed in good order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    pub reason: EndReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndReason {
    /// The JVM ended.
    Exit,
    /// The recording reached its size limit; the program went on.
    SizeLimit,
    /// Writing failed, as on a full disk; the program went on.
    WriteFailed,
    /// All object ids were given out; the program went on.
    OutOfIds,
}

/// Byte strings as one piece instead of element by element.
mod bytes {
    use serde::{Deserializer, Serializer, de::Visitor};
    use std::fmt;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, v: &[u8]) -> Result<Vec<u8>, E> {
                Ok(v.to_vec())
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}
