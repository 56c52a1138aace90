//! Finite games of chance, solved exactly.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod boxed;
mod error;
mod explain;
mod explored;
mod forecast;
mod game;
mod grid;
mod induction;
mod model;
mod node;
mod number;
mod policy;
mod progress;
mod score;
mod solution;
mod solver;
mod tolerance;

pub use boxed::Boxed;
pub use error::Error;
pub use explain::Explanation;
pub use explored::Explored;
pub use forecast::Forecast;
pub use game::{Game, Indexed};
pub use grid::Grid;
pub use node::{Choice, Node};
pub use number::{Exact, Float, Number};
pub use policy::{AtRandom, Played, Policy};
pub use progress::{Phase, Progress};
pub use score::Score;
pub use solution::{Appraisal, Solution};
pub use solver::Solver;
pub use tolerance::Tolerance;
