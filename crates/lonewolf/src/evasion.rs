//! A combat that may be evaded.

use oddsmith_dice::Dist;
use oddsmith_mdp::{Exact, Game, Node, Number, Score, Solution, Solver};

use crate::{Act, Combat, Error};

/// A [`Combat`] that Lone Wolf may evade once a number of rounds has been fought.
///
/// From then on he decides before every round. If he evades, that round is still rolled: what he
/// loses counts, what the foe loses does not, and he has escaped if he is alive. When to evade
/// depends on what follows, so [`worth`](Evasion::worth) sets the value of a victory and of an
/// escape. By default both are worth 1 and death 0, so that best play maximises the chance to
/// survive.
///
/// An `Evasion` is a [`Game`] whose states are [`Clash`]es and whose actions are [`Act::FightOn`]
/// and [`Act::Evade`].
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Combat, Stance};
///
/// // Equal COMBAT SKILL, ENDURANCE 12 against 20; seven of ten who evade get through.
/// let combat = Combat::new(16, 12, 16, 20)?;
/// let evasion = combat.evade_after(1).worth(|_| 1, |_| (7, 10));
/// assert_eq!(evasion.odds()?.value().to_string(), "1719/2000"); // 85.95 %
/// // Never, or as soon as possible:
/// let [never, soon] = [Stance::Fight, Stance::Evade].map(|stance| evasion.clone().stance(stance));
/// assert_eq!(never.odds()?.value(), combat.win()?);
/// assert_eq!(format!("{:.4}", never.odds_f64()?.value()), "0.8421");
/// assert_eq!(soon.odds()?.value().to_string(), "7/10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Evasion {
    combat: Combat,
    after: u16,
    stance: Stance,
    /// The worth of a victory and of an escape with 1, 2, … points of ENDURANCE left.
    won: Vec<Score>,
    fled: Vec<Score>,
}

/// How Lone Wolf decides whether to evade.
///
/// # Examples
/// No round costs more than 5 points, so evading at once is safe. In a fight to the end, the
/// numbers 1 and 2 leave the foe standing:
/// ```
/// use oddsmith_lonewolf::{Combat, Stance};
///
/// let evasion = Combat::new(16, 6, 16, 5)?.evade_after(0);
/// let survival = |stance| evasion.clone().stance(stance).odds().map(|odds| odds.value());
/// assert_eq!(survival(Stance::Evade)?.to_string(), "1");
/// assert_eq!(survival(Stance::Fight)?.to_string(), "87/100"); // 8/10 + 3/100 + 4/100
/// assert_eq!(survival(Stance::Best)?, survival(Stance::Evade)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Stance {
    /// He decides round by round, as well as possible.
    #[default]
    Best,
    /// He fights to the end.
    Fight,
    /// He evades as soon as he may.
    Evade,
}

/// The state of a combat that may be evaded.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Clash, Combat};
///
/// let start = Combat::new(18, 8, 22, 30)?.evade_after(1).start();
/// assert_eq!(start, Clash { hero: 8, foe: 30, rounds: 0, away: false });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Clash {
    /// The ENDURANCE left of Lone Wolf.
    pub hero: u16,
    /// The ENDURANCE left of the foe.
    pub foe: u16,
    /// The rounds fought, counted only up to the number that must be fought.
    pub rounds: u16,
    /// Whether Lone Wolf has evaded.
    pub away: bool,
}

/// How a combat that may be evaded ended for Lone Wolf.
///
/// # Examples
/// He evades in the first round, which costs 5, 4, 4, 3, 2, 2, 1, 0, 0 or 0 points:
/// ```
/// use oddsmith_lonewolf::{Combat, Fate, Stance};
///
/// let evasion = Combat::new(16, 3, 16, 99)?.evade_after(0).stance(Stance::Evade);
/// let fates = evasion.odds()?.fates()?;
/// assert_eq!(fates.p(&Fate::Dead).to_string(), "2/5");
/// assert_eq!(fates.p(&Fate::Away(1)).to_string(), "1/5");
/// assert_eq!(fates.p(&Fate::Away(3)).to_string(), "3/10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Fate {
    /// He is dead.
    Dead,
    /// He escaped with this much ENDURANCE.
    Away(u16),
    /// He won with this much ENDURANCE left.
    Won(u16),
}

