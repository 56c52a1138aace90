//! One hero against one foe, as a game of chance whose states fill a box.

use oddsmith_mdp::{Game, Indexed, Node, Score};

use crate::rules::{Escape, SuddenDeath};
use crate::{Damage, End, Ending, Error, Objective, RoundOdds, Rules};

/// The point that a fight has reached within its round.
///
/// # Examples
/// The next blow kills, whoever deals it:
/// ```
/// use oddsmith_fightingfantasy::{DuelGame, DuelState, Extent, Objective, Phase, Rules};
/// use oddsmith_mdp::Solver;
///
/// let game = DuelGame::new(&Rules::standard(), 0, Extent::default(), Objective::victory())?;
/// let round = DuelState::new(2, 2, 0);
/// let solution = Solver::exact().solve_indexed(&game, round)?;
/// assert_eq!(solution.value().to_string(), "1/2");
/// assert_eq!(solution.value_of(&round.after(Phase::Won))?.to_string(), "1");
/// assert_eq!(solution.value_of(&round.after(Phase::Lost))?.to_string(), "0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Phase {
    /// The hero has run, and the fight is over.
    Gone,
    /// The hero has won the round; LUCK may be tested to hit harder.
    Won,
    /// The hero has lost the round; LUCK may be tested to soften the wound.
    Lost,
    /// The hero is running; LUCK may be tested against the parting wound.
    Running,
    /// The dice of the next round have not been rolled yet.
    Round,
}

/// The state of a duel: the paper's (s_h, s_o, l, O), where O is the outcome of the current round,
/// and two counters for special rules.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{DuelState, Phase};
///
/// let before = DuelState::new(24, 22, 12);
/// assert_eq!(before.phase, Phase::Round);
/// assert_eq!(before.after(Phase::Lost).hero, 24);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct DuelState {
    /// The hero's STAMINA.
    pub hero: u16,
    /// The foe's STAMINA.
    pub foe: u16,
    /// The hero's LUCK.
    pub luck: u16,
    /// The number of rounds fought, counted no further than a rule requires.
    pub round: u16,
    /// The number of rounds lost in succession, counted only if they can kill.
    pub streak: u8,
    /// The point that the fight has reached within the round.
    pub phase: Phase,
}

impl DuelState {
    /// Creates the state before a round with these STAMINAs and this LUCK.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::DuelState;
    /// let state = DuelState::new(24, 12, 9);
    /// assert_eq!((state.hero, state.foe, state.luck), (24, 12, 9));
    /// assert_eq!((state.round, state.streak), (0, 0));
    /// ```
    #[must_use]
    pub fn new(hero: u16, foe: u16, luck: u16) -> Self {
        DuelState {
            hero,
            foe,
            luck,
            round: 0,
            streak: 0,
            phase: Phase::Round,
        }
    }

    /// Returns the state with the same numbers at another point of the round.
    ///
    /// # Examples
    /// The round is won, but its hit has not been dealt yet:
    /// ```
    /// use oddsmith_fightingfantasy::{DuelState, Phase};
    /// let won = DuelState::new(24, 12, 9).after(Phase::Won);
    /// assert_eq!((won.foe, won.phase), (12, Phase::Won));
    /// ```
    #[must_use]
    pub fn after(self, phase: Phase) -> Self {
        DuelState { phase, ..self }
    }
}

/// The actions of a hero in a duel.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::DuelAction;
/// assert_eq!(DuelAction::TestLuck.to_string(), "test LUCK");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum DuelAction {
    /// Save LUCK and leave the blow as it is.
    SaveLuck,
    /// Test LUCK on the blow.
    TestLuck,
    /// Fight another round.
    Fight,
    /// Run from the fight.
    Run,
}

impl std::fmt::Display for DuelAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DuelAction::SaveLuck => "save LUCK",
            DuelAction::TestLuck => "test LUCK",
            DuelAction::Fight => "fight on",
            DuelAction::Run => "run",
        })
    }
}

/// The largest numbers that a solution has to cover.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Extent;
/// // The paper's map: STAMINA to 24 on both sides, LUCK to 12.
/// assert_eq!(Extent::default(), Extent { hero: 24, foe: 24, luck: 12 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Extent {
    /// The hero's highest STAMINA.
    pub hero: u16,
    /// The foe's highest STAMINA.
    pub foe: u16,
    /// The hero's highest LUCK.
    pub luck: u16,
}

impl Default for Extent {
    fn default() -> Self {
        Extent {
            hero: 24,
            foe: 24,
            luck: 12,
        }
    }
}

