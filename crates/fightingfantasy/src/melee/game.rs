//! One hero against several foes, as a game of chance that fills a box.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use oddsmith_mdp::{Game, Indexed, Node};

use super::layout::Layout;
use super::round::{Law, Laws, Next};
use super::state::{FoeSet, MeleeAction, MeleePhase, MeleeState};
use crate::rules::{Escape, SuddenDeath};
use crate::{AtOnce, Attacker, Damage, End, Ending, Error, Hero, Manner, Objective, Rules};

/// One hero against several foes: a [`Game`] for any solver of `oddsmith-mdp`. Created by
/// [`Melee::game`](crate::Melee::game).
///
/// All exchanges up to the next blow are one move, so a round without a blow leads straight back to
/// its start. See [`first_blows`].
///
/// [`first_blows`]: MeleeGame::first_blows
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
/// use oddsmith_mdp::Solver;
///
/// let orcs = [Foe::new(6, 5)?, Foe::new(7, 6)?];
/// let game = Melee::at_once(Hero::new(9, 18, 10)?, orcs)?.game()?;
/// // By following the rules from the start, or by numbering a box:
/// let explored = Solver::float().solve(&game, game.start())?;
/// let boxed = Solver::float().solve_indexed(&game, game.start())?;
/// assert_eq!((explored.len(), boxed.len()), (27_158, 44_726));
/// assert!((explored.value() - boxed.value()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeleeGame {
    pub(super) start: MeleeState,
    pub(super) laws: Laws,
    /// (lucky, unlucky) for each LUCK; empty if LUCK must not be used.
    pub(super) tests: Vec<(u64, u64)>,
    pub(super) hit: Damage,
    pub(super) wounds: Vec<Damage>,
    /// How the foes attack together, or `None` if they do not.
    pub(super) at_once: Option<AtOnce>,
    pub(super) sudden_death: Option<SuddenDeath>,
    pub(super) escape: Option<Escape>,
    pub(super) rounds: Option<u16>,
    /// Whether rounds are counted separately for each foe.
    pub(super) restarts: bool,
    pub(super) last_round: u16,
    pub(super) objective: Objective,
    pub(super) layout: Layout,
}

/// One of the ways in which a round can begin: its first blow.
///
/// # Examples
/// Against a single foe, either side strikes first, or the round passes without a blow:
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleePhase};
/// let game = Melee::in_turn(Hero::new(9, 18, 10)?, [Foe::new(12, 6)?])?.game()?;
/// let blows = game.first_blows(&game.start(), 0)?;
/// let (hit, wound) = (&blows[0], &blows[1]);
/// assert_eq!((hit.by, hit.chance.to_string().as_str()), (None, "103/648")); // 206/1296
/// assert_eq!(hit.state.phase, MeleePhase::Hit { target: 0, roll: 0 });
/// assert_eq!((wound.by, wound.chance.to_string().as_str()), (Some(0), "493/648"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FirstBlow {
    /// The foe who wounds the hero, or `None` if the hero hits the target.
    pub by: Option<usize>,
    /// What the hero's dice show, if one roll serves against all foes and is still to be compared
    /// with that of others.
    pub roll: Option<u8>,
    /// The probability that this is the first blow of the round. The probabilities add up to less
    /// than one if a round can pass without a blow.
    pub chance: BigRational,
    /// The state in which LUCK may be tested on this blow. After a wound that completes a fatal
    /// streak, the hero is dead in it.
    pub state: MeleeState,
}

