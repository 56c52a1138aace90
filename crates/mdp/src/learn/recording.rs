//! The epochs after which estimates are recorded.

/// After which epochs the watched estimates are recorded.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Recording;
/// assert_eq!(Recording::default(), Recording::Won);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recording {
    /// After each epoch with a total (score and rewards) above 0: the source's rule.
    #[default]
    Won,
    /// After every so many epochs, at least 1.
    Every(u64),
}