/// One hero against one foe: a [`Game`] for any solver of `oddsmith-mdp`.
///
/// States are [`DuelState`]s. All states within an [`Extent`] are numbered, so one solution answers
/// for every duel of this SKILL difference. [`Duel`](crate::Duel) and [`LuckMap`](crate::LuckMap)
/// wrap this game.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{DuelGame, DuelState, Extent, Objective, Rules};
/// use oddsmith_mdp::Solver;
///
/// let game = DuelGame::new(&Rules::standard(), -2, Extent::default(), Objective::victory())?;
/// let hell_demon = DuelState::new(24, 12, 12);
/// let solution = Solver::float().solve_indexed(&game, hell_demon)?;
/// assert!((solution.value() - 0.7764).abs() < 5e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DuelGame {
    odds: (u64, u64, u64),
    /// (lucky, unlucky) for each LUCK.
    tests: Vec<(u64, u64)>,
    luck_is_used: bool,
    hit: Damage,
    wound: Damage,
    sudden_death: Option<SuddenDeath>,
    escape: Option<Escape>,
    rounds: Option<u16>,
    objective: Objective,
    extent: Extent,
    /// The highest round number; rounds are counted from 0.
    last_round: u16,
    /// The number of streaks; they run from 0 to one less.
    streaks: usize,
}

impl DuelGame {
    /// Creates the duels by `rules` at this difference of SKILL (the hero's minus the foe's) within
    /// `extent`.
    ///
    /// # Errors
    /// [`Error::NeverEnding`] if every round is a draw (unless the rules end the fight otherwise),
    /// [`Error::Harmless`] for a plain blow of 0, [`Error::SuddenDeathAtOnce`] for death after 0
    /// rounds, and an error for dice that cannot be rolled.
    ///
    /// # Examples
    /// Two rounds must be won before one is lost:
    /// ```
    /// use oddsmith_fightingfantasy::{DuelGame, DuelState, Extent, Objective, Rules};
    /// use oddsmith_mdp::{Indexed, Solver};
    ///
    /// let extent = Extent { hero: 2, foe: 4, luck: 0 };
    /// let game = DuelGame::new(&Rules::standard(), 0, extent, Objective::victory())?;
    /// assert_eq!(game.size(), 45); // STAMINA 0 to 2 against 0 to 4, in three phases
    /// let solution = Solver::exact().solve_indexed(&game, DuelState::new(2, 4, 0))?;
    /// assert_eq!(solution.value().to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        objective: Objective,
    ) -> Result<Self, Error> {
        rules.check()?;
        let odds = reduced(rules.round(skill_difference)?);
        let bounded = rules.escape.is_some() || rules.rounds.is_some();
        if odds.0 == 0 && odds.2 == 0 && !bounded {
            return Err(Error::NeverEnding);
        }
        let streaks = rules
            .sudden_death
            .map_or(1, |rule| usize::from(rule.losses));
        let escape_round = rules.escape.map_or(0, |escape| escape.after);
        Ok(DuelGame {
            odds,
            tests: rules.luck_table(extent.luck.max(rules.certain_luck()))?,
            luck_is_used: true,
            hit: rules.hit,
            wound: rules.wound,
            sudden_death: rules.sudden_death,
            escape: rules.escape,
            rounds: rules.rounds,
            objective,
            extent,
            last_round: rules.rounds.unwrap_or(0).max(escape_round),
            streaks,
        })
    }

    /// Returns the same duels for a hero who cannot use LUCK.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{DuelGame, DuelState, Extent, Objective, Rules};
    /// use oddsmith_mdp::Solver;
    ///
    /// let game = DuelGame::new(&Rules::standard(), 0, Extent::default(), Objective::victory())?;
    /// let even = Solver::exact().solve_owned(game.without_luck(), DuelState::new(8, 8, 12))?;
    /// assert_eq!(even.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_luck(mut self) -> Self {
        self.luck_is_used = false;
        self
    }

    /// Returns the extent given to [`new`](DuelGame::new).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{DuelGame, Extent, Objective, Rules};
    /// let game = DuelGame::new(&Rules::standard(), 0, Extent::default(), Objective::victory())?;
    /// assert_eq!(game.extent().luck, 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn extent(&self) -> Extent {
        self.extent
    }

    pub(crate) fn objective(&self) -> &Objective {
        &self.objective
    }

    /// The state before the first round, with the highest numbers of the extent.
    pub(crate) fn start(&self) -> DuelState {
        DuelState::new(self.extent.hero, self.extent.foe, self.extent.luck)
    }

    fn ended(&self, state: &DuelState) -> Option<Score> {
        // A lost round that completes a fatal streak leads to no state of its own in play, but such
        // a state has an index in the box.
        let fatal = state.phase == Phase::Lost && self.is_fatal(state.streak);
        let ending = if state.hero == 0 || fatal {
            Ending::Defeat
        } else if state.phase == Phase::Gone {
            Ending::Escaped
        } else if state.foe == 0 {
            Ending::Victory
        } else if state.phase == Phase::Round && self.rounds.is_some_and(|n| state.round >= n) {
            Ending::HeldOut
        } else {
            return None;
        };
        let stamina = if ending == Ending::Defeat {
            0
        } else {
            state.hero
        };
        let end = End::new(ending, stamina, state.luck);
        Some(self.objective.score_of(end))
    }

    /// Whether one more lost round kills, after a streak of this length.
    #[inline]
    fn is_fatal(&self, streak: u8) -> bool {
        self.sudden_death
            .is_some_and(|rule| streak.saturating_add(1) >= rule.losses)
    }

    /// The state after a round that took this much from the hero and the foe.
    #[inline]
    fn next(&self, state: &DuelState, wound: u16, hit: u16, streak: u8, luck: u16) -> DuelState {
        DuelState {
            hero: state.hero.saturating_sub(wound),
            foe: state.foe.saturating_sub(hit),
            luck,
            round: state.round.saturating_add(1).min(self.last_round),
            streak,
            phase: Phase::Round,
        }
    }

    fn roll(&self, state: &DuelState, choice: &mut oddsmith_mdp::Choice<'_, Self>) {
        let (win, draw, lose) = self.odds;
        choice.to(state.after(Phase::Won), win);
        if self.is_fatal(state.streak) {
            choice.to(self.next(state, u16::MAX, 0, 0, state.luck), lose);
        } else {
            choice.to(state.after(Phase::Lost), lose);
        }
        let streak = match self.sudden_death {
            Some(rule) if !rule.draws_reset => state.streak,
            _ => 0,
        };
        choice.to(self.next(state, 0, 0, streak, state.luck), draw);
    }

    /// (lucky, unlucky) for any LUCK, also beyond the extent: the table ends where a test cannot
    /// fail, or at the highest LUCK possible.
    #[inline]
    fn test(&self, luck: u16) -> (u64, u64) {
        let test = self.tests.get(usize::from(luck)).or(self.tests.last());
        test.copied().unwrap_or((0, 1))
    }

    /// Adds the choice between saving and testing LUCK. `after` returns the state after a blow.
    #[inline]
    fn decide_luck(
        &self,
        state: &DuelState,
        damage: Damage,
        node: &mut Node<Self>,
        after: impl Fn(u16, u16) -> DuelState,
    ) {
        node.choice(DuelAction::SaveLuck)
            .to(after(damage.plain, state.luck), 1);
        let left = match self.luck_is_used {
            true => state.luck.checked_sub(1),
            false => None,
        };
        if let Some(left) = left {
            let (lucky, unlucky) = self.test(state.luck);
            node.choice(DuelAction::TestLuck)
                .to(after(damage.lucky, left), lucky)
                .to(after(damage.unlucky, left), unlucky);
        }
    }
}

