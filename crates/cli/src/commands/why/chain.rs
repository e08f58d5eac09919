//! Values followed back over several steps. Many come from the same few steps: each of these is told once.

use super::{Teller, is_value};
use crate::context::FAINT;
use crate::error::Result;
use std::collections::HashSet;
use std::io::Write;
use whydunit_debugger::{Cause, Ingredient, ThreadId};

/// Values to show if nobody says otherwise.
pub(super) const LIMIT: usize = 100;

/// A cause by its step and what it gives a value.
pub(super) type Key = (ThreadId, u64, String);

pub(super) fn key(cause: &Cause) -> Key {
    (cause.place.thread, cause.place.step, cause.what.clone())
}

struct Told {
    causes: HashSet<Key>,
    left: usize,
    is_cut: bool,
}

impl Teller<'_> {
    /// What something was made of, and `chain` steps back what that was made of.
    pub(super) fn chain(&self, made_of: &[Ingredient], chain: u32, limit: usize) -> Result<()> {
        let mut told = Told { causes: HashSet::new(), left: limit, is_cut: false };
        self.level(made_of, 1, chain, &mut told)?;
        if told.is_cut {
            let mut out = self.context.stdout();
            writeln!(out, "  {FAINT}… more; `--limit {}` shows more, `--json` all{FAINT:#}", limit.saturating_mul(10))?;
        }
        Ok(())
    }

    fn level(&self, made_of: &[Ingredient], level: usize, chain: u32, told: &mut Told) -> Result<()> {
        for ingredient in made_of {
            if told.left == 0 {
                told.is_cut = true;
                return Ok(());
            }
            told.left -= 1;
            let Some(source) = ingredient.source.as_ref().ok().filter(|_| chain > 1) else {
                self.ingredient(ingredient, level)?;
                continue;
            };
            if !told.causes.insert(key(source)) {
                let number = self.number(&source.place)?;
                self.row(ingredient, level, &format!("  {FAINT}see step{FAINT:#} {number} {FAINT}above{FAINT:#}"))?;
                continue;
            }
            self.ingredient(ingredient, level)?;
            let behind: Vec<Ingredient> = self.causes.ingredients(source)?.into_iter().filter(is_value).collect();
            self.level(&behind, level + 1, chain - 1, told)?;
        }
        Ok(())
    }
}
