//! What is kept from question to question changes nothing.

use super::Plain;
use super::any::{answer, graphs};
use crate::{Graph, Search, StepId, Verdict};
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
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        5 => any::<u32>().prop_map(Deed::Answer),
        2 => (any::<u32>(), any::<u32>()).prop_map(|(step, choice)| Deed::Tell(step, choice)),
        1 => any::<usize>().prop_map(Deed::Back),
    ];
    prop::collection::vec(deed, 1..20)
}

fn fresh(graph: &Graph, search: &Search) -> Search {
    let mut fresh = Search::new(graph.clone());
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
                    search.answer(asked, answer(&graph, asked, choice));
                }
                Deed::Tell(step, choice) => {
                    let step = StepId(step % graph.steps().len() as u32);
                    search.answer(step, answer(&graph, step, choice));
                }
                Deed::Back(position) => search.back_to(position % (search.answers().len() + 1)),
            }
            let fresh = fresh(&graph, &search);
            let prospect = search.next(&Plain);
            prop_assert_eq!(&prospect, &fresh.next(&Plain));
            prop_assert_eq!(search.suspects(), fresh.suspects());
            if let Verdict::Ask(question) = prospect.verdict {
                asked = question.step;
            }
        }
    }
}
