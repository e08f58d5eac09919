//! Querypoints from arbitrary text: what can be read is printed, and what is printed is read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use whydunit_querypoints::syntax::parse;

fuzz_target!(|text: &str| {
    let Ok(chain) = parse(text) else { return };
    let printed = chain.to_string();
    assert_eq!(parse(&printed).as_ref(), Ok(&chain), "{printed}");
});
