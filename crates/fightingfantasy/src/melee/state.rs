//! The state of a melee, and the actions of the hero.

use std::fmt;

use crate::Error;

/// A set of foes, numbered from 0 as they were listed.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::MeleeState;
/// let living = MeleeState::new(9, &[5, 0, 6], 10)?.living();
/// assert_eq!(living.iter().collect::<Vec<_>>(), [0, 2]);
/// assert!(living.contains(2) && !living.contains(1));
/// assert_eq!((living.len(), living.is_empty()), (2, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<u8>", into = "Vec<u8>")
)]
pub struct FoeSet(pub(super) u8);

impl FoeSet {
    pub(super) const NONE: FoeSet = FoeSet(0);

    pub(super) fn only(foe: u8) -> Self {
        FoeSet(1 << foe)
    }

    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        FoeSet(self.0 & other.0)
    }

    #[inline]
    pub(super) fn without(self, foe: u8) -> Self {
        FoeSet(self.0 & !(1 << foe))
    }

    #[inline]
    pub(super) fn first(self) -> Option<u8> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as u8)
    }

    /// The numbers of its foes as integers of eight bits, in the listed order.
    #[inline]
    pub(super) fn members(self) -> impl Iterator<Item = u8> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let foe = rest.first()?;
            rest = rest.without(foe);
            Some(foe)
        })
    }

    /// Iterates over the numbers of its foes, in the listed order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::MeleeState;
    /// let living = MeleeState::new(9, &[0, 4, 6], 10)?.living();
    /// assert_eq!(living.iter().collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.members().map(usize::from)
    }

    /// Returns whether this foe is in the set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::MeleeState;
    /// let living = MeleeState::new(9, &[0, 4], 10)?.living();
    /// assert_eq!([0, 1, 99].map(|foe| living.contains(foe)), [false, true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains(self, foe: usize) -> bool {
        foe < 8 && self.0 >> foe & 1 == 1
    }

    /// Returns the number of foes in the set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::MeleeState;
    /// assert_eq!(MeleeState::new(9, &[3, 0, 4, 6], 10)?.living().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::MeleeState;
    /// assert!(MeleeState::new(9, &[0, 0], 10)?.living().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for FoeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The point that a melee has reached within its round.
///
/// # Examples
/// The first blow may be a hit, or a wound while the second foe is still to attack:
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleePhase};
/// let pair = [Foe::new(8, 6)?, Foe::new(7, 6)?];
/// let game = Melee::at_once(Hero::new(9, 14, 9)?, pair)?.game()?;
/// let blows = game.first_blows(&game.start(), 0)?;
/// assert_eq!(blows[0].state.phase, MeleePhase::Hit { target: 0, roll: 0 });
/// let phase = blows[1].state.phase;
/// assert_eq!(format!("{phase:?}"), "Wound { by: 0, waiting: {1}, roll: 0 }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum MeleePhase {
    /// The hero has run, and the fight is over.
    Gone,
    /// The hero has won the exchange with the target; LUCK may be tested to
    /// hit harder.
    Hit {
        /// The foe that is hit.
        target: u8,
        /// What the hero's dice show, if one roll serves against all foes and is still to be
        /// compared with that of others; otherwise 0.
        roll: u8,
    },
    /// A foe wounds the hero; LUCK may be tested to soften it.
    Wound {
        /// The foe that wounds the hero. Among foes whose blows have the same damage, it is the
        /// first in the list, since only the damage matters.
        by: u8,
        /// The foes that are still to attack in this round and may win.
        waiting: FoeSet,
        /// The hero's roll, as for a hit.
        roll: u8,
    },
    /// The hero is running; LUCK may be tested against the parting wound.
    Running,
    /// The dice of the next round have not been rolled yet.
    Round,
}

/// The most foes a [`MeleeState`] has room for.
const ROOM: usize = 6;

/// The state of a melee: the hero's STAMINA and LUCK, each foe's STAMINA, and the point that the
/// round has reached.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{MeleePhase, MeleeState};
///
/// let before = MeleeState::new(9, &[5, 6], 10)?;
/// assert_eq!((before.hero, before.foes(), before.luck), (9, &[5, 6][..], 10));
/// assert_eq!(before.phase, MeleePhase::Round);
/// let hit = before.at(MeleePhase::Hit { target: 1, roll: 0 });
/// assert_eq!(format!("{hit:?}"), "hero 9, foes [5, 6], luck 10, Hit { target: 1, roll: 0 }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::MeleeParts", into = "parts::MeleeParts")
)]
#[non_exhaustive]
pub struct MeleeState {
    /// The hero's STAMINA.
    pub hero: u16,
    /// The hero's LUCK.
    pub luck: u16,
    /// The number of rounds fought, counted no further than a rule requires.
    pub round: u16,
    /// The number of rounds lost in succession, counted only if they can kill.
    pub streak: u8,
    /// The point that the melee has reached within the round.
    pub phase: MeleePhase,
    pub(super) count: u8,
    pub(super) foes: [u16; ROOM],
}

impl MeleeState {
    /// The largest number of foes in a melee: 6.
    ///
    /// With two dice per side, the probabilities of a round against seven foes at once do not fit
    /// into 64-bit integers over one total.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::MeleeState;
    /// assert!(MeleeState::new(9, &[4; MeleeState::MAX_FOES], 10).is_ok());
    /// assert!(MeleeState::new(9, &[4; MeleeState::MAX_FOES + 1], 10).is_err());
    /// assert_eq!(MeleeState::MAX_FOES, 6);
    /// ```
    pub const MAX_FOES: usize = ROOM;

