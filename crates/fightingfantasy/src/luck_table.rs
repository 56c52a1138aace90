//! The use of LUCK in floats, by a specialised kernel.
//!
//! [`LuckMap`](crate::LuckMap) solves the same states with the general solver. This kernel does the
//! same arithmetic in the same order, so its numbers are the same to the last bit (which is
//! tested), except that a chance which would be rounded to more than 1 is 1. It takes a twentieth of
//! the time (1.4 ms against 34 ms for the paper's full map), since it knows the location of every
//! outcome and keeps one number per state.

use crate::duel_game::plain_round;
use crate::{Advantage, Damage, Decision, Error, Extent, Rules};

/// The chances of victory and the decisions for all states of the duels at one SKILL difference, in
/// `f64`.
///
/// It supports rules that change nothing but odds and damage. For others use
/// [`LuckMap`](crate::LuckMap).
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Advantage, Extent, LuckTable, Rules};
///
/// let table = LuckTable::optimal(&Rules::standard(), -2, Extent::default(), Advantage::Strict)?;
/// assert_eq!(format!("{:.4}", table.win(22, 21, 12)?), "0.2212");
/// assert_eq!(table.decision(2, 12, 12)?.label(), '1');
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LuckTable {
    extent: Extent,
    /// Indexed by LUCK, the foe's STAMINA and the hero's STAMINA.
    values: Vec<f64>,
    decisions: Vec<u8>,
    skill_difference: i64,
}

/// The parameters of one table, in the form that the inner loop uses.
struct Kernel {
    odds: Chance,
    hit: Damage,
    wound: Damage,
    extent: Extent,
    /// 1 + 10⁻¹⁰ for the published rule, 1 for the optimal one.
    threshold: f64,
}

/// The weights of two outcomes, which are integers.
#[derive(Clone, Copy)]
struct Chance {
    first: f64,
    second: f64,
    total: f64,
}

impl Chance {
    fn new(first: u64, second: u64) -> Self {
        Chance {
            first: first as f64,
            second: second as f64,
            total: (first + second) as f64,
        }
    }

    /// The mean of two values. A certain outcome is copied, as in the general solver, since a
    /// product and a quotient would round.
    #[inline(always)]
    fn mean(self, first: f64, second: f64) -> f64 {
        if self.second == 0.0 {
            first
        } else if self.first == 0.0 {
            second
        } else {
            (self.first * first + self.second * second) / self.total
        }
    }
}

