//! The page that `expand` writes on: the choices of one state and their outcomes.

mod reading;

use std::fmt;

use crate::choice::WideWeights;
use crate::limits::Limits;
use crate::{Choice, Error, Game, Player, Score};

/// The page on which [`Game::expand`] writes what can happen in one state.
///
/// For each state, [`expand`](Game::expand) calls [`end`](Node::end) once, or
/// [`chance`](Node::chance) once, or [`choice`](Node::choice) once for each option of the player.
/// One node is reused for all states, so writing allocates nothing once its buffers have grown.
///
/// # Examples
/// A node can also be read without a solver, to test the rules themselves:
/// ```
/// use oddsmith_mdp::{Game, Node};
///
/// struct Coin;
/// impl Game for Coin {
///     type State = u8;
///     type Action = &'static str;
///     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
///         if state > 0 {
///             return node.end(state - 1);
///         }
///         node.choice("toss").to(1, 1).to(2, 1);
///     }
/// }
///
/// let node = Node::of(&Coin, &0)?;
/// assert_eq!(node.outcomes(0), [(1, 1), (2, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Node<G: Game + ?Sized> {
    end: Option<Score>,
    pub(crate) choices: Vec<Written<G::Action>>,
    pub(crate) outcomes: Vec<(G::State, u64)>,
    /// Weights that are not machine words, with the choices that they belong to. They are stored
    /// separately, since most games have none.
    pub(crate) wide: Vec<(usize, WideWeights)>,
    /// The rewards of choices, with the numbers of those choices in ascending order. Most games pay
    /// only at the end.
    pub(crate) rewards: Vec<(usize, Score)>,
    player: Player,
    pub(crate) fault: Option<Fault>,
    /// The maximum number of outcomes.
    pub(crate) most: usize,
}

/// One choice on the page. Its outcomes run from `start` to the `start` of the next choice.
pub(crate) struct Written<A> {
    /// `None` marks a chance node, where nobody decides.
    action: Option<A>,
    pub(crate) start: usize,
    /// `u64::MAX` if the weights are wide. Adding to it then overflows, and the overflow handler
    /// takes care of the wide weights.
    pub(crate) total: u64,
}

/// What is wrong with the page. The solver adds the state.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    EndedTwice,
    EndAndChoices,
    ChanceAndChoices,
    Overflow(usize),
    Reward(usize),
    Policy,
    /// There are more outcomes than the limit allows.
    Full,
    Refused(String),
    /// Found while expanding the game that this one is derived from.
    Inner(Box<Error>),
}

impl<G: Game + ?Sized> Node<G> {
    pub(crate) fn new() -> Self {
        Node {
            end: None,
            choices: Vec::new(),
            outcomes: Vec::new(),
            wide: Vec::new(),
            rewards: Vec::new(),
            player: Player::Max,
            fault: None,
            most: Limits::default().room(size_of::<(G::State, u64)>(), 0),
        }
    }

