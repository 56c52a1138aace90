//! Reports about a throw, about rules and about a battle, as text.

use std::fmt;

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_dice::Dist;

use crate::pairs::Pairs;
use crate::{Battle, DEFAULT_WORK, Error, Forces, Rules, Throw};

/// Lines of text in the style of the paper's console outputs, with true numbers. `Display` writes
/// them.
///
/// # Examples
/// ```
/// use oddsmith_risk::Battle;
///
/// let report = Battle::new(10, 8)?.report()?;
/// assert_eq!(report.to_string(), "\
/// BATTLE 10x8: at most 3 dice against 2, six-sided; ties to the defender
/// Att wins=72.397%  Def holds=27.603%
/// attackers left: 3.845 on average; if they win 5.311, at least 2 in nine of ten times
/// defenders left: 0.906 on average; if they hold 3.282
/// throws: 7.079 on average, at most 9 in nine of ten times
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    lines: Vec<String>,
}

impl Report {
    /// Returns the lines.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Throw;
    /// assert_eq!(Throw::new(3, 2)?.report()?.lines().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl Throw {
    /// Returns the outcomes of the throw and their value, in the style of the paper's console.
    /// `Att(+2)` is a throw that costs the defender two units and the attacker none; `(+1-1)` is
    /// one that costs both sides one.
    ///
    /// # Errors
    /// As for [`law`](Throw::law).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Throw;
    ///
    /// assert_eq!(Throw::new(3, 2)?.report()?.to_string(), "\
    /// GAME 3x2 PROB:  Att(+2)=37.166%(2890/7776)  (+1-1)=33.578%(2611/7776)  Def(-2)=29.257%(2275/7776)
    /// GV=+0.0791 a pair, +0.1582 a throw  P_A=53.954%  P_D=46.046%  R_e=0.8534
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self) -> Result<Report, Error> {
        let law = self.law()?;
        let losses = self.losses_by(&law);
        let ratio = match losses.equilibrium_ratio() {
            Some(ratio) => format!("{:.4}", float(&ratio)),
            None => "none".to_owned(),
        };
        let value = format!(
            "GV={:+.4} a pair, {:+.4} a throw  P_A={}  P_D={}  R_e={ratio}",
            float(&losses.game_value()),
            float(&losses.net()),
            percent(float(&losses.attacker_share())),
            percent(float(&losses.defender_share())),
        );
        Ok(Report {
            lines: vec![self.outcomes(&law), value],
        })
    }

    fn outcomes(&self, law: &Dist<u32>) -> String {
        let counts = self.counts_by(law);
        let rolls: BigUint = counts.iter().sum();
        let dice = (self.attack_dice(), self.defence_dice());
        let mut line = format!("GAME {}x{} PROB:", dice.0, dice.1);
        for (count, lost) in counts.iter().zip(0..) {
            let won = self.pairs() - lost;
            let name = match (won, lost) {
                (won, 0) => format!("Att(+{won})"),
                (0, lost) => format!("Def(-{lost})"),
                (won, lost) => format!("(+{won}-{lost})"),
            };
            let chance = BigRational::new(count.clone().into(), rolls.clone().into());
            line.push_str(&format!(
                "  {name}={}({count}/{rolls})",
                percent(float(&chance))
            ));
        }
        line
    }
}

impl Rules {
    /// Returns all throws up to the largest numbers of dice, and the table of game values per pair,
    /// in the format of the paper's program but with true values.
    ///
    /// # Errors
    /// [`Error::ThrowsTooLarge`] if all throws together take more than
    /// [`DEFAULT_WORK`](crate::DEFAULT_WORK) steps.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let text = Rules::georgiou().hero_attacks().report()?.to_string();
    /// assert!(text.ends_with("\
    /// Game value table (rows=attack, cols=defense), a pair of dice:
    ///  0.1667
    ///  0.4907   0.0000
    ///  0.6528   0.3268
    /// "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self) -> Result<Report, Error> {
        let (attack, defence) = self.dice(u32::MAX, u32::MAX);
        check_throws(self, attack, defence)?;
        let mut lines = vec![format!("RULES: {self}")];
        let mut table = Vec::new();
        for attack in 1..=attack {
            let mut row = String::new();
            for defence in 1..=self.defence_dice_against(attack, u32::MAX) {
                let throw = Throw::new(attack, defence)?.rules(self.clone());
                let law = throw.law()?;
                lines.push(throw.outcomes(&law));
                let value = float(&throw.losses_by(&law).game_value());
                let gap = if row.is_empty() { "" } else { "  " };
                row.push_str(&format!("{gap}{value:>7.4}"));
            }
            table.push(row);
        }
        lines.push("Game value table (rows=attack, cols=defense), a pair of dice:".to_owned());
        lines.append(&mut table);
        Ok(Report { lines })
    }
}

