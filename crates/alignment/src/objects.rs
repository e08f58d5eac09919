//! Which object of one run is which of the other: a renaming, found by meeting both in aligned places.

use rustc_hash::FxHashMap;
use std::borrow::Cow;
use whydunit_replay::interpreter::TEMPORARY;
use whydunit_replay::objects::ObjectReader;
use whydunit_replay::{ObjectTable, Program};
use whydunit_trace::stream::{Content, StreamError};
use whydunit_trace::{ClassId, ObjectId};

use crate::side::{Pair, Side};

/// Partners that are known at once, in pages of consecutive ids. What was met longer ago is forgotten: it is taken
/// for a new object then, so that a difference may be missed but none is invented.
const PAGE: usize = 1 << 12;
const MOST_PAGES: usize = 1 << 12;

/// Objects under construction, of which there are few at a time.
const MOST_FRESH: usize = 1 << 14;

/// Partners of one side's objects; 0 is none.
#[derive(Debug, Default)]
struct Partners {
    pages: Vec<Option<Box<Page>>>,
    kept: usize,
    clock: u64,
}

#[derive(Debug)]
struct Page {
    partners: [u32; PAGE],
    used: u64,
}

impl Partners {
    fn get(&mut self, object: u32) -> u32 {
        let object = object as usize;
        match self.pages.get_mut(object / PAGE) {
            Some(Some(page)) => {
                page.used = self.clock;
                page.partners[object % PAGE]
            }
            _ => 0,
        }
    }

    fn set(&mut self, object: u32, partner: u32) {
        let object = object as usize;
        let number = object / PAGE;
        if number >= self.pages.len() {
            self.pages.resize_with(number + 1, || None);
        }
        if self.pages[number].is_none() {
            self.clock += 1;
            if self.kept >= MOST_PAGES {
                self.forget();
            }
            self.kept += 1;
        }
        let used = self.clock;
        let page = self.pages[number].get_or_insert_with(|| Box::new(Page { partners: [0; PAGE], used }));
        page.used = used;
        page.partners[object % PAGE] = partner;
    }

    /// The half that was not used for the longest time.
    fn forget(&mut self) {
        let mut times: Vec<u64> = self.pages.iter().flatten().map(|page| page.used).collect();
        let middle = times.len() / 2;
        let (_, &mut limit, _) = times.select_nth_unstable(middle);
        for page in &mut self.pages {
            if page.as_ref().is_some_and(|page| page.used <= limit) {
                *page = None;
                self.kept -= 1;
            }
        }
    }
}

/// Two objects under construction that are partners, as far as they have ids yet.
#[derive(Clone, Copy, Debug)]
struct Fresh {
    temporary: Pair<u64>,
    object: Pair<Option<u32>>,
}

#[derive(Debug)]
pub(crate) struct Renaming<'p> {
    programs: Pair<&'p Program>,
    readers: Pair<ObjectReader<'p>>,
    partners: Pair<Partners>,
    /// By left temporary reference, and from right to left ones.
    fresh: FxHashMap<u64, Fresh>,
    fresh_right: FxHashMap<u64, u64>,
    /// Whether `@1b2c3d` in texts is a hash code.
    ignores_hashes: bool,
}

