//! Any bytes as a book: reading, writing, checking and playing never panics.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/suite/any_text/mod.rs"]
#[allow(dead_code, reason = "libFuzzer makes its own changes")]
mod any_text;

fuzz_target!(|bytes: &[u8]| {
    any_text::never_panics(bytes);
});