/// Checks that all throws up to this many dice together take no longer than a single throw may.
///
/// # Errors
/// [`Error::ThrowsTooLarge`] before any work.
pub(crate) fn check_throws(rules: &Rules, attack: u32, defence: u32) -> Result<(), Error> {
    let mut work = 0_u128;
    for attack in 1..=attack {
        for defence in 1..=defence {
            let left = u128::from(DEFAULT_WORK).saturating_sub(work);
            let left = u64::try_from(left).unwrap_or(0);
            let pairs = Pairs::new([attack, defence], rules, left);
            work += pairs.map_err(|error| error.after(work))?.work();
        }
    }
    Ok(())
}

impl Battle {
    /// Returns a report of who wins, what is left, and how long the battle takes.
    ///
    /// # Errors
    /// As for [`survivors_f64`](Battle::survivors_f64) and
    /// [`throws_needed_f64`](Battle::throws_needed_f64).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let report = Battle::new(1, 1)?.report()?;
    /// assert_eq!(report.lines()[1], "Att wins=41.667%  Def holds=58.333%");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self) -> Result<Report, Error> {
        let Forces {
            attackers,
            defenders,
        } = self.forces();
        // Huge dice take most of the time.
        let (chain, frontier) = self.chain_within("survivors")?;
        let left = self.survivors_by(&chain, &frontier)?;
        let throws = self.throws_needed_by(&chain, &frontier)?;
        let win = self.win_by(&chain, &frontier)?;
        let stopped = left.broken_off();
        let held = match stopped > 0.0 {
            false => format!("Def holds={}", percent(self.lose_by(&chain, &frontier)?)),
            true => format!(
                "Def holds={}  broken off={}",
                percent(left.held()),
                percent(stopped)
            ),
        };
        let mut lines = vec![
            format!("BATTLE {attackers}x{defenders}: {}", self.its_rules()),
            format!("Att wins={}  {held}", percent(win)),
        ];
        let mut line = format!(
            "attackers left: {:.3} on average",
            left.expected_attackers()
        );
        if let Ok(won) = left.attackers_if_won() {
            let least = won.quantile("0.1")?;
            line.push_str(&format!(
                "; if they win {:.3}, at least {least} in nine of ten times",
                won.map(|&units| i64::from(units)).mean()
            ));
        }
        lines.push(line);
        let mut line = format!(
            "defenders left: {:.3} on average",
            left.expected_defenders()
        );
        if let Ok(held) = left.defenders_if_held() {
            let mean = held.map(|&units| i64::from(units)).mean();
            let untaken = match stopped > 0.0 {
                false => "if they hold",
                true => "if it is not taken",
            };
            line.push_str(&format!("; {untaken} {mean:.3}"));
        }
        lines.push(line);
        let most = throws.quantile("0.9")?;
        lines.push(format!(
            "throws: {:.3} on average, at most {most} in nine of ten times",
            self.expected_throws_by(&chain, &frontier)?
        ));
        Ok(Report { lines })
    }
}

fn float(number: &BigRational) -> f64 {
    match number.is_zero() {
        true => 0.0,
        false => number.to_f64().unwrap_or(f64::NAN),
    }
}

/// Writes a percentage as in the paper, with three decimals, or more where there would be only
/// zeros.
fn percent(chance: f64) -> String {
    match chance == 0.0 || chance >= 1e-5 {
        true => format!("{:.3}%", 100.0 * chance),
        false => format!("{:.2e}%", 100.0 * chance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::laws_computed;

    /// Regression test: each quantity computed all throws again, so that the report of a battle
    /// with huge dice took five times as long as its chance.
    #[test]
    fn reports_compute_each_throw_once() -> Result<(), Error> {
        let computed = |report: &dyn Fn() -> Result<Report, Error>| {
            let before = laws_computed();
            report().map(|_| laws_computed() - before)
        };
        let battle = Battle::new(5, 5)?;
        assert_eq!(computed(&|| battle.report())?, 6);
        let careful = battle.stop(crate::StopRule::below_odds((1, 3))?)?;
        assert_eq!(computed(&|| careful.report())?, 6);
        assert_eq!(computed(&|| Throw::new(3, 2)?.report())?, 1);
        assert_eq!(computed(&|| Rules::standard().report())?, 6);
        assert_eq!(
            computed(&|| Battle::new(1, 400)?
                .ln_win()
                .map(|_| Report { lines: Vec::new() }))?,
            2
        );
        Ok(())
    }
}
