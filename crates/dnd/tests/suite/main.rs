//! Everything that is tested through the public interface, as one program: the crates
//! it stands on are linked once, and generic code is compiled once, in place of once for
//! every file. A test that needs a process of its own would be a file beside this directory.
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
