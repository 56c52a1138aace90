//! The mistakes found in a book or a variant.

use crate::Error;

/// Mistakes that are kept. Nobody reads more, and a text of megabytes may have millions.
const KEPT: usize = 100;

#[derive(Default)]
pub(crate) struct Mistakes {
    kept: Vec<Error>,
    /// Of all, kept or not.
    pub(crate) count: usize,
}

impl Mistakes {
    pub(crate) fn add(&mut self, mistake: Error) {
        self.count += 1;
        if self.kept.len() < KEPT {
            self.kept.push(mistake);
        }
    }

    /// Whether no more mistakes will be kept.
    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() == KEPT
    }

    /// One mistake is the error itself.
    pub(crate) fn told(mut self) -> Result<(), Error> {
        match self.kept.len() {
            0 => Ok(()),
            1 => Err(self.kept.remove(0)),
            kept => Err(Error::Mistakes {
                more: self.count - kept,
                errors: self.kept,
            }),
        }
    }
}
