//! The constant pool.

use std::borrow::Cow;

use crate::reader::Reader;
use crate::{ClassFileError, mutf8};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Constant<'a> {
    Utf8(&'a [u8]),
    Integer(i32),
    /// The bits of the value.
    Float(u32),
    Long(i64),
    /// The bits of the value.
    Double(u64),
    Class(u16),
    String(u16),
    FieldRef {
        class: u16,
        name_and_type: u16,
    },
    MethodRef {
        class: u16,
        name_and_type: u16,
    },
    InterfaceMethodRef {
        class: u16,
        name_and_type: u16,
    },
    NameAndType {
        name: u16,
        descriptor: u16,
    },
    MethodHandle {
        kind: u8,
        reference: u16,
    },
    MethodType(u16),
    Dynamic {
        bootstrap: u16,
        name_and_type: u16,
    },
    InvokeDynamic {
        bootstrap: u16,
        name_and_type: u16,
    },
    Module(u16),
    Package(u16),
    /// Slot 0, and the second slot of a long or double.
    Unusable,
}

/// What a field or method reference names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MemberRef<'a> {
    pub owner: Cow<'a, str>,
    pub name: Cow<'a, str>,
    pub descriptor: Cow<'a, str>,
    pub is_interface: bool,
}

#[derive(Debug, Clone)]
pub struct ConstantPool<'a> {
    constants: Vec<Constant<'a>>,
}

impl<'a> ConstantPool<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, ClassFileError> {
        let count = reader.u16()?;
        if count == 0 {
            return Err(ClassFileError::BadConstantCount);
        }
        let mut constants = Vec::with_capacity(usize::from(count));
        constants.push(Constant::Unusable);
        while constants.len() < usize::from(count) {
            let constant = read_constant(reader, constants.len() as u16)?;
            constants.push(constant);
            if matches!(constant, Constant::Long(_) | Constant::Double(_)) {
                constants.push(Constant::Unusable);
            }
        }
        if constants.len() > usize::from(count) {
            return Err(ClassFileError::BadConstantCount);
        }
        Ok(Self { constants })
    }

    /// The number of slots, slot 0 included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.constants.len() <= 1
    }

    /// All slots with their indices, slot 0 included.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &Constant<'a>)> {
        (0..=u16::MAX).zip(&self.constants)
    }

    pub fn get(&self, index: u16) -> Result<&Constant<'a>, ClassFileError> {
        match self.constants.get(usize::from(index)) {
            None | Some(Constant::Unusable) => Err(unexpected(index, "in the constant pool")),
            Some(constant) => Ok(constant),
        }
    }

    pub fn utf8_bytes(&self, index: u16) -> Result<&'a [u8], ClassFileError> {
        match *self.get(index)? {
            Constant::Utf8(bytes) => Ok(bytes),
            _ => Err(unexpected(index, "a UTF-8 text")),
        }
    }

    pub fn utf8(&self, index: u16) -> Result<Cow<'a, str>, ClassFileError> {
        mutf8::decode(self.utf8_bytes(index)?).ok_or(ClassFileError::BadUtf8 { index })
    }

    /// The internal name, such as `java/lang/String` or `[I`.
    pub fn class_name(&self, index: u16) -> Result<Cow<'a, str>, ClassFileError> {
        match *self.get(index)? {
            Constant::Class(name) => self.utf8(name),
            _ => Err(unexpected(index, "a class")),
        }
    }

    pub fn name_and_type(&self, index: u16) -> Result<(Cow<'a, str>, Cow<'a, str>), ClassFileError> {
        match *self.get(index)? {
            Constant::NameAndType { name, descriptor } => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => Err(unexpected(index, "a name and type")),
        }
    }

    /// A field, method or interface method reference.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'a>, ClassFileError> {
        let constant = *self.get(index)?;
        let (Constant::FieldRef { class, name_and_type }
        | Constant::MethodRef { class, name_and_type }
        | Constant::InterfaceMethodRef { class, name_and_type }) = constant
        else {
            return Err(unexpected(index, "a field or method reference"));
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef {
            owner: self.class_name(class)?,
            name,
            descriptor,
            is_interface: matches!(constant, Constant::InterfaceMethodRef { .. }),
        })
    }

    /// The bootstrap method's index, the name and the descriptor of a dynamic constant or call site.
    pub fn dynamic(&self, index: u16) -> Result<(u16, Cow<'a, str>, Cow<'a, str>), ClassFileError> {
        let (Constant::Dynamic { bootstrap, name_and_type } | Constant::InvokeDynamic { bootstrap, name_and_type }) =
            *self.get(index)?
        else {
            return Err(unexpected(index, "a dynamic constant or call site"));
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok((bootstrap, name, descriptor))
    }

    /// The index of the class entry with this internal name.
    pub(crate) fn find_class(&self, name: &str) -> Option<u16> {
        let encoded = mutf8::encode(name);
        let is_name = |index| self.utf8_bytes(index) == Ok(&*encoded);
        let mut classes = self.iter();
        let found = classes.find(|(_, constant)| matches!(constant, Constant::Class(index) if is_name(*index)));
        found.map(|(index, _)| index)
    }
}

fn read_constant<'a>(reader: &mut Reader<'a>, index: u16) -> Result<Constant<'a>, ClassFileError> {
    Ok(match reader.u8()? {
        1 => {
            let length = reader.u16()?;
            Constant::Utf8(reader.take(usize::from(length))?)
        }
        3 => Constant::Integer(reader.u32()?.cast_signed()),
        4 => Constant::Float(reader.u32()?),
        5 => Constant::Long(reader.u64()?.cast_signed()),
        6 => Constant::Double(reader.u64()?),
        7 => Constant::Class(reader.u16()?),
        8 => Constant::String(reader.u16()?),
        9 => Constant::FieldRef { class: reader.u16()?, name_and_type: reader.u16()? },
        10 => Constant::MethodRef { class: reader.u16()?, name_and_type: reader.u16()? },
        11 => Constant::InterfaceMethodRef { class: reader.u16()?, name_and_type: reader.u16()? },
        12 => Constant::NameAndType { name: reader.u16()?, descriptor: reader.u16()? },
        15 => Constant::MethodHandle { kind: reader.u8()?, reference: reader.u16()? },
        16 => Constant::MethodType(reader.u16()?),
        17 => Constant::Dynamic { bootstrap: reader.u16()?, name_and_type: reader.u16()? },
        18 => Constant::InvokeDynamic { bootstrap: reader.u16()?, name_and_type: reader.u16()? },
        19 => Constant::Module(reader.u16()?),
        20 => Constant::Package(reader.u16()?),
        tag => return Err(ClassFileError::BadConstantTag { index, tag }),
    })
}

fn unexpected(index: u16, expected: &'static str) -> ClassFileError {
    ClassFileError::BadConstant { index, expected }
}
