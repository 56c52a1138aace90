//! Dice with other faces: renumbered and loaded dice, Fudge dice, coins.

use crate::{Dist, Error, IntoRatio, Weight};

impl Dist<i64> {
    /// Creates a renumbered die: one of these faces, each equally likely. A face given twice is
    /// twice as likely. This is [`uniform`](Dist::uniform) under the name that players use.
    ///
    /// # Errors
    ///
    /// [`Error::EmptySupport`] without faces, and [`Error::TooLarge`] as for
    /// [`uniform`](Dist::uniform).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // Sicherman's dice add up as two ordinary ones do.
    /// let (low, high) = (Dist::faces([1, 2, 2, 3, 3, 4])?, Dist::faces([1, 3, 4, 5, 6, 8])?);
    /// assert_eq!((low + high)?, Dist::ndice(2, 6)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "custom_die")]
    pub fn faces(faces: impl IntoIterator<Item = i64>) -> Result<Self, Error> {
        Dist::uniform(faces)
    }

    /// Creates a loaded die: faces 1, 2, 3, … with these relative weights.
    ///
    /// # Errors
    ///
    /// [`Error::NegativeWeight`], [`Error::EmptySupport`] without weights, [`Error::ZeroTotal`] if
    /// all weights are zero, [`Error::TooLarge`] as for [`from_weights`](Dist::from_weights), and
    /// the errors of [`into_ratio`](IntoRatio::into_ratio).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let loaded = Dist::loaded([1, 1, 1, 1, 1, 5])?;
    /// assert_eq!(loaded.p(&6).to_string(), "1/2");
    /// assert_eq!(loaded.mean().to_string(), "9/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "unfair")]
    pub fn loaded<V: IntoRatio>(weights: impl IntoIterator<Item = V>) -> Result<Self, Error> {
        Dist::from_weights((1..).zip(weights))
    }

    /// Creates a Fudge die: −1, 0 or 1. Four of them are `4dF`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::fudge().repeat(4)?.p(&0).to_string(), "19/81");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "dF")]
    #[doc(alias = "fate")]
    pub fn fudge() -> Self {
        Dist::alike([-1, 0, 1])
    }

    /// Creates a coin with the outcomes 0 and 1, so that a repeated coin counts heads. A coin with
    /// the outcomes `false` and `true` is [`bernoulli((1, 2))`](Dist::bernoulli).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::coin().repeat(10)?.p(&5).to_string(), "63/256");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn coin() -> Self {
        Dist::alike([0, 1])
    }

    /// Distinct ascending faces.
    fn alike<const N: usize>(faces: [i64; N]) -> Self {
        Dist {
            outcomes: faces.to_vec(),
            weights: vec![1u32.into(); N],
            total: N.into(),
            roundings: Default::default(),
        }
    }
}

impl<T: Ord + Clone, W: Weight> Dist<T, W> {
    /// Replaces faces: if `change` returns a face, it replaces the outcome, and if it returns
    /// `None`, the outcome stays. This is [`map`](Dist::map) for changes that concern few faces.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // Sixes count nothing.
    /// let law = Dist::die(6)?.replace(|&face| (face == 6).then_some(0));
    /// assert_eq!(law.support(), [0, 1, 2, 3, 4, 5]);
    /// assert_eq!(law.mean().to_string(), "5/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn replace(&self, mut change: impl FnMut(&T) -> Option<T>) -> Self {
        self.map(|outcome| change(outcome).unwrap_or_else(|| outcome.clone()))
    }

    /// Replaces faces by dice: if `change` returns a distribution, an outcome of that distribution
    /// replaces the face, and if it returns `None`, the face stays. This is
    /// [`and_then`](Dist::and_then) for changes that concern few faces.
    ///
    /// # Errors
    ///
    /// The first error that `change` returns.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // A six is worth two more dice, but not itself.
    /// let two = Dist::ndice(2, 6)?;
    /// let law = Dist::die(6)?.substitute(|&face| Ok((face == 6).then(|| two.clone())))?;
    /// assert_eq!(law.p(&12).to_string(), "1/216");
    /// assert_eq!(law.mean().to_string(), "11/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// The same as for [`and_then`](Dist::and_then).
    pub fn substitute(
        &self,
        mut change: impl FnMut(&T) -> Result<Option<Self>, Error>,
    ) -> Result<Self, Error> {
        self.and_then(
            |outcome| Ok(change(outcome)?.unwrap_or_else(|| Dist::point(outcome.clone()))),
        )
    }
}
