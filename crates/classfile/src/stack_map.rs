//! The `StackMapTable` attribute: frames with absolute positions and full lists, and back.

use rustc_hash::FxHashMap;

use crate::class::find_attribute;
use crate::code::Code;
use crate::descriptor::{self, BaseType};
use crate::pool::ConstantPool;
use crate::reader::Reader;
use crate::{ClassFileError, EditError};

pub(crate) const STACK_MAP_TABLE: &str = "StackMapTable";

/// Bounds the memory that a hostile table can ask for; real methods stay far below.
const MAX_TYPES: usize = 1 << 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    /// The index of a class constant.
    Object(u16),
    /// The reference parameter that is passed in this local, when the pool has no constant for its class.
    Parameter(u16),
    /// The position of the `new` instruction.
    Uninitialized(u16),
}

impl VerificationType {
    /// How many locals a value takes.
    #[must_use]
    pub fn slots(self) -> u16 {
        match self {
            Self::Long | Self::Double => 2,
            _ => 1,
        }
    }
}

/// The types of locals and operand stack at one place; a long or double is one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub pc: u16,
    pub locals: Vec<VerificationType>,
    pub stack: Vec<VerificationType>,
}

/// As [`Code::stack_map`], but the types of parameters are all left as [`VerificationType::Parameter`].
pub(crate) fn read(code: &Code<'_>, pool: &ConstantPool<'_>) -> Result<Option<Vec<Frame>>, ClassFileError> {
    let Some(attribute) = find_attribute(&code.attributes, pool, STACK_MAP_TABLE) else {
        return Ok(None);
    };
    let mut reader = Reader::new(attribute.data);
    let count = reader.u16()?;
    let mut locals = initial_locals(code, pool)?;
    let mut frames: Vec<Frame> = Vec::new();
    let mut type_count = 0;
    for _ in 0..count {
        let tag = reader.u8()?;
        let delta = match tag {
            0..=63 => u16::from(tag),
            64..=127 => u16::from(tag - 64),
            128..=246 => return Err(bad("reserved frame type")),
            247..=255 => reader.u16()?,
        };
        let stack = match tag {
            64..=127 | 247 => vec![read_type(&mut reader)?],
            248..=250 => {
                let kept = locals.len().checked_sub(usize::from(251 - tag));
                locals.truncate(kept.ok_or_else(|| bad("more locals chopped than there are"))?);
                Vec::new()
            }
            252..=254 => {
                let count = u16::from(tag - 251);
                locals.extend(read_types(&mut reader, count)?);
                Vec::new()
            }
            255 => {
                let count = reader.u16()?;
                locals = read_types(&mut reader, count)?;
                let count = reader.u16()?;
                read_types(&mut reader, count)?
            }
            _ => Vec::new(),
        };
        if slots(&locals) > usize::from(code.max_locals) {
            return Err(bad("a frame has more locals than the method"));
        }
        type_count += locals.len() + stack.len();
        if type_count > MAX_TYPES {
            return Err(bad("too many types"));
        }
        let pc = frames.last().map_or(Some(delta), |previous| previous.pc.checked_add(delta)?.checked_add(1));
        let pc = pc.filter(|&pc| usize::from(pc) < code.bytes.len());
        frames.push(Frame {
            pc: pc.ok_or_else(|| bad("a frame stands behind the code"))?,
            locals: locals.clone(),
            stack,
        });
    }
    reader.finish()?;
    Ok(Some(frames))
}

/// The locals at the entry of the method.
pub(crate) fn initial_locals(
    code: &Code<'_>,
    pool: &ConstantPool<'_>,
) -> Result<Vec<VerificationType>, ClassFileError> {
    let context = code.context;
    let mut locals = Vec::new();
    let mut slot: u16 = 0;
    if !context.is_static {
        let is_object = || pool.class_name(context.this_class).as_deref() == Ok("java/lang/Object");
        locals.push(if context.is_constructor && !is_object() {
            VerificationType::UninitializedThis
        } else {
            VerificationType::Object(context.this_class)
        });
        slot = 1;
    }
    let descriptor = pool.utf8(context.descriptor_index)?;
    for (base, _) in descriptor::parameters(&descriptor)? {
        locals.push(match base {
            BaseType::Long => VerificationType::Long,
            BaseType::Double => VerificationType::Double,
            BaseType::Float => VerificationType::Float,
            BaseType::Reference => VerificationType::Parameter(slot),
            _ => VerificationType::Integer,
        });
        slot = slot.saturating_add(base.slots());
    }
    Ok(locals)
}

/// The class names of the reference parameters, by the local that each is passed in.
pub(crate) fn parameter_classes(
    code: &Code<'_>,
    pool: &ConstantPool<'_>,
) -> Result<FxHashMap<u16, String>, ClassFileError> {
    let descriptor = pool.utf8(code.context.descriptor_index)?;
    let mut slot = u16::from(!code.context.is_static);
    let mut classes = FxHashMap::default();
    for (base, parameter) in descriptor::parameters(&descriptor)? {
        if base == BaseType::Reference {
            classes.insert(slot, descriptor::class_name(parameter).to_owned());
        }
        slot = slot.saturating_add(base.slots());
    }
    Ok(classes)
}