    /// Returns what `game` writes about `state`, checked.
    ///
    /// # Errors
    /// Those of a malformed state: neither an end nor a choice, or both; a choice without outcomes;
    /// a weight that overflows; a score that is not a number. [`Error::OutcomesOutgrow`] for more
    /// than a billion outcomes, or more than fit into 4 GiB ([`of_within`](Node::of_within) sets
    /// another limit).
    ///
    /// # Examples
    /// With one roll left and a 6 showing, the 6 is kept or rolled again:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let node = Node::of(&KeepOrRoll, &(1, 6))?;
    /// assert_eq!(node.len(), 2);
    /// assert_eq!(node.outcomes(0), [((0, 6), 1)]);
    /// assert_eq!(node.total(1), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(game: &G, state: &G::State) -> Result<Self, Error> {
        let mut node = Node::new();
        node.fill(game, state)?;
        Ok(node)
    }

    /// Does the same as [`of`](Node::of), with at most this many outcomes over all choices.
    ///
    /// A game that expands another game passes on its own [`room`](Node::room).
    ///
    /// # Errors
    /// The same as for [`of`](Node::of), with this limit.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Error, Game, Node};
    /// struct Dice; // six of them, one by one in a row
    /// impl Game for Dice {
    ///     type State = u32;
    ///     type Action = ();
    ///     fn expand(&self, _: &u32, node: &mut Node<Self>) {
    ///         node.chance().to_all((0..6_u32.pow(6)).map(|rolled| (rolled, 1)));
    ///     }
    /// }
    /// assert_eq!(Node::of_within(&Dice, &0, 46_656)?.total(0), 46_656);
    /// let error = Node::of_within(&Dice, &0, 1_000).err();
    /// let state = "0".to_owned();
    /// assert_eq!(error, Some(Error::OutcomesOutgrow { state, done: 0, limit: 1_000 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_within(game: &G, state: &G::State, max_outcomes: usize) -> Result<Self, Error> {
        let mut node = Node::new();
        node.most = max_outcomes;
        node.fill(game, state)?;
        Ok(node)
    }

    /// Returns what `game` writes about a state that has been solved. Its outcomes were counted at
    /// that time.
    pub(crate) fn solved(game: &G, state: &G::State) -> Result<Self, Error> {
        Node::of_within(game, state, usize::MAX)
    }

    /// Returns how many more outcomes fit, by the limits of the caller.
    ///
    /// Outcomes beyond that are dropped, and the expansion ends in [`Error::OutcomesOutgrow`] (or
    /// in [`Error::TooMuchMemory`]). A loop that writes very many outcomes may stop here.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// struct Coin;
    /// impl Game for Coin {
    ///     type State = u8;
    ///     type Action = ();
    ///     fn expand(&self, _: &u8, node: &mut Node<Self>) {
    ///         node.chance().to(0, 1).to(1, 1);
    ///     }
    /// }
    /// assert_eq!(Node::of_within(&Coin, &0, 10)?.room(), 8);
    /// assert!(Node::of_within(&Coin, &0, 1).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn room(&self) -> usize {
        self.most.saturating_sub(self.outcomes.len())
    }

    /// Returns whether this many more outcomes fit, and records a fault if not.
    #[inline]
    pub(crate) fn fits(&mut self, outcomes: usize) -> bool {
        let fits = outcomes <= self.room();
        if !fits {
            self.overflow();
        }
        fits
    }

    /// Records that there were more outcomes than fit. The outcomes themselves are not kept.
    #[cold]
    pub(crate) fn overflow(&mut self) {
        self.fault.get_or_insert(Fault::Full);
    }

    /// Clears the page, lets `game` write on it and checks the result.
    pub(crate) fn fill(&mut self, game: &G, state: &G::State) -> Result<(), Error> {
        self.end = None;
        self.choices.clear();
        self.outcomes.clear();
        self.wide.clear();
        self.rewards.clear();
        self.player = Player::Max;
        self.fault = None;
        game.expand(state, self);
        self.check(game, state)
    }

    fn check(&self, game: &G, state: &G::State) -> Result<(), Error> {
        let malformed = |what| Error::Malformed {
            state: game.describe(state),
            what,
        };
        match &self.fault {
            None => {}
            Some(Fault::Inner(error)) => return Err((**error).clone()),
            Some(Fault::EndedTwice) => return Err(malformed("it ends twice")),
            Some(Fault::EndAndChoices) => return Err(malformed("it ends and has choices")),
            Some(Fault::ChanceAndChoices) => {
                return Err(malformed("it is left to chance and has other choices"));
            }
            Some(Fault::Overflow(choice)) => {
                return Err(Error::WeightOverflow {
                    state: game.describe(state),
                    action: self.label(*choice),
                });
            }
            Some(Fault::Reward(choice)) => {
                return Err(Error::BadReward {
                    state: game.describe(state),
                    action: self.label(*choice),
                });
            }
            Some(Fault::Full) => {
                return Err(Error::OutcomesOutgrow {
                    state: game.describe(state),
                    done: 0,
                    limit: self.most,
                });
            }
            Some(Fault::Refused(why)) => {
                return Err(Error::Refused {
                    state: game.describe(state),
                    why: why.clone(),
                });
            }
            Some(Fault::Policy) => {
                return Err(Error::NoDecision {
                    state: game.describe(state),
                });
            }
        }
        if let Some(score) = &self.end {
            return if score.is_valid() {
                Ok(())
            } else {
                Err(Error::BadScore {
                    state: game.describe(state),
                })
            };
        }
        if self.choices.is_empty() {
            return Err(Error::DeadEnd {
                state: game.describe(state),
            });
        }
        if u32::try_from(self.outcomes.len()).is_err() {
            return Err(malformed("it has 2^32 outcomes or more"));
        }
        if let Some(empty) = self.choices.iter().position(|choice| choice.total == 0) {
            return Err(Error::NoOutcome {
                state: game.describe(state),
                action: self.label(empty),
            });
        }
        Ok(())
    }

    pub(crate) fn label(&self, choice: usize) -> String {
        match self.choices.get(choice).and_then(|c| c.action.as_ref()) {
            Some(action) => format!("{action:?}"),
            None => "chance".to_owned(),
        }
    }

    /// Ends the game here with this score.
    ///
    /// # Examples
    /// A score is anything that converts to a rational number:
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// struct Ended;
    /// impl Game for Ended {
    ///     type State = u8;
    ///     type Action = ();
    ///     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    ///         match state {
    ///             0 => node.end(-3),
    ///             1 => node.end((1, 3)),
    ///             _ => node.end(true),
    ///         }
    ///     }
    /// }
    /// assert_eq!(Node::of(&Ended, &1)?.score().map(|s| s.to_string()), Some("1/3".into()));
    /// assert_eq!(Node::of(&Ended, &2)?.score().map(|s| s.to_string()), Some("1".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end(&mut self, score: impl Into<Score>) {
        if self.end.is_some() {
            self.fault.get_or_insert(Fault::EndedTwice);
        } else if !self.choices.is_empty() {
            self.fault.get_or_insert(Fault::EndAndChoices);
        }
        self.end = Some(score.into());
    }

    /// Adds a choice of the player. Its outcomes follow.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// struct Doors;
    /// impl Game for Doors {
    /// #     type State = u8;
    /// #     type Action = &'static str;
    ///     fn expand(&self, &gold: &u8, node: &mut Node<Self>) {
    ///         if gold > 0 { return node.end(gold); }
    ///         node.choice("left").to(3, 1);
    ///         node.choice("right").to(1, 1).to(4, 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve(&Doors, 0)?;
    /// assert_eq!(solution.decision(&0)?, Some("left")); // the right one is worth 5/2
    /// assert_eq!(solution.value().to_string(), "3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn choice(&mut self, action: G::Action) -> Choice<'_, G> {
        // A chance node written earlier has already recorded this fault.
        if self.choices.first().is_some_and(|c| c.action.is_none()) {
            self.fault.get_or_insert(Fault::ChanceAndChoices);
        }
        self.begin(Some(action))
    }

    /// Makes this a chance node, where nobody decides. Its outcomes follow.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// struct Lot;
    /// impl Game for Lot {
    /// #     type State = u8;
    /// #     type Action = ();
    ///     fn expand(&self, &gold: &u8, node: &mut Node<Self>) {
    ///         if gold > 0 { return node.end(gold); }
    ///         node.chance().to(1, 9).to(21, 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve(&Lot, 0)?;
    /// assert_eq!(solution.value().to_string(), "3"); // (9 · 1 + 21) / 10
    /// assert_eq!(solution.decision(&0)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn chance(&mut self) -> Choice<'_, G> {
        if !self.choices.is_empty() {
            self.fault.get_or_insert(Fault::ChanceAndChoices);
        }
        self.begin(None)
    }

    #[inline]
    fn begin(&mut self, action: Option<G::Action>) -> Choice<'_, G> {
        if self.end.is_some() {
            self.fault.get_or_insert(Fault::EndAndChoices);
        }
        // Each choice leads somewhere, or the page is refused in the end. The first has its place
        // in any case, since whatever follows is written to the last one.
        if self.choices.len() > self.most {
            self.overflow();
            return Choice::new(self);
        }
        self.choices.push(Written {
            action,
            start: self.outcomes.len(),
            total: 0,
        });
        Choice::new(self)
    }

    /// Leaves the decision to the opponent, who wants the lowest expected score.
    ///
    /// This applies to the whole state and may be called before or after its choices. It has no
    /// effect where the game ends or chance moves.
    ///
    /// # Examples
    /// The player bids 1 or 2. The opponent takes half of the bid or tosses a coin for all of it:
    /// ```
    /// use oddsmith_mdp::{Game, Node, Player, Solver};
    ///
    /// struct Bid;
    /// impl Game for Bid {
    ///     type State = (u8, bool); // the bid, whether this is the end
    ///     type Action = &'static str;
    ///     fn expand(&self, &(bid, end): &(u8, bool), node: &mut Node<Self>) {
    ///         if end {
    ///             return node.end(bid);
    ///         }
    ///         match bid {
    ///             0 => {
    ///                 node.choice("1").to((1, false), 1);
    ///                 node.choice("2").to((2, false), 1);
    ///             }
    ///             _ => {
    ///                 node.opponent();
    ///                 node.choice("half").to((bid / 2, true), 1);
    ///                 node.choice("toss").to((0, true), 1).to((bid, true), 1);
    ///             }
    ///         }
    ///     }
    /// }
    /// assert_eq!(Node::of(&Bid, &(1, false))?.player(), Player::Min);
    /// let solution = Solver::exact().solve(&Bid, (0, false))?;
    /// assert_eq!(solution.value().to_string(), "1");
    /// assert_eq!(solution.best(&(2, false))?, ["half", "toss"]);
    /// assert_eq!(solution.value_of(&(1, false))?.to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn opponent(&mut self) -> &mut Self {
        self.player = Player::Min;
        self
    }

    /// Returns who decides in this state. It has no meaning where there is no decision.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Node, Player, Table};
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     0 => row.end(1),
    ///     1 => {
    ///         row.opponent().choice().to(0, 1);
    ///     }
    ///     _ => {
    ///         row.choice().to(1, 1);
    ///     }
    /// })?;
    /// assert_eq!(Node::of(&table, &1)?.player(), Player::Min);
    /// assert_eq!(Node::of(&table, &2)?.player(), Player::Max);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn player(&self) -> Player {
        self.player
    }

    pub(crate) fn set_player(&mut self, player: Player) {
        self.player = player;
    }

    /// Records that a policy made no decision for this state.
    pub(crate) fn undecided(&mut self) {
        self.blame(Fault::Policy);
    }

    /// Refuses this state: the game cannot be played from here. Solving it ends in
    /// [`Error::Refused`], whatever else is written about the state. The first of several reasons
    /// is reported.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Game, Node, Solver};
    ///
    /// struct Doubling;
    /// impl Game for Doubling {
    ///     type State = u8;
    ///     type Action = ();
    ///     fn expand(&self, &gold: &u8, node: &mut Node<Self>) {
    ///         match gold.checked_mul(2) {
    ///             Some(double) => {
    ///                 node.chance().to(double, 1);
    ///             }
    ///             None => node.refuse("gold does not fit into 8 bits"),
    ///         }
    ///     }
    /// }
    /// let error = Solver::exact().solve(&Doubling, 1).unwrap_err();
    /// assert_eq!(error.to_string(), "the game refuses state 128: gold does not fit into 8 bits");
    /// ```
    pub fn refuse(&mut self, why: impl Into<String>) {
        self.blame(Fault::Refused(why.into()));
    }

    /// Reports an error of the game that this one is derived from. That game was
    /// [asked](Node::of_within) about its own state and is malformed there; whoever expands this
    /// game gets the same error.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Error, Game, Node, Solver};
    ///
    /// struct Fan;
    /// impl Game for Fan {
    ///     type State = u32;
    ///     type Action = ();
    ///     fn expand(&self, _: &u32, node: &mut Node<Self>) {
    ///         node.chance().to_all((1..).map(|to| (to, 1)));
    ///     }
    /// }
    /// struct Over(Fan); // whatever Fan does first ends it
    /// impl Game for Over {
    ///     type State = Option<u32>;
    ///     type Action = ();
    ///     fn expand(&self, state: &Option<u32>, node: &mut Node<Self>) {
    ///         let Some(state) = state else {
    ///             return node.end(0);
    ///         };
    ///         match Node::of_within(&self.0, state, node.room()) {
    ///             Ok(_) => {
    ///                 node.chance().to(None, 1);
    ///             }
    ///             Err(error) => node.fail(error),
    ///         }
    ///     }
    /// }
    /// let error = Solver::exact().max_outcomes(10).solve(&Over(Fan), Some(7)).err();
    /// let state = "7".to_owned();
    /// assert_eq!(error, Some(Error::OutcomesOutgrow { state, done: 0, limit: 10 }));
    /// ```
    pub fn fail(&mut self, error: Error) {
        self.blame(Fault::Inner(Box::new(error)));
    }

    /// Records a fault, unless the state was refused.
    fn blame(&mut self, fault: Fault) {
        if !matches!(self.fault, Some(Fault::Refused(_))) {
            self.fault = Some(fault);
        }
    }
}

impl<G: Game + ?Sized> fmt::Debug for Node<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(score) = &self.end {
            return write!(f, "end with {score}");
        }
        f.debug_map()
            .entries((0..self.len()).map(|choice| {
                let outcomes: Vec<_> = self.wide_outcomes(choice).collect();
                (self.label(choice), outcomes)
            }))
            .finish()
    }
}
