//! Puts new code and a grown constant pool into a class file.

use std::collections::BTreeMap;

use crate::{ClassFile, PoolBuilder};

/// Every byte that is not replaced stays as it was.
#[derive(Debug)]
pub struct ClassEditor<'c, 'a> {
    class: &'c ClassFile<'a>,
    original: &'c [u8],
    pool: PoolBuilder<'a>,
    codes: BTreeMap<usize, Vec<u8>>,
}

impl<'c, 'a> ClassEditor<'c, 'a> {
    /// `original` is what `class` was parsed from, `pool` a builder that started with its constants.
    #[must_use]
    pub fn new(class: &'c ClassFile<'a>, original: &'c [u8], pool: PoolBuilder<'a>) -> Self {
        Self { class, original, pool, codes: BTreeMap::new() }
    }

    /// Takes the contents of the new `Code` attribute. A method without code stays without.
    pub fn replace_code(&mut self, method_index: usize, code: Vec<u8>) {
        self.codes.insert(method_index, code);
    }

    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        const POOL_COUNT: usize = 8;
        const POOL_START: usize = 10;
        let added: usize = self.codes.values().map(Vec::len).sum();
        let appended = self.pool.appended();
        let mut out = Vec::with_capacity(self.original.len() + added + appended.len());
        let copy = |out: &mut Vec<u8>, from: usize, to: usize| {
            out.extend_from_slice(self.original.get(from..to).unwrap_or_default());
        };
        copy(&mut out, 0, POOL_COUNT);
        out.extend(self.pool.count().to_be_bytes());
        copy(&mut out, POOL_START, self.class.pool_end);
        out.extend_from_slice(appended);
        let mut copied = self.class.pool_end;
        for (&method, code) in &self.codes {
            let method = self.class.methods.get(method);
            let attribute = method.and_then(|method| method.code_attribute(&self.class.pool));
            let Some(attribute) = attribute else {
                continue;
            };
            copy(&mut out, copied, attribute.offset - 4);
            out.extend((code.len() as u32).to_be_bytes());
            out.extend_from_slice(code);
            copied = attribute.offset + attribute.data.len();
        }
        copy(&mut out, copied, self.original.len());
        out
    }
}
