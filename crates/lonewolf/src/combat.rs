//! A combat: two sides, the combat ratio, and special rules.

use num_rational::BigRational;
use oddsmith_mdp::{Exact, Float, Game, Indexed, Node, Number, Solver};

use crate::{CombatOdds, CombatTable, Error, Evasion};

/// The limit on the ENDURANCE a side may start with, since exact numbers grow with it.
const LIMIT: u16 = 999;

/// A fight to the death between Lone Wolf and one foe.
///
/// A round is one random number, for which the [`CombatTable`] says how much ENDURANCE each side
/// loses. Rounds follow until one side has no ENDURANCE left. If both fall in the same round, Lone
/// Wolf is dead and the fight is lost.
///
/// COMBAT SKILL is the value that counts in this combat, including weapons, Kai disciplines, shield
/// and potions, and the penalties for wounds and for fighting without a weapon.
///
/// A combat is itself a [`Game`] without decisions. Its states are the ENDURANCE that Lone Wolf and
/// the foe have left, so it can be given to any solver of `oddsmith-mdp`.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::Combat;
///
/// let combat = Combat::new(17, 25, 16, 25)?;
/// assert_eq!(combat.ratio(), 1);
/// assert_eq!(format!("{:.5}", combat.win_f64()?), "0.99952");
/// // With one point of ENDURANCE each, seven of the ten rounds are lost: in
/// // all of them both fall.
/// assert_eq!(Combat::new(16, 1, 16, 1)?.win()?.to_string(), "3/10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Combat {
    table: CombatTable,
    ratio: i64,
    hero: u16,
    foe: u16,
    mindblast: u16,
    factor: u16,
}

impl Combat {
    /// Creates a combat by the standard table from COMBAT SKILL and ENDURANCE of Lone Wolf, then
    /// those of the foe.
    ///
    /// # Errors
    /// [`Error::Endurance`] unless both sides have 1 to 999 ENDURANCE. COMBAT SKILL may be any
    /// number.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Combat, Error};
    ///
    /// assert_eq!(Combat::new(10, 20, 22, 30)?.ratio(), -12);
    /// let error = Combat::new(10, 1_000, 22, 30).unwrap_err();
    /// assert_eq!(error, Error::Endurance { who: "Lone Wolf", given: 1_000, limit: 999 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        combat_skill: i32,
        endurance: i64,
        foe_combat_skill: i32,
        foe_endurance: i64,
    ) -> Result<Self, Error> {
        Ok(Combat {
            table: CombatTable::standard(),
            ratio: i64::from(combat_skill) - i64::from(foe_combat_skill),
            hero: endurance_of("Lone Wolf", endurance)?,
            foe: endurance_of("the foe", foe_endurance)?,
            mindblast: 0,
            factor: 1,
        })
    }

    /// Sets the Combat Results Table.
    ///
    /// # Examples
    /// With the random number 7, the printed table costs the foe 9 points instead of 10:
    /// ```
    /// use oddsmith_lonewolf::{Combat, CombatTable};
    ///
    /// let combat = Combat::new(16, 2, 16, 10)?;
    /// assert_eq!(combat.win()?.to_string(), "2/5"); // 7, 8, 9 and 0
    /// // After a 7 one point is left on either side: three numbers of ten win.
    /// let printed = combat.table(CombatTable::printed());
    /// assert_eq!(printed.win()?.to_string(), "33/100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn table(mut self, table: CombatTable) -> Self {
        self.table = table;
        self
    }

    /// Lets the foe attack with Mindblast: every round costs Lone Wolf this many more points (2 in
    /// the books, unless he has Mindshield).
    ///
    /// # Examples
    /// A Helghast (22/30), with and without Mindshield:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let shielded = Combat::new(20, 25, 22, 30)?;
    /// let open = shielded.clone().enemy_mindblast(2);
    /// assert_eq!(format!("{:.3}", shielded.win_f64()?), "0.937");
    /// assert_eq!(format!("{:.3}", open.win_f64()?), "0.631");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn enemy_mindblast(mut self, points: u16) -> Self {
        self.mindblast = points;
        self
    }

    /// Doubles every point that the foe loses, as when the Sommerswerd is used against the undead.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let combat = Combat::new(16, 1, 16, 12)?;
    /// // Only 10, 11 and 12 points are dealt unhurt: doubled, any will do.
    /// assert_eq!(combat.win()?.to_string(), "4/25");
    /// assert_eq!(combat.double_damage().win()?.to_string(), "3/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn double_damage(mut self) -> Self {
        self.factor = 2;
        self
    }

    /// Returns the combat ratio: Lone Wolf's COMBAT SKILL minus that of the foe.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// assert_eq!(Combat::new(17, 25, 22, 30)?.ratio(), -5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ratio(&self) -> i64 {
        self.ratio
    }

    /// Returns the ENDURANCE of Lone Wolf and of the foe before the first round.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// assert_eq!(Combat::new(17, 25, 16, 20)?.start(), (25, 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> (u16, u16) {
        (self.hero, self.foe)
    }

    /// Returns the same combat with the option to evade after this many rounds. It tells when Lone
    /// Wolf should evade, and what is left then.
    ///
    /// # Examples
    /// To evade at once, Lone Wolf must survive one round. Four of the ten numbers cost three
    /// points or more:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// let evasion = Combat::new(16, 3, 16, 99)?.evade_after(0);
    /// assert_eq!(evasion.odds()?.value().to_string(), "3/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn evade_after(&self, rounds: u16) -> Evasion {
        Evasion::new(self.clone(), rounds)
    }

    /// Returns the ENDURANCE left of Lone Wolf and of the foe after a round, for each of the ten
    /// numbers.
    pub(crate) fn exchanges(&self, hero: u16, foe: u16) -> impl Iterator<Item = (u16, u16)> {
        let (blast, factor) = (self.mindblast, self.factor);
        let exchanges = self.table.round(self.ratio).iter();
        exchanges.map(move |exchange| {
            (
                exchange.hero.dealt(1, blast, hero),
                exchange.foe.dealt(factor, 0, foe),
            )
        })
    }

    /// Solves this combat in fractions.
    ///
    /// # Errors
    /// [`Error::Solve`] if the limits of the solver are reached.
    ///
    /// # Complexity
    /// Ten outcomes for each pair of ENDURANCEs, with integers of at most as many digits as there
    /// can be rounds.
    ///
    /// # Examples
    /// This foe falls in the first round, whatever the number. The ten numbers together cost Lone
    /// Wolf 21 points:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let odds = Combat::new(16, 99, 16, 3)?.odds()?;
    /// assert_eq!(odds.expected_rounds()?.to_string(), "1");
    /// assert_eq!(odds.endurance_left()?.mean().to_string(), "969/10"); // 99 - 21/10
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn odds(&self) -> Result<CombatOdds<Exact>, Error> {
        self.odds_with(Solver::exact())
    }

    /// Solves this combat in floats. See [`odds`](Combat::odds).
    ///
    /// # Errors
    /// As for [`odds`](Combat::odds).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let left = Combat::new(17, 25, 16, 25)?.odds_f64()?.endurance_left()?;
    /// assert!((left.p(&20) - 0.128).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn odds_f64(&self) -> Result<CombatOdds<Float>, Error> {
        self.odds_with(Solver::float())
    }

    /// Solves this combat with a given solver: in floats, with other limits, or with a progress
    /// callback.
    ///
    /// # Errors
    /// As for [`odds`](Combat::odds).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// use oddsmith_mdp::Solver;
    ///
    /// let odds = Combat::new(17, 25, 16, 25)?.odds_with(Solver::float())?;
    /// assert!((odds.win() - 0.99952).abs() < 5e-6);
    /// assert!(odds.solution().error(&(25, 25))? < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn odds_with<N: Number>(&self, solver: Solver<'_, N>) -> Result<CombatOdds<N>, Error> {
        let solution = solver.solve_indexed_owned(self.clone(), self.start())?;
        Ok(CombatOdds::new(solution))
    }

    /// Returns the chance to win: the foe is dead and Lone Wolf is not.
    ///
    /// # Errors
    /// As for [`odds`](Combat::odds).
    ///
    /// # Examples
    /// The foe falls in the first round. The numbers 7, 8, 9 and 0 cost Lone Wolf less than two
    /// points:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// assert_eq!(Combat::new(16, 2, 16, 3)?.win()?.to_string(), "2/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "victory")]
    pub fn win(&self) -> Result<BigRational, Error> {
        Ok(self.odds()?.win())
    }

    /// Returns [`win`](Combat::win) as a float.
    ///
    /// # Error bound
    /// Let e be the ENDURANCE of both sides together and k = 13·(e + 1). The relative error is at
    /// most 1.01·k·2⁻⁵³, which is at most 3·10⁻¹². Every round that changes anything costs some
    /// side a point, and rounds a value at most 13 times, with ten outcomes (see [`Float`]).
    /// Chances below 10⁻³⁰⁰ may lose more.
    ///
    /// # Errors
    /// As for [`odds`](Combat::odds).
    ///
    /// # Examples
    /// The foe falls in the first round, and with three of the ten numbers Lone Wolf is unhurt:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// assert_eq!(format!("{:.4}", Combat::new(16, 1, 16, 3)?.win_f64()?), "0.3000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self) -> Result<f64, Error> {
        Ok(self.odds_with(Solver::float())?.win())
    }
}

