//! `whydunit diff`: where two runs of a program part.

mod answers;
mod cases;
mod generator;
mod oracle;
mod support;
mod verdicts;
