//! Optimal use of LUCK, by backward induction over all states of a duel.

use std::fmt;

use oddsmith_mdp::{Boxed, Exact, Float, Number, Solution, Solver, Tolerance};

use crate::{DuelAction, DuelGame, DuelState, Error, Extent, Objective, Phase, Rules};

/// The use of LUCK in a round, for either outcome of the round.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Decision;
///
/// let defensive = Decision { after_win: false, after_loss: true };
/// assert_eq!(defensive.label(), '2');
/// assert_eq!(Decision::from_label('3'), Some(Decision { after_win: true, after_loss: false }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Decision {
    /// Whether to test LUCK if the round is won.
    pub after_win: bool,
    /// Whether to test LUCK if the round is lost.
    pub after_loss: bool,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match (self.after_win, self.after_loss) {
            (false, false) => "no LUCK",
            (true, true) => "LUCK after a won and after a lost round",
            (false, true) => "LUCK after a lost round",
            (true, false) => "LUCK after a won round",
        })
    }
}

impl Decision {
    /// Returns the paper's label (Fig. 4): blank for never, `1` after either outcome, `2` after a
    /// lost round, `3` after a won one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Decision;
    /// assert_eq!(Decision::default().label(), ' ');
    /// let both = Decision { after_win: true, after_loss: true };
    /// assert_eq!(both.label(), '1');
    /// assert_eq!(both.to_string(), "LUCK after a won and after a lost round");
    /// ```
    #[must_use]
    pub fn label(self) -> char {
        match (self.after_win, self.after_loss) {
            (false, false) => ' ',
            (true, true) => '1',
            (false, true) => '2',
            (true, false) => '3',
        }
    }

    /// Returns the decision with this label, or `None` for any other character.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Decision;
    /// let never = Decision { after_win: false, after_loss: false };
    /// assert_eq!(Decision::from_label(' '), Some(never));
    /// assert_eq!(Decision::from_label('4'), None);
    /// ```
    #[must_use]
    pub fn from_label(label: char) -> Option<Self> {
        let (after_win, after_loss) = match label {
            ' ' => (false, false),
            '1' => (true, true),
            '2' => (false, true),
            '3' => (true, false),
            _ => return None,
        };
        Some(Decision {
            after_win,
            after_loss,
        })
    }
}

/// When testing LUCK is preferred to saving it.
///
/// # Examples
/// Where victory is all but certain, the published rule saves LUCK:
/// ```
/// use oddsmith_fightingfantasy::{Advantage, Extent, LuckTable, Rules};
/// let decision = |advantage| {
///     LuckTable::optimal(&Rules::standard(), 9, Extent::default(), advantage)?.decision(6, 4, 11)
/// };
/// assert_eq!(decision(Advantage::Strict)?.label(), '3');
/// assert_eq!(decision(Advantage::Published)?.label(), ' ');
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Advantage {
    /// At any improvement: the optimal policy.
    #[default]
    Strict,
    /// As published: only at a relative advantage above 10⁻¹⁰. The resulting chances differ from
    /// the optimal ones by less than one part in 10⁹.
    Published,
}

impl Advantage {
    pub(crate) fn tolerance(self) -> Result<Tolerance, Error> {
        Ok(match self {
            Advantage::Strict => Tolerance::strict(),
            Advantage::Published => Tolerance::relative(1, 10_000_000_000)?,
        })
    }
}

/// The value and the best decision in every state of the duels at one SKILL difference: a column of
/// the paper's Supplementary Fig. 6.
///
/// Solves equations (20)–(24) by backward induction.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
///
/// // SKILL 12 against the White Dragon's 15.
/// let map = LuckMap::exact(&Rules::standard(), -3, Extent::default(), Advantage::Strict)?;
/// assert_eq!(format!("{:.5}", map.win_f64(24, 22, 12)?), "0.04639");
/// assert_eq!(map.decision(24, 22, 12)?.label(), '3');
/// assert_eq!(map.decision(2, 22, 12)?.label(), '1');
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LuckMap<N: Number> {
    solution: Solution<'static, DuelGame, N, Boxed>,
    skill_difference: i64,
}

impl LuckMap<Exact> {
    /// Computes the map in fractions.
    ///
    /// # Errors
    /// Those of [`DuelGame::new`], [`Error::NoStamina`] for an extent of STAMINA 0, and the solver's
    /// limits.
    ///
    /// # Complexity
    /// Three nodes for each (STAMINA, STAMINA, LUCK): 22,464 for the paper's extent, in about four
    /// milliseconds.
    ///
    /// # Examples
    /// The published rule does not use LUCK where it gains almost nothing:
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    ///
    /// let (rules, all) = (Rules::standard(), Extent::default());
    /// let strict = LuckMap::exact(&rules, 9, all, Advantage::Strict)?;
    /// let published = LuckMap::exact(&rules, 9, all, Advantage::Published)?;
    /// let differ = strict.states().filter(|&(hero, foe, luck)| {
    ///     strict.decision(hero, foe, luck) != published.decision(hero, foe, luck)
    /// });
    /// assert_eq!(differ.count(), 2_422);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact(
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        advantage: Advantage,
    ) -> Result<Self, Error> {
        let objective = Objective::victory();
        Self::solve_with(
            Solver::exact(),
            rules,
            skill_difference,
            extent,
            advantage,
            objective,
        )
    }
}

