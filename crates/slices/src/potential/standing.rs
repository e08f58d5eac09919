//! Places that are wanted of stretches further back: they are open in all those on the way.

use super::keys::Bits;
use super::names::Names;
use crate::wants::Want;
use rustc_hash::FxHashSet;

#[derive(Debug, Default)]
pub(crate) struct Standing {
    wants: FxHashSet<Want>,
    /// By key: how many wants; empty as long as there are none.
    counts: Vec<u32>,
    keys: Option<Bits>,
}

impl Standing {
    pub(crate) fn is_empty(&self) -> bool {
        self.wants.is_empty()
    }

    pub(crate) fn keys(&self) -> Option<&Bits> {
        self.keys.as_ref()
    }

    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Locals are not among it: only their own frame can change them, and where that runs it is asked.
    pub(crate) fn add(&mut self, names: &Names<'_>, want: Want) {
        if !matches!(want, Want::Written(_)) || !self.wants.insert(want) {
            return;
        }
        let keys = self.keys.get_or_insert_with(|| Bits::new(&names.may_write.keys));
        self.counts.resize(names.may_write.keys.len(), 0);
        let counts = &mut self.counts;
        names.for_each_key(want, |key| {
            if let Some(count) = counts.get_mut(key.0 as usize) {
                *count += 1;
                keys.insert(key);
            }
        });
    }

    pub(crate) fn remove(&mut self, names: &Names<'_>, want: Want) {
        if !self.wants.remove(&want) {
            return;
        }
        let (Some(keys), counts) = (&mut self.keys, &mut self.counts) else { return };
        names.for_each_key(want, |key| {
            if let Some(count) = counts.get_mut(key.0 as usize) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    keys.remove(key);
                }
            }
        });
    }

    pub(crate) fn merge(&mut self, other: Standing, names: &Names<'_>) {
        let (larger, smaller) = match self.wants.len() < other.wants.len() {
            true => (other, std::mem::take(self)),
            false => (std::mem::take(self), other),
        };
        *self = larger;
        smaller.wants.into_iter().for_each(|want| self.add(names, want));
    }
}
