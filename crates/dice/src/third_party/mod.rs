//! Traits of other crates, each behind the feature of its name.

#[cfg(feature = "serde")]
mod serde;
