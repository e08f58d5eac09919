//! Flows of compiled Java programs and of made-up graphs.

mod annotated;
mod decoded;
mod jumps;
mod oracle;
mod properties;
mod shapes;
