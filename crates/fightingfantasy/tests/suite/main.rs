//! Everything that is tested through the public interface, as one program: the crates
//! it stands on are linked once, and generic code is compiled once, in place of once for
//! every file. A test that needs a process of its own would be a file beside this directory.
#![allow(clippy::unwrap_used, reason = "a failed check is a failed test")]

mod alike;
mod chart;
mod closed_forms;
mod constant_luck;
mod float_bounds;
mod heuristic_figures;
mod heuristics;
mod melee;
mod optimal;
mod plot;
mod simulate;
mod special_rules;
mod structure;
mod written;

// Models, oracles and games that several of the above draw on.
mod melee_oracle;
mod oracle;
