//! A constant pool that grows at its end.

use rustc_hash::FxHashMap;

use crate::pool::{Constant, ConstantPool};
use crate::{EditError, mutf8};

/// Starts with the constants of a class, whose indices stay valid, and appends what is missing.
#[derive(Debug, Clone)]
pub struct PoolBuilder<'a> {
    known: FxHashMap<Constant<'a>, u16>,
    known_texts: FxHashMap<Vec<u8>, u16>,
    next: u16,
    appended: Vec<u8>,
}

impl<'a> PoolBuilder<'a> {
    #[must_use]
    pub fn new(pool: &ConstantPool<'a>) -> Self {
        let mut known = FxHashMap::default();
        known.reserve(pool.len());
        for (index, &constant) in pool.iter() {
            known.entry(constant).or_insert(index);
        }
        Self { known, known_texts: FxHashMap::default(), next: pool.len() as u16, appended: Vec::new() }
    }

    pub fn utf8(&mut self, text: &str) -> Result<u16, EditError> {
        let encoded = mutf8::encode(text);
        let known = self.known.get(&Constant::Utf8(&encoded));
        if let Some(&index) = known.or_else(|| self.known_texts.get(&*encoded)) {
            return Ok(index);
        }
        let length = u16::try_from(encoded.len()).map_err(|_| EditError::StringTooLong { length: encoded.len() })?;
        let index = self.take_index()?;
        self.appended.push(1);
        self.appended.extend(length.to_be_bytes());
        self.appended.extend_from_slice(&encoded);
        self.known_texts.insert(encoded.into_owned(), index);
        Ok(index)
    }

    /// By its internal name, such as `java/lang/String` or `[I`.
    pub fn class(&mut self, name: &str) -> Result<u16, EditError> {
        let name = self.utf8(name)?;
        self.constant(Constant::Class(name), 7, &[name])
    }

    pub fn string(&mut self, text: &str) -> Result<u16, EditError> {
        let text = self.utf8(text)?;
        self.constant(Constant::String(text), 8, &[text])
    }

    pub fn integer(&mut self, value: i32) -> Result<u16, EditError> {
        let [a, b, c, d] = value.to_be_bytes();
        let halves = [u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])];
        self.constant(Constant::Integer(value), 3, &halves)
    }

    /// Of the bits of its value.
    pub fn float(&mut self, bits: u32) -> Result<u16, EditError> {
        let [high, low] = [(bits >> 16) as u16, bits as u16];
        self.constant(Constant::Float(bits), 4, &[high, low])
    }

    pub fn long(&mut self, value: i64) -> Result<u16, EditError> {
        self.wide_constant(Constant::Long(value), 5, value.cast_unsigned())
    }

    /// Of the bits of its value.
    pub fn double(&mut self, bits: u64) -> Result<u16, EditError> {
        self.wide_constant(Constant::Double(bits), 6, bits)
    }

    pub fn name_and_type(&mut self, name: &str, descriptor: &str) -> Result<u16, EditError> {
        let name = self.utf8(name)?;
        let descriptor = self.utf8(descriptor)?;
        let constant = Constant::NameAndType { name, descriptor };
        self.constant(constant, 12, &[name, descriptor])
    }

    pub fn field_ref(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<u16, EditError> {
        let (class, name_and_type) = self.member(owner, name, descriptor)?;
        let constant = Constant::FieldRef { class, name_and_type };
        self.constant(constant, 9, &[class, name_and_type])
    }

    pub fn method_ref(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<u16, EditError> {
        let (class, name_and_type) = self.member(owner, name, descriptor)?;
        let constant = Constant::MethodRef { class, name_and_type };
        self.constant(constant, 10, &[class, name_and_type])
    }

    pub fn interface_method_ref(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<u16, EditError> {
        let (class, name_and_type) = self.member(owner, name, descriptor)?;
        let constant = Constant::InterfaceMethodRef { class, name_and_type };
        self.constant(constant, 11, &[class, name_and_type])
    }

    /// The number of slots, slot 0 included.
    pub(crate) fn count(&self) -> u16 {
        self.next
    }

    /// The constants that the class did not have, as they stand in the file.
    pub(crate) fn appended(&self) -> &[u8] {
        &self.appended
    }

    fn member(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<(u16, u16), EditError> {
        Ok((self.class(owner)?, self.name_and_type(name, descriptor)?))
    }

    fn constant(&mut self, constant: Constant<'a>, tag: u8, operands: &[u16]) -> Result<u16, EditError> {
        if let Some(&index) = self.known.get(&constant) {
            return Ok(index);
        }
        let index = self.take_index()?;
        self.appended.push(tag);
        let operands = operands.iter().copied().flat_map(u16::to_be_bytes);
        self.appended.extend(operands);
        self.known.insert(constant, index);
        Ok(index)
    }

    /// Takes two indices, of which the second is not used.
    fn wide_constant(&mut self, constant: Constant<'a>, tag: u8, bits: u64) -> Result<u16, EditError> {
        if let Some(&index) = self.known.get(&constant) {
            return Ok(index);
        }
        if self.next.checked_add(2).is_none() {
            return Err(EditError::PoolFull);
        }
        let index = self.constant(constant, tag, &[48, 32, 16, 0].map(|shift| (bits >> shift) as u16))?;
        self.take_index()?;
        Ok(index)
    }

    fn take_index(&mut self) -> Result<u16, EditError> {
        let index = self.next;
        self.next = index.checked_add(1).ok_or(EditError::PoolFull)?;
        Ok(index)
    }
}
