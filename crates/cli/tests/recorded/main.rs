//! Real programs on real JVMs: recorded, replayed, interrupted and damaged. Needs a JDK.

mod bad_input;
mod compiled;
mod damage;
mod interrupted;
mod nonsense;
mod programs;
mod support;
