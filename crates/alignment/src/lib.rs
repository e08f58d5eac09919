//! Two runs of the same program side by side, after Wang and Roychoudhury's definition of alignment (2005): two events
//! correspond when they are of the same statement and what decided that they run corresponds. Where corresponding events
//! differ, the runs part.

mod changes;
mod compare;
mod cursor;
mod difference;
mod event;
mod filters;
mod lambdas;
mod listener;
mod lockstep;
mod mapping;
mod methods;
mod objects;
mod report;
mod shapes;
mod side;
mod threads;
mod verdicts;
mod watch;

pub use compare::{Aligned, CompareError, Run, compare};
pub use difference::{
    ChangedMethod, ComparedThread, Difference, Group, Ignored, Kind, MOST_CALLERS, Point, Report, What,
};
pub use filters::{Filters, Volatile};
pub use listener::Part;
pub use mapping::Mapping;
pub use side::{Pair, Side};
pub use verdicts::{StepVerdict, Verdicts, WrongValue};