/// Names the types of parameters by the class constants that the pool has.
pub(crate) fn resolve_parameters(
    frames: &mut [Frame],
    code: &Code<'_>,
    pool: &ConstantPool<'_>,
) -> Result<(), ClassFileError> {
    let classes = parameter_classes(code, pool)?.into_iter();
    let known = classes.filter_map(|(slot, name)| Some((slot, pool.find_class(&name)?)));
    let known: FxHashMap<u16, u16> = known.collect();
    for local in frames.iter_mut().flat_map(|frame| &mut frame.locals) {
        if let VerificationType::Parameter(slot) = local
            && let Some(&index) = known.get(slot)
        {
            *local = VerificationType::Object(index);
        }
    }
    Ok(())
}

pub(crate) fn slots(locals: &[VerificationType]) -> usize {
    locals.iter().map(|local| usize::from(local.slots())).sum()
}

/// Writes the table in its compact form. The frames are sorted, at most one at each place.
/// `parameter_class` finds the class constant of a parameter whose type has to be written.
pub(crate) fn write(
    initial: &[VerificationType],
    frames: &[Frame],
    parameter_class: impl FnMut(u16) -> Result<u16, EditError>,
) -> Result<Vec<u8>, EditError> {
    let mut writer = Writer { out: Vec::new(), parameter_class };
    writer.length(frames.len())?;
    let mut locals = initial;
    let mut next_pc = 0;
    for frame in frames {
        let delta = frame.pc.checked_sub(next_pc);
        writer.frame(delta.ok_or(EditError::TooManyFrames)?, locals, frame)?;
        locals = &frame.locals;
        next_pc = frame.pc.saturating_add(1);
    }
    Ok(writer.out)
}

struct Writer<F> {
    out: Vec<u8>,
    parameter_class: F,
}

impl<F: FnMut(u16) -> Result<u16, EditError>> Writer<F> {
    fn frame(&mut self, delta: u16, previous: &[VerificationType], frame: &Frame) -> Result<(), EditError> {
        let common = previous.iter().zip(&frame.locals);
        let common = common.take_while(|(old, new)| old == new).count();
        let chopped = previous.len() - common;
        let appended = frame.locals.get(common..).unwrap_or_default();
        match (frame.stack.as_slice(), chopped, appended.len()) {
            ([], 0, 0) if delta < 64 => self.out.push(delta as u8),
            ([], 0, 0) => self.tag(251, delta),
            ([only], 0, 0) => {
                match delta {
                    0..64 => self.out.push(64 + delta as u8),
                    _ => self.tag(247, delta),
                }
                self.item(*only)?;
            }
            ([], 1..=3, 0) => self.tag(251 - chopped as u8, delta),
            ([], 0, 1..=3) => {
                self.tag(251 + appended.len() as u8, delta);
                self.items(appended)?;
            }
            _ => {
                self.tag(255, delta);
                for types in [&frame.locals, &frame.stack] {
                    self.length(types.len())?;
                    self.items(types)?;
                }
            }
        }
        Ok(())
    }

    fn tag(&mut self, tag: u8, delta: u16) {
        self.out.push(tag);
        self.out.extend(delta.to_be_bytes());
    }

    fn length(&mut self, count: usize) -> Result<(), EditError> {
        let count = u16::try_from(count).map_err(|_| EditError::TooManyFrames)?;
        self.out.extend(count.to_be_bytes());
        Ok(())
    }

    fn items(&mut self, items: &[VerificationType]) -> Result<(), EditError> {
        items.iter().try_for_each(|&item| self.item(item))
    }

    fn item(&mut self, item: VerificationType) -> Result<(), EditError> {
        let (tag, operand) = match item {
            VerificationType::Top => (0, None),
            VerificationType::Integer => (1, None),
            VerificationType::Float => (2, None),
            VerificationType::Double => (3, None),
            VerificationType::Long => (4, None),
            VerificationType::Null => (5, None),
            VerificationType::UninitializedThis => (6, None),
            VerificationType::Object(index) => (7, Some(index)),
            VerificationType::Parameter(slot) => (7, Some((self.parameter_class)(slot)?)),
            VerificationType::Uninitialized(pc) => (8, Some(pc)),
        };
        self.out.push(tag);
        self.out.extend(operand.into_iter().flat_map(u16::to_be_bytes));
        Ok(())
    }
}

fn read_types(reader: &mut Reader<'_>, count: u16) -> Result<Vec<VerificationType>, ClassFileError> {
    (0..count).map(|_| read_type(reader)).collect()
}

fn read_type(reader: &mut Reader<'_>) -> Result<VerificationType, ClassFileError> {
    Ok(match reader.u8()? {
        0 => VerificationType::Top,
        1 => VerificationType::Integer,
        2 => VerificationType::Float,
        3 => VerificationType::Double,
        4 => VerificationType::Long,
        5 => VerificationType::Null,
        6 => VerificationType::UninitializedThis,
        7 => VerificationType::Object(reader.u16()?),
        8 => VerificationType::Uninitialized(reader.u16()?),
        _ => return Err(bad("unknown verification type")),
    })
}

fn bad(reason: &'static str) -> ClassFileError {
    ClassFileError::BadAttribute { attribute: STACK_MAP_TABLE, reason }
}
