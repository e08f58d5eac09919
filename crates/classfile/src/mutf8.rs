//! Modified UTF-8: NUL takes two bytes, characters beyond U+FFFF are two surrogates of three bytes each.

use std::borrow::Cow;

/// `None` for malformed bytes. Lone surrogates become U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Ok(plain) = std::str::from_utf8(bytes) {
        return Some(Cow::Borrowed(plain));
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let (unit, length) = match *rest {
            [] => break,
            [a, ..] if a < 0x80 => (u16::from(a), 1),
            [a, b, ..] if a >> 5 == 0b110 && is_continuation(b) => (u16::from(a & 0x1f) << 6 | low_bits(b), 2),
            [a, b, c, ..] if a >> 4 == 0b1110 && is_continuation(b) && is_continuation(c) => {
                (u16::from(a & 0x0f) << 12 | low_bits(b) << 6 | low_bits(c), 3)
            }
            _ => return None,
        };
        units.push(unit);
        rest = rest.get(length..)?;
    }
    Some(Cow::Owned(String::from_utf16_lossy(&units)))
}

pub(crate) fn encode(text: &str) -> Cow<'_, [u8]> {
    if text.bytes().all(|byte| byte != 0 && byte < 0xf0) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len() + 8);
    for unit in text.encode_utf16() {
        let [high, low] = [(unit >> 12) as u8, (unit >> 6 & 0x3f) as u8];
        let last = 0x80 | (unit & 0x3f) as u8;
        match unit {
            1..0x80 => bytes.push(unit as u8),
            0 | 0x80..0x800 => bytes.extend([0xc0 | low, last]),
            _ => bytes.extend([0xe0 | high, 0x80 | low, last]),
        }
    }
    Cow::Owned(bytes)
}

fn is_continuation(byte: u8) -> bool {
    byte >> 6 == 0b10
}

fn low_bits(byte: u8) -> u16 {
    u16::from(byte & 0x3f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for text in ["", "plain", "nul\0", "größe ß", "語", "\u{7ff}\u{800}", "😀 and 語"] {
            assert_eq!(decode(&encode(text)).as_deref(), Some(text));
        }
    }

    #[test]
    fn supplementary_characters_are_surrogate_pairs() {
        assert_eq!(*encode("😀"), [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
        assert_eq!(*encode("\0"), [0xc0, 0x80]);
    }

    #[test]
    fn damaged_text() {
        assert_eq!(decode(&[0xed, 0xa0, 0xbd]).as_deref(), Some("\u{fffd}"));
        assert_eq!(decode(&[0xff]), None);
        assert_eq!(decode(&[b'a', 0xc3]), None);
    }
}
