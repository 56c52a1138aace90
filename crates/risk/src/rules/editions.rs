//! The rules of editions and variants, by name.

use super::{Reading, Rules};
use crate::Side;

impl Rules {
    /// Returns the standard rules: six-sided dice, at most three for the attacker and two for the
    /// defender, ties to the defender, no bonuses. The defender may throw two dice against one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let throw = Rules::standard().throw(1, 9)?; // one attacker against nine
    /// assert_eq!((throw.attack_dice(), throw.defence_dice()), (1, 2));
    /// assert_eq!(throw.law()?.p(&1).to_string(), "55/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        Rules {
            max_attack: 3,
            max_defence: 2,
            defence_may_outnumber: true,
            second_defence_die_from: 2,
            attack_sides: 6,
            defence_sides: 6,
            ties_to: Side::Defender,
            attack_bonus: Vec::new(),
            defence_bonus: Vec::new(),
            reading: Reading::Unclamped,
        }
    }

    /// Returns the rules of H. Georgiou, "RISK Board Game - Battle Outcome Analysis" (revision 3,
    /// 2004), section 2. They are the standard rules, except that the defender never throws more
    /// dice than the attacker.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Rules};
    ///
    /// let battle = Battle::new(1, 2)?;
    /// assert_eq!(battle.win()?.to_string(), "275/2592");
    /// assert_eq!(battle.rules(Rules::georgiou()).win()?.to_string(), "25/144"); // (5/12)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn georgiou() -> Self {
        Rules {
            defence_may_outnumber: false,
            ..Rules::standard()
        }
    }

    /// Returns the rules printed in Britain in 1990: the standard rules, except that the defender
    /// needs three units to throw two dice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Rules};
    ///
    /// assert_eq!((Rules::uk_1990().dice(3, 2), Rules::uk_1990().dice(3, 3)), ((3, 1), (3, 2)));
    /// // Two defenders fight one at a time.
    /// let battle = Battle::new(3, 2)?.rules(Rules::uk_1990());
    /// assert_eq!(format!("{:.4}", battle.win_f64()?), "0.7780");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn uk_1990() -> Self {
        Rules {
            second_defence_die_from: 3,
            ..Rules::standard()
        }
    }

    /// Returns the rules for the attack on a capital, which is defended with three dice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let throw = Rules::capital().throw(8, 8)?;
    /// assert_eq!(throw.law()?.p(&3).to_string(), "535/3888");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn capital() -> Self {
        Rules {
            max_defence: 3,
            ..Rules::standard()
        }
    }

    /// Returns the rules for defending zombies: ties go to the attacker.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// assert_eq!(Rules::zombies().throw(1, 1)?.law()?.p(&1).to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn zombies() -> Self {
        Rules::standard().ties_to(Side::Attacker)
    }

    /// Adds a hero who leads the attack: one more point on the attacker's highest die, in addition
    /// to any other bonus (Georgiou, section 7).
    ///
    /// # Examples
    /// The five different columns of his section 7 are combinations of these three:
    /// ```
    /// use oddsmith_risk::{Rules, Throw};
    ///
    /// let won = |rules| Throw::new(3, 1)?.rules(rules).law().map(|law| law.p(&1).to_string());
    /// let plain = Rules::georgiou;
    /// assert_eq!(won(plain().hero_attacks())?, "119/144");
    /// assert_eq!(won(plain().hero_attacks().hero_defends())?, "95/144"); // as without heroes
    /// assert_eq!(won(plain().hero_attacks().hero_defends().fortress())?, "40/81");
    /// assert_eq!(won(plain().fortress())?, "40/81");
    /// assert_eq!(won(plain().hero_defends().fortress())?, "1/3");
    /// # Ok::<(), oddsmith_risk::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "heroA")]
    pub fn hero_attacks(mut self) -> Self {
        lead(&mut self.attack_bonus);
        self
    }

    /// Adds a hero who leads the defence: one more point on the defender's highest die.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let throw = Rules::standard().hero_defends().throw(3, 2)?;
    /// assert_eq!(throw.law()?.p(&2).to_string(), "155/648");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "heroB")]
    pub fn hero_defends(mut self) -> Self {
        lead(&mut self.defence_bonus);
        self
    }

    /// Adds a fortress in the attacked territory: one more point on the defender's highest die, as
    /// for a [hero](Rules::hero_defends).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// assert_eq!(Rules::standard().fortress(), Rules::standard().hero_defends());
    /// let both = Rules::standard().hero_defends().fortress().throw(1, 1)?;
    /// assert_eq!(both.law()?.p(&1).to_string(), "1/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "fortB")]
    pub fn fortress(mut self) -> Self {
        lead(&mut self.defence_bonus);
        self
    }
}

/// Adds a point to the highest die.
fn lead(bonus: &mut Vec<i64>) {
    match bonus.first_mut() {
        // Starting from a bonus of 32 bits, it would take 2⁶³ heroes to get there.
        Some(highest) => *highest = highest.saturating_add(1),
        None => bonus.push(1),
    }
}
