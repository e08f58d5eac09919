//! Questions of those who stand at a moment, not at a point that a chain has found.

use crate::answer::{Happened, Missing};
use crate::chain::{Evaluator, QueryError, because};
use crate::change;
use crate::scope::{Carried, Known};
use crate::syntax::Expression;
use whydunit_debugger::{Moment, Moments, Session, StepPlace};

/// How the moment is called in what is said about it.
const HERE: &str = "this step";

/// Where something got the value that it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Among the steps of all threads.
    pub step: u64,
    pub place: StepPlace,
    pub happened: Happened,
    /// What should be known besides.
    pub notes: Vec<String>,
}

/// The last change of a variable, field or element before a moment, in whatever step.
pub fn last_change_before(
    session: &Session,
    moments: &Moments,
    moment: Moment,
    path: &Expression,
) -> Result<Result<Change, Missing>, QueryError> {
    let Some(sight) = session.sight(moments, moment, usize::MAX)? else {
        return Ok(Err(because("the state there is not known")));
    };
    let mut evaluator = Evaluator::new(session, moments, &|_| ());
    evaluator.points.insert(HERE.to_owned(), Known { sight, carried: Carried::default() });
    let of = Expression::At { point: Some(HERE.to_owned()), frame: 0, path: Box::new(path.clone()) };
    Ok(match change::last_change(&evaluator, HERE, &of)? {
        Ok(found) => {
            let step = evaluator.number(&found.place)?;
            Ok(Change { step, place: found.place, happened: found.happened, notes: found.notes })
        }
        Err(missing) => Err(missing),
    })
}
