//! Annotations that are there at run time.

use crate::ClassFileError;
use crate::class::{Member, find_attribute};
use crate::pool::ConstantPool;
use crate::reader::Reader;

const NAME: &str = "RuntimeVisibleAnnotations";

/// Annotations inside annotations go no deeper in code that anybody writes.
const MOST_NESTED: usize = 16;

/// An annotation, without the values of its elements that are no classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// As a descriptor: `Lorg/junit/Test;`.
    pub descriptor: String,
    /// Those that are given a value.
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    /// Its value, if that is a class, or all of its values; as descriptors.
    pub classes: Vec<String>,
}

impl Member<'_> {
    /// Those of the member itself; empty when there are none.
    pub fn annotations(&self, pool: &ConstantPool<'_>) -> Result<Vec<Annotation>, ClassFileError> {
        let Some(attribute) = find_attribute(&self.attributes, pool, NAME) else {
            return Ok(Vec::new());
        };
        let mut reader = Reader::new(attribute.data);
        let mut annotations = Vec::new();
        for _ in 0..reader.u16()? {
            annotations.push(annotation(&mut reader, pool, 0)?);
        }
        reader.finish()?;
        Ok(annotations)
    }
}

fn annotation(reader: &mut Reader<'_>, pool: &ConstantPool<'_>, nested: usize) -> Result<Annotation, ClassFileError> {
    let descriptor = text(reader, pool)?;
    let mut elements = Vec::new();
    for _ in 0..reader.u16()? {
        let mut element = Element { name: text(reader, pool)?, classes: Vec::new() };
        read_value(reader, pool, nested, &mut element.classes)?;
        elements.push(element);
    }
    Ok(Annotation { descriptor, elements })
}

fn text(reader: &mut Reader<'_>, pool: &ConstantPool<'_>) -> Result<String, ClassFileError> {
    Ok(pool.utf8(reader.u16()?)?.into_owned())
}

/// Of a value, only classes are told.
fn read_value(
    reader: &mut Reader<'_>,
    pool: &ConstantPool<'_>,
    nested: usize,
    classes: &mut Vec<String>,
) -> Result<(), ClassFileError> {
    if nested == MOST_NESTED {
        return Err(ClassFileError::BadAttribute { attribute: NAME, reason: "nested too deep" });
    }
    match reader.u8()? {
        b'c' => classes.push(text(reader, pool)?),
        b'e' => {
            reader.take(4)?;
        }
        b'@' => {
            annotation(reader, pool, nested + 1)?;
        }
        b'[' => {
            for _ in 0..reader.u16()? {
                read_value(reader, pool, nested + 1, classes)?;
            }
        }
        _ => {
            reader.take(2)?;
        }
    }
    Ok(())
}
