//! From which value of a territory on it is better to attack than to stop.

use ndarray::Array2;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::chain::{Chain, Outcomes};
use crate::matrix::{shaped, sized};
use crate::rows::{self, Size};
use crate::{DEFAULT_WORK, Error, Rules};

/// Returns the smallest value T of a territory from which on it is better to attack than to stop,
/// in units, for all battles up to a size. The entry is `[[attackers, defenders]]`; row and column
/// 0 are NaN. See [`Stopping`](crate::Stopping).
///
/// An entry is −∞ if units alone are reason enough, whatever the territory is worth, since the
/// attack can be stopped later. It is ∞ if the attackers cannot win, or so seldom that the value
/// does not fit a float. Where it is finite, [`Stopping::new`](crate::Stopping::new) takes it as
/// text. It does not depend on the size of the table.
///
/// # Errors
/// As for [`matrix_f64`](crate::matrix_f64), except for the number of steps, which is about ten
/// times the square of the number of entries.
///
/// # Complexity
/// The gain from attacking is a convex, piecewise linear function of T. Its zero is found by
/// Newton's method from above, in a few sweeps of all smaller battles: O(A²·D²).
///
/// # Examples
/// ```
/// use oddsmith_risk::{Battle, Rules, Stopping, critical_territory};
///
/// let critical = critical_territory(3, 3, &Rules::standard())?;
/// assert_eq!(format!("{:.3} {:.3}", critical[[1, 1]], critical[[1, 2]]), "0.400 5.025");
/// assert_eq!(critical[[3, 3]], f64::NEG_INFINITY);
///
/// let pays = |territory: f64| {
///     let stopping = Stopping::new(Battle::new(1, 2)?, territory.to_string())?;
///     Ok::<_, oddsmith_risk::Error>(stopping.action_map()?[[1, 2]])
/// };
/// assert!(pays(critical[[1, 2]] + 0.001)? && !pays(critical[[1, 2]] - 0.001)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "critical T")]
pub fn critical_territory(
    max_attackers: u32,
    max_defenders: u32,
    rules: &Rules,
) -> Result<Array2<f64>, Error> {
    let size = Size::new(max_attackers, max_defenders);
    let cells = size.cells() as u128;
    let work = cells.saturating_mul(cells).saturating_mul(10);
    size.check_work("critical worths", work, 16 * DEFAULT_WORK)?;
    let size = sized(max_attackers, max_defenders)?;
    let chain = Chain::new(max_attackers, max_defenders, rules)?;
    let mut gains = Gains {
        nets: chain.throws().iter().map(net).collect(),
        chain: &chain,
        table: rows::filled(size.cells(), Gain::NONE)?,
    };
    let victories = victories(&chain, size)?;
    let mut critical = rows::reserved(size.cells())?;
    for attackers in 0..=max_attackers {
        for defenders in 0..=max_defenders {
            let victory = victories[critical.len()];
            critical.push(match attackers == 0 || defenders == 0 {
                true => f64::NAN,
                false => gains.zero(Size::new(attackers, defenders), victory),
            });
        }
    }
    shaped(size, critical)
}

/// How likely victory is, if it is possible. A chance below all floats is 0, and no other, since
/// even a chance of 10⁻³⁰⁰ has a finite critical value.
#[derive(Clone, Copy, Debug)]
struct Victory {
    possible: bool,
    chance: f64,
}

/// Returns the victories from all forces up to a size, if all battles are fought to the end.
fn victories(chain: &Chain, size: Size) -> Result<Vec<Victory>, Error> {
    let stride = size.stride();
    let mut table: Vec<Victory> = rows::reserved(size.cells())?;
    for attackers in 0..=size.attackers {
        for defenders in 0..=size.defenders {
            let mut victory = Victory {
                possible: defenders == 0,
                chance: rows::won(attackers, defenders),
            };
            if attackers > 0 && defenders > 0 {
                for outcome in &chain.at(attackers, defenders).list {
                    let lost = outcome.attackers as usize * stride + outcome.defenders as usize;
                    let later = table[table.len() - lost];
                    victory.possible |= later.possible && outcome.possible();
                    victory.chance += outcome.chance * later.chance;
                }
            }
            table.push(victory);
        }
    }
    Ok(table)
}

