//! Values that need not be written in a file.

/// Whether a field may be left out: it says what is taken for granted.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Two dice are rolled, and a hit takes two points, unless said otherwise.
pub(crate) fn two<T: From<u8>>() -> T {
    T::from(2)
}

/// Whether a number is two.
pub(crate) fn is_two<T: From<u8> + PartialEq>(number: &T) -> bool {
    *number == two()
}