impl MeleeGame {
    pub(super) fn new(
        hero: Hero,
        foes: &[Attacker],
        manner: Manner,
        rules: &Rules,
        objective: Objective,
        with_luck: bool,
    ) -> Result<Self, Error> {
        rules.check()?;
        let wound = |foe: &Attacker| foe.own_wound().unwrap_or(rules.wound);
        let wounds: Vec<Damage> = foes.iter().map(wound).collect();
        if wounds.iter().any(|wound| wound.plain == 0) {
            return Err(Error::Harmless { who: "foe" });
        }
        let stamina: Vec<u16> = foes.iter().map(|foe| foe.foe().stamina()).collect();
        let start = MeleeState::new(hero.stamina(), &stamina, hero.luck())?;
        let at_once = match manner {
            // A single foe fights a duel in either manner.
            Manner::AtOnce(rule) if foes.len() > 1 => Some(rule),
            _ => None,
        };
        let escape_round = rules.escape.map_or(0, |escape| escape.after);
        let several_in_turn = at_once.is_none() && foes.len() > 1;
        check_manner(rules, at_once, several_in_turn)?;
        let one_roll = at_once.is_some_and(|rule| rule.one_roll);
        let laws = Laws::new(hero, foes, rules, (at_once.is_some(), one_roll))?;
        let bounded = rules.escape.is_some() || rules.rounds.is_some();
        let idle = |foe| matches!(laws.odds(foe), (0, _, 0));
        if !bounded && (0..foes.len()).any(idle) {
            return Err(Error::NeverEnding);
        }
        let mut tests = Vec::new();
        if with_luck {
            tests = rules.luck_table(hero.luck())?;
        }
        for (lucky, unlucky) in &mut tests {
            let divisor = lucky.gcd(unlucky);
            (*lucky, *unlucky) = (*lucky / divisor, *unlucky / divisor);
        }
        let largest = tests.iter().map(|(lucky, unlucky)| lucky + unlucky).max();
        let product = BigUint::from(largest.unwrap_or(1)) * laws.largest_rest();
        if product > BigUint::from(u64::MAX) {
            return Err(Error::MeleeRollsOverflow { foes: foes.len() });
        }
        let last_round = rules.rounds.unwrap_or(0).max(escape_round);
        let streaks = rules.sudden_death.map_or(1, |rule| rule.losses);
        let in_order = at_once.is_none_or(|rule| rule.in_order);
        let mut game = MeleeGame {
            start,
            laws,
            tests,
            hit: rules.hit,
            wounds,
            at_once,
            sudden_death: rules.sudden_death,
            escape: rules.escape,
            rounds: rules.rounds,
            restarts: several_in_turn && escape_round > 0,
            last_round,
            objective,
            // The layout depends on the phases, which are computed from the game itself.
            layout: Layout::new(start, last_round, streaks, in_order, Vec::new()),
        };
        let all = start.living();
        let possible = |set: FoeSet| {
            // In order, no foe falls before the one listed before it.
            let listed = set.first().map_or(0, |first| all.0 >> first << first);
            !in_order || set.0 == listed
        };
        let phases = (0..=all.0)
            .map(FoeSet)
            .map(|living| match possible(living) {
                true => game.phases(living),
                false => Vec::new(),
            });
        let phases = phases.collect();
        game.layout = Layout::new(start, last_round, streaks, in_order, phases);
        Ok(game)
    }

