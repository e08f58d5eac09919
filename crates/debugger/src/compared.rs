//! Names for values of two runs that are compared.

use whydunit_alignment::What;
use whydunit_classfile::descriptor;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{Call, CallKind, MethodCode, Pc};

/// What has a value at an instruction: `total`, `Cart.total`, `argument 1 of List.add()`.
pub(crate) fn value_name(what: &What, code: Option<&MethodCode>, pc: Pc) -> String {
    let call = || {
        let call = code.and_then(|code| code.call_at(pc));
        call.map_or_else(|| "a call".to_owned(), name_of_call)
    };
    match what {
        What::Local { slot } => {
            let variable = code.and_then(|code| code.variable_set(*slot, pc));
            variable.map_or_else(|| format!("local{slot}"), |variable| variable.name.to_string())
        }
        What::Parameter { slot } => {
            let variable = code.and_then(|code| code.variable_at(*slot, 0));
            variable.map_or_else(|| format!("parameter {slot}"), |variable| variable.name.to_string())
        }
        What::Field(field) => format!("{}.{}", simple_name(&field.owner), field.name),
        What::FieldOf(field) => format!("the object of {}.{}", simple_name(&field.owner), field.name),
        What::Element { index } => format!("element [{index}]"),
        What::Array => "the array".to_owned(),
        What::Index => "the index".to_owned(),
        What::Argument { number } => {
            let receivers = code.and_then(|code| code.call_at(pc)).map_or(0, receivers_of);
            match usize::from(*number).checked_sub(receivers) {
                Some(number) => format!("argument {} of {}", number + 1, call()),
                None => format!("the object of {}", call()),
            }
        }
        What::Result => format!("the result of {}", call()),
        What::Return => "the result".to_owned(),
        What::Exception => "the exception".to_owned(),
        What::Condition => "the decision".to_owned(),
    }
}

/// `List.add()`
pub(crate) fn name_of_call(call: &Call) -> String {
    match call.kind {
        CallKind::Dynamic if call.name.starts_with("makeConcat") => "a concatenation".to_owned(),
        CallKind::Dynamic => format!("a dynamic {}()", call.name),
        _ => format!("{}.{}()", simple_name(&call.owner), call.name),
    }
}

fn receivers_of(call: &Call) -> usize {
    let declared = descriptor::parameters(&call.descriptor).map_or(0, |declared| declared.len());
    call.arguments.len().saturating_sub(declared)
}
