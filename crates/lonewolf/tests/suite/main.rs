//! All tests of the public interface, as one program: dependencies are linked once, and generic
//! code is compiled once instead of once per file. A test that needs its own process would be a
//! file beside this directory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod books;
mod command_line;
mod errors_in_words;
mod evasion;
mod format_page;
mod heroes;
mod journeys;
mod limits;
mod mistakes;
mod named_cases;
mod oracle;
mod published;
mod refused;
mod tables;
mod worth;
mod written;
