//! What books at random, and whatever else a property is asked of, are drawn with.

use std::panic::Location;

use quickcheck::{Gen, QuickCheck};

/// A property that has to hold for so many cases. They are the same whenever it is asked for, so
/// that whoever changes something else is not stopped by a book that was never drawn before; with `ODDSMITH_SEED=1`, 2, … in the environment they are other ones.
#[track_caller]
pub(crate) fn drawn(cases: u64) -> QuickCheck {
    let asked = std::env::var("ODDSMITH_SEED").map_or(0, |seed| seed.parse::<u64>().unwrap());
    // Each property draws its own, wherever the crate lies.
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
