//! Traits of other crates.

#[cfg(feature = "serde")]
pub(crate) mod serde;

#[cfg(feature = "serde")]
pub(crate) use self::serde::checked;