impl LuckTable {
    /// Computes the table of the optimal policy (or of the published rule).
    ///
    /// Where both options are worth exactly the same, rounding decides between them. This concerns
    /// 256 of the paper's 7,488 states at a difference of -3. Their values have the same [error
    /// bound](LuckTable::relative_error) as all others. [`LuckMap::exact`](crate::LuckMap::exact)
    /// shows ties as ties.
    ///
    /// # Errors
    /// [`Error::SpecialRules`] if the rules do more than change odds and damage,
    /// [`Error::TooManyStates`] beyond 200 million states (1.8 GB), and otherwise those of
    /// [`DuelGame::new`](crate::DuelGame::new).
    ///
    /// # Complexity
    /// Constant work for each of the luck · foe · hero states: 0.1 ms for the paper's 7,488. The
    /// table keeps 9 bytes per state. During the computation, two layers of LUCK take another 8
    /// bytes per state each, so a table with a single layer takes 25 bytes per state. A layer also
    /// has a border that is as wide as the highest damage; if one blow kills, that makes it four
    /// times as large.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Error, Extent, LuckTable, Rules, SuddenDeath};
    /// let (rules, small) = (Rules::standard(), Extent { hero: 2, foe: 2, luck: 7 });
    /// let table = LuckTable::optimal(&rules, 0, small, Advantage::Strict)?;
    /// assert!((table.win(2, 2, 7)? - 31.0 / 48.0).abs() < 1e-15);
    /// let crypt = rules.sudden_death(SuddenDeath::after(2));
    /// let error = LuckTable::optimal(&crypt, 0, small, Advantage::Strict).err();
    /// assert_eq!(error, Some(Error::SpecialRules));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn optimal(
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        advantage: Advantage,
    ) -> Result<Self, Error> {
        let threshold = match advantage {
            Advantage::Strict => 1.0,
            // This is the comparison that the general solver and the published program make.
            Advantage::Published => 1.0 + 1.0 / 1e10,
        };
        let never = |_, _, _| Decision::default();
        Self::fill::<true>(rules, skill_difference, extent, threshold, never)
    }

    /// Computes the table of a given policy: `policy(hero, foe, luck)` returns the decision on LUCK
    /// in a round that starts with these values. LUCK 0 is never used, whatever the policy returns.
    ///
    /// # Errors
    /// The same as for [`optimal`](LuckTable::optimal).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, Extent, LuckTable, Rules};
    /// let offensive = Decision { after_win: true, after_loss: false };
    /// let table = LuckTable::of_policy(
    ///     &Rules::standard(), -4, Extent::default(), |_, _, _| offensive,
    /// )?;
    /// assert!((table.win(2, 3, 5)? - 27640333.0 / 899022848.0).abs() < 1e-16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_policy(
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        policy: impl Fn(u16, u16, u16) -> Decision,
    ) -> Result<Self, Error> {
        Self::fill::<false>(rules, skill_difference, extent, 1.0, policy)
    }

    fn fill<const OPTIMAL: bool>(
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        threshold: f64,
        policy: impl Fn(u16, u16, u16) -> Decision,
    ) -> Result<Self, Error> {
        let (win, lose) = plain_round(rules, skill_difference, extent)?;
        let kernel = Kernel {
            odds: Chance::new(win, lose),
            hit: at_most(rules.hit_damage(), extent.foe),
            wound: at_most(rules.wound_damage(), extent.hero),
            extent,
            threshold,
        };
        let tests = rules.luck_table(extent.luck)?;
        let size = states_of(extent)?;
        let mut table = LuckTable {
            extent,
            values: Vec::with_capacity(size),
            decisions: Vec::with_capacity(size),
            skill_difference,
        };
        // Two layers of LUCK exist at a time. Each has a border of ended duels, so that the inner
        // loop needs no special cases.
        let mut above = kernel.empty_layer();
        let mut layer = kernel.empty_layer();
        for (luck, &(lucky, unlucky)) in (0..=extent.luck).zip(&tests) {
            let test = (luck > 0).then(|| Chance::new(lucky, unlucky));
            kernel.fill_layer::<OPTIMAL>(&above, &mut layer, test, &mut table.decisions, |h, f| {
                policy(h, f, luck)
            });
            let (rows, columns) = kernel.border();
            for row in layer.chunks_exact(kernel.width()).skip(rows) {
                // Counts of rolls beyond 2^53 are rounded, and their sum otherwise than they are.
                let chances = row[columns..].iter().map(|value| value.min(1.0));
                table.values.extend(chances);
            }
            std::mem::swap(&mut above, &mut layer);
        }
        Ok(table)
    }

    /// Returns the chance of victory before a round.
    ///
    /// # Errors
    /// [`Error::OutsideTable`] for STAMINA 0 and for states beyond the extent.
    ///
    /// # Examples
    /// Without LUCK, the hero must win one round before losing two:
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckTable, Rules};
    /// let table = LuckTable::optimal(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// assert_eq!(table.win(4, 2, 0)?, 0.75);
    /// assert!(table.win(25, 2, 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&self, hero: u16, foe: u16, luck: u16) -> Result<f64, Error> {
        Ok(self.values[self.extent.place(hero, foe, luck)?])
    }

    /// Returns the decision on LUCK in the round.
    ///
    /// # Errors
    /// The same as for [`win`](LuckTable::win).
    ///
    /// # Examples
    /// A lucky hit kills a foe with STAMINA 4, and the hero survives a lucky wound:
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckTable, Rules};
    /// let table = LuckTable::optimal(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// let decision = table.decision(2, 4, 12)?;
    /// assert_eq!((decision.after_win, decision.after_loss), (true, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision(&self, hero: u16, foe: u16, luck: u16) -> Result<Decision, Error> {
        let bits = self.decisions[self.extent.place(hero, foe, luck)?];
        Ok(Decision {
            after_win: bits & 1 != 0,
            after_loss: bits & 2 != 0,
        })
    }

    /// Returns an upper bound on the relative error of every chance in the table.
    ///
    /// A fight has at most s_h + s_o + l decisive rounds, and each rounds a value at most ten times
    /// (see [`Float`](oddsmith_mdp::Float)). Chances below 10⁻³⁰⁰ may have a larger error, because
    /// they fall below the smallest normal number.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckTable, Rules};
    /// let table = LuckTable::optimal(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// assert!(table.relative_error() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        let Extent { hero, foe, luck } = self.extent;
        let rounds = f64::from(hero) + f64::from(foe) + f64::from(luck);
        let roundings = 10.0 * rounds * (f64::EPSILON / 2.0);
        roundings / (1.0 - roundings) * (1.0 + 4.0 * f64::EPSILON)
    }

    /// Returns the extent of the table.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckTable, Rules};
    /// let table = LuckTable::optimal(&Rules::standard(), 0, Extent::default(), Advantage::Strict)?;
    /// assert_eq!(table.extent().states().count(), 7_488);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns the SKILL difference of this table, the hero's minus the foe's.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, LuckTable, Rules};
    /// let table = LuckTable::optimal(&Rules::standard(), -3, Extent::default(), Advantage::Strict)?;
    /// assert_eq!(table.skill_difference(), -3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skill_difference(&self) -> i64 {
        self.skill_difference
    }
}

