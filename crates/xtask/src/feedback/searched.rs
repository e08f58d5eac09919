//! One search for a mutated line.

use super::case::{Case, Judgement};
use super::course::CaseCourse;
use super::user::User;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use whydunit_feedback::{Answer, Course, Doubt, Policy, Search, Stale, StepId, Verdict};

/// Answers after which nobody goes on. The paper gives up after as many as the run has steps.
const MOST_ANSWERS: u64 = 200;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Searched {
    /// Before the question about the mutated line.
    pub(super) answers: usize,
    pub(super) unclear: usize,
    pub(super) end: End,
    /// From each answer to the next question, and from the start to the first.
    pub(super) micros: Vec<u64>,
    /// The lines that were asked about and what was said, for those who look into it.
    pub(super) asked: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum End {
    Found,
    /// No exception left recorded code.
    NoFailure,
    /// The mutated line did not run before the failure was seen.
    NotRun,
    /// The answers led elsewhere.
    LedAway,
    TooManyAnswers,
}

impl Searched {
    pub(super) fn failed(end: End) -> Searched {
        Searched { answers: 0, unclear: 0, end, micros: Vec::new(), asked: Vec::new() }
    }
}

/// Who asks, and who answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) policy: Policy,
    /// Of the user, and expected of the user.
    pub(super) doubt: Doubt,
    /// Of chance.
    pub(super) seed: u64,
    /// Each question is told with the place of the mutated line among all suspects, which takes as long as to ask it.
    pub(super) has_places: bool,
    /// The other tests of the class of the one that fails are run, too.
    pub(super) has_others: bool,
}

/// What there is to see of a run while it is searched.
pub(super) trait Sight {
    /// With all that was seen by now.
    fn case(&self) -> &Case;

    /// What is known of the run beyond the case.
    fn course(&self) -> Option<Box<dyn Course + '_>>;

    /// Makes ready what a user would look at.
    fn show(&self, step: StepId) -> Result<()>;

    /// What there is to say about a step. The case may have a larger graph afterwards.
    fn judge(&mut self, step: StepId) -> Result<Judgement>;

    /// How long it took to make the graph larger, which users wait for.
    fn take_growth(&mut self) -> Duration {
        Duration::ZERO
    }
}

/// Without the recording.
impl Sight for &Case {
    fn case(&self) -> &Case {
        self
    }

    fn course(&self) -> Option<Box<dyn Course + '_>> {
        None
    }

    fn show(&self, _step: StepId) -> Result<()> {
        Ok(())
    }

    fn judge(&mut self, step: StepId) -> Result<Judgement> {
        Ok(self.judgement(step).clone())
    }
}

/// Asks until the mutated line is asked about.
pub(super) fn search(manner: Manner, sight: &mut impl Sight) -> Result<Searched> {
    let Manner { policy, doubt, seed, has_places, .. } = manner;
    let case = sight.case();
    let mut search = Search::new(case.graph()).with_policy(policy).with_doubt(doubt);
    let of_case = sight.course().is_none().then(|| CaseCourse::new(search.graph()));
    let mut user = User::new(case.name.clone(), doubt, seed);
    let mut searched = Searched::failed(End::TooManyAnswers);
    if case.mutated.is_empty() {
        return Ok(Searched::failed(End::NotRun));
    }
    let most = case.run_steps.min(MOST_ANSWERS) as usize;
    if has_places {
        let (all, mutated) = bits_of_mutated(case, &search);
        searched.asked.push(format!("{all:.2} bits at the start, mutated line {mutated:.2} bits"));
    }
    let (mut since, mut growth) = (Instant::now(), Duration::ZERO);
    while searched.answers < most {
        let verdict = match (&of_case, sight.course()) {
            (_, Some(course)) => search.next(&*course).verdict,
            (Some(course), None) => search.next(course).verdict,
            (None, None) => bail!("nothing is known of the run"),
        };
        if let Verdict::Ask(question) = &verdict {
            sight.show(question.step)?;
        }
        searched.micros.push((growth + since.elapsed()).as_micros() as u64);
        let Verdict::Ask(question) = verdict else {
            searched.end = End::LedAway;
            break;
        };
        let line = search.graph().step(question.step).line;
        if sight.case().is_mutated(line) {
            searched.end = End::Found;
            break;
        }
        let answer = user.answer(search.graph(), question.step, || sight.judge(question.step))?;
        since = Instant::now();
        growth = sight.take_growth();
        let case = sight.case();
        if case.effects() > search.graph().effects() {
            search.grow(case.graph());
        }
        searched.answers += 1;
        searched.unclear += usize::from(answer == Answer::Unclear);
        let mut asked = told(case, &search, question.step, &answer);
        asked += &format!(", {:?} suspicion {:.3} gain {:.2}", question.reason, question.suspicion, question.gain);
        if has_places {
            asked += &format!(", mutated line at {}", place_of_mutated(case, &search));
        }
        searched.asked.push(asked);
        search.answer(question.step, answer);
    }
    Ok(searched)
}

/// How many bits the beliefs have, and how many of them the mutated line is away.
fn bits_of_mutated(case: &Case, search: &Search) -> (f64, f64) {
    let suspects = search.suspects();
    let of_mutated: f64 = suspects.iter().filter(|one| case.is_mutated(one.line)).map(|one| one.weight).sum();
    let likely = suspects.iter().map(|one| one.weight).filter(|&weight| weight > 0.0);
    (likely.map(|weight| -weight * weight.log2()).sum(), -of_mutated.log2())
}

fn place_of_mutated(case: &Case, search: &Search) -> usize {
    let suspects = search.suspects();
    1 + suspects.iter().position(|suspect| case.is_mutated(suspect.line)).unwrap_or(suspects.len())
}

fn told(case: &Case, search: &Search, step: StepId, answer: &Answer) -> String {
    let asked = search.graph().step(step);
    let name = |step: StepId| &case.lines[search.graph().step(step).line.0 as usize];
    let sources = match answer {
        Answer::WrongValues { wrong, stale, .. } => wrong
            .iter()
            .copied()
            .chain(stale.iter().flat_map(Stale::all))
            .map(|effect| search.graph().effect(effect).step)
            .map(|source| format!(" from {} at {}", name(source), search.graph().step(source).moment))
            .collect(),
        _ => String::new(),
    };
    let (calls, level, moment, until) = (asked.calls, asked.level, asked.moment, asked.until);
    format!("{} level {calls}/{level} at {moment}-{until} {}{sources}", name(step), in_short(answer))
}

fn in_short(answer: &Answer) -> &'static str {
    match answer {
        Answer::Correct => "correct",
        Answer::WrongValues { .. } => "wrong values",
        Answer::WrongResult => "wrong result",
        Answer::WrongSomehow { .. } => "wrong somehow",
        Answer::WrongPath => "wrong path",
        Answer::Unclear => "unclear",
    }
}
