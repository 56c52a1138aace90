//! All tests of the public interface in one program, so that dependencies are linked and generic
//! code is compiled only once. A test that needs its own process would be a file next to this
//! directory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod chains;
mod chains_limits;
mod changing;
mod changing_extremes;
mod endless;
mod fair_dice_in_floats;
mod float_twins;
mod goodness;
mod notation;
mod numbers_of_any_size;
mod oracle;
mod output;
mod pairwise;
mod plot;
mod pool_limits;
mod pools;
mod ranking;
mod reaching;
mod reading_theorems;
mod readings;
mod sampling;
mod theorems;
mod ties_in_floats;
mod unrelated_totals;
mod vectors;
mod waiting;

// What several of the above compare with.
mod exact;