/// Returns how many more units a throw costs the defender than the attacker, on average. In
/// fractions, so that a fair throw has no gain at all.
fn net(throw: &Outcomes) -> f64 {
    let net: BigInt = throw.list.iter().fold(BigInt::default(), |net, outcome| {
        let units = i64::from(outcome.defenders) - i64::from(outcome.attackers);
        net + BigInt::from(outcome.weight.clone()) * units
    });
    let net = BigRational::new(net, throw.total.clone().into());
    net.to_f64().unwrap_or(f64::NAN)
}

/// What attacking gains over stopping at once, by best play for one value of the territory: units
/// on average, and the chance to take the territory. Kept apart, neither is lost beside the other
/// if the chance is tiny and the territory worth much.
#[derive(Clone, Copy, Debug)]
struct Gain {
    units: f64,
    chance: f64,
}

impl Gain {
    const NONE: Gain = Gain {
        units: 0.0,
        chance: 0.0,
    };

    fn worth(self, territory: f64) -> f64 {
        self.units + self.chance * territory
    }
}

struct Gains<'a> {
    chain: &'a Chain,
    /// By number of the throw.
    nets: Vec<f64>,
    /// Room for the gains from all smaller forces.
    table: Vec<Gain>,
}

impl Gains<'_> {
    /// Returns where the gain, which grows with the territory, becomes positive.
    fn zero(&mut self, size: Size, victory: Victory) -> f64 {
        // Here an attack pays even if fought to the bitter end: win·T > attackers.
        let enough = (f64::from(size.attackers) + 1.0) / victory.chance;
        let mut territory = enough.min(f64::MAX);
        let gain = self.attacking(size, territory);
        if gain.chance == 0.0 {
            return match gain.units > 0.0 {
                true => f64::NEG_INFINITY,
                // Fair throws: any territory that can be taken at all is worth an attack.
                false if gain.units == 0.0 && victory.possible => 0.0,
                false => f64::INFINITY,
            };
        }
        if gain.worth(territory) <= 0.0 {
            return f64::INFINITY;
        }
        // Each step leads to a linear piece further left, or to the zero.
        for _ in 0..200 {
            let gain = self.attacking(size, territory);
            if gain.chance == 0.0 {
                return match gain.units > 0.0 {
                    true => f64::NEG_INFINITY,
                    false => territory,
                };
            }
            let next = -gain.units / gain.chance;
            if next >= territory - 1e-13 * territory.abs() {
                break;
            }
            territory = next;
        }
        territory
    }

    /// Returns the gain of attacking now.
    fn attacking(&mut self, size: Size, territory: f64) -> Gain {
        let stride = size.stride();
        let mut last = Gain::NONE;
        for attackers in 0..=size.attackers {
            for defenders in 0..=size.defenders {
                let cell = attackers as usize * stride + defenders as usize;
                if attackers == 0 || defenders == 0 {
                    self.table[cell] = Gain {
                        units: 0.0,
                        chance: rows::won(attackers, defenders),
                    };
                    continue;
                }
                let throw = self.chain.number(attackers, defenders);
                let mut gain = Gain {
                    units: self.nets[throw],
                    chance: 0.0,
                };
                for outcome in &self.chain.throws()[throw].list {
                    let lost = outcome.attackers as usize * stride + outcome.defenders as usize;
                    let later = self.table[cell - lost];
                    gain.units += outcome.chance * later.units;
                    gain.chance += outcome.chance * later.chance;
                }
                last = gain;
                self.table[cell] = match gain.worth(territory) > 0.0 {
                    true => gain,
                    false => Gain::NONE,
                };
            }
        }
        last
    }
}
