//! Any bytes as dice notation: reading them never panics, what is read is written so that it
//! reads back as the same, and what is cheap enough to compute ends in a law.

#![no_main]

use libfuzzer_sys::fuzz_target;
use oddsmith_dice::Notation;

/// In words of 64 bits: computed within milliseconds.
const LIMIT: u64 = 1 << 12;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let notation: Notation = match text.parse() {
        Ok(notation) => notation,
        Err(error) => {
            // The message is made from the input too.
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let written = notation.to_string();
    let again: Result<Notation, _> = written.parse();
    assert_eq!(
        again.as_ref(),
        Ok(&notation),
        "{text:?} is written {written:?}"
    );
    let cost = notation.cost();
    match notation.law_within(LIMIT) {
        Ok(law) => {
            let sum: num_bigint::BigUint = law.weights().sum();
            assert_eq!(&sum, law.total(), "{written:?}");
        }
        // Refused by the estimate, or by what only the computation can find out.
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    // Asked twice, the estimate is the same.
    assert_eq!(cost, notation.cost());
});
