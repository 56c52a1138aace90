//! Reading the files back into a table.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::lines::{
    Transition, Transitions, common_denominator, labels, state_rewards, sum, transition_rewards,
    transitions,
};
use crate::{Error, Table, TableRow};

/// Reads a model from explicit files of PRISM or Storm.
///
/// The objective of the model must be given: by a label ([`won`](ExplicitReader::won)) or by the
/// rewards of states ([`state_rewards`](ExplicitReader::state_rewards)). The dialect is recognized
/// by the first line of the transitions: `mdp` or `dtmc` for Storm, counts for PRISM. Play ends in
/// absorbing states, and in states without transitions.
///
/// Numbers are read exactly, so `0.1` is a tenth. The sum of the probabilities of a choice may
/// differ from one by 10⁻⁶, as with rounded numbers; each is then divided by the sum. A number may
/// have 5,000 characters, and so may each side of a fraction. Exponents may be up to ±5,000.
/// Anything longer is not accepted as a number.
///
/// # Examples
/// Gambler's ruin as a Markov chain, 3 of 4 in hand:
/// ```
/// use oddsmith_mdp::{ExplicitReader, Solver};
///
/// let transitions = "dtmc\n0 0 1\n1 0 0.5\n1 2 0.5\n2 1 0.5\n2 3 0.5\n3 2 0.5\n3 4 0.5\n4 4 1\n";
/// let labels = "#DECLARATION\ninit rich\n#END\n3 init\n4 rich\n";
/// let read = ExplicitReader::new(transitions).labels(labels).won("rich").read()?;
/// assert_eq!(read.start, 3);
/// let solution = Solver::exact().allow_cycles().solve_table(&read.table, read.start)?;
/// assert_eq!(solution.value().to_string(), "3/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExplicitReader<'t> {
    transitions: &'t str,
    labels: Option<&'t str>,
    won: Option<&'t str>,
    state_rewards: Option<&'t str>,
    transition_rewards: Option<&'t str>,
    minimized: bool,
    opponent: Option<&'t str>,
}

/// A model that was read from files.
///
/// # Examples
/// A coin is tossed in state 2:
/// ```
/// use oddsmith_mdp::{ExplicitModel, ExplicitReader, Solver};
/// let coin = "dtmc\n0 0 1\n1 1 1\n2 0 0.5\n2 1 0.5\n";
/// let labels = "#DECLARATION\ninit heads\n#END\n1 heads\n2 init\n";
/// let read: ExplicitModel = ExplicitReader::new(coin).labels(labels).won("heads").read()?;
/// assert_eq!((read.table.len(), read.start), (3, 2));
/// assert_eq!(read.labels["heads"], [1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct ExplicitModel {
    /// The model. States and choices have the numbers of the files.
    pub table: Table,
    /// The state with the label `init`, or 0.
    pub start: usize,
    /// The states that have each label, in ascending order.
    pub labels: BTreeMap<String, Vec<usize>>,
}

