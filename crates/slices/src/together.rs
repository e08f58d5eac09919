//! What is behind many origins at once, such as the elements of a long array: every stretch is looked at once.

use crate::dependences::{Dependences, Executed, Found, Position};
use crate::graph::{Input, Role};
use crate::wants::{Answer, Unknown, Want};
use std::collections::BTreeMap;
use whydunit_replay::ReplayError;

/// What is wanted of stretches further back, by stretch; each with the number of the input that it is for.
type Open = BTreeMap<Position, Vec<(usize, Want)>>;

impl Dependences<'_> {
    /// What is behind some inputs of an instruction, in their order.
    pub(crate) fn all_behind(&self, executed: Executed, inputs: &[Input]) -> Result<Vec<(Role, Found)>, ReplayError> {
        let own = self.find_all(executed.at, inputs)?;
        let source = |(input, own): (&Input, Found)| {
            let found = self.in_all_threads(executed, input.origin, own)?;
            Ok((input.role, self.written_or_made(executed, found)?))
        };
        inputs.iter().zip(own).map(source).collect()
    }

    /// What is behind some origins, as far as their thread knows.
    fn find_all(&self, at: Position, inputs: &[Input]) -> Result<Vec<Found>, ReplayError> {
        let mut found: Vec<Found> = Vec::with_capacity(inputs.len());
        let mut open = Open::new();
        let stretch = self.stretch(at)?;
        for (number, input) in inputs.iter().enumerate() {
            found.push(Err(Unknown::Nothing));
            self.heed_one(at, number, stretch.meaning(input.origin), &mut open, &mut found)?;
        }
        while let Some((at, wants)) = open.pop_last() {
            let stretch = self.stretch(at)?;
            for (number, want) in wants {
                self.heed_one(at, number, stretch.answer(want), &mut open, &mut found)?;
            }
        }
        Ok(found)
    }

    /// What a stretch says to one of them.
    fn heed_one(
        &self,
        at: Position,
        number: usize,
        answer: Answer,
        open: &mut Open,
        found: &mut [Found],
    ) -> Result<(), ReplayError> {
        found[number] = match answer {
            Answer::Node(node) => Ok(Executed { at, node }),
            Answer::Unknown(unknown) => Err(unknown),
            Answer::Before(wants) => match wants[..] {
                [want] => {
                    if let Some(before) = self.last_answering(want, at)? {
                        open.entry(before).or_default().push((number, want));
                    }
                    Err(want.unanswered())
                }
                _ => self.find_first(at, &wants)?,
            },
        };
        Ok(())
    }
}
