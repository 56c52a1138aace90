//! All tests of the public interface in one program, so that dependencies are linked and generic
//! code is compiled only once. A test that needs its own process would be a file next to this
//! directory.
#![allow(clippy::unwrap_used, reason = "a failed check is a failed test")]

mod attacked;
mod bad_input;
mod d20_options;
mod damage_options;
mod duel_limits;
mod duel_oracle;
mod duel_vectors;
mod encounters;
mod float_twins;
mod habits;
mod oracle;
mod saves_on_hit;
mod stat_blocks;
mod tactics;
mod turns;
mod vectors;
mod written;