impl<'t> ExplicitReader<'t> {
    /// Creates a reader of a model with these transitions (`.tra`).
    ///
    /// # Examples
    /// The transitions alone do not define a score:
    /// ```
    /// # use oddsmith_mdp::{ExplicitReader, Solver};
    /// let reader = ExplicitReader::new("dtmc\n0 1 0.25\n0 2 0.75\n1 2 1\n2 2 1\n");
    /// assert!(reader.read().is_err());
    /// let read = reader.state_rewards("1 8\n").read()?;
    /// assert_eq!(Solver::exact().solve_table(&read.table, 0)?.value().to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(transitions: &'t str) -> Self {
        ExplicitReader {
            transitions,
            labels: None,
            won: None,
            state_rewards: None,
            transition_rewards: None,
            minimized: false,
            opponent: None,
        }
    }

    /// Sets the labels of the states (`.lab`).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::ExplicitReader;
    /// let labels = "#DECLARATION\ninit red odd\n#END\n0 red\n1 init odd\n3 red odd\n";
    /// let ends = ExplicitReader::new("dtmc\n0 0 1\n1 1 1\n2 2 1\n3 3 1\n");
    /// let read = ends.labels(labels).won("red").read()?;
    /// assert_eq!(read.start, 1);
    /// assert_eq!((&read.labels["red"], &read.labels["odd"]), (&vec![0, 3], &vec![1, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn labels(mut self, labels: &'t str) -> Self {
        self.labels = Some(labels);
        self
    }

    /// Sets the label that wins. Play ends with a score of 1 in the states with this label, and
    /// with 0 in absorbing states without it. The value is the probability of reaching the label.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Error, ExplicitReader, Solver};
    /// let labels = "#DECLARATION\ninit left right\n#END\n0 init\n1 left\n2 right\n";
    /// let reader = ExplicitReader::new("dtmc\n0 1 0.25\n0 2 0.75\n1 1 1\n2 2 1\n").labels(labels);
    /// let chance = |label| {
    ///     let read = reader.won(label).read()?;
    ///     Ok::<_, Error>(Solver::exact().solve_table(&read.table, 0)?.value().to_string())
    /// };
    /// assert_eq!((chance("left")?, chance("right")?), ("1/4".into(), "3/4".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn won(mut self, label: &'t str) -> Self {
        self.won = Some(label);
        self
    }

    /// Sets the rewards of states (`.srew`, Storm: `.state.rew`), which are paid on leaving them.
    ///
    /// The value is the expected total reward until play is absorbed. A state whose choices all
    /// certainly lead into absorbing states is read as an end with its reward as score.
    ///
    /// # Examples
    /// A coin is tossed until it shows heads, for 3 per toss:
    /// ```
    /// # use oddsmith_mdp::{ExplicitReader, Solver};
    /// let reader = ExplicitReader::new("dtmc\n0 0 0.5\n0 1 0.5\n1 1 1\n");
    /// let read = reader.state_rewards("0 3\n").read()?;
    /// assert_eq!(Solver::exact().solve_table(&read.table, 0)?.value().to_string(), "6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state_rewards(mut self, rewards: &'t str) -> Self {
        self.state_rewards = Some(rewards);
        self
    }

    /// Sets the rewards of transitions (`.trew`, Storm: `.trans.rew`). A choice pays the mean of
    /// the rewards of its transitions.
    ///
    /// # Examples
    /// Two tosses of a coin that pays 3 for heads:
    /// ```
    /// # use oddsmith_mdp::{ExplicitReader, Solver};
    /// let tosses = "mdp\n0 0 1 0.5\n0 0 2 0.5\n1 0 3 1\n2 0 3 0.5\n2 0 4 0.5\n3 0 3 1\n4 0 3 1\n";
    /// let reader = ExplicitReader::new(tosses).transition_rewards("0 0 2 3\n2 0 4 3\n");
    /// let value = Solver::exact().solve_table(&reader.read()?.table, 0)?.value();
    /// assert_eq!(value.to_string(), "9/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn transition_rewards(mut self, rewards: &'t str) -> Self {
        self.transition_rewards = Some(rewards);
        self
    }

    /// Makes all decisions the opponent's, who wants the lowest value: `Rmin` instead of `Rmax`, and
    /// `Pmin` instead of `Pmax` if all play ends. Model checkers let the opponent go on for ever, in
    /// which case nothing is won; this crate does not.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{ExplicitReader, Solver};
    /// let transitions = "mdp\n0 0 1 1\n0 1 1 0.5\n0 1 2 0.5\n1 0 1 1\n2 0 2 1\n";
    /// let labels = "#DECLARATION\ninit won\n#END\n0 init\n1 won\n";
    /// let reader = ExplicitReader::new(transitions).labels(labels).won("won");
    /// let most = Solver::exact().solve_table(&reader.read()?.table, 0)?.value();
    /// let least = Solver::exact().solve_table(&reader.minimized().read()?.table, 0)?.value();
    /// assert_eq!((most.to_string(), least.to_string()), ("1".into(), "1/2".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn minimized(mut self) -> Self {
        self.minimized = true;
        self
    }

    /// Makes the decisions in the states with this label the opponent's, who may not go on for ever
    /// either.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{ExplicitReader, Solver};
    /// let transitions = "mdp\n0 0 1 1\n0 1 2 1\n1 0 1 1\n2 0 2 1\n";
    /// let labels = "#DECLARATION\nwon his\n#END\n0 his\n1 won\n";
    /// let reader = ExplicitReader::new(transitions).labels(labels).won("won");
    /// let value = Solver::exact().solve_table(&reader.opponent("his").read()?.table, 0)?.value();
    /// assert_eq!(value.to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn opponent(mut self, label: &'t str) -> Self {
        self.opponent = Some(label);
        self
    }

    /// Reads the model.
    ///
    /// # Errors
    /// [`Error::BadText`] with the file and the line; [`Error::BadFiles`] if there is neither a
    /// label nor rewards that define a score.
    ///
    /// # Complexity
    /// O(n log n) in the number of transitions; less if they are in order.
    ///
    /// # Examples
    /// An error states the line that cannot be read:
    /// ```
    /// # use oddsmith_mdp::{ExplicitReader, Solver};
    /// let read = ExplicitReader::new("dtmc\n0 1 1\n1 1 1\n").state_rewards("0 5\n").read()?;
    /// assert_eq!(Solver::exact().solve_table(&read.table, 0)?.value().to_string(), "5");
    /// let error = ExplicitReader::new("dtmc\n0 1 1\n1 1 one\n").read().err();
    /// let text = "line 3 of the transitions: \"one\" is not a probability";
    /// assert_eq!(error.map(|error| error.to_string()), Some(text.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(&self) -> Result<ExplicitModel, Error> {
        let Transitions {
            dialect,
            chosen,
            states,
            lines,
        } = transitions(self.transitions)?;
        let labels = match self.labels {
            Some(text) => labels(text, dialect, states)?,
            None => BTreeMap::new(),
        };
        let bad = |what: String| Error::BadFiles { what };
        let labelled = |label: &str| match labels.get(label) {
            Some(states) => Ok(states.clone()),
            None => {
                let known: Vec<&str> = labels.keys().map(String::as_str).collect();
                let known = match known[..] {
                    [] => "there are no labels".to_owned(),
                    _ => format!("the labels are {}", known.join(", ")),
                };
                Err(bad(format!("there is no label \"{label}\"; {known}")))
            }
        };
        let opponents = self.opponent.map_or(Ok(Vec::new()), labelled)?;
        let paid = self.state_rewards.is_some() || self.transition_rewards.is_some();
        let scores = match self.won {
            Some(_) if paid => {
                return Err(bad(
                    "the scores must be a label or rewards, not both".to_owned()
                ));
            }
            Some(label) => Scores::Label(labelled(label)?),
            None if !paid => {
                return Err(bad(
                    "there are no scores; give a label or rewards".to_owned()
                ));
            }
            None => Scores::Rewards {
                states: match self.state_rewards {
                    Some(text) => state_rewards(text, dialect, states)?,
                    None => BTreeMap::new(),
                },
                transitions: match self.transition_rewards {
                    Some(text) => transition_rewards(text, (dialect, chosen), states)?,
                    None => BTreeMap::new(),
                },
            },
        };
        let start = match labels.get("init").map(Vec::as_slice) {
            None | Some([]) => 0,
            Some([start]) => *start,
            Some(several) => {
                return Err(bad(format!(
                    "a game must have 1 start, got {} states with the label \"init\"",
                    several.len()
                )));
            }
        };
        if let Scores::Rewards { transitions, .. } = &scores {
            let place = |line: &Transition| (line.state, line.choice, line.next);
            let known = |paid| lines.binary_search_by(|line| place(line).cmp(paid)).is_ok();
            if let Some((state, choice, next)) = transitions.keys().find(|paid| !known(paid)) {
                return Err(bad(format!(
                    "there is a reward for choice {choice} of state {state} leading to {next}, but no such transition"
                )));
            }
        }
        let table = self.table(states, &lines, &scores, &opponents)?;
        Ok(ExplicitModel {
            table,
            start,
            labels,
        })
    }

    fn table(
        &self,
        states: usize,
        lines: &[Transition],
        scores: &Scores,
        opponents: &[usize],
    ) -> Result<Table, Error> {
        let mut rows = vec![0..0; states];
        let mut from = 0;
        for of in lines.chunk_by(|a, b| a.state == b.state) {
            rows[of[0].state] = from..from + of.len();
            from += of.len();
        }
        let absorbing: Vec<bool> = (0..states)
            .map(|state| {
                lines[rows[state].clone()]
                    .iter()
                    .all(|line| line.next == state)
            })
            .collect();
        let mut fault = None;
        let nothing = BigRational::zero();
        let table = Table::from_fn(states, |state, row| {
            let lines = &lines[rows[state].clone()];
            let (own, paid) = match scores {
                Scores::Label(won) if won.binary_search(&state).is_ok() => return row.end(1),
                Scores::Label(_) => (&nothing, None),
                Scores::Rewards {
                    states,
                    transitions,
                } => (states.get(&state).unwrap_or(&nothing), Some(transitions)),
            };
            let paid = |line: &Transition| paid?.get(&(state, line.choice, line.next));
            if absorbing[state] {
                let pays = lines.iter().find_map(paid);
                if let Some(pays) = pays.or(Some(own).filter(|own| !own.is_zero())) {
                    fault.get_or_insert_with(|| {
                        format!("state {state} is never left and pays {pays} for ever")
                    });
                }
                return row.end(0);
            }
            let ends = |line: &Transition| {
                absorbing[line.next] && line.chance.is_one() && paid(line).is_none()
            };
            if matches!(scores, Scores::Rewards { .. }) && lines.iter().all(ends) {
                return row.end(own.clone());
            }
            if self.minimized || opponents.binary_search(&state).is_ok() {
                row.opponent();
            }
            for choice in lines.chunk_by(|a, b| a.choice == b.choice) {
                write(choice, row);
                let shares = choice
                    .iter()
                    .filter_map(|line| Some(&line.chance * paid(line)?));
                let shares: Vec<BigRational> = shares.collect();
                let chances = choice.iter().map(|line| &line.chance);
                let (Some(shares), Some(chances)) = (sum(shares.iter()), sum(chances)) else {
                    fault.get_or_insert_with(|| {
                        format!("the rewards of state {state} have too many digits in all")
                    });
                    continue;
                };
                // Adding zero to a long number would take as long as adding another long one.
                let reward = match shares.is_zero() {
                    true => own.clone(),
                    false => own + shares / chances,
                };
                if !reward.is_zero() {
                    row.reward(reward);
                }
            }
        })?;
        match fault {
            Some(what) => Err(Error::BadFiles { what }),
            None => Ok(table),
        }
    }
}

