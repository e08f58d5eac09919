//! Rewrites class files so that they log what [`whydunit_trace::plan`] says. Pure: class bytes in, class
//! bytes out.

mod aside;
mod check;
mod emit;
mod method;
mod place;
pub mod scope;
mod tokens;

pub use scope::{BadPattern, Pattern, Scope};
pub use tokens::Tokens;

use aside::step_aside;
use method::MethodRewriter;
use whydunit_classfile::{ClassEditor, ClassFile, ClassFileError, Constant, Member, PoolBuilder};
use whydunit_trace::MethodId;
use whydunit_trace::record::{MethodStatus, Refusal};

/// Internal name of the helper class that rewritten code calls.
pub const HELPER: &str = "java/lang/WhydunitLog";

/// How to rewrite.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Log the redundant facts too.
    pub check: bool,
    /// Another agent changes the class: its methods are never called directly, see
    /// [`whydunit_trace::record::Replaced`].
    pub is_replacement: bool,
    /// Let entries from unrecorded code tell which instruction they interrupt: when the platform is recorded,
    /// almost any instruction can run recorded code, by way of loading a class.
    pub places: bool,
}

/// A class after rewriting.
#[derive(Debug)]
pub struct Rewritten {
    /// `None` when the class stays as it was.
    pub bytes: Option<Vec<u8>>,
    /// One for each method of the class.
    pub methods: Vec<MethodStatus>,
}

/// Rewrites every method of a class that can be.
///
/// Which methods are recorded decides which calls are inner calls, so a method that turns out not to fit
/// makes everything start again without it.
pub fn rewrite(
    bytes: &[u8],
    first_method: MethodId,
    tokens: &Tokens,
    options: Options,
) -> Result<Rewritten, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let mut methods = Vec::with_capacity(class.methods.len());
    for member in &class.methods {
        methods.push(match member.code(&class.pool) {
            Ok(Some(_)) if is_intrinsic(&class, member) => MethodStatus::Refused(Refusal::Intrinsic),
            Ok(Some(_)) => MethodStatus::Recorded,
            Ok(None) => MethodStatus::NoCode,
            Err(_) => MethodStatus::Refused(Refusal::Malformed),
        });
    }
    'again: loop {
        let recorded: Vec<bool> = methods.iter().map(|m| *m == MethodStatus::Recorded).collect();
        let mut pool = PoolBuilder::new(&class.pool);
        let certain = if options.is_replacement { vec![false; methods.len()] } else { recorded.clone() };
        let mut codes = Vec::new();
        for index in (0..methods.len()).filter(|&index| recorded[index]) {
            let id = MethodId(first_method.0 + index as u32);
            let rewriter = MethodRewriter { class: &class, index, id, recorded: &certain, tokens, options };
            match rewriter.rewrite(&mut pool) {
                Ok(code) => codes.push((index, code)),
                Err(refusal) => {
                    methods[index] = MethodStatus::Refused(refusal);
                    continue 'again;
                }
            }
        }
        for (index, method) in methods.iter().enumerate() {
            if let MethodStatus::Refused(refusal) = method {
                codes.extend(step_aside(&class, index, *refusal, &mut pool).map(|code| (index, code)));
            }
        }
        if codes.is_empty() {
            return Ok(Rewritten { bytes: None, methods });
        }
        let mut editor = ClassEditor::new(&class, bytes, pool);
        for (index, code) in codes {
            editor.replace_code(index, code);
        }
        return Ok(Rewritten { bytes: Some(editor.finish()), methods });
    }
}

/// Whether the JVM may run code of its own for the method: what its bytecode logs would come and go with the
/// compiler. Any mention of the annotation's type counts; at worst a method too many stays unrecorded.
fn is_intrinsic(class: &ClassFile<'_>, member: &Member<'_>) -> bool {
    const MARK: &[u8] = b"Ljdk/internal/vm/annotation/IntrinsicCandidate;";
    let Some(mark) = class.pool.iter().find_map(|(index, constant)| match constant {
        Constant::Utf8(MARK) => Some(index.to_be_bytes()),
        _ => None,
    }) else {
        return false;
    };
    member.attributes.iter().any(|attribute| {
        attribute.name(&class.pool).is_ok_and(|name| name == "RuntimeVisibleAnnotations")
            && attribute.data.windows(2).any(|bytes| bytes == mark)
    })
}
