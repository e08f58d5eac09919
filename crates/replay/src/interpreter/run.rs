//! The loop over instructions.

use super::arithmetic::{compare, int_divide, int_remainder, long_divide, long_remainder};
use super::decide::{CallDecision, Decision};
use super::fault::Fault;
use super::{
    At, ElementAccess, Entry, FieldAccess, Frame, Halt, Halting, Interruption, Observer, Phase, Progress, ThreadReplay,
};
use crate::program::{CallKind, MethodCode, Op, Subtype};
use whydunit_trace::plan::Handshake;
use whydunit_trace::stream::ControlEvent;
use whydunit_trace::{LogKind, ObjectId};

impl<'p> ThreadReplay<'p> {
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    pub(super) fn run_frames<O: Observer>(
        &mut self,
        stack: &mut Vec<u64>,
        observer: &mut O,
        limit: u64,
    ) -> Halting<Progress> {
        'frame: loop {
            let Some(frame) = self.frames.last() else {
                if self.number >= limit {
                    return Ok(Progress::Paused);
                }
                if self.start_next(stack, observer)? {
                    continue 'frame;
                }
                return Ok(Progress::Ended(super::End::Finished));
            };
            let code: &'p MethodCode = frame.code;
            let base = frame.base;
            let mut pc = frame.pc as usize;
            let mut top = frame.top as usize;
            let depth = self.frames.len() - 1;
            let slots = &mut stack[base..base + usize::from(code.slots)];
            // Instructions are not counted one by one: as long as none jumps, numbers rise as `pc` does.
            let mut origin = self.number.wrapping_sub(pc as u64);
            let is_far_from_limit = |number: u64| number.saturating_add(code.ops.len() as u64) <= limit;

            // Instructions before the one at `pc`.
            macro_rules! number_before {
                () => {
                    origin.wrapping_add(pc as u64)
                };
            }
            // The number of the instruction at `pc`.
            macro_rules! number {
                () => {
                    number_before!() + 1
                };
            }
            // What can be run without a jump: it ends where the limit is.
            macro_rules! runnable {
                () => {
                    if !O::EVERY_INSTRUCTION && is_far_from_limit(number_before!()) {
                        &code.fused[..]
                    } else {
                        let end = limit.saturating_sub(number_before!()).saturating_add(pc as u64);
                        &code.ops[..end.min(code.ops.len() as u64) as usize]
                    }
                };
            }
            let mut ops = runnable!();
            let mut untold = Untold(pc);
            macro_rules! tell_up_to {
                ($end:expr) => {
                    if !O::EVERY_INSTRUCTION {
                        untold.tell(observer, code, depth, $end);
                    }
                };
            }
            macro_rules! save {
                () => {{
                    tell_up_to!(pc + 1);
                    save!(number!());
                }};
                ($number:expr) => {{
                    let frame = &mut self.frames[depth];
                    frame.pc = pc as u32;
                    frame.top = top as u32;
                    self.number = $number;
                    if O::CHECKS {
                        self.checked_up_to = observer.check_offset();
                    }
                }};
            }
            macro_rules! at {
                () => {
                    At { code, pc: pc as u32, number: number!(), depth: depth as u32 }
                };
            }
            macro_rules! push {
                ($bits:expr) => {{
                    slots[top] = $bits;
                    top += 1;
                }};
            }
            macro_rules! push_int {
                ($value:expr) => {{
                    let value: i32 = $value;
                    push!(u64::from(value.cast_unsigned()))
                }};
            }
            macro_rules! push_wide {
                ($bits:expr) => {{
                    slots[top] = $bits;
                    slots[top + 1] = 0;
                    top += 2;
                }};
            }
            macro_rules! push_kind {
                ($kind:expr, $bits:expr) => {{
                    slots[top] = $bits;
                    top += usize::from($kind.slots());
                }};
            }
            macro_rules! pop {
                () => {{
                    top -= 1;
                    slots[top]
                }};
            }
            macro_rules! pop_int {
                () => {
                    (pop!() as u32).cast_signed()
                };
            }
            macro_rules! pop_wide {
                () => {{
                    top -= 2;
                    slots[top]
                }};
            }
            macro_rules! int_op {
                (|$a:ident, $b:ident| $result:expr) => {{
                    let $b = pop_int!();
                    let $a = pop_int!();
                    push_int!($result);
                }};
            }
            macro_rules! long_op {
                (|$a:ident, $b:ident| $result:expr) => {{
                    let $b = pop_wide!().cast_signed();
                    let $a = pop_wide!().cast_signed();
                    let value: i64 = $result;
                    push_wide!(value.cast_unsigned());
                }};
            }
            macro_rules! long_shift {
                (|$a:ident, $b:ident| $result:expr) => {{
                    let $b = pop_int!().cast_unsigned();
                    let $a = pop_wide!().cast_signed();
                    let value: i64 = $result;
                    push_wide!(value.cast_unsigned());
                }};
            }
            macro_rules! float_op {
                (|$a:ident, $b:ident| $result:expr) => {{
                    let $b = f32::from_bits(pop!() as u32);
                    let $a = f32::from_bits(pop!() as u32);
                    let value: f32 = $result;
                    push!(u64::from(value.to_bits()));
                }};
            }
            macro_rules! double_op {
                (|$a:ident, $b:ident| $result:expr) => {{
                    let $b = f64::from_bits(pop_wide!());
                    let $a = f64::from_bits(pop_wide!());
                    let value: f64 = $result;
                    push_wide!(value.to_bits());
                }};
            }
            macro_rules! jump {
                ($to:expr) => {{
                    let to = $to as usize;
                    tell_up_to!(pc + 1);
                    untold = Untold(to);
                    origin = number!().wrapping_sub(to as u64);
                    pc = to;
                    if O::EVERY_INSTRUCTION || !is_far_from_limit(number_before!()) {
                        ops = runnable!();
                    }
                    continue;
                }};
            }
            macro_rules! branch {
                ($taken:expr, $to:expr, $a:expr, $b:expr) => {{
                    let taken: bool = $taken;
                    observer.branched(at!(), [$a, $b], taken);
                    if taken {
                        jump!($to);
                    }
                }};
            }
            macro_rules! branch_int {
                ($to:expr, |$a:ident| $taken:expr) => {{
                    let bits = pop!();
                    observer.fact(at!(), LogKind::Int, bits);
                    let $a = (bits as u32).cast_signed();
                    branch!($taken, $to, bits, 0)
                }};
            }
            macro_rules! branch_ref {
                ($to:expr, |$a:ident| $taken:expr) => {{
                    let $a = pop!();
                    observer.fact(at!(), LogKind::Reference, $a);
                    branch!($taken, $to, $a, 0)
                }};
            }
            macro_rules! branch_ints {
                ($to:expr, |$a:ident, $b:ident| $taken:expr) => {{
                    let b = pop!();
                    let a = pop!();
                    observer.fact(at!(), LogKind::Int, a);
                    observer.fact(at!(), LogKind::Int, b);
                    let $a = (a as u32).cast_signed();
                    let $b = (b as u32).cast_signed();
                    branch!($taken, $to, a, b)
                }};
            }
            macro_rules! branch_refs {
                ($to:expr, |$a:ident, $b:ident| $taken:expr) => {{
                    let $b = pop!();
                    let $a = pop!();
                    observer.fact(at!(), LogKind::Reference, $a);
                    observer.fact(at!(), LogKind::Reference, $b);
                    branch!($taken, $to, $a, $b)
                }};
            }
            macro_rules! at_control {
                () => {
                    self.is_at_control()
                };
            }
            macro_rules! follow {
                ($decision:expr) => {
                    match $decision {
                        Decision::Proceed => {}
                        Decision::CallBack => {
                            self.call_back(stack, observer)?;
                            continue 'frame;
                        }
                        Decision::Throw => {
                            self.throw(stack, observer, None)?;
                            continue 'frame;
                        }
                    }
                };
            }
            // Before a value is taken from the log.
            macro_rules! consult {
                ($fails:expr) => {
                    let fails: bool = $fails;
                    if at_control!() || fails {
                        save!();
                        let decision = self.decide_value(observer, code, pc as u32, fails)?;
                        follow!(decision);
                    }
                };
            }
            // Before an instruction that names a class and takes no value from the log.
            macro_rules! consult_named {
                ($class:expr, $fault:expr) => {
                    if at_control!() {
                        save!();
                        let decision = self.decide_named(observer, $class, $fault, &slots[..top])?;
                        follow!(decision);
                    }
                };
            }
            // Where the instruction takes a sequence number, unless it did before a call-back interrupted it.
            macro_rules! meet_before {
                () => {
                    if code.has_meetings && code.meets(pc as u32).before && self.resumed_at != number!() {
                        save!();
                        self.meet(observer, Phase::Start)?;
                    }
                };
            }
            macro_rules! meet_after {
                ($phase:expr) => {
                    if code.has_meetings && code.meets(pc as u32).after {
                        save!();
                        self.meet(observer, $phase)?;
                    }
                };
            }
            macro_rules! throw {
                ($thrown:expr) => {{
                    save!();
                    self.throw(stack, observer, $thrown)?;
                    continue 'frame;
                }};
            }
            macro_rules! value {
                ($kind:expr) => {
                    match self.read($kind) {
                        Ok(bits) => bits,
                        Err(error) => {
                            save!();
                            return Err(self.stream_halt(error));
                        }
                    }
                };
            }
            // The first half of two instructions that are one.
            macro_rules! load_first {
                ($local:expr) => {
                    push!(slots[usize::from($local)]);
                    pc += 1;
                };
            }
            macro_rules! array_length {
                ($array:expr) => {
                    match self.objects.array_length(ObjectId($array as u32)) {
                        Ok(Some(length)) => length,
                        Ok(None) => {
                            save!();
                            return Err(self.unknown_object($array));
                        }
                        Err(error) => return Err(Halt::Io(error)),
                    }
                };
            }

            loop {
                let Some(op) = ops.get(pc) else {
                    tell_up_to!(pc);
                    save!(number_before!());
                    if self.number >= limit {
                        return Ok(Progress::Paused);
                    }
                    return Err(self.diverged("the method has no more instructions"));
                };
                if O::EVERY_INSTRUCTION
                    && let Some(interruption) = observer.interruption(at!())
                {
                    save!(number_before!());
                    return match interruption {
                        Interruption::Pause => Ok(Progress::Paused),
                        Interruption::Divergence(what) => Err(self.diverged(what)),
                    };
                }
                if O::CHECKS && at_control!() {
                    save!();
                    if op.has_fact() && self.event_here(observer)?.is_some() && self.fact_overflows()? {
                        throw!(None);
                    }
                }
                observer.instruction(at!());
                match *op {
                    Op::Nop => {}
                    Op::Const { bits, .. } => push!(u64::from(bits)),
                    Op::WideConst { index, .. } => push_wide!(code.wide_constants[index as usize]),
                    Op::LoggedConst(kind) => {
                        consult!(false);
                        let bits = value!(kind);
                        observer.constant(at!(), kind, bits);
                        push_kind!(kind, bits);
                    }
                    Op::Load(local) => {
                        let bits = slots[usize::from(local)];
                        observer.local_read(at!(), local, bits);
                        push!(bits);
                    }
                    Op::LoadLoad(first, second) => {
                        load_first!(first);
                        push!(slots[usize::from(second)]);
                    }
                    Op::LoadConst { local, bits } => {
                        load_first!(local);
                        push!(u64::from(bits));
                    }
                    Op::LoadWide(local) => {
                        let bits = slots[usize::from(local)];
                        observer.local_read(at!(), local, bits);
                        push_wide!(bits);
                    }
                    Op::Store { local, kind, has_fact } => {
                        let bits = pop!();
                        if has_fact {
                            observer.fact(at!(), kind, bits);
                        }
                        slots[usize::from(local)] = bits;
                        observer.local_written(at!(), local, kind, bits);
                    }
                    Op::StoreWide { local, kind } => {
                        let bits = pop_wide!();
                        observer.fact(at!(), kind, bits);
                        slots[usize::from(local)] = bits;
                        slots[usize::from(local) + 1] = 0;
                        observer.local_written(at!(), local, kind, bits);
                    }
                    Op::Increment { local, by } => {
                        observer.local_read(at!(), local, slots[usize::from(local)]);
                        let slot = &mut slots[usize::from(local)];
                        let value = (*slot as u32).cast_signed().wrapping_add(i32::from(by));
                        *slot = u64::from(value.cast_unsigned());
                        let bits = *slot;
                        observer.local_written(at!(), local, LogKind::Int, bits);
                    }
                    Op::ArrayLoad(kind) | Op::LoadArrayLoad { kind, .. } => {
                        if let Op::LoadArrayLoad { local, .. } = *op {
                            load_first!(local);
                        }
                        let array = slots[top - 2];
                        let index = (slots[top - 1] as u32).cast_signed();
                        let fails = array == 0 || index.cast_unsigned() >= array_length!(array);
                        consult!(fails);
                        top -= 2;
                        let bits = value!(kind);
                        push_kind!(kind, bits);
                        observer.element_read(at!(), ElementAccess { array, index, kind, bits });
                    }
                    Op::ArrayStore(kind) => {
                        let under = top - usize::from(kind.slots());
                        let bits = slots[under];
                        let array = slots[under - 2];
                        let index = (slots[under - 1] as u32).cast_signed();
                        observer.fact(at!(), kind, bits);
                        if array == 0 || index.cast_unsigned() >= array_length!(array) {
                            throw!(None);
                        }
                        if kind == LogKind::Reference && bits != 0 && at_control!() {
                            save!();
                            if self.event_here(observer)?.is_some()
                                && !self.is_storable(array, bits)?
                                && self.starts_here(Fault::ArrayStore, "", &slots[..top])?
                            {
                                throw!(None);
                            }
                        }
                        top = under - 2;
                        observer.element_written(at!(), ElementAccess { array, index, kind, bits });
                    }
                    Op::Pop => top -= 1,
                    Op::Pop2 => top -= 2,
                    Op::Dup => push!(slots[top - 1]),
                    Op::DupX1 => {
                        let (b, a) = (slots[top - 2], slots[top - 1]);
                        slots[top - 2] = a;
                        slots[top - 1] = b;
                        push!(a);
                    }
                    Op::DupX2 => {
                        let (c, b, a) = (slots[top - 3], slots[top - 2], slots[top - 1]);
                        slots[top - 3] = a;
                        slots[top - 2] = c;
                        slots[top - 1] = b;
                        push!(a);
                    }
                    Op::Dup2 => {
                        push!(slots[top - 2]);
                        push!(slots[top - 2]);
                    }
                    Op::Dup2X1 => {
                        let (c, b, a) = (slots[top - 3], slots[top - 2], slots[top - 1]);
                        slots[top - 3] = b;
                        slots[top - 2] = a;
                        slots[top - 1] = c;
                        push!(b);
                        push!(a);
                    }
                    Op::Dup2X2 => {
                        let (d, c) = (slots[top - 4], slots[top - 3]);
                        let (b, a) = (slots[top - 2], slots[top - 1]);
                        slots[top - 4] = b;
                        slots[top - 3] = a;
                        slots[top - 2] = d;
                        slots[top - 1] = c;
                        push!(b);
                        push!(a);
                    }
                    Op::Swap => slots.swap(top - 2, top - 1),
                    Op::Iadd => int_op!(|a, b| a.wrapping_add(b)),
                    Op::Isub => int_op!(|a, b| a.wrapping_sub(b)),
                    Op::Imul => int_op!(|a, b| a.wrapping_mul(b)),
                    Op::Idiv | Op::Irem => {
                        let b = (slots[top - 1] as u32).cast_signed();
                        let a = (slots[top - 2] as u32).cast_signed();
                        let is_division = *op == Op::Idiv;
                        let result = if is_division { int_divide(a, b) } else { int_remainder(a, b) };
                        let Some(result) = result else { throw!(None) };
                        top -= 2;
                        push_int!(result);
                    }
                    Op::Ineg => {
                        let a = pop_int!();
                        push_int!(a.wrapping_neg());
                    }
                    Op::Ishl => int_op!(|a, b| a.wrapping_shl(b.cast_unsigned())),
                    Op::Ishr => int_op!(|a, b| a.wrapping_shr(b.cast_unsigned())),
                    Op::Iushr => int_op!(|a, b| a.cast_unsigned().wrapping_shr(b.cast_unsigned()).cast_signed()),
                    Op::Iand => int_op!(|a, b| a & b),
                    Op::Ior => int_op!(|a, b| a | b),
                    Op::Ixor => int_op!(|a, b| a ^ b),
                    Op::Ladd => long_op!(|a, b| a.wrapping_add(b)),
                    Op::Lsub => long_op!(|a, b| a.wrapping_sub(b)),
                    Op::Lmul => long_op!(|a, b| a.wrapping_mul(b)),
                    Op::Ldiv | Op::Lrem => {
                        let b = slots[top - 2].cast_signed();
                        let a = slots[top - 4].cast_signed();
                        let is_division = *op == Op::Ldiv;
                        let result = if is_division { long_divide(a, b) } else { long_remainder(a, b) };
                        let Some(result) = result else { throw!(None) };
                        top -= 4;
                        push_wide!(result.cast_unsigned());
                    }
                    Op::Lneg => {
                        let a = pop_wide!().cast_signed();
                        push_wide!(a.wrapping_neg().cast_unsigned());
                    }
                    Op::Lshl => long_shift!(|a, b| a.wrapping_shl(b)),
                    Op::Lshr => long_shift!(|a, b| a.wrapping_shr(b)),
                    Op::Lushr => long_shift!(|a, b| a.cast_unsigned().wrapping_shr(b).cast_signed()),
                    Op::Land => long_op!(|a, b| a & b),
                    Op::Lor => long_op!(|a, b| a | b),
                    Op::Lxor => long_op!(|a, b| a ^ b),
                    Op::Fadd => float_op!(|a, b| a + b),
                    Op::Fsub => float_op!(|a, b| a - b),
                    Op::Fmul => float_op!(|a, b| a * b),
                    Op::Fdiv => float_op!(|a, b| a / b),
                    Op::Frem => float_op!(|a, b| a % b),
                    Op::Fneg => {
                        let a = f32::from_bits(pop!() as u32);
                        push!(u64::from((-a).to_bits()));
                    }
                    Op::Dadd => double_op!(|a, b| a + b),
                    Op::Dsub => double_op!(|a, b| a - b),
                    Op::Dmul => double_op!(|a, b| a * b),
                    Op::Ddiv => double_op!(|a, b| a / b),
                    Op::Drem => double_op!(|a, b| a % b),
                    Op::Dneg => {
                        let a = f64::from_bits(pop_wide!());
                        push_wide!((-a).to_bits());
                    }
                    Op::I2l => {
                        let a = pop_int!();
                        push_wide!(i64::from(a).cast_unsigned());
                    }
                    Op::I2f => {
                        let a = pop_int!();
                        push!(u64::from((a as f32).to_bits()));
                    }
                    Op::I2d => {
                        let a = pop_int!();
                        push_wide!(f64::from(a).to_bits());
                    }
                    Op::L2i => {
                        let a = pop_wide!();
                        push!(u64::from(a as u32));
                    }
                    Op::L2f => {
                        let a = pop_wide!().cast_signed();
                        push!(u64::from((a as f32).to_bits()));
                    }
                    Op::L2d => {
                        let a = pop_wide!().cast_signed();
                        push_wide!((a as f64).to_bits());
                    }
                    Op::F2i => {
                        let a = f32::from_bits(pop!() as u32);
                        push_int!(a as i32);
                    }
                    Op::F2l => {
                        let a = f32::from_bits(pop!() as u32);
                        push_wide!((a as i64).cast_unsigned());
                    }
                    Op::F2d => {
                        let a = f32::from_bits(pop!() as u32);
                        push_wide!(f64::from(a).to_bits());
                    }
                    Op::D2i => {
                        let a = f64::from_bits(pop_wide!());
                        push_int!(a as i32);
                    }
                    Op::D2l => {
                        let a = f64::from_bits(pop_wide!());
                        push_wide!((a as i64).cast_unsigned());
                    }
                    Op::D2f => {
                        let a = f64::from_bits(pop_wide!());
                        push!(u64::from((a as f32).to_bits()));
                    }
                    Op::I2b => {
                        let a = pop_int!();
                        push_int!(i32::from(a as i8));
                    }
                    Op::I2c => {
                        let a = pop_int!();
                        push_int!(i32::from(a as u16));
                    }
                    Op::I2s => {
                        let a = pop_int!();
                        push_int!(i32::from(a as i16));
                    }
                    Op::Lcmp => {
                        let b = pop_wide!();
                        let a = pop_wide!();
                        observer.compared(at!(), LogKind::Long, [a, b]);
                        push_int!(a.cast_signed().cmp(&b.cast_signed()) as i32);
                    }
                    Op::Fcmp(for_nan) => {
                        let b = pop!();
                        let a = pop!();
                        observer.compared(at!(), LogKind::Float, [a, b]);
                        push_int!(compare(f32::from_bits(a as u32), f32::from_bits(b as u32), for_nan));
                    }
                    Op::Dcmp(for_nan) => {
                        let b = pop_wide!();
                        let a = pop_wide!();
                        observer.compared(at!(), LogKind::Double, [a, b]);
                        push_int!(compare(f64::from_bits(a), f64::from_bits(b), for_nan));
                    }
                    Op::IfEq(to) => branch_int!(to, |a| a == 0),
                    Op::IfNe(to) => branch_int!(to, |a| a != 0),
                    Op::IfLt(to) => branch_int!(to, |a| a < 0),
                    Op::IfGe(to) => branch_int!(to, |a| a >= 0),
                    Op::IfGt(to) => branch_int!(to, |a| a > 0),
                    Op::IfLe(to) => branch_int!(to, |a| a <= 0),
                    Op::IfIcmpEq(to) => branch_ints!(to, |a, b| a == b),
                    Op::IfIcmpNe(to) => branch_ints!(to, |a, b| a != b),
                    Op::IfIcmpLt(to) => branch_ints!(to, |a, b| a < b),
                    Op::IfIcmpGe(to) => branch_ints!(to, |a, b| a >= b),
                    Op::IfIcmpGt(to) => branch_ints!(to, |a, b| a > b),
                    Op::IfIcmpLe(to) => branch_ints!(to, |a, b| a <= b),
                    Op::IfAcmpEq(to) => branch_refs!(to, |a, b| a == b),
                    Op::IfAcmpNe(to) => branch_refs!(to, |a, b| a != b),
                    Op::IfNull(to) => branch_ref!(to, |a| a == 0),
                    Op::IfNonNull(to) => branch_ref!(to, |a| a != 0),
                    Op::LoadIfEq { local, to } => {
                        load_first!(local);
                        branch_int!(to, |a| a == 0)
                    }
                    Op::LoadIfNe { local, to } => {
                        load_first!(local);
                        branch_int!(to, |a| a != 0)
                    }
                    Op::LoadIfNull { local, to } => {
                        load_first!(local);
                        branch_ref!(to, |a| a == 0)
                    }
                    Op::LoadIfNonNull { local, to } => {
                        load_first!(local);
                        branch_ref!(to, |a| a != 0)
                    }
                    Op::Goto(to) => jump!(to),
                    Op::TableSwitch(index) => {
                        let bits = pop!();
                        observer.fact(at!(), LogKind::Int, bits);
                        let to = code.tables[index as usize].target((bits as u32).cast_signed());
                        observer.switched(at!(), bits, to);
                        jump!(to);
                    }
                    Op::LookupSwitch(index) => {
                        let bits = pop!();
                        observer.fact(at!(), LogKind::Int, bits);
                        let to = code.lookups[index as usize].target((bits as u32).cast_signed());
                        observer.switched(at!(), bits, to);
                        jump!(to);
                    }
                    Op::Return(kind) | Op::LoadReturn { kind, .. } => {
                        if let Op::LoadReturn { local, .. } = *op {
                            load_first!(local);
                        }
                        // The recorder's own call before it can be one too many for the stack.
                        if code.is_synchronized {
                            save!();
                            self.meet(observer, Phase::Start)?;
                        }
                        if at_control!() {
                            save!();
                            if self.event_here(observer)?.is_some()
                                && self.starts_here(Fault::Call, "", &slots[..top])?
                            {
                                throw!(None);
                            }
                        }
                        let mut bits = 0;
                        if kind != LogKind::Nothing {
                            bits = slots[top - usize::from(kind.slots())];
                            observer.fact(at!(), kind, bits);
                            if kind == LogKind::Int {
                                bits = narrow(code, bits);
                            }
                        }
                        tell_up_to!(pc + 1);
                        observer.returned(at!(), code.result, bits);
                        self.number = number!();
                        match self.frames.pop() {
                            Some(Frame { entry: Entry::Direct, is_token_seen: true, .. }) => {
                                self.complete_direct_call(stack, observer, code.result, bits)?;
                            }
                            Some(Frame { entry: Entry::Direct, .. }) => {
                                self.complete_logged_call(stack, observer, bits)?;
                            }
                            _ => self.resume_after(stack, observer, code)?,
                        }
                        continue 'frame;
                    }
                    Op::GetStatic { kind, field } => {
                        consult!(false);
                        meet_after!(Phase::Start);
                        let bits = value!(kind);
                        push_kind!(kind, bits);
                        observer.field_read(at!(), FieldAccess { object: 0, field, kind, bits, is_static: true });
                    }
                    Op::PutStatic { kind, field } => {
                        let bits = slots[top - usize::from(kind.slots())];
                        if self.resumed_at != number!() {
                            observer.fact(at!(), kind, bits);
                        }
                        meet_before!();
                        if at_control!() {
                            save!();
                            let owner = self.program.field(field).map(|field| field.owner).unwrap_or_default();
                            let decision = self.decide_named(observer, &owner, Fault::StaticField, &slots[..top])?;
                            follow!(decision);
                        }
                        top -= usize::from(kind.slots());
                        observer.field_written(at!(), FieldAccess { object: 0, field, kind, bits, is_static: true });
                    }
                    Op::GetField { kind, field } | Op::LoadGetField { kind, field, .. } => {
                        if let Op::LoadGetField { local, .. } = *op {
                            load_first!(local);
                        }
                        let object = slots[top - 1];
                        consult!(object == 0);
                        meet_after!(Phase::Start);
                        top -= 1;
                        let bits = value!(kind);
                        push_kind!(kind, bits);
                        observer.field_read(at!(), FieldAccess { object, field, kind, bits, is_static: false });
                    }
                    Op::PutField { kind, field } => {
                        let under = top - usize::from(kind.slots());
                        let bits = slots[under];
                        let object = slots[under - 1];
                        if self.resumed_at != number!() {
                            observer.fact(at!(), kind, bits);
                        }
                        meet_before!();
                        if at_control!() {
                            save!();
                            let owner = self.program.field(field).map(|field| field.owner).unwrap_or_default();
                            let decision = self.decide_named(observer, &owner, Fault::InstanceField, &slots[..top])?;
                            follow!(decision);
                        }
                        if object == 0 {
                            throw!(None);
                        }
                        top = under - 1;
                        observer.field_written(at!(), FieldAccess { object, field, kind, bits, is_static: false });
                    }
                    Op::Invoke(index) | Op::LoadInvoke { call: index, .. } => {
                        if let Op::LoadInvoke { local, .. } = *op {
                            load_first!(local);
                        }
                        meet_before!();
                        let called = code.sites[index as usize];
                        let first = top - usize::from(called.argument_slots);
                        let receiver = match called.kind {
                            CallKind::Virtual | CallKind::Special => {
                                let receiver = slots[first];
                                if receiver == 0 {
                                    save!();
                                    let decision = self.decide_value(observer, code, pc as u32, true)?;
                                    follow!(decision);
                                }
                                receiver
                            }
                            CallKind::Constructor | CallKind::Static | CallKind::Dynamic => 0,
                        };
                        let site = match self.known_site(called, receiver) {
                            Some(site) => site,
                            None => match self.find_site(code, &code.calls[index as usize], receiver) {
                                Ok(site) => site,
                                Err(halt) => {
                                    save!();
                                    return Err(halt);
                                }
                            },
                        };
                        let Some(callee) = site.target else {
                            save!();
                            self.unrecorded_call(stack, observer, code, &code.calls[index as usize])?;
                            continue 'frame;
                        };
                        if site.changed_after <= self.sequence {
                            save!();
                            self.call_of_changed(stack, observer, code, &code.calls[index as usize], callee)?;
                            continue 'frame;
                        }
                        // A call-back takes away what a virtual call has left.
                        let is_direct = site.has_handshake
                            && (self.resumed_at != number!() || called.handshake == Handshake::Method);
                        if at_control!() || !is_direct {
                            save!();
                            let call = &code.calls[index as usize];
                            let held = &slots[..top];
                            match self.decide_call(observer, call, callee.id, is_direct, held)? {
                                CallDecision::AsAnywhere(decision) => follow!(decision),
                                CallDecision::Enter => {
                                    self.enter_by_record(stack, observer, usize::from(call.argument_slots))?;
                                    continue 'frame;
                                }
                            }
                        }
                        top = first;
                        save!();
                        self.push_frame(stack, observer, callee, base + first, Entry::Direct, true)?;
                        continue 'frame;
                    }
                    Op::New(class) => {
                        let class = &code.classes[class as usize];
                        consult_named!(class, Fault::New);
                        let object = self.fresh_reference();
                        push!(object);
                        observer.allocated(at!(), class, object);
                    }
                    Op::NewArray(class) => {
                        let length = (slots[top - 1] as u32).cast_signed();
                        consult!(length < 0);
                        top -= 1;
                        let object = value!(LogKind::Reference);
                        push!(object);
                        observer.allocated(at!(), &code.classes[class as usize], object);
                    }
                    Op::MultiNewArray { class, dimensions } => {
                        let first = top - usize::from(dimensions);
                        let is_negative = |&slot: &u64| (slot as u32).cast_signed() < 0;
                        consult!(slots[first..top].iter().any(is_negative));
                        top = first;
                        let object = value!(LogKind::Reference);
                        push!(object);
                        observer.allocated(at!(), &code.classes[class as usize], object);
                    }
                    Op::ArrayLength => {
                        let array = slots[top - 1];
                        if array == 0 {
                            throw!(None);
                        }
                        slots[top - 1] = u64::from(array_length!(array));
                    }
                    Op::Throw => {
                        let thrown = slots[top - 1];
                        if at_control!() {
                            save!();
                            if let Some(ControlEvent::Enter { place: Some(place), .. }) = self.event_here(observer)? {
                                follow!(self.decide_place(place));
                            }
                        }
                        throw!((thrown != 0).then_some(thrown));
                    }
                    Op::CheckCast(class) => {
                        let object = slots[top - 1];
                        if object != 0 && at_control!() {
                            save!();
                            let class = &code.classes[class as usize];
                            let decision = self.decide_named(observer, class, Fault::Cast, &slots[..top - 1])?;
                            if decision != Decision::Throw || !self.is_instance(code, object, class)? {
                                follow!(decision);
                            }
                        }
                    }
                    Op::InstanceOf => {
                        consult!(false);
                        let bits = value!(LogKind::Byte);
                        slots[top - 1] = bits;
                    }
                    Op::MonitorEnter | Op::MonitorExit => {
                        let object = slots[top - 1];
                        if object == 0 {
                            throw!(None);
                        }
                        meet_before!();
                        if at_control!() {
                            save!();
                            if self.event_here(observer)?.is_some()
                                && self.starts_here(Fault::Monitor, "", &slots[..top])?
                            {
                                throw!(None);
                            }
                        }
                        top -= 1;
                        meet_after!(Phase::End);
                    }
                }
                pc += 1;
            }
        }
    }

    /// Whether a cast is sure to succeed.
    fn is_instance(&mut self, code: &MethodCode, object: u64, class: &str) -> Halting<bool> {
        let known = self.class_of(object)?;
        let loader = self.program.definition(code.definition).map(|definition| definition.loader);
        let (Some(known), Some(loader)) = (known, loader) else {
            return Ok(false);
        };
        Ok(self.program.classes().is_subtype(known, loader, class) == Subtype::Yes)
    }

    /// Whether an object is sure to be one that the array takes.
    fn is_storable(&mut self, array: u64, object: u64) -> Halting<bool> {
        let classes = self.program.classes();
        let element = self.class_of(array)?.and_then(|array| classes.get(array)?.element);
        let (Some(element), Some(stored)) = (element, self.class_of(object)?) else {
            return Ok(false);
        };
        Ok(classes.extends(stored, element) == Subtype::Yes)
    }
}

/// The first instruction of which the observer was not told.
struct Untold(usize);

impl Untold {
    #[inline(always)]
    fn tell<O: Observer>(&mut self, observer: &mut O, code: &MethodCode, depth: usize, end: usize) {
        if self.0 < end {
            observer.ran(code, depth as u32, self.0 as u32, end as u32 - 1);
            self.0 = end;
        }
    }
}

/// What the caller gets of an `int` that the method returns.
fn narrow(code: &MethodCode, bits: u64) -> u64 {
    let value = (bits as u32).cast_signed();
    let value = match code.result {
        LogKind::Byte if code.is_boolean => value & 1,
        LogKind::Byte => i32::from(value as i8),
        LogKind::Char => i32::from(value as u16),
        LogKind::Short => i32::from(value as i16),
        _ => return bits,
    };
    u64::from(value.cast_unsigned())
}