fn endurance_of(who: &'static str, given: i64) -> Result<u16, Error> {
    let allowed = u16::try_from(given)
        .ok()
        .filter(|e| (1..=LIMIT).contains(e));
    allowed.ok_or(Error::Endurance {
        who,
        given,
        limit: LIMIT,
    })
}

/// A round is a chance move; the score is 1 for a victory and 0 for death.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::Combat;
/// use oddsmith_mdp::Node;
///
/// let combat = Combat::new(16, 3, 16, 12)?;
/// let round = Node::of(&combat, &(3, 12))?;
/// assert_eq!(round.total(0), 10);
/// assert_eq!(round.outcomes(0)[9], ((3, 0), 1)); // random number 0: 12/0
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Game for Combat {
    /// The ENDURANCE left of Lone Wolf and of the foe.
    type State = (u16, u16);
    /// There are no decisions.
    type Action = ();

    fn expand(&self, &(hero, foe): &(u16, u16), node: &mut Node<Self>) {
        if hero == 0 || foe == 0 {
            return node.end(hero > 0);
        }
        let mut round = node.chance();
        for left in self.exchanges(hero, foe) {
            round.to(left, 1);
        }
    }
}

// Every exchange costs some side something, so rounds lead downwards.
impl Indexed for Combat {
    fn size(&self) -> usize {
        (usize::from(self.hero) + 1) * (usize::from(self.foe) + 1)
    }

    fn index(&self, &(hero, foe): &(u16, u16)) -> usize {
        usize::from(hero) * (usize::from(self.foe) + 1) + usize::from(foe)
    }

    fn state(&self, index: usize) -> (u16, u16) {
        let row = usize::from(self.foe) + 1;
        // Both fit, since the index is within the box.
        ((index / row) as u16, (index % row) as u16)
    }
}
