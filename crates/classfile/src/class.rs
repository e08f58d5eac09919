//! A class file as a whole: header, fields, methods and attributes.

use std::borrow::Cow;

use crate::code::{Code, CodeContext};
use crate::pool::ConstantPool;
use crate::reader::Reader;
use crate::{ClassFileError, access, mutf8};

const MAGIC: u32 = 0xCAFE_BABE;

#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    pub minor: u16,
    pub major: u16,
    pub pool: ConstantPool<'a>,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<Member<'a>>,
    pub methods: Vec<Member<'a>>,
    pub attributes: Vec<Attribute<'a>>,
    pub(crate) pool_end: usize,
}

/// A field or a method.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    pub access: u16,
    pub name_index: u16,
    pub descriptor_index: u16,
    pub attributes: Vec<Attribute<'a>>,
    class: ClassContext,
}

#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    pub name_index: u16,
    pub data: &'a [u8],
    /// Where `data` starts in the bytes that the attribute was read from.
    pub(crate) offset: usize,
}

/// What a member has to know of its class.
#[derive(Debug, Clone, Copy)]
struct ClassContext {
    this_class: u16,
    has_old_code_format: bool,
}

impl<'a> ClassFile<'a> {
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ClassFileError> {
        let mut reader = Reader::new(bytes);
        if reader.u32() != Ok(MAGIC) {
            return Err(ClassFileError::BadMagic);
        }
        let minor = reader.u16()?;
        let major = reader.u16()?;
        if major < 45 {
            return Err(ClassFileError::BadVersion { major, minor });
        }
        let pool = ConstantPool::read(&mut reader)?;
        let pool_end = reader.position();
        let access = reader.u16()?;
        let this_class = reader.u16()?;
        let super_class = reader.u16()?;
        let interface_count = reader.u16()?;
        let interfaces = (0..interface_count).map(|_| reader.u16());
        let interfaces = interfaces.collect::<Result<_, _>>()?;
        let context = ClassContext { this_class, has_old_code_format: major == 45 && minor < 3 };
        let fields = read_members(&mut reader, context)?;
        let methods = read_members(&mut reader, context)?;
        let attributes = read_attributes(&mut reader)?;
        reader.finish()?;
        Ok(Self {
            minor,
            major,
            pool,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
            pool_end,
        })
    }

    /// The internal name, such as `java/lang/String`.
    pub fn name(&self) -> Result<Cow<'a, str>, ClassFileError> {
        self.pool.class_name(self.this_class)
    }

    /// `None` for `java/lang/Object` and for module descriptions.
    pub fn super_name(&self) -> Result<Option<Cow<'a, str>>, ClassFileError> {
        match self.super_class {
            0 => Ok(None),
            index => self.pool.class_name(index).map(Some),
        }
    }

    pub fn interface_names(&self) -> Result<Vec<Cow<'a, str>>, ClassFileError> {
        let names = self.interfaces.iter();
        names.map(|&index| self.pool.class_name(index)).collect()
    }

    /// By number of the bootstrap method: the constants that it is given.
    #[must_use]
    pub fn bootstrap_arguments(&self) -> Vec<Vec<u16>> {
        let Some(attribute) = find_attribute(&self.attributes, &self.pool, "BootstrapMethods") else {
            return Vec::new();
        };
        let mut reader = Reader::new(attribute.data);
        let arguments = |reader: &mut Reader<'_>| {
            let (_method, count) = (reader.u16()?, reader.u16()?);
            (0..count).map(|_| reader.u16()).collect::<Result<Vec<u16>, ClassFileError>>()
        };
        let count = reader.u16().unwrap_or_default();
        (0..count).map_while(|_| arguments(&mut reader).ok()).collect()
    }

    #[must_use]
    pub fn source_file(&self) -> Option<Cow<'a, str>> {
        let attribute = find_attribute(&self.attributes, &self.pool, "SourceFile")?;
        let index = Reader::new(attribute.data).u16().ok()?;
        self.pool.utf8(index).ok()
    }
}

impl<'a> Member<'a> {
    pub fn name(&self, pool: &ConstantPool<'a>) -> Result<Cow<'a, str>, ClassFileError> {
        pool.utf8(self.name_index)
    }

    pub fn descriptor(&self, pool: &ConstantPool<'a>) -> Result<Cow<'a, str>, ClassFileError> {
        pool.utf8(self.descriptor_index)
    }

    /// Without decoding either: whoever looks for a member of a class looks at many.
    #[must_use]
    pub fn is_declared_as(&self, pool: &ConstantPool<'a>, name: &str, descriptor: &str) -> bool {
        let is = |index, text: &str| pool.utf8_bytes(index).is_ok_and(|bytes| *bytes == *mutf8::encode(text));
        is(self.name_index, name) && is(self.descriptor_index, descriptor)
    }

    #[must_use]
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// The body of a method, `None` when it is abstract or native.
    pub fn code(&self, pool: &ConstantPool<'a>) -> Result<Option<Code<'a>>, ClassFileError> {
        let Some(attribute) = self.code_attribute(pool) else {
            return Ok(None);
        };
        let context = CodeContext {
            this_class: self.class.this_class,
            descriptor_index: self.descriptor_index,
            is_static: self.is_static(),
            is_constructor: pool.utf8_bytes(self.name_index) == Ok(b"<init>"),
        };
        Code::parse(attribute.data, context, self.class.has_old_code_format).map(Some)
    }

    pub(crate) fn code_attribute(&self, pool: &ConstantPool<'a>) -> Option<&Attribute<'a>> {
        find_attribute(&self.attributes, pool, "Code")
    }

    pub(crate) fn has_old_code_format(&self) -> bool {
        self.class.has_old_code_format
    }
}

impl<'a> Attribute<'a> {
    pub fn name(&self, pool: &ConstantPool<'a>) -> Result<Cow<'a, str>, ClassFileError> {
        pool.utf8(self.name_index)
    }

    pub(crate) fn is_named(&self, pool: &ConstantPool<'a>, name: &str) -> bool {
        pool.utf8_bytes(self.name_index) == Ok(name.as_bytes())
    }
}

pub(crate) fn find_attribute<'s, 'a>(
    attributes: &'s [Attribute<'a>],
    pool: &ConstantPool<'a>,
    name: &str,
) -> Option<&'s Attribute<'a>> {
    let mut attributes = attributes.iter();
    attributes.find(|attribute| attribute.is_named(pool, name))
}

pub(crate) fn read_attributes<'a>(reader: &mut Reader<'a>) -> Result<Vec<Attribute<'a>>, ClassFileError> {
    let count = reader.u16()?;
    let mut attributes = Vec::new();
    for _ in 0..count {
        let name_index = reader.u16()?;
        let length = reader.u32()?;
        let offset = reader.position();
        let data = reader.take(length as usize)?;
        attributes.push(Attribute { name_index, data, offset });
    }
    Ok(attributes)
}

fn read_members<'a>(reader: &mut Reader<'a>, class: ClassContext) -> Result<Vec<Member<'a>>, ClassFileError> {
    let count = reader.u16()?;
    let mut members = Vec::new();
    for _ in 0..count {
        members.push(Member {
            access: reader.u16()?,
            name_index: reader.u16()?,
            descriptor_index: reader.u16()?,
            attributes: read_attributes(reader)?,
            class,
        });
    }
    Ok(members)
}
