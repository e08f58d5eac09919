//! Pages of a table that is being made, and of one that is used: in memory when there are few, in a file otherwise.

use super::page::{LINE_BYTES, Line, LineNumber, PAGE_BYTES, Page, PageNumber};
use crate::pieces::{Writer, drop_damaged};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Pages in memory: some 80 MB, whatever the length of the run.
pub(super) const RESIDENT: usize = 1024;

/// Collects entries; the pages that came first go to the file first.
pub(super) struct PageWriter {
    resident: FxHashMap<PageNumber, Page>,
    order: VecDeque<PageNumber>,
    /// Where pages stand in the file.
    written: FxHashMap<PageNumber, u64>,
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
                (Some(&at), Some(out)) => read_page(out.flushed()?, at)?,
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
        self.written.insert(number, out.raw(&page.bytes())?);
        Ok(())
    }

    /// Everything stays in memory if it is there; otherwise it is in the file.
    pub(super) fn finish(self) -> io::Result<Pages> {
        if self.out.is_none() {
            return Ok(Pages::InMemory(self.resident));
        }
        let (out, places) = self.finish_file()?;
        Ok(Pages::in_file(out.into_file()?, None, places))
    }

    /// Writes what is still in memory, and returns the writer for what comes behind the pages.
    pub(super) fn finish_file(mut self) -> io::Result<(Writer, FxHashMap<PageNumber, u64>)> {
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

fn read_page(file: &File, at: u64) -> io::Result<Page> {
    let mut bytes = vec![0; PAGE_BYTES];
    file.read_exact_at(&mut bytes, at)?;
    Page::read(&bytes)
}

/// Lines that are kept of those that were read: some ten megabytes. Each replay starts with what others have looked up.
const LINES_KEPT: usize = 1 << 13;

/// Pages to look things up in, from several threads.
#[derive(Debug)]
pub(super) enum Pages {
    InMemory(FxHashMap<PageNumber, Page>),
    InFile {
        file: File,
        /// Of a file that can be built again.
        path: Option<PathBuf>,
        places: FxHashMap<PageNumber, u64>,
        lines: Mutex<FxHashMap<usize, Line>>,
    },
}

impl Pages {
    pub(super) fn in_file(file: File, path: Option<PathBuf>, places: FxHashMap<PageNumber, u64>) -> Pages {
        Pages::InFile { file, path, places, lines: Mutex::default() }
    }

    /// The pages with objects, in rising order.
    pub(super) fn numbers(&self) -> Vec<PageNumber> {
        let mut numbers: Vec<PageNumber> = match self {
            Pages::InMemory(pages) => pages.keys().copied().collect(),
            Pages::InFile { places, .. } => places.keys().copied().collect(),
        };
        numbers.sort_unstable();
        numbers
    }

    pub(super) fn page(&self, number: PageNumber) -> io::Result<Option<Page>> {
        match self {
            Pages::InMemory(pages) => Ok(pages.get(&number).cloned()),
            Pages::InFile { file, path, places, .. } => {
                let page = places.get(&number).map(|&at| read_page(file, at)).transpose();
                page.inspect_err(|_| path.iter().for_each(drop_damaged))
            }
        }
    }

    /// `None` when no object of the line is known.
    pub(super) fn line(&self, number: LineNumber) -> io::Result<Option<Line>> {
        match self {
            Pages::InMemory(pages) => Ok(pages.get(&number.page()).map(|page| page.line(number))),
            Pages::InFile { file, path, places, lines } => {
                let Some(page) = places.get(&number.page()) else {
                    return Ok(None);
                };
                let kept = || lines.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(&line) = kept().get(&number.index()) {
                    return Ok(Some(line));
                }
                let mut bytes = [0; LINE_BYTES];
                file.read_exact_at(&mut bytes, page + (number.in_page() * LINE_BYTES) as u64)?;
                let line = Line::read(&bytes).inspect(|&line| {
                    let mut kept = kept();
                    if kept.len() >= LINES_KEPT {
                        kept.clear();
                    }
                    kept.insert(number.index(), line);
                });
                line.map(Some).inspect_err(|_| path.iter().for_each(drop_damaged))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::page::Entry;
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
            let found = pages.line(LineNumber::of(id)).expect("a line").and_then(|line| line.get(id));
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
