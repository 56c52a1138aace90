//! Default values that may be omitted in a file.

/// Whether a field may be omitted, since it has its default.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The default number of dice, and of points that a hit takes.
pub(crate) fn two<T: From<u8>>() -> T {
    T::from(2)
}

/// Whether a number is two.
pub(crate) fn is_two<T: From<u8> + PartialEq>(number: &T) -> bool {
    *number == two()
}