/// The objective of the model.
enum Scores {
    /// A score of 1 in these states.
    Label(Vec<usize>),
    /// The rewards that are paid, except those that are zero.
    Rewards {
        states: BTreeMap<usize, BigRational>,
        /// By state, choice and next state.
        transitions: BTreeMap<(usize, usize, usize), BigRational>,
    },
}

/// Writes a choice whose probabilities add up to about one.
fn write(lines: &[Transition], row: &mut TableRow<'_>) {
    row.choice();
    // A common denominator exists, since the probabilities were added up before.
    let common = common_denominator(lines.iter().map(|line| &line.chance)).unwrap_or_default();
    let weights: Vec<BigUint> = lines
        .iter()
        .map(|line| {
            (line.chance.numer() * (&common / line.chance.denom()))
                .magnitude()
                .clone()
        })
        .collect();
    let shared = weights
        .iter()
        .fold(BigUint::ZERO, |gcd, weight| gcd.gcd(weight));
    let total: BigUint = weights.iter().sum();
    let narrow = (total / &shared).to_u64().is_some();
    for (line, weight) in lines.iter().zip(weights) {
        let weight = weight / &shared;
        match weight.to_u64() {
            Some(weight) if narrow => row.to(line.next, weight),
            _ => row.to_wide(line.next, weight),
        };
    }
}