/// The numbers of rolls with which a round is won and lost, for the kernels that fill whole maps.
/// These support plain rules only, and require that somebody can be hurt. The counts are reduced as
/// for the general solver, since (2a + 4b) / 6 and (a + 2b) / 3 may round differently.
pub(crate) fn plain_round(
    rules: &Rules,
    skill_difference: i64,
    extent: Extent,
) -> Result<(u64, u64), Error> {
    if !rules.is_plain() {
        return Err(Error::SpecialRules);
    }
    for (who, stamina) in [("hero", extent.hero), ("foe", extent.foe)] {
        if stamina == 0 {
            return Err(Error::NoStamina { who });
        }
    }
    rules.check()?;
    let (win, _, lose) = reduced(rules.round(skill_difference)?);
    if win == 0 && lose == 0 {
        return Err(Error::NeverEnding);
    }
    Ok((win, lose))
}

/// The counts divided by their greatest common divisor, which shortens exact numbers.
pub(crate) fn reduced(odds: RoundOdds) -> (u64, u64, u64) {
    use num_integer::Integer;
    let (win, draw, lose) = odds.counts();
    let divisor = win.gcd(&draw).gcd(&lose).max(1);
    (win / divisor, draw / divisor, lose / divisor)
}

impl Game for DuelGame {
    type State = DuelState;
    type Action = DuelAction;

