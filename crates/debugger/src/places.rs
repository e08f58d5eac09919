//! Methods and places in the source by name.

use crate::causes::StepPlace;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::MethodIndex;
use whydunit_trace::ThreadId;

impl Session {
    /// `Cart.add`
    pub fn method_name(&self, method: MethodIndex) -> String {
        let Some((definition, member)) = self.program().method(method) else { return "?".to_owned() };
        let class = self.program().definition(definition).map(|definition| simple_name(&definition.name));
        format!("{}.{}", class.unwrap_or_default(), member.name)
    }

    /// `Cart.add:12`
    pub fn name_of_place(&self, place: &StepPlace) -> String {
        let method = self.method_name(place.method);
        place.line.map_or_else(|| method.clone(), |line| format!("{method}:{line}"))
    }

    /// Where a step of a thread is.
    pub fn place_of_step(
        &self,
        moments: &Moments,
        thread: ThreadId,
        step: u64,
    ) -> Result<Option<StepPlace>, SessionError> {
        let state = self.state(moments, thread, step)?;
        let frame = state.as_ref().and_then(|state| state.frames.last());
        Ok(frame.map(|frame| StepPlace { thread, step, method: frame.method, line: frame.line }))
    }

    /// The line of the source, if the source is there.
    pub fn source_line_of(&self, place: &StepPlace) -> Option<String> {
        let (definition, _) = self.program().method(place.method)?;
        let class = self.program().definition(definition)?.name.replace('/', ".");
        let file = self.program().summary(definition)?.source_file.as_deref()?;
        self.sources()?.line(&class, file, place.line?)
    }
}