impl<'p> Renaming<'p> {
    pub(crate) fn new(
        programs: Pair<&'p Program>,
        objects: Pair<&'p ObjectTable>,
        ignores_hashes: bool,
    ) -> Renaming<'p> {
        Renaming {
            programs,
            readers: objects.map(ObjectReader::new),
            partners: Pair::default(),
            fresh: FxHashMap::default(),
            fresh_right: FxHashMap::default(),
            ignores_hashes,
        }
    }

    /// The object of the right run that is one of the left.
    pub(crate) fn partner(&mut self, left: u64) -> Option<ObjectId> {
        let is_known = left != 0 && left & TEMPORARY == 0;
        let right = if is_known { self.partners.left.get(left as u32) } else { 0 };
        (right != 0).then_some(ObjectId(right))
    }

    /// Whether two references mean the same. Objects that are met for the first time do from now on.
    pub(crate) fn is_same(&mut self, left: u64, right: u64) -> Result<bool, StreamError> {
        match (left, right) {
            (0, 0) => Ok(true),
            (0, _) | (_, 0) => Ok(false),
            _ if left & right & TEMPORARY != 0 => Ok(self.is_same_fresh(left, right)),
            // One has its id already: nothing can be said.
            _ if (left | right) & TEMPORARY != 0 => Ok(true),
            _ => self.is_same_object(left as u32, right as u32),
        }
    }

    fn is_same_fresh(&mut self, left: u64, right: u64) -> bool {
        match (self.fresh.get(&left), self.fresh_right.get(&right)) {
            (Some(known), _) => known.temporary.right == right,
            (None, Some(&known)) => known == left,
            (None, None) => {
                if self.fresh.len() >= MOST_FRESH {
                    self.fresh.clear();
                    self.fresh_right.clear();
                }
                self.fresh.insert(left, Fresh { temporary: Pair { left, right }, object: Pair::default() });
                self.fresh_right.insert(right, left);
                true
            }
        }
    }

    /// A temporary reference of one side turns out to be an object.
    pub(crate) fn identified(&mut self, side: Side, temporary: u64, object: u64) {
        let left = match side {
            Side::Left => temporary,
            Side::Right => match self.fresh_right.get(&temporary) {
                Some(&left) => left,
                None => return,
            },
        };
        let Some(fresh) = self.fresh.get_mut(&left) else { return };
        fresh.object[side] = Some(object as u32);
        let Fresh { temporary, object } = *fresh;
        if let Pair { left: Some(left), right: Some(right) } = object {
            self.fresh.remove(&temporary.left);
            self.fresh_right.remove(&temporary.right);
            self.bind(left, right);
        }
    }

    fn bind(&mut self, left: u32, right: u32) {
        self.partners.left.set(left, right);
        self.partners.right.set(right, left);
    }

    #[inline]
    fn is_same_object(&mut self, left: u32, right: u32) -> Result<bool, StreamError> {
        let known = self.partners.left.get(left);
        if known == right {
            return Ok(true);
        }
        self.is_same_at_second_sight(left, right, known)
    }

    #[cold]
    fn is_same_at_second_sight(&mut self, left: u32, right: u32, known: u32) -> Result<bool, StreamError> {
        let left_class = self.readers.left.class(ObjectId(left))?;
        let right_class = self.readers.right.class(ObjectId(right))?;
        let (Some(left_class), Some(right_class)) = (left_class, right_class) else { return Ok(true) };
        let left_name = class_name(self.programs.left, left_class);
        let right_name = class_name(self.programs.right, right_class);
        if stable_name(left_name) != stable_name(right_name) {
            return Ok(false);
        }
        if has_content(left_name) {
            let is_same = self.is_same_content(left, right)?;
            if is_same {
                // Equal texts can be one object in one run and two in the other.
                self.partners.left.set(left, right);
            }
            return Ok(is_same);
        }
        let known_right = self.partners.right.get(right);
        if known != 0 || (known_right != 0 && known_right != left) {
            return Ok(false);
        }
        self.bind(left, right);
        Ok(true)
    }

    fn is_same_content(&mut self, left: u32, right: u32) -> Result<bool, StreamError> {
        let left = self.readers.left.content(ObjectId(left))?;
        let right = self.readers.right.content(ObjectId(right))?;
        Ok(match (left, right) {
            (
                Some(Content::String { length, beginning }),
                Some(Content::String { length: right_length, beginning: right_beginning }),
            ) => {
                length == right_length && beginning == right_beginning
                    || self.ignores_hashes && without_hashes(&beginning) == without_hashes(&right_beginning)
            }
            (Some(Content::Class { class: left }), Some(Content::Class { class: right })) => {
                let left = class_name(self.programs.left, left);
                stable_name(left) == stable_name(class_name(self.programs.right, right))
            }
            (left, right) => left == right,
        })
    }
}

fn class_name(program: &Program, class: ClassId) -> &str {
    program.classes().get(class).map_or("", |class| &class.name)
}

/// Objects that are what they hold.
fn has_content(class: &str) -> bool {
    let Some(name) = class.strip_prefix("java/lang/") else { return false };
    matches!(
        name,
        "String" | "Class" | "Integer" | "Long" | "Double" | "Float" | "Boolean" | "Character" | "Short" | "Byte"
    )
}

/// A class name without what the JVM makes up anew in every run: `Main$$Lambda/0x00007f0801001200`.
pub(crate) fn stable_name(name: &str) -> &str {
    if let Some((host, _)) = name.split_once("$$Lambda") {
        return host;
    }
    let is_address = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    for mark in ["+0x", "/0x", ".0x"] {
        if let Some((host, address)) = name.rsplit_once(mark)
            && is_address(address)
        {
            return host;
        }
    }
    name
}

/// A text with `@` in place of `@1b2c3d`, as `Object.toString()` writes.
fn without_hashes(text: &str) -> Cow<'_, str> {
    let Some((before, mut rest)) = text.split_once('@') else { return Cow::Borrowed(text) };
    let mut short = before.to_owned();
    loop {
        short.push('@');
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
        rest = &rest[digits..];
        match rest.split_once('@') {
            Some((before, after)) => {
                short.push_str(before);
                rest = after;
            }
            None => {
                short.push_str(rest);
                return Cow::Owned(short);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_addresses() {
        for (name, stable) in [
            ("Main$$Lambda/0x00007f0801001200", "Main"),
            ("Main$$Lambda$14+0x00007f0801001200", "Main"),
            ("p/Hidden+0x00007f0801001200", "p/Hidden"),
            ("p/Inner$1", "p/Inner$1"),
        ] {
            assert_eq!(stable_name(name), stable);
        }
    }

    #[test]
    fn texts_without_hashes() {
        assert_eq!(without_hashes("[Foo@1b2c, Bar@ff]!"), "[Foo@, Bar@]!");
        assert_eq!(without_hashes("plain"), "plain");
        assert_ne!(without_hashes("a@b.org 1"), without_hashes("a@b.org 2"));
    }

    #[test]
    fn old_partners_are_forgotten() {
        let mut partners = Partners::default();
        for number in 0..MOST_PAGES as u32 + 10 {
            partners.set(number * PAGE as u32 + 1, number + 1);
        }
        assert!(partners.kept <= MOST_PAGES);
        assert_eq!(partners.get(1), 0);
        let last = MOST_PAGES as u32 + 9;
        assert_eq!(partners.get(last * PAGE as u32 + 1), last + 1);
    }
}
