//! Generators for books and everything else that properties need.

use std::panic::Location;

use quickcheck::{Gen, QuickCheck};

/// A property that must hold in this many cases. The cases are the same on every run, so that an
/// unrelated change does not fail on a book that was never drawn before; `ODDSMITH_SEED=1`, 2, … in
/// the environment gives other cases.
#[track_caller]
pub(crate) fn drawn(cases: u64) -> QuickCheck {
    let asked = std::env::var("ODDSMITH_SEED").map_or(0, |seed| seed.parse::<u64>().unwrap());
    // Each property draws its own cases, independent of the location of the crate.
    let place = Location::caller();
    let file = place.file().rsplit(['/', '\\']).next().unwrap_or_default();
    let seed = file.bytes().fold(u64::from(place.line()), |seed, byte| {
        seed.wrapping_mul(0x0000_0100_0000_01B3) ^ u64::from(byte)
    });
    QuickCheck::new()
        .rng(Gen::from_size_and_seed(100, seed ^ asked.rotate_left(32)))
        .tests(cases)
        .min_tests_passed(cases)
}