impl Evasion {
    pub(crate) fn new(combat: Combat, after: u16) -> Self {
        let (hero, _) = combat.start();
        let one = vec![Score::from(1); usize::from(hero)];
        Evasion {
            combat,
            after,
            stance: Stance::Best,
            won: one.clone(),
            fled: one,
        }
    }

    /// Sets the worth of what follows: `won` after a victory and `fled` after an escape, as
    /// functions of the ENDURANCE left (at least 1). Death is worth 0.
    ///
    /// # Errors
    /// This method never fails. Solving returns [`Error::Solve`] if a worth is not a number.
    ///
    /// # Examples
    /// Only half of those who escape survive what follows, but that is better than fighting on with
    /// little ENDURANCE left:
    /// ```
    /// use oddsmith_lonewolf::{Clash, Combat};
    ///
    /// let evasion = Combat::new(16, 12, 16, 20)?.evade_after(0);
    /// let odds = evasion.worth(|_| 1, |_| (1, 2)).odds()?;
    /// assert!(!odds.evades(&Clash { hero: 4, foe: 10, rounds: 0, away: false })?);
    /// assert!(odds.evades(&Clash { hero: 2, foe: 14, rounds: 0, away: false })?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn worth<W, F>(mut self, won: impl Fn(u16) -> W, fled: impl Fn(u16) -> F) -> Self
    where
        W: Into<Score>,
        F: Into<Score>,
    {
        let (hero, _) = self.combat.start();
        self.won = (1..=hero).map(|left| won(left).into()).collect();
        self.fled = (1..=hero).map(|left| fled(left).into()).collect();
        self
    }

    /// Fixes the way in which Lone Wolf decides.
    ///
    /// # Examples
    /// A fight to the end, and an escape after the first round that is no safer:
    /// ```
    /// use oddsmith_lonewolf::{Combat, Fate, Stance};
    ///
    /// let evasion = Combat::new(16, 4, 16, 11)?.evade_after(1);
    /// let fates = evasion.clone().stance(Stance::Fight).odds()?.fates()?;
    /// assert_eq!(fates.p(&Fate::Dead).to_string(), "14/25");
    /// assert_eq!(fates.p(&Fate::Won(4)).to_string(), "23/100");
    /// let fates = evasion.stance(Stance::Evade).odds()?.fates()?;
    /// assert_eq!(fates.p(&Fate::Dead).to_string(), "14/25");
    /// assert_eq!(fates.p(&Fate::Won(4)).to_string(), "1/5");
    /// assert_eq!(fates.p(&Fate::Away(2)).to_string(), "9/100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stance(mut self, stance: Stance) -> Self {
        self.stance = stance;
        self
    }

    /// Returns the state in which the combat begins.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// let start = Combat::new(16, 6, 16, 5)?.evade_after(2).start();
    /// assert_eq!((start.hero, start.foe, start.rounds, start.away), (6, 5, 0, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Clash {
        let (hero, foe) = self.combat.start();
        Clash {
            hero,
            foe,
            rounds: 0,
            away: false,
        }
    }

    /// Solves the combat in fractions.
    ///
    /// # Errors
    /// [`Error::Solve`] if the limits of the solver are reached, or if a worth is not a number.
    ///
    /// # Complexity
    /// Twenty outcomes for each pair of ENDURANCEs, and again for each round that must be fought.
    ///
    /// # Examples
    /// The first round must be fought. If the foe survives it, evading comes too late, since it
    /// costs a round, too:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// let odds = Combat::new(16, 6, 16, 5)?.evade_after(1).odds()?;
    /// assert_eq!(odds.value().to_string(), "87/100"); // 8/10 + 3/100 + 4/100
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn odds(&self) -> Result<EvasionOdds<Exact>, Error> {
        self.odds_with(Solver::exact())
    }

    /// Solves the combat in floats.
    ///
    /// # Error bound
    /// Let s be the sum of both ENDURANCEs. If no worth is below 0, the relative error is at most
    /// 1.01·k·2⁻⁵³ for k = 13·s + 1, since each of at most s rounds rounds a value at most 13 times
    /// (see [`Float`](oddsmith_mdp::Float)), and each worth is rounded once. Otherwise, this factor
    /// times the largest |worth| bounds the absolute error. Values below 10⁻³⁰⁰ may have a larger
    /// error. The [`error`](Solution::error) of the [solution](EvasionOdds::solution) is a closer
    /// bound for a single combat.
    ///
    /// # Errors
    /// As for [`odds`](Evasion::odds).
    ///
    /// # Examples
    /// Nine of the ten numbers cost less than five points:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// let odds = Combat::new(16, 5, 16, 99)?.evade_after(0).odds_f64()?;
    /// assert_eq!(format!("{:.4}", odds.value()), "0.9000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn odds_f64(&self) -> Result<EvasionOdds<oddsmith_mdp::Float>, Error> {
        self.odds_with(Solver::float())
    }

    /// Solves the combat with a given solver.
    ///
    /// # Errors
    /// As for [`odds`](Evasion::odds).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Combat, Error};
    /// use oddsmith_mdp::Solver;
    ///
    /// let evasion = Combat::new(18, 8, 22, 30)?.evade_after(1);
    /// let odds = evasion.odds_with(Solver::float())?;
    /// assert!((odds.value() - 0.67).abs() <= odds.solution().error(&evasion.start())?);
    /// let few = evasion.odds_with(Solver::float().max_states(10));
    /// assert!(matches!(few, Err(Error::Solve(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn odds_with<N: Number>(&self, solver: Solver<'_, N>) -> Result<EvasionOdds<N>, Error> {
        let solution = solver.solve_owned(self.clone(), self.start())?;
        Ok(EvasionOdds { solution })
    }

    /// Returns the worth of this much ENDURANCE left, from a list that begins with 1.
    fn of(worth: &[Score], left: u16) -> Score {
        let place = usize::from(left).checked_sub(1);
        let score = place.and_then(|place| worth.get(place));
        score.cloned().unwrap_or(Score::from(0))
    }
}

