//! All tests of the public interface in one program, so that dependencies are linked and generic
//! code is compiled only once. A test that needs its own process would be a file next to this
//! directory.
#![allow(clippy::unwrap_used, reason = "a failed check is a failed test")]

mod attacked;
mod bad_battles;
mod bad_input;
mod balanced;
mod battles;
mod binomial;
mod campaigns;
mod dice_choice;
mod far_forces;
mod minimax;
mod oracle;
mod plot;
mod published;
mod refused_campaigns;
mod report;
mod rules;
mod rules_of_thumb;
mod stopping;
mod vectors;
mod written;

// Models, oracles and games that several of the above draw on.
mod reference;
