//! What is kept from question to question changes nothing.

use super::Plain;
use super::any::{answer, graphs};
use crate::{EffectId, Graph, Input, LineId, Search, StepId, Verdict, Way};
use proptest::prelude::*;

/// What a user does.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// Answers what is asked.
    Answer(u32),
    /// Answers something else.
    Tell(u32, u32),
    /// Takes back all from an answer on.
    Back(usize),
    /// Points at something that the graph does not have.
    Grow(u32),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        5 => any::<u32>().prop_map(Deed::Answer),
        2 => (any::<u32>(), any::<u32>()).prop_map(|(step, choice)| Deed::Tell(step, choice)),
        1 => any::<usize>().prop_map(Deed::Back),
        1 => any::<u32>().prop_map(Deed::Grow),
    ];
    prop::collection::vec(deed, 1..20)
}

/// With one more step of one of the lines, made of one of the effects.
fn grown(graph: &Graph, choice: u32) -> Graph {
    let mut builder = graph.to_builder();
    let line = LineId(choice % graph.lines().len() as u32);
    let step = builder.add_step(line, 1);
    let moment = u64::from(choice) % graph.steps().len() as u64;
    builder.set_moments(step, moment..=moment);
    let effect = builder.add_effect(step);
    let input = Input { way: Way::Value, from: EffectId(choice / 7 % effect.0.max(1)) };
    builder.set_inputs(effect, if effect.0 == 0 { Vec::new() } else { vec![input] });
    builder.finish(graph.failure())
}

fn fresh(search: &Search) -> Search {
    let mut fresh = Search::new(search.graph().clone());
    for (step, answer) in search.answers() {
        fresh.answer(*step, answer.clone());
    }
    fresh
}

proptest! {
    #[test]
    fn a_search_goes_on_as_one_that_starts_with_all_answers(graph in graphs(), deeds in deeds()) {
        let mut search = Search::new(graph.clone());
        let mut asked = graph.failure();
        for deed in deeds {
            match deed {
                Deed::Answer(choice) => {
                    let said = answer(search.graph(), asked, choice);
                    search.answer(asked, said);
                }
                Deed::Tell(step, choice) => {
                    let step = StepId(step % search.graph().steps().len() as u32);
                    let said = answer(search.graph(), step, choice);
                    search.answer(step, said);
                }
                Deed::Grow(choice) => search.grow(grown(search.graph(), choice)),
                Deed::Back(position) => search.back_to(position % (search.answers().len() + 1)),
            }
            let fresh = fresh(&search);
            let prospect = search.next(&Plain);
            prop_assert_eq!(&prospect, &fresh.next(&Plain));
            prop_assert_eq!(search.suspects(), fresh.suspects());
            if let Verdict::Ask(question) = prospect.verdict {
                asked = question.step;
            }
        }
    }
}
