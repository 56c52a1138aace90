//! Why LUCK is used as it is in a duel.

use std::fmt;

use oddsmith_mdp::{Explanation, Number, Readable};

use crate::{DuelAction, DuelState, Phase};

/// The reasons for the use of LUCK in a round of a duel.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero};
/// let plan = Duel::new(Hero::new(10, 2, 12)?, Foe::new(10, 2)?).best_luck()?;
/// let why = plan.explain()?.to_string();
/// let lost: Vec<&str> = why.lines().skip_while(|line| *line != "after a lost round:").collect();
/// // Where LUCK is tested, it saves the hero for one more even round.
/// assert_eq!(lost[1], "  test LUCK 1/2 = 0.5, best");
/// assert_eq!(lost[2], "  save LUCK 0, 1/2 = 0.5 less");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "N::Value: oddsmith_mdp::written::Written"))
)]
pub struct LuckExplanation<N: Number> {
    pub(super) start: DuelState,
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub(super) value: N::Value,
    pub(super) explanations: Vec<Reasons<N>>,
}

/// The reasons for a decision at one point of a round.
type Reasons<N> = Explanation<DuelState, DuelAction, <N as Number>::Value>;

impl<N: Number> fmt::Display for LuckExplanation<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DuelState {
            hero, foe, luck, ..
        } = self.start;
        let value = Readable(&self.value);
        writeln!(
            f,
            "STAMINA {hero} against {foe}, LUCK {luck}: worth {value}"
        )?;
        for explanation in &self.explanations {
            f.write_str(match explanation.state.phase {
                Phase::Round => "before the round:\n",
                Phase::Won => "after a won round:\n",
                Phase::Lost => "after a lost round:\n",
                Phase::Running => "while running:\n",
                Phase::Gone => "after running:\n",
            })?;
            let mut choices: Vec<_> = explanation.choices.iter().collect();
            choices.sort_by_key(|choice| !choice.decided);
            for choice in choices {
                write!(f, "  {} {}, ", choice.action, Readable(&choice.value))?;
                if choice.optimal {
                    writeln!(f, "best")?;
                } else {
                    writeln!(f, "{} less", Readable(&choice.gap))?;
                }
            }
        }
        Ok(())
    }
}
