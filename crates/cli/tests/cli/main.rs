//! The command as its users meet it.

mod calculator;
mod demo;
mod dump;
mod errors;
mod find;
mod find_calculator;
mod help;
mod history;
mod library_writes;
mod lines;
mod open;
mod query;
mod record;
mod refused;
mod sandbox;
mod search;
mod show;
mod signals;
mod threads;
mod tree;
mod why;
mod why_named;
mod why_not;
mod why_unrecorded;
mod why_unwritten;
mod why_values;