/// A round is rolled in any case, by ten numbers. Where Lone Wolf decides whether to evade, there
/// are two options.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Act, Clash, Combat};
/// use oddsmith_mdp::Node;
///
/// let evasion = Combat::new(16, 6, 16, 5)?.evade_after(0);
/// let round = Node::of(&evasion, &evasion.start())?;
/// assert_eq!((round.action(0), round.action(1)), (Some(&Act::FightOn), Some(&Act::Evade)));
/// // The number 1 takes 3 of the foe and 5 of Lone Wolf; if he is away, only the latter.
/// let away = Clash { hero: 1, foe: 5, rounds: 0, away: true };
/// assert_eq!(round.outcomes(0)[0], (Clash { foe: 2, away: false, ..away }, 1));
/// assert_eq!(round.outcomes(1)[0], (away, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Game for Evasion {
    type State = Clash;
    type Action = Act;

    fn expand(&self, clash: &Clash, node: &mut Node<Self>) {
        let &Clash {
            hero,
            foe,
            rounds,
            away,
        } = clash;
        if hero == 0 {
            return node.end(0);
        }
        if away {
            return node.end(Self::of(&self.fled, hero));
        }
        if foe == 0 {
            return node.end(Self::of(&self.won, hero));
        }
        let may = rounds >= self.after;
        // Fighting on comes first, so it is chosen if both are equally good.
        if !may || self.stance != Stance::Evade {
            let mut round = match self.stance {
                Stance::Best if may => node.choice(Act::FightOn),
                _ => node.chance(),
            };
            for (hero, foe) in self.combat.exchanges(hero, foe) {
                let next = Clash {
                    hero,
                    foe,
                    rounds: rounds.saturating_add(1).min(self.after),
                    away,
                };
                round.to(next, 1);
            }
        }
        if may && self.stance != Stance::Fight {
            let mut round = match self.stance {
                Stance::Best => node.choice(Act::Evade),
                _ => node.chance(),
            };
            for (hero, _) in self.combat.exchanges(hero, foe) {
                let next = Clash {
                    hero,
                    foe,
                    rounds,
                    away: true,
                };
                round.to(next, 1);
            }
        }
    }
}

/// The solution of an [`Evasion`].
///
/// # Examples
/// No round costs more than 5 points, and the ten numbers together cost 21:
/// ```
/// use oddsmith_lonewolf::Combat;
///
/// let evasion = Combat::new(16, 6, 16, 99)?.evade_after(0);
/// let odds = evasion.odds()?;
/// assert_eq!(odds.value().to_string(), "1");
/// assert!(odds.evades(&evasion.start())?);
/// assert_eq!(odds.endurance_left()?.mean().to_string(), "39/10"); // 6 - 21/10
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EvasionOdds<N: Number = Exact> {
    solution: Solution<'static, Evasion, N>,
}

