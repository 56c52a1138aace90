//! All tests of the public interface in one program, so that dependencies are linked and generic
//! code is compiled only once. A test that needs its own process would be a file next to this
//! directory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod boxes;
mod certified;
mod classics;
mod cycles;
mod cyclic_boxes;
mod cyclic_games;
mod duel;
mod extremes;
mod far_out;
mod fickle;
mod float_bound;
mod horizon;
mod interchange;
mod lazy;
mod lazy_wide;
mod learn;
mod lengths_limits;
mod limits;
mod limits_of_cycles;
mod limits_of_wrappers;
mod line;
mod matrix;
mod model_files;
mod objectives;
mod oracle;
mod parallel;
mod pruned;
mod pscore;
mod ranked;
mod refused_first;
mod rewards;
mod rewards_cyclic;
mod rewards_moves;
mod rewards_played;
mod simultaneous;
mod simultaneous_limits;
mod staying;
mod tables;
mod theorems;
mod ties;
mod visits_onwards;
mod weights;
mod wide_cells;
mod words;
mod written;

// Models, oracles and games that several of the above draw on.
mod bets;
mod cyclic;
mod family;
mod kernels;
mod layered;
mod meetings;
mod paid;
mod plain;
mod rules;
mod small;
mod table;