impl Kernel {
    /// The numbers of rows (foe) and columns (hero) of ended duels before STAMINA 1.
    fn border(&self) -> (usize, usize) {
        let deepest = |d: Damage| usize::from(d.plain.max(d.lucky).max(d.unlucky).max(1));
        (deepest(self.hit), deepest(self.wound))
    }

    fn width(&self) -> usize {
        self.border().1 + usize::from(self.extent.hero)
    }

    /// An empty layer, with victory above the first row and defeat before the first column.
    fn empty_layer(&self) -> Vec<f64> {
        let (rows, columns) = self.border();
        let width = self.width();
        let mut layer = vec![0.0; width * (rows + usize::from(self.extent.foe))];
        for row in layer.chunks_exact_mut(width).take(rows) {
            row[columns..].fill(1.0);
        }
        layer
    }

    /// Computes one layer of LUCK; `above` is the layer with one point of LUCK less.
    fn fill_layer<const OPTIMAL: bool>(
        &self,
        above: &[f64],
        layer: &mut [f64],
        test: Option<Chance>,
        decisions: &mut Vec<u8>,
        policy: impl Fn(u16, u16) -> Decision,
    ) {
        let (rows, columns) = self.border();
        let (width, odds, threshold) = (self.width(), self.odds, self.threshold);
        let wounds = [self.wound.plain, self.wound.lucky, self.wound.unlucky].map(usize::from);
        for foe in 1..=self.extent.foe {
            let row = rows + usize::from(foe) - 1;
            let start = row * width;
            // The start of the row that a hit leads to.
            let after = |damage: u16| (row - usize::from(damage)) * width;
            let (done, rest) = layer.split_at_mut(start);
            let plain = after(self.hit.plain);
            let won_plain = &done[plain..plain + width];
            let current = &mut rest[..width];
            let at = |layer: &'_ [f64], damage| -> std::ops::Range<usize> {
                let from = after(damage);
                debug_assert!(from + width <= layer.len());
                from..from + width
            };
            let won_lucky = &above[at(above, self.hit.lucky)];
            let won_unlucky = &above[at(above, self.hit.unlucky)];
            let lost = &above[start..start + width];
            for hero in 1..=self.extent.hero {
                let column = columns + usize::from(hero) - 1;
                let mut won = won_plain[column];
                let mut defended = current[column - wounds[0]];
                let mut bits = 0;
                if let Some(test) = test {
                    let hit = test.mean(won_lucky[column], won_unlucky[column]);
                    let saved = test.mean(lost[column - wounds[1]], lost[column - wounds[2]]);
                    let (attack, defend) = if OPTIMAL {
                        (hit > threshold * won, saved > threshold * defended)
                    } else {
                        let decision = policy(hero, foe);
                        (decision.after_win, decision.after_loss)
                    };
                    if attack {
                        won = hit;
                        bits |= 1;
                    }
                    if defend {
                        defended = saved;
                        bits |= 2;
                    }
                }
                current[column] = odds.mean(won, defended);
                decisions.push(bits);
            }
        }
    }
}

/// The number of states of an extent, or an error if they are too many to store.
fn states_of(extent: Extent) -> Result<usize, Error> {
    const LIMIT: usize = 200_000_000;
    let Extent { hero, foe, luck } = extent;
    let states = [usize::from(hero), usize::from(foe), usize::from(luck) + 1];
    // The product is below 2^48, so it cannot overflow.
    let states = states.into_iter().product();
    if states > LIMIT {
        return Err(Error::TooManyStates {
            states,
            limit: LIMIT,
        });
    }
    Ok(states)
}

/// Caps the damage: a blow that kills a fighter with the highest STAMINA has the same effect as any
/// greater one.
fn at_most(damage: Damage, stamina: u16) -> Damage {
    Damage::new(
        damage.plain.min(stamina),
        damage.lucky.min(stamina),
        damage.unlucky.min(stamina),
    )
}
