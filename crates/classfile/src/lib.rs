//! Reads class files of every version from 45 on, and edits the code of methods while every other byte
//! stays as it was. Nothing here loads classes or checks types: what the reader accepts is well formed,
//! not necessarily verifiable.

mod annotations;
mod class;
mod class_editor;
mod code;
mod code_editor;
mod error;
mod instruction;
mod layout;
mod mutf8;
mod pool;
mod pool_builder;
mod reader;
mod stack_map;

pub mod access;
pub mod descriptor;
pub mod op;

pub use annotations::{Annotation, Element};
pub use class::{Attribute, ClassFile, Member};
pub use class_editor::ClassEditor;
pub use code::{Code, ExceptionEntry, LineEntry, LocalVariable};
pub use code_editor::{AddedLocal, CodeEditor};
pub use descriptor::BaseType;
pub use error::{ClassFileError, EditError};
pub use instruction::{Instruction, Switch};
pub use pool::{Constant, ConstantPool, MemberRef};
pub use pool_builder::PoolBuilder;
pub use stack_map::{Frame, VerificationType};
