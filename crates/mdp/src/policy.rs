//! Policies, and games played under a fixed policy.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::number::cover;
use crate::{Game, Indexed, Node, Player, Ranked, Score};

/// A way of playing: which action to take in each state.
///
/// A closure from the state and its actions to the index of the action taken is a policy. Implement
/// the trait itself for a policy that mixes actions at random. The [reward](crate::Choice::reward)
/// of such a choice is the mean of the rewards of the actions.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{AtRandom, Game, Node, Policy, Solver};
/// # struct Doors;
/// # impl Game for Doors {
/// #     type State = u8;
/// #     type Action = char;
/// #     fn expand(&self, &door: &u8, node: &mut Node<Self>) {
/// #         if door > 0 { return node.end(door); }
/// #         node.choice('a').to(1, 1);
/// #         node.choice('b').to(2, 3).to(4, 1);
/// #     }
/// # }
/// // Two doors: one is worth 1, the other 2 or, once in four times, 4.
/// let first = |_: &u8, _: &[char]| 0;
/// assert_eq!(Solver::exact().evaluate(&Doors, first, 0)?.value().to_string(), "1");
/// assert_eq!(Solver::exact().evaluate(&Doors, AtRandom, 0)?.value().to_string(), "7/4");
///
/// /// Prefers the second door three times out of five.
/// struct Mixed;
/// impl Policy<Doors> for Mixed {
///     fn weigh(&self, _: &u8, _: &[char], weights: &mut [u64]) {
///         weights.copy_from_slice(&[2, 3]);
///     }
/// }
/// assert_eq!(Solver::exact().evaluate(&Doors, Mixed, 0)?.value().to_string(), "19/10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Policy<G: Game + ?Sized> {
    /// Writes the weight of each action. All weights are zero at first.
    ///
    /// The actions come in the order of `expand`. States where chance moves are never asked about.
    /// If all weights are left at zero, or if their sum exceeds 2⁶⁴ − 1 even after division by
    /// their greatest common divisor, the result is
    /// [`Error::NoDecision`](crate::Error::NoDecision).
    ///
    /// # Examples
    /// A player who is the more likely to keep a roll, the higher it is:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Policy;
    /// struct Timid;
    /// impl Policy<KeepOrRoll> for Timid {
    ///     fn weigh(&self, &(_, pips): &(u8, u8), _: &[&'static str], weights: &mut [u64]) {
    ///         if let [keep, roll] = weights {
    ///             (*keep, *roll) = (pips.into(), 6 - u64::from(pips));
    ///         }
    ///     }
    /// }
    /// let evaluation = Solver::exact().evaluate(&KeepOrRoll, Timid, (1, 3))?;
    /// assert_eq!(evaluation.value().to_string(), "13/4"); // (3 + 7/2) / 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn weigh(&self, state: &G::State, actions: &[G::Action], weights: &mut [u64]);
}

impl<G, F> Policy<G> for F
where
    G: Game + ?Sized,
    F: Fn(&G::State, &[G::Action]) -> usize,
{
    fn weigh(&self, state: &G::State, actions: &[G::Action], weights: &mut [u64]) {
        // An index beyond the last action leaves all weights at zero.
        if let Some(weight) = weights.get_mut(self(state, actions)) {
            *weight = 1;
        }
    }
}

/// Takes every action with the same probability: the player without a plan.
///
/// # Examples
/// A 5 is kept or rolled again:
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::AtRandom;
/// let evaluation = Solver::exact().evaluate(&KeepOrRoll, AtRandom, (1, 5))?;
/// assert_eq!(evaluation.value().to_string(), "17/4"); // (5 + 7/2) / 2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtRandom;

impl<G: Game + ?Sized> Policy<G> for AtRandom {
    fn weigh(&self, _: &G::State, _: &[G::Action], weights: &mut [u64]) {
        weights.fill(1);
    }
}

