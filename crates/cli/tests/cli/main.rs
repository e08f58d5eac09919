//! The command as its users meet it.

mod demo;
mod dump;
mod errors;
mod help;
mod query;
mod record;
mod sandbox;
mod show;
mod signals;
mod tree;
mod why;