impl LuckMap<Float> {
    /// Computes the map in floats; [`LuckTable`](crate::LuckTable) is faster. Where both options
    /// are worth exactly the same, rounding decides between them. [`LuckMap::exact`] shows ties as
    /// ties.
    ///
    /// # Errors
    /// The same as for [`LuckMap::exact`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    /// let map = LuckMap::float(&Rules::standard(), -4, Extent::default(), Advantage::Strict)?;
    /// assert!((map.win(22, 19, 12)? - 0.01141).abs() < 5e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn float(
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        advantage: Advantage,
    ) -> Result<Self, Error> {
        let objective = Objective::victory();
        Self::solve_with(
            Solver::float(),
            rules,
            skill_difference,
            extent,
            advantage,
            objective,
        )
    }
}

impl<N: Number> LuckMap<N> {
    /// Computes the map for any objective with a given solver, and so with its numbers, its limits
    /// and its observer.
    ///
    /// # Errors
    /// The same as for [`LuckMap::exact`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Objective, Rules};
    /// use oddsmith_mdp::Solver;
    ///
    /// let kept = Objective::stamina_kept();
    /// let solver = Solver::exact().max_states(100_000);
    /// let map = LuckMap::solve_with(
    ///     solver, &Rules::standard(), 0, Extent::default(), Advantage::Strict, kept,
    /// )?;
    /// assert_eq!(map.win(5, 8, 6)?.to_string(), "77795/82944");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with(
        solver: Solver<'_, N>,
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        advantage: Advantage,
        objective: Objective,
    ) -> Result<Self, Error> {
        for (who, stamina) in [("hero", extent.hero), ("foe", extent.foe)] {
            if stamina == 0 {
                return Err(Error::NoStamina { who });
            }
        }
        let game = DuelGame::new(rules, skill_difference, extent, objective)?;
        let start = game.start();
        let solution = solver
            .tolerance(advantage.tolerance()?)
            .solve_indexed_owned(game, start)?;
        Ok(LuckMap {
            solution,
            skill_difference,
        })
    }

    /// Returns the chance of victory before a round (or the worth by another objective): v_p(s_h,
    /// s_o, l), the mean over the outcomes of the round.
    ///
    /// # Errors
    /// [`Error::NoStamina`] for STAMINA 0, or [`Error::Solve`] beyond the extent.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    /// let map = LuckMap::exact(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// assert_eq!(map.win(2, 2, 7)?.to_string(), "31/48");
    /// assert!(map.win(25, 1, 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&self, hero: u16, foe: u16, luck: u16) -> Result<N::Value, Error> {
        self.value(state(hero, foe, luck)?)
    }

    /// Returns [`win`](LuckMap::win) as a float.
    ///
    /// # Error bound
    /// For a map in fractions, the result is the nearest float: the relative error is at most 2⁻⁵³
    /// for chances above 10⁻³⁰⁷. For a map in floats, the bound is that of
    /// [`Duel::best_luck_f64`](crate::Duel::best_luck_f64) for these STAMINAs and this LUCK;
    /// [`error`](Solution::error) of the [solution](LuckMap::solution) is tighter.
    ///
    /// # Errors
    /// The same as for [`win`](LuckMap::win).
    ///
    /// # Examples
    /// One hit wins, and the hero survives one wound:
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    /// let map = LuckMap::exact(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// assert_eq!(map.win_f64(4, 2, 0)?, 0.75);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self, hero: u16, foe: u16, luck: u16) -> Result<f64, Error> {
        use num_traits::ToPrimitive;
        Ok(self.win(hero, foe, luck)?.to_f64().unwrap_or(f64::NAN))
    }

    /// Returns the chance of victory once the round is won, before its hit is dealt.
    ///
    /// # Errors
    /// The same as for [`win`](LuckMap::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    /// let map = LuckMap::exact(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// // The last hit: 2 STAMINA go without LUCK.
    /// assert_eq!(map.after_win(1, 2, 0)?.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn after_win(&self, hero: u16, foe: u16, luck: u16) -> Result<N::Value, Error> {
        self.value(state(hero, foe, luck)?.after(Phase::Won))
    }

    /// Returns the chance of victory once the round is lost, before its wound is taken.
    ///
    /// # Errors
    /// The same as for [`win`](LuckMap::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    /// let map = LuckMap::exact(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// // At STAMINA 2 a lucky test (LUCK 7: 21/36) saves from death; then it
    /// // is one even round for all, with LUCK 6 useless to either side.
    /// assert_eq!(map.after_loss(2, 1, 7)?.to_string(), "7/24");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn after_loss(&self, hero: u16, foe: u16, luck: u16) -> Result<N::Value, Error> {
        self.value(state(hero, foe, luck)?.after(Phase::Lost))
    }

    /// Returns the decision for either outcome of a round.
    ///
    /// # Errors
    /// The same as for [`win`](LuckMap::win).
    ///
    /// # Examples
    /// Any hit kills the foe, so LUCK is only worth testing on a wound:
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    /// let map = LuckMap::exact(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// assert_eq!(map.decision(2, 2, 7)?.label(), '2');
    /// assert_eq!(map.decision(2, 2, 0)?.label(), ' ');
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision(&self, hero: u16, foe: u16, luck: u16) -> Result<Decision, Error> {
        luck_decision(&self.solution, &state(hero, foe, luck)?)
    }

    /// Iterates over every (hero's STAMINA, foe's STAMINA, LUCK) of the extent.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    /// let small = Extent { hero: 2, foe: 1, luck: 1 };
    /// let map = LuckMap::exact(&Rules::standard(), 0, small, Advantage::Strict)?;
    /// let states: Vec<_> = map.states().collect();
    /// assert_eq!(states, [(1, 1, 0), (2, 1, 0), (1, 1, 1), (2, 1, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn states(&self) -> impl Iterator<Item = (u16, u16, u16)> + use<N> {
        self.solution.game().extent().states()
    }

    /// Returns the SKILL difference of this map, the hero's minus the foe's.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};
    /// let map = LuckMap::float(&Rules::standard(), -4, Extent::default(), Advantage::Strict)?;
    /// assert_eq!(map.skill_difference(), -4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skill_difference(&self) -> i64 {
        self.skill_difference
    }

    /// Returns the solution behind the map, with gaps, ties and explanations.
    ///
    /// # Examples
    /// Ties are reported as such: at LUCK 1 a test never succeeds, and against a foe with STAMINA 1
    /// the hit kills all the same.
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, DuelState, Extent, LuckMap, Phase, Rules};
    /// let map = LuckMap::exact(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// let won = DuelState::new(5, 1, 1).after(Phase::Won);
    /// assert_eq!(map.solution().best(&won)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn solution(&self) -> &Solution<'static, DuelGame, N, Boxed> {
        &self.solution
    }

    fn value(&self, state: DuelState) -> Result<N::Value, Error> {
        Ok(self.solution.value_of(&state)?)
    }
}

