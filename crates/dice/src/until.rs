//! Rolling until something happens.

mod builder;
mod chain;
mod component;
mod mass;
mod reach;
mod steps;
mod visits;
mod waiting;

pub use builder::ChainBuilder;
pub use chain::{Chain, Step};
pub(crate) use mass::Flow;
pub use steps::Steps;
pub use visits::Visits;
pub use waiting::Waiting;
