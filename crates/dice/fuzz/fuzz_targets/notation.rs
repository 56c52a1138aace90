//! Any bytes as dice notation: parsing never panics, parsed text round-trips through printing, and
//! cheap expressions give a distribution.

#![no_main]

use libfuzzer_sys::fuzz_target;
use oddsmith_dice::Notation;

/// In 64-bit words: computed within milliseconds.
const LIMIT: u64 = 1 << 12;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let notation: Notation = match text.parse() {
        Ok(notation) => notation,
        Err(error) => {
            // The message is built from the input, too.
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
        // Rejected by the estimate, or by a check that only the computation can make.
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    // The estimate is deterministic.
    assert_eq!(cost, notation.cost());
});