    /// Returns the state before the first round.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let orcs = [Foe::new(6, 5)?, Foe::new(7, 6)?];
    /// let start = Melee::at_once(Hero::new(9, 18, 10)?, orcs)?.game()?.start();
    /// assert_eq!((start.hero, start.foes(), start.luck), (18, &[5, 6][..], 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> MeleeState {
        self.start
    }

    /// Returns the blows with which a round against this target can begin, in the order in which
    /// they are rolled.
    ///
    /// # Errors
    /// [`Error::NoSuchTarget`] unless the hero can attack this foe in this state.
    ///
    /// # Examples
    /// The Orc is hit, or wounds the hero, or (after a draw) its mate wounds the hero:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let orcs = [Foe::new(9, 5)?, Foe::new(9, 6)?];
    /// let game = Melee::at_once(Hero::new(9, 18, 10)?, orcs)?.game()?;
    /// let blows = game.first_blows(&game.start(), 0)?;
    /// let strikers: Vec<_> = blows.iter().map(|blow| blow.by).collect();
    /// assert_eq!(strikers, [None, Some(0), Some(1)]);
    /// assert_eq!(blows[0].chance.to_string(), "575/1296");
    /// assert_eq!(blows[2].chance.to_string(), "41975/839808"); // 146/1296 · 575/1296
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_blows(&self, state: &MeleeState, target: usize) -> Result<Vec<FirstBlow>, Error> {
        let fits = self.layout.index(state).is_some()
            && state.phase == MeleePhase::Round
            && self.end(state).is_none()
            && self.targets(state).contains(target);
        if !fits {
            return Err(Error::NoSuchTarget {
                target,
                state: format!("{state:?}"),
            });
        }
        let target = target as u8;
        let Some(law) = self.laws.start(self.fighting(state), target) else {
            return Ok(Vec::new());
        };
        let blow = |&(next, weight): &(Next, u64)| {
            let (by, roll) = match next {
                Next::Hit { roll, .. } => (None, roll),
                Next::Wound { by, roll, .. } => (Some(usize::from(by)), roll),
                Next::Quiet => return None,
            };
            Some(FirstBlow {
                by,
                roll: (roll > 0).then_some(roll),
                chance: BigRational::new(weight.into(), law.total.into()),
                state: self.begin(*state, next),
            })
        };
        Ok(law.next.iter().filter_map(blow).collect())
    }

    /// The foes that the hero may choose to attack.
    pub(super) fn targets(&self, state: &MeleeState) -> FoeSet {
        let living = state.living();
        match self.at_once {
            Some(rule) if !rule.in_order => living,
            _ => living.first().map_or(FoeSet::NONE, FoeSet::only),
        }
    }

    /// The foes that attack in a round.
    #[inline]
    fn fighting(&self, state: &MeleeState) -> FoeSet {
        let living = state.living();
        match (self.at_once, living.first()) {
            (None, Some(first)) => FoeSet::only(first),
            _ => living,
        }
    }

    /// Returns how the melee ended in this state, or `None` if it is not over.
    ///
    /// # Examples
    /// For the distribution of what is left, see [`MeleePlan::solution`]:
    /// ```
    /// use oddsmith_fightingfantasy::{Ending, Foe, Hero, Melee, MeleeState};
    /// let orcs = [Foe::new(6, 5)?, Foe::new(7, 6)?];
    /// let game = Melee::at_once(Hero::new(9, 18, 10)?, orcs)?.game()?;
    /// let over = MeleeState::new(3, &[0, 0], 4)?;
    /// let end = game.end(&over).ok_or("not over")?;
    /// assert_eq!((end.ending, end.stamina, end.luck), (Ending::Victory, 3, 4));
    /// assert_eq!(game.end(&game.start()), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`MeleePlan::solution`]: crate::MeleePlan::solution
    #[must_use]
    pub fn end(&self, state: &MeleeState) -> Option<End> {
        // A lost round that completes a fatal streak leads to no state of its own in play, but such
        // a state has an index.
        let lost = matches!(state.phase, MeleePhase::Wound { .. });
        let held_out = || self.rounds.is_some_and(|rounds| state.round >= rounds);
        let ending = if state.hero == 0 || (lost && self.is_fatal(state.streak)) {
            return Some(End::new(Ending::Defeat, 0, state.luck));
        } else if state.phase == MeleePhase::Gone {
            Ending::Escaped
        } else if state.living().is_empty() {
            Ending::Victory
        } else if state.phase == MeleePhase::Round && held_out() {
            Ending::HeldOut
        } else {
            return None;
        };
        Some(End::new(ending, state.hero, state.luck))
    }

    /// The phases that can occur while exactly these foes live.
    fn phases(&self, living: FoeSet) -> Vec<MeleePhase> {
        let mut state = self.start;
        for (number, foe) in state.foes_mut().iter_mut().enumerate() {
            if !living.contains(number) {
                *foe = 0;
            }
        }
        let mut phases = BTreeSet::from([MeleePhase::Round]);
        if self.escape.is_some() {
            phases.extend([MeleePhase::Running, MeleePhase::Gone]);
        }
        let fighting = self.fighting(&state);
        let mut laws: Vec<&Law> = Vec::new();
        for target in self.targets(&state).members() {
            laws.extend(self.laws.start(fighting, target));
        }
        if self.at_once.is_some() {
            // After the target of this round has fallen, all others go on.
            for roll in self.laws.rolls() {
                laws.extend(self.laws.rest(self.laws.dangerous(living, roll), roll));
            }
        }
        while let Some(law) = laws.pop() {
            for &(next, _) in &law.next {
                let phase = self.begin(state, next).phase;
                let (waiting, roll) = match phase {
                    MeleePhase::Hit { target, roll } => (self.others(&state, target, roll), roll),
                    MeleePhase::Wound { waiting, roll, .. } => (waiting, roll),
                    _ => continue,
                };
                if phases.insert(phase) {
                    laws.extend(self.laws.rest(waiting, roll));
                }
            }
        }
        phases.into_iter().collect()
    }
}