impl Extent {
    /// The index of a state, in the order of [`states`](Extent::states).
    pub(crate) fn place(self, hero: u16, foe: u16, luck: u16) -> Result<usize, Error> {
        if hero == 0 || foe == 0 || hero > self.hero || foe > self.foe || luck > self.luck {
            return Err(Error::OutsideTable { hero, foe, luck });
        }
        let row = usize::from(luck) * usize::from(self.foe) + usize::from(foe) - 1;
        Ok(row * usize::from(self.hero) + usize::from(hero) - 1)
    }

    /// Iterates over every (hero's STAMINA, foe's STAMINA, LUCK) from (1, 1, 0) up. The hero's
    /// STAMINA changes fastest.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Extent;
    /// assert_eq!(Extent::default().states().count(), 7_488);
    /// ```
    pub fn states(self) -> impl Iterator<Item = (u16, u16, u16)> {
        (0..=self.luck).flat_map(move |luck| {
            (1..=self.foe).flat_map(move |foe| (1..=self.hero).map(move |hero| (hero, foe, luck)))
        })
    }
}

fn state(hero: u16, foe: u16, luck: u16) -> Result<DuelState, Error> {
    for (who, stamina) in [("hero", hero), ("foe", foe)] {
        if stamina == 0 {
            return Err(Error::NoStamina { who });
        }
    }
    Ok(DuelState::new(hero, foe, luck))
}

/// The use of LUCK by a solution in the round that starts in this state.
pub(crate) fn luck_decision<N: Number>(
    solution: &Solution<'_, DuelGame, N, Boxed>,
    state: &DuelState,
) -> Result<Decision, Error> {
    let tests = |phase| -> Result<bool, Error> {
        let action = solution.decision(&state.after(phase))?;
        Ok(action == Some(DuelAction::TestLuck))
    };
    Ok(Decision {
        after_win: tests(Phase::Won)?,
        after_loss: tests(Phase::Lost)?,
    })
}
