//! The language of querypoints: text to [`Chain`] and back.

mod ast;
mod cursor;
mod expressions;
mod parser;
mod print;
#[cfg(test)]
mod tests;

pub use ast::{
    Binary, Chain, Constraint, Definition, EventPart, EventPattern, Expression, Item, Method, Pick, PointExpression,
    Relation, Unary,
};
pub use cursor::ParseError;
pub use parser::{parse, parse_condition};
