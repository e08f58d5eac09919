//! Pages in memory as far as they are in use, all of them in a file when there are many.

use super::page::{Entry, Page, PageNumber};
use crate::pieces::{self, Place, Writer};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pages in memory: some 80 MB, whatever the length of the run; threads that replay have some more of their own.
pub(super) const RESIDENT: usize = 1024;

/// Collects entries; the pages that came first go to the file first.
pub(super) struct PageWriter {
    resident: FxHashMap<PageNumber, Page>,
    order: VecDeque<PageNumber>,
    written: FxHashMap<PageNumber, Place>,
    most: usize,
    /// A temporary file unless told otherwise, made when the first page has to go.
    out: Option<Writer>,
}

impl PageWriter {
    /// `most`: pages in memory at a time.
    pub(super) fn new(most: usize) -> PageWriter {
        PageWriter {
            resident: FxHashMap::default(),
            order: VecDeque::new(),
            written: FxHashMap::default(),
            most,
            out: None,
        }
    }

    /// All pages go to this file in the end.
    pub(super) fn to(out: Writer) -> PageWriter {
        PageWriter { out: Some(out), ..PageWriter::new(RESIDENT) }
    }

    /// The page to set an entry in.
    pub(super) fn page(&mut self, number: PageNumber) -> io::Result<&mut Page> {
        if !self.resident.contains_key(&number) {
            if self.resident.len() >= self.most {
                self.evict()?;
            }
            let page = match (self.written.get(&number), &mut self.out) {
                (Some(&place), Some(out)) => read_page(out.flushed()?, place)?,
                _ => Page::empty(),
            };
            self.resident.insert(number, page);
            self.order.push_back(number);
        }
        Ok(self.resident.entry(number).or_insert_with(Page::empty))
    }

    fn evict(&mut self) -> io::Result<()> {
        let Some(number) = self.order.pop_front() else { return Ok(()) };
        let Some(page) = self.resident.remove(&number) else { return Ok(()) };
        let out = match &mut self.out {
            Some(out) => out,
            None => self.out.insert(Writer::new(tempfile::tempfile()?)),
        };
        self.written.insert(number, out.packed(&page.used())?);
        Ok(())
    }

    /// Everything stays in memory if it is there; otherwise it is in the file.
    pub(super) fn finish(mut self) -> io::Result<Pages> {
        if self.out.is_none() {
            let cached = self.resident.into_iter().map(|(number, page)| (number, Arc::new(page))).collect();
            return Ok(Pages::new(None, FxHashMap::default(), cached));
        }
        self.flush()?;
        let file = self.out.map(Writer::into_file).transpose()?;
        Ok(Pages::new(file, self.written, FxHashMap::default()))
    }

    /// Writes what is still in memory, and returns the writer for what comes behind the pages.
    pub(super) fn finish_file(mut self) -> io::Result<(Writer, FxHashMap<PageNumber, Place>)> {
        self.flush()?;
        let out = self.out.ok_or_else(|| io::Error::other("the pages have no file"))?;
        Ok((out, self.written))
    }

    fn flush(&mut self) -> io::Result<()> {
        while !self.order.is_empty() {
            self.evict()?;
        }
        Ok(())
    }
}

fn read_page(file: &File, place: Place) -> io::Result<Page> {
    let used: Vec<Entry> = pieces::read_packed(file, place)?;
    Page::from_used(&used).ok_or_else(pieces::damaged)
}

/// Pages to look things up in, from several threads.
#[derive(Debug)]
pub(super) struct Pages {
    /// `None`: all pages are in memory.
    file: Option<File>,
    /// Of the file, if it has one.
    path: Option<PathBuf>,
    places: FxHashMap<PageNumber, Place>,
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    pages: FxHashMap<PageNumber, Arc<Page>>,
    order: VecDeque<PageNumber>,
}

impl Pages {
    pub(super) fn new(
        file: Option<File>,
        places: FxHashMap<PageNumber, Place>,
        pages: FxHashMap<PageNumber, Arc<Page>>,
    ) -> Pages {
        Pages { file, path: None, places, cache: Mutex::new(Cache { pages, order: VecDeque::new() }) }
    }

    /// The file is one that can be built again.
    pub(super) fn at(self, path: &Path) -> Pages {
        Pages { path: Some(path.to_owned()), ..self }
    }

    /// A damaged file must not stand in the way of the next question.
    fn drop_damaged(&self, error: &io::Error) {
        if let Some(path) = self.path.as_ref().filter(|_| error.kind() == io::ErrorKind::InvalidData) {
            // If it cannot be deleted, the user is told of the damage all the same.
            let _ = fs::remove_file(path);
        }
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` when no object of the page is known.
    pub(super) fn get(&self, number: PageNumber) -> io::Result<Option<Arc<Page>>> {
        if let Some(page) = self.cache().pages.get(&number) {
            return Ok(Some(Arc::clone(page)));
        }
        let (Some(file), Some(&place)) = (&self.file, self.places.get(&number)) else {
            return Ok(None);
        };
        let page = Arc::new(read_page(file, place).inspect_err(|error| self.drop_damaged(error))?);
        let mut cache = self.cache();
        if cache.order.len() >= RESIDENT
            && let Some(oldest) = cache.order.pop_front()
        {
            cache.pages.remove(&oldest);
        }
        if cache.pages.insert(number, Arc::clone(&page)).is_none() {
            cache.order.push_back(number);
        }
        Ok(Some(page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_trace::{ClassId, ObjectId};

    /// Entries that are set in an order that touches every page many times, `most` of them in memory.
    fn check(most: usize, count: u32) {
        let mut writer = PageWriter::new(most);
        let mut expected = FxHashMap::default();
        let mut random = 1_u32;
        for number in 1..=count {
            random = random.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let id = ObjectId(random >> 15);
            let entry = Entry::array(ClassId(number), number, number % 7);
            writer.page(PageNumber::of(id)).expect("a page").set(id, entry);
            expected.insert(id, entry);
        }
        let pages = writer.finish().expect("all pages");
        for id in (0..1 << 17).map(ObjectId) {
            let found = pages.get(PageNumber::of(id)).expect("a page").and_then(|page| page.get(id));
            assert_eq!(found, expected.get(&id).copied());
        }
    }

    #[test]
    fn in_memory() {
        check(RESIDENT, 20_000);
    }

    #[test]
    fn with_a_file() {
        check(1, 500);
        check(5, 1000);
    }
}