impl<N: Number> EvasionOdds<N> {
    /// Returns the value of the combat: the chance to survive, unless the [worth](Evasion::worth)
    /// of victory and escape was set.
    ///
    /// # Examples
    /// Only the ENDURANCE left counts:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// let evasion = Combat::new(16, 99, 16, 3)?.evade_after(0).worth(|left| left, |left| left);
    /// assert_eq!(evasion.odds()?.value().to_string(), "969/10"); // one round: 99 - 21/10
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> N::Value {
        self.solution.value()
    }

    /// Returns the value of the combat from this state on.
    ///
    /// # Errors
    /// [`Error::Solve`] for a state that the combat cannot reach. For such a state, solve a combat
    /// that begins there.
    ///
    /// # Examples
    /// Here the state of the fight makes no difference as long as Lone Wolf evades in time:
    /// ```
    /// use oddsmith_lonewolf::{Clash, Combat};
    ///
    /// let odds = Combat::new(18, 8, 22, 30)?.evade_after(0).odds()?;
    /// let last = Clash { hero: 2, foe: 20, rounds: 0, away: false };
    /// assert_eq!(odds.value_of(&last)?.to_string(), "3/10");
    /// assert!(odds.value_of(&Clash { foe: 30, ..last }).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_of(&self, clash: &Clash) -> Result<N::Value, Error> {
        Ok(self.solution.value_of(clash)?)
    }

    /// Returns whether evading is the decision in this state. If both are equally good, Lone Wolf
    /// fights on. The result is also `false` where there is nothing to decide.
    ///
    /// # Errors
    /// As for [`value_of`](EvasionOdds::value_of).
    ///
    /// # Examples
    /// A foe who falls in the next round need not be evaded; a stronger one must be:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let [weak, strong] = [Combat::new(16, 3, 16, 3)?, Combat::new(16, 3, 16, 99)?]
    ///     .map(|combat| combat.evade_after(0));
    /// assert!(!weak.odds()?.evades(&weak.start())?);
    /// assert!(strong.odds()?.evades(&strong.start())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evades(&self, clash: &Clash) -> Result<bool, Error> {
        Ok(self.solution.decision(clash)? == Some(Act::Evade))
    }

    /// Returns the distribution of how the combat ends: dead, escaped or won, and with how much
    /// ENDURANCE left.
    ///
    /// # Errors
    /// Only those of a solver that fails.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Combat, Fate};
    ///
    /// let fates = Combat::new(18, 8, 22, 30)?.evade_after(0).odds()?.fates()?;
    /// assert_eq!(fates.p(&Fate::Dead).to_string(), "0");
    /// assert_eq!(fates.p(&Fate::Away(8)).to_string(), "1/5");
    /// assert_eq!(fates.probability(|fate| matches!(fate, Fate::Won(_))).to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fates(&self) -> Result<Dist<Fate, N::Mass>, Error> {
        Ok(self
            .solution
            .forecast()?
            .ends_by(|clash| match (clash.hero, clash.away) {
                (0, _) => Fate::Dead,
                (left, true) => Fate::Away(left),
                (left, false) => Fate::Won(left),
            })?)
    }

    /// Returns the distribution of the ENDURANCE left after victory, escape or death (0).
    ///
    /// # Errors
    /// As for [`fates`](EvasionOdds::fates).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let left = Combat::new(18, 8, 22, 30)?.evade_after(0).odds()?.endurance_left()?;
    /// assert_eq!(left.mean().to_string(), "5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn endurance_left(&self) -> Result<Dist<i64, N::Mass>, Error> {
        let forecast = self.solution.forecast()?;
        Ok(forecast.ends_by(|clash| i64::from(clash.hero))?)
    }

    /// Returns the underlying solution, which answers further questions.
    ///
    /// # Examples
    /// The cost of fighting one more round:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let evasion = Combat::new(16, 6, 16, 5)?.evade_after(0);
    /// let odds = evasion.odds()?;
    /// let choices = odds.solution().choices(&evasion.start())?;
    /// let gaps = choices.iter().map(|choice| format!("{} {}", choice.action, choice.gap));
    /// assert_eq!(gaps.collect::<Vec<_>>(), ["fight on 13/100", "evade 0"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn solution(&self) -> &Solution<'static, Evasion, N> {
        &self.solution
    }
}
