//! All tests of the public interface in one program, so that dependencies are linked and generic
//! code is compiled only once. A test that needs its own process would be a file next to this
//! directory.
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