    /// Creates the state before a round, from the hero's STAMINA, the foes' STAMINAs (0 for the
    /// fallen) and the hero's LUCK.
    ///
    /// # Errors
    /// [`Error::NoFoes`] if there are no foes, and [`Error::TooManyFoes`] for too many.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Error, MeleeState};
    /// let state = MeleeState::new(9, &[5, 0, 6], 10)?;
    /// assert_eq!(format!("{state:?}"), "hero 9, foes [5, 0, 6], luck 10, Round");
    /// assert_eq!(MeleeState::new(9, &[], 10), Err(Error::NoFoes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(hero: u16, foes: &[u16], luck: u16) -> Result<Self, Error> {
        check_count(foes.len())?;
        let mut all = [0; ROOM];
        all[..foes.len()].copy_from_slice(foes);
        Ok(MeleeState {
            hero,
            luck,
            round: 0,
            streak: 0,
            phase: MeleePhase::Round,
            count: foes.len() as u8,
            foes: all,
        })
    }

    /// Returns the foes' STAMINA, 0 for the fallen.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::MeleeState;
    /// assert_eq!(MeleeState::new(9, &[5, 0, 6], 10)?.foes(), [5, 0, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn foes(&self) -> &[u16] {
        &self.foes[..usize::from(self.count)]
    }

    /// Returns the set of foes that still stand.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::MeleeState;
    /// let living = MeleeState::new(9, &[5, 0, 6], 10)?.living();
    /// assert_eq!(format!("{living:?}"), "{0, 2}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn living(&self) -> FoeSet {
        let mut living = 0;
        for (number, &stamina) in self.foes.iter().enumerate() {
            living |= u8::from(stamina > 0) << number;
        }
        FoeSet(living)
    }

    /// Returns the state with the same numbers at another point of the round.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{MeleePhase, MeleeState};
    /// let gone = MeleeState::new(9, &[5, 6], 10)?.at(MeleePhase::Gone);
    /// assert_eq!((gone.hero, gone.foes(), gone.phase), (9, &[5, 6][..], MeleePhase::Gone));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn at(self, phase: MeleePhase) -> Self {
        MeleeState { phase, ..self }
    }

    #[inline]
    pub(super) fn foes_mut(&mut self) -> &mut [u16] {
        &mut self.foes[..usize::from(self.count)]
    }
}

/// A state in its serialized form, with the actual foes only.
#[cfg(feature = "serde")]
mod parts {
    use super::{FoeSet, MeleePhase, MeleeState, ROOM};
    use crate::Error;

    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct MeleeParts {
        hero: u16,
        foes: Vec<u16>,
        luck: u16,
        round: u16,
        streak: u8,
        phase: MeleePhase,
    }

    impl From<MeleeState> for MeleeParts {
        fn from(state: MeleeState) -> Self {
            MeleeParts {
                hero: state.hero,
                foes: state.foes().to_vec(),
                luck: state.luck,
                round: state.round,
                streak: state.streak,
                phase: state.phase,
            }
        }
    }

    impl TryFrom<MeleeParts> for MeleeState {
        type Error = Error;

        fn try_from(parts: MeleeParts) -> Result<Self, Error> {
            let (round, streak) = (parts.round, parts.streak);
            let state = MeleeState::new(parts.hero, &parts.foes, parts.luck)?.at(parts.phase);
            Ok(MeleeState {
                round,
                streak,
                ..state
            })
        }
    }

    impl From<FoeSet> for Vec<u8> {
        fn from(set: FoeSet) -> Self {
            set.members().collect()
        }
    }

    impl TryFrom<Vec<u8>> for FoeSet {
        type Error = Error;

        fn try_from(foes: Vec<u8>) -> Result<Self, Error> {
            foes.into_iter()
                .try_fold(FoeSet::NONE, |set, foe| match usize::from(foe) < ROOM {
                    true => Ok(FoeSet(set.0 | FoeSet::only(foe).0)),
                    false => Err(Error::TooManyFoes { limit: ROOM }),
                })
        }
    }
}

/// A melee has at least one foe and no more than there is room for.
pub(super) fn check_count(given: usize) -> Result<(), Error> {
    match given {
        0 => Err(Error::NoFoes),
        1..=ROOM => Ok(()),
        _ => Err(Error::TooManyFoes { limit: ROOM }),
    }
}

impl fmt::Debug for MeleeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hero {}, foes {:?}", self.hero, self.foes())?;
        write!(f, ", luck {}, ", self.luck)?;
        if self.round > 0 {
            write!(f, "{} rounds fought, ", self.round)?;
        }
        if self.streak > 0 {
            write!(f, "{} lost in succession, ", self.streak)?;
        }
        write!(f, "{:?}", self.phase)
    }
}

/// The actions of a hero in a melee.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::MeleeAction;
/// assert_eq!(MeleeAction::Attack(0).to_string(), "attack #1");
/// assert_eq!(MeleeAction::TestLuck.to_string(), "test LUCK");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum MeleeAction {
    /// Save LUCK and leave the blow as it is.
    SaveLuck,
    /// Test LUCK on the blow.
    TestLuck,
    /// Fight another round with this foe, numbered from 0, as the target.
    Attack(u8),
    /// Run from the fight.
    Run,
}

impl fmt::Display for MeleeAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeleeAction::SaveLuck => f.write_str("save LUCK"),
            MeleeAction::TestLuck => f.write_str("test LUCK"),
            MeleeAction::Attack(foe) => write!(f, "attack #{}", u16::from(*foe) + 1),
            MeleeAction::Run => f.write_str("run"),
        }
    }
}