/// A game in which the decisions of one player, or of both, are made by a policy.
///
/// Solving it evaluates the policy, so every query that a [`Solution`](crate::Solution) answers can
/// be asked about any policy. In a game for two, the policy plays for the player. The opponent's
/// choices are left as they are, so that it finds the best reply. See
/// [`by_opponent`](Played::by_opponent) and [`by_both`](Played::by_both) for the alternatives.
///
/// # Examples
/// A player who tosses a coin to decide whether to keep a 5 ends with a 5 in 7 of 12 games:
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{AtRandom, Played};
/// let played = Played::new(&KeepOrRoll, AtRandom);
/// let solution = Solver::exact().solve(&played, (1, 5))?;
/// let ends = solution.forecast()?.ends_by(|end| end.1)?;
/// assert_eq!(ends.p(&5).to_string(), "7/12"); // 1/2 + 1/2 · 1/6
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Played<'g, G: ?Sized, P> {
    game: &'g G,
    policy: P,
    /// The player whose decisions the policy makes, or `None` for both.
    by: Option<Player>,
}

// Not derived, since the game need not be cloned.
impl<G: ?Sized, P: Copy> Copy for Played<'_, G, P> {}

impl<G: ?Sized, P: Clone> Clone for Played<'_, G, P> {
    fn clone(&self) -> Self {
        Played {
            game: self.game,
            policy: self.policy.clone(),
            by: self.by,
        }
    }
}

impl<'g, G: Game + ?Sized, P: Policy<G>> Played<'g, G, P> {
    /// Creates `game` as played by `policy`.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{AtRandom, Game, Node, Played, Solver};
    /// # struct Doors;
    /// # impl Game for Doors {
    /// #     type State = u8;
    /// #     type Action = char;
    /// #     fn expand(&self, &door: &u8, node: &mut Node<Self>) {
    /// #         if door > 0 { return node.end(door); }
    /// #         node.choice('a').to(1, 1);
    /// #         node.choice('b').to(2, 3).to(4, 1);
    /// #     }
    /// # }
    /// let played = Played::new(&Doors, AtRandom);
    /// assert_eq!(Node::of(&played, &0)?.outcomes(0), [(1, 4), (2, 3), (4, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: &'g G, policy: P) -> Self {
        Played {
            game,
            policy,
            by: Some(Player::Max),
        }
    }

    /// Lets the policy play for the opponent. The player finds the best reply.
    ///
    /// # Examples
    /// The player takes 1, or lets the opponent give 0 or 3:
    /// ```
    /// use oddsmith_mdp::{Game, Node, Played, Solver};
    ///
    /// struct Trust;
    /// impl Game for Trust {
    ///     type State = &'static str;
    ///     type Action = &'static str;
    ///     fn expand(&self, &state: &&'static str, node: &mut Node<Self>) {
    ///         match state {
    ///             "start" => {
    ///                 node.choice("take").to("1", 1);
    ///                 node.choice("leave").to("trust", 1);
    ///             }
    ///             "trust" => {
    ///                 node.opponent();
    ///                 node.choice("give").to("3", 1);
    ///                 node.choice("keep").to("0", 1);
    ///             }
    ///             score => node.end(score.parse::<i64>().unwrap_or(0)),
    ///         }
    ///     }
    /// }
    /// let last = |_: &&'static str, actions: &[&str]| actions.len() - 1;
    /// let first = |_: &&'static str, _: &[&str]| 0;
    /// let trusting = Played::new(&Trust, last); // the opponent keeps
    /// assert_eq!(Solver::exact().solve_owned(trusting, "start")?.value().to_string(), "0");
    /// let generous = Played::new(&Trust, first).by_opponent(); // is trusted
    /// assert_eq!(Solver::exact().solve_owned(generous, "start")?.value().to_string(), "3");
    /// let both = Played::new(&Trust, first).by_both(); // takes at once
    /// assert_eq!(Solver::exact().solve_owned(both, "start")?.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn by_opponent(self) -> Self {
        Played {
            by: Some(Player::Min),
            ..self
        }
    }

    /// Lets the policy make the decisions of both players.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Played, Solver, Table};
    /// let gift = Table::from_fn(3, |state, row| match state {
    ///     0 | 1 => row.end(state),
    ///     _ => {
    ///         row.opponent().choice().to(0, 1);
    ///         row.choice().to(1, 1);
    ///     }
    /// })?;
    /// let last = |_: &usize, actions: &[usize]| actions.len() - 1;
    /// let both = Played::new(&gift, last).by_both();
    /// assert_eq!(Solver::exact().solve(&both, 2)?.value().to_string(), "1");
    /// let one = Played::new(&gift, last); // the opponent gives nothing
    /// assert_eq!(Solver::exact().solve(&one, 2)?.value().to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn by_both(self) -> Self {
        Played { by: None, ..self }
    }

    fn decided_by_policy(&self, player: Player) -> bool {
        self.by.is_none_or(|by| by == player)
    }
}

