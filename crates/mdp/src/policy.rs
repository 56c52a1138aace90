//! Ways of playing, and games played in a fixed way.

use num_integer::Integer;

use crate::{Game, Indexed, Node};

/// A way of playing: which action to take in each state.
///
/// A closure from the state and its actions to the number of the action taken
/// is a policy. Implement the trait itself for a policy that mixes actions at
/// random.
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
    /// Writes the weight of each action; all are zero at first.
    ///
    /// The actions come in the order of `expand`, states left to chance are
    /// never asked about. Leaving all weights at zero, or weights whose sum or
    /// common denominator with the outcomes passes 2⁶⁴, ends in
    /// [`Error::NoDecision`](crate::Error::NoDecision).
    ///
    /// # Examples
    /// See `Mixed` in the example of [`Policy`].
    fn weigh(&self, state: &G::State, actions: &[G::Action], weights: &mut [u64]);
}

impl<G, F> Policy<G> for F
where
    G: Game + ?Sized,
    F: Fn(&G::State, &[G::Action]) -> usize,
{
    fn weigh(&self, state: &G::State, actions: &[G::Action], weights: &mut [u64]) {
        // A number beyond the last action leaves all weights at zero.
        if let Some(weight) = weights.get_mut(self(state, actions)) {
            *weight = 1;
        }
    }
}

/// Every action with the same probability: the player without a plan.
///
/// # Examples
/// See [`Policy`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtRandom;

impl<G: Game + ?Sized> Policy<G> for AtRandom {
    fn weigh(&self, _: &G::State, _: &[G::Action], weights: &mut [u64]) {
        weights.fill(1);
    }
}

/// A game in which the player's decisions have been made: all chance is left.
///
/// Solving it evaluates the policy, so everything a
/// [`Solution`](crate::Solution) answers is answered for any policy too.
///
/// # Examples
/// See [`Solver::evaluate`](crate::Solver::evaluate).
#[derive(Clone, Copy, Debug)]
pub struct Played<'g, G: ?Sized, P> {
    game: &'g G,
    policy: P,
}

impl<'g, G: Game + ?Sized, P: Policy<G>> Played<'g, G, P> {
    /// `game` as `policy` plays it.
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
        Played { game, policy }
    }
}

impl<G: Game + ?Sized, P: Policy<G>> Game for Played<'_, G, P> {
    type State = G::State;
    type Action = G::Action;

    fn expand(&self, state: &G::State, node: &mut Node<Self>) {
        let mut inner = Node::<G>::new();
        if let Err(error) = inner.fill(self.game, state) {
            return node.fail(error);
        }
        if let Some(score) = inner.score() {
            return node.end(score.clone());
        }
        let mut weights = vec![0; inner.len()];
        let actions: Vec<G::Action> = (0..inner.len())
            .filter_map(|choice| inner.action(choice).cloned())
            .collect();
        if actions.is_empty() {
            weights.fill(1);
        } else {
            self.policy.weigh(state, &actions, &mut weights);
        }
        if mix(&inner, &weights, node).is_none() {
            node.undecided();
        }
    }
}

/// Writes the mixture of the choices of `from` as one chance move; `None` if
/// the weights are all zero or something overflows.
fn mix<G: Game + ?Sized, H: Game<State = G::State> + ?Sized>(
    from: &Node<G>,
    weights: &[u64],
    to: &mut Node<H>,
) -> Option<()> {
    let taken = || (0..from.len()).filter(|&choice| weights[choice] > 0);
    let common = taken().try_fold(1_u64, |lcm, choice| {
        let total = from.total(choice);
        (lcm / lcm.gcd(&total)).checked_mul(total)
    })?;
    let divisor = taken().fold(0_u64, |gcd, choice| gcd.gcd(&weights[choice]));
    let sum = taken().try_fold(0_u64, |sum, choice| {
        sum.checked_add(weights[choice] / divisor)
    })?;
    // The total of the mixture: nothing below can overflow if this does not.
    if sum.checked_mul(common)? == 0 {
        return None;
    }
    let mut chance = to.chance();
    for choice in taken() {
        let factor = weights[choice] / divisor * (common / from.total(choice));
        for (state, weight) in from.outcomes(choice) {
            chance.to(state.clone(), weight * factor);
        }
    }
    Some(())
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
}
