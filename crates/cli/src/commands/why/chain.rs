//! Values followed back over several steps. Many come from the same few steps: each of these is told once.

use super::Teller;
use crate::context::FAINT;
use crate::error::Result;
use std::collections::HashSet;
use std::io::Write;
use whydunit_debugger::{Cause, Causes, Ingredient, SessionError, ThreadId};

/// Values to show if nobody says otherwise.
pub(super) const LIMIT: usize = 100;

/// `assertThat(first(of(x)))`: more of such calls say less and less.
const MOST_CALLS: u32 = 3;

/// A cause by its step and what it gives a value.
pub(super) type Key = (ThreadId, u64, String);

pub(super) fn key(cause: &Cause) -> Key {
    (cause.place.thread, cause.place.step, cause.what.clone())
}

/// How far values are followed back.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Steps.
    further: u32,
    /// Beyond that: unrecorded calls that have made objects of which nothing can be shown.
    through: u32,
}

impl Extent {
    pub(super) fn steps(further: u32) -> Extent {
        Extent { further, through: 0 }
    }

    /// For what an unrecorded call was given that threw: `assertThat(x).isEqualTo(y)` is told by `x`.
    pub(super) fn through_calls(further: u32) -> Extent {
        Extent { further, through: MOST_CALLS }
    }

    fn has_more(self) -> bool {
        self.further > 0 || self.through > 0
    }

    /// What a value was made of, and how far that is followed; `None` if the value itself is all that is asked for.
    pub(super) fn behind(
        self,
        causes: &Causes<'_>,
        ingredient: &Ingredient,
    ) -> std::result::Result<Option<(Vec<Ingredient>, Extent)>, SessionError> {
        let Ok(source) = &ingredient.source else { return Ok(None) };
        if ingredient.is_one_of_several() {
            return Ok(None);
        }
        let further = Extent { further: self.further.saturating_sub(1), ..self };
        if let Some(through) = self.through.checked_sub(1) {
            let given = causes.given_for(ingredient)?;
            if !given.is_empty() {
                return Ok(Some((given, Extent { through, ..further })));
            }
        }
        if self.further == 0 {
            return Ok(None);
        }
        Ok(Some((causes.ingredients(source)?, further)))
    }
}

struct Told {
    causes: HashSet<Key>,
    left: usize,
    is_cut: bool,
}

impl Teller<'_> {
    /// What something was made of, and what that was made of.
    pub(super) fn chain(&self, made_of: &[Ingredient], extent: Extent, limit: usize) -> Result<()> {
        let mut told = Told { causes: HashSet::new(), left: limit, is_cut: false };
        self.level(made_of, 1, extent, &mut told)?;
        if told.is_cut {
            let mut out = self.context.stdout();
            writeln!(out, "  {FAINT}… more; `--limit {}` shows more, `--json` all{FAINT:#}", limit.saturating_mul(10))?;
        }
        Ok(())
    }

    fn level(&self, made_of: &[Ingredient], level: usize, extent: Extent, told: &mut Told) -> Result<()> {
        for ingredient in made_of {
            if told.left == 0 {
                told.is_cut = true;
                return Ok(());
            }
            told.left -= 1;
            if extent.has_more()
                && let Ok(source) = &ingredient.source
                && told.causes.contains(&key(source))
            {
                let number = self.number(&source.place)?;
                self.row(ingredient, level, &format!("  {FAINT}see step{FAINT:#} {number} {FAINT}above{FAINT:#}"))?;
                continue;
            }
            self.ingredient(ingredient, level)?;
            if let Some((behind, further)) = extent.behind(&self.causes, ingredient)? {
                told.causes.extend(ingredient.source.as_ref().ok().map(key));
                self.level(&self.told(behind), level + 1, further, told)?;
            }
        }
        Ok(())
    }
}