impl<G: Game + ?Sized, P: Policy<G>> Game for Played<'_, G, P> {
    type State = G::State;
    type Action = G::Action;

    fn describe(&self, state: &G::State) -> String {
        self.game.describe(state)
    }

    fn expand(&self, state: &G::State, node: &mut Node<Self>) {
        let Some(inner) = node.inner_going_on(self.game, state) else {
            return;
        };
        let mut weights = vec![0; inner.len()];
        let actions: Vec<G::Action> = (0..inner.len())
            .filter_map(|choice| inner.action(choice).cloned())
            .collect();
        if actions.is_empty() {
            weights.fill(1);
        } else if !self.decided_by_policy(inner.player()) {
            return node.choices_of(&inner, Clone::clone);
        } else {
            self.policy.weigh(state, &actions, &mut weights);
        }
        if mix(&inner, &weights, node).is_none() {
            node.undecided();
        }
    }
}

/// Returns the greatest common divisor of weights, and their sum after division by it; `None` if
/// they are all zero or the sum overflows.
pub(crate) fn lowest_terms(weights: &[u64]) -> Option<(u64, u64)> {
    let divisor = weights.iter().fold(0_u64, |gcd, weight| gcd.gcd(weight));
    let mut parts = weights.iter().map(|weight| weight.checked_div(divisor));
    let sum = parts.try_fold(0_u64, |sum, part| sum.checked_add(part?))?;
    (sum > 0).then_some((divisor, sum))
}

/// Writes the mixture of the choices of `from` as one chance move; returns `None` if the weights
/// are all zero or their sum overflows.
fn mix<G: Game + ?Sized, H: Game<State = G::State> + ?Sized>(
    from: &Node<G>,
    weights: &[u64],
    to: &mut Node<H>,
) -> Option<()> {
    let taken = || (0..from.len()).filter(|&choice| weights[choice] > 0);
    let (divisor, sum) = lowest_terms(weights)?;
    let narrow = taken().all(|choice| from.wide(choice).is_none());
    let common = taken().try_fold(1_u64, |lcm, choice| {
        let total = from.total(choice).max(1);
        (lcm / lcm.gcd(&total)).checked_mul(total)
    });
    // The total of the mixture: if it does not overflow, nothing below does.
    let common = common.filter(|&common| narrow && sum.checked_mul(common).is_some());
    let mut chance = to.chance();
    if !from.rewards.is_empty() {
        // The weighted mean of the rewards.
        let mut mean = BigRational::zero();
        for choice in taken() {
            // A reward that is not a number has been refused earlier.
            if let Some(reward) = from.reward(choice).and_then(Score::to_ratio) {
                mean += reward * BigInt::from(weights[choice] / divisor);
            }
        }
        chance.reward(mean / BigInt::from(sum));
    }
    if let Some(common) = common {
        for choice in taken() {
            let factor = weights[choice] / divisor * (common / from.total(choice));
            for (state, weight) in from.outcomes(choice) {
                chance.to(state.clone(), weight * factor);
            }
        }
        return Some(());
    }
    let mut common = BigUint::one();
    for choice in taken() {
        cover(&mut common, &from.wide_total(choice));
    }
    for choice in taken() {
        let factor = &common / from.wide_total(choice) * (weights[choice] / divisor);
        for (state, weight) in from.wide_outcomes(choice) {
            chance.to_wide(state.clone(), weight * &factor);
        }
    }
    Some(())
}

impl<G: Ranked + ?Sized, P: Policy<G>> Ranked for Played<'_, G, P> {
    fn rank(&self, state: &G::State) -> u64 {
        self.game.rank(state)
    }
}

impl<G: Indexed + ?Sized, P: Policy<G>> Indexed for Played<'_, G, P> {
    fn size(&self) -> usize {
        self.game.size()
    }

    fn index(&self, state: &G::State) -> usize {
        self.game.index(state)
    }

    fn state(&self, index: usize) -> G::State {
        self.game.state(index)
    }

    fn stands_for(&self, index: usize, state: &G::State) -> bool {
        self.game.stands_for(index, state)
    }
}