    #[inline]
    fn expand(&self, state: &DuelState, node: &mut Node<Self>) {
        if let Some(score) = self.ended(state) {
            return node.end(score);
        }
        match state.phase {
            Phase::Round => match self.escape {
                Some(escape) if state.round >= escape.after => {
                    self.roll(state, &mut node.choice(DuelAction::Fight));
                    node.choice(DuelAction::Run)
                        .to(state.after(Phase::Running), 1);
                }
                _ => self.roll(state, &mut node.chance()),
            },
            Phase::Won => self.decide_luck(state, self.hit, node, |hit, luck| {
                self.next(state, 0, hit, 0, luck)
            }),
            Phase::Lost => {
                let streak = match self.sudden_death {
                    Some(_) => state.streak.saturating_add(1),
                    None => 0,
                };
                self.decide_luck(state, self.wound, node, |wound, luck| {
                    self.next(state, wound, 0, streak, luck)
                });
            }
            Phase::Running => {
                let Some(escape) = self.escape else {
                    // No round leads here; the state exists only in the box.
                    return node.end(0);
                };
                let gone = |wound: u16, luck| DuelState {
                    hero: state.hero.saturating_sub(wound),
                    luck,
                    ..state.after(Phase::Gone)
                };
                if escape.luck {
                    self.decide_luck(state, escape.wound, node, gone);
                } else {
                    node.chance().to(gone(escape.wound.plain, state.luck), 1);
                }
            }
            Phase::Gone => node.end(0),
        }
    }
}

/// LUCK changes slowest, followed by the foe's STAMINA, the hero's, the rounds still to be counted,
/// the streak and the phase. Every move lowers the first of these that it changes.
impl Indexed for DuelGame {
    fn size(&self) -> usize {
        let Extent { hero, foe, luck } = self.extent;
        let cells = (usize::from(luck) + 1) * (usize::from(foe) + 1) * (usize::from(hero) + 1);
        cells
            .saturating_mul(usize::from(self.last_round) + 1)
            .saturating_mul(self.streaks * self.phases())
    }

    #[inline]
    fn index(&self, state: &DuelState) -> usize {
        let Extent { hero, foe, luck } = self.extent;
        let inside = state.hero <= hero
            && state.foe <= foe
            && state.luck <= luck
            && state.round <= self.last_round
            && usize::from(state.streak) < self.streaks;
        if !inside {
            return usize::MAX;
        }
        // A box with so many states that a number wraps is refused for its size.
        let digit =
            |index: usize, most: usize, digit: usize| index.wrapping_mul(most).wrapping_add(digit);
        let mut index = usize::from(state.luck);
        index = digit(index, usize::from(foe) + 1, usize::from(state.foe));
        index = digit(index, usize::from(hero) + 1, usize::from(state.hero));
        let rounds_left = usize::from(self.last_round - state.round);
        index = digit(index, usize::from(self.last_round) + 1, rounds_left);
        index = digit(index, self.streaks, usize::from(state.streak));
        digit(index, self.phases(), self.phase_number(state.phase))
    }

    // A state outside the box has no index within it.
    #[inline]
    fn stands_for(&self, _: usize, _: &DuelState) -> bool {
        true
    }

    #[inline]
    fn state(&self, mut index: usize) -> DuelState {
        let Extent { hero, foe, .. } = self.extent;
        // Division is the most expensive operation here. Most of these counters have only one
        // value, and the indices of a solver fit into 32 bits.
        let mut digit = |base: usize| {
            if base == 1 {
                return 0;
            }
            if let (Ok(small), Ok(divisor)) = (u32::try_from(index), u32::try_from(base)) {
                index = (small / divisor) as usize;
                return (small % divisor) as usize;
            }
            let digit = index % base;
            index /= base;
            digit
        };
        let phase = if self.escape.is_some() {
            self.phase_at(digit(5))
        } else {
            self.phase_at(digit(3))
        };
        let streak = digit(self.streaks) as u8;
        let round = self.last_round - digit(usize::from(self.last_round) + 1) as u16;
        let hero = digit(usize::from(hero) + 1) as u16;
        let foe = digit(usize::from(foe) + 1) as u16;
        DuelState {
            hero,
            foe,
            luck: index as u16,
            round,
            streak,
            phase,
        }
    }
}

impl DuelGame {
    /// The number of phases: Won, Lost and Round, and also Gone and Running where running is
    /// allowed.
    #[inline]
    fn phases(&self) -> usize {
        if self.escape.is_some() { 5 } else { 3 }
    }

    #[inline]
    fn phase_number(&self, phase: Phase) -> usize {
        let number = phase as usize;
        match (self.escape.is_some(), phase) {
            (true, _) => number,
            (false, Phase::Won | Phase::Lost) => number - 1,
            (false, Phase::Round) => 2,
            (false, Phase::Gone | Phase::Running) => usize::MAX / 2,
        }
    }

    #[inline]
    fn phase_at(&self, number: usize) -> Phase {
        const ALL: [Phase; 5] = [
            Phase::Gone,
            Phase::Won,
            Phase::Lost,
            Phase::Running,
            Phase::Round,
        ];
        const PLAIN: [Phase; 3] = [Phase::Won, Phase::Lost, Phase::Round];
        if self.escape.is_some() {
            ALL[number % 5]
        } else {
            PLAIN[number % 3]
        }
    }
}
