//! The command as its users meet it.

mod errors;
mod help;
mod record;
mod sandbox;
mod signals;
