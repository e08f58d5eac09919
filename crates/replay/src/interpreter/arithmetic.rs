//! Java's arithmetic where it differs from Rust's.

use std::cmp::Ordering;

/// `None` is division by zero.
pub(super) fn int_divide(a: i32, b: i32) -> Option<i32> {
    (b != 0).then(|| a.wrapping_div(b))
}

pub(super) fn int_remainder(a: i32, b: i32) -> Option<i32> {
    (b != 0).then(|| a.wrapping_rem(b))
}

pub(super) fn long_divide(a: i64, b: i64) -> Option<i64> {
    (b != 0).then(|| a.wrapping_div(b))
}

pub(super) fn long_remainder(a: i64, b: i64) -> Option<i64> {
    (b != 0).then(|| a.wrapping_rem(b))
}

/// `for_nan` is the result when either is NaN.
#[inline]
pub(super) fn compare<T: PartialOrd>(a: T, b: T, for_nan: i8) -> i32 {
    match a.partial_cmp(&b) {
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
        None => i32::from(for_nan),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division() {
        assert_eq!(int_divide(i32::MIN, -1), Some(i32::MIN));
        assert_eq!(int_remainder(i32::MIN, -1), Some(0));
        assert_eq!(int_divide(-7, 2), Some(-3));
        assert_eq!(int_remainder(-7, 2), Some(-1));
        assert_eq!(int_divide(1, 0), None);
        assert_eq!(long_divide(i64::MIN, -1), Some(i64::MIN));
        assert_eq!(long_remainder(5, 0), None);
    }

    #[test]
    fn comparison() {
        assert_eq!(compare(f32::NAN, 0.0, -1), -1);
        assert_eq!(compare(0.0, f64::NAN, 1), 1);
        assert_eq!(compare(0.0, -0.0, 1), 0);
        assert_eq!(compare(2.0, 1.0, -1), 1);
    }

    #[test]
    fn conversions_of_the_language_are_those_of_java() {
        let not_a_number = f32::from_bits(0x7fc0_0001);
        assert_eq!(not_a_number as i32, 0);
        assert_eq!(1e20_f64 as i64, i64::MAX);
        assert_eq!(-1e20_f32 as i32, i32::MIN);
        assert_eq!(-5.5_f64 % 3.0, -2.5);
        assert_eq!(5.0_f32 % f32::INFINITY, 5.0);
        assert!((1.0_f64 % 0.0).is_nan());
    }
}