/// Checks that the rules are supported together.
fn check_manner(
    rules: &Rules,
    at_once: Option<AtOnce>,
    several_in_turn: bool,
) -> Result<(), Error> {
    let unsupported = |rule, reason| Err(Error::MeleeRules { rule, reason });
    if at_once.is_some() && rules.sudden_death.is_some() {
        return unsupported(
            "sudden death with foes that attack at once",
            "no rule says which of a round's exchanges count as lost; fight them in turn, or each in a duel",
        );
    }
    if at_once.is_some_and(|rule| rule.one_roll) && rules.attack != Rules::standard().attack {
        return unsupported(
            "one roll of the hero against all foes with other dice than 2d6",
            "keep the standard attack dice, or let the hero roll against each foe",
        );
    }
    let escapes_later = rules.escape.is_some_and(|escape| escape.after > 0);
    if several_in_turn && escapes_later && rules.rounds.is_some() {
        return unsupported(
            "an escape after some rounds together with a last round, against foes in turn",
            "an escape counts the rounds against each foe, a last round counts all; drop one of them, or allow the escape at once",
        );
    }
    Ok(())
}

impl Game for MeleeGame {
    type State = MeleeState;
    type Action = MeleeAction;

    #[inline]
    fn expand(&self, state: &MeleeState, node: &mut Node<Self>) {
        if let Some(end) = self.end(state) {
            return node.end(self.objective.score_of(end));
        }
        match state.phase {
            MeleePhase::Round => {
                let fighting = self.fighting(state);
                let run = self.escape.is_some_and(|e| state.round >= e.after);
                let targets = self.targets(state);
                let only = targets.len() == 1;
                for target in targets.members() {
                    let Some(law) = self.laws.start(fighting, target) else {
                        return;
                    };
                    if only && !run {
                        return self.fight(state, law, &mut node.chance());
                    }
                    let mut choice = node.choice(MeleeAction::Attack(target));
                    self.fight(state, law, &mut choice);
                }
                if run {
                    node.choice(MeleeAction::Run)
                        .to(state.at(MeleePhase::Running), 1);
                }
            }
            MeleePhase::Hit { target, roll } => self.expand_hit(state, target, roll, node),
            MeleePhase::Wound { by, waiting, roll } => {
                self.expand_wound(state, by, waiting, roll, node);
            }
            MeleePhase::Running => {
                let Some(escape) = self.escape else {
                    return;
                };
                let gone = |wound: u16, luck| MeleeState {
                    hero: state.hero.saturating_sub(wound),
                    luck,
                    ..state.at(MeleePhase::Gone)
                };
                if escape.luck {
                    self.decide_luck(
                        state.luck,
                        escape.wound,
                        node,
                        |choice, wound, luck, weight| {
                            choice.to(gone(wound, luck), weight);
                        },
                    );
                } else {
                    node.chance().to(gone(escape.wound.plain, state.luck), 1);
                }
            }
            MeleePhase::Gone => {}
        }
    }
}

impl Indexed for MeleeGame {
    fn size(&self) -> usize {
        self.layout.size()
    }

    #[inline]
    fn index(&self, state: &MeleeState) -> usize {
        self.layout.index(state).unwrap_or(usize::MAX)
    }

    #[inline]
    fn state(&self, index: usize) -> MeleeState {
        self.layout.state(index)
    }

    // A state outside the box has no index within it.
    #[inline]
    fn stands_for(&self, _: usize, _: &MeleeState) -> bool {
        true
    }
}
