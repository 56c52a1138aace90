//! The most likely line of play.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fmt;

use num_bigint::BigUint;
use num_traits::{FromPrimitive, One, ToPrimitive, Zero};
use oddsmith_dice::Weight;

use crate::model::{Model, Scratch};
use crate::number::{Mass, Store};
use crate::odds::Amount;
use crate::{Error, Game, Node, Number, Readable, Solution};

/// One way in which a game can go under the decided play, from the start to an end.
///
/// # Examples
/// Two tosses of a coin that shows heads two times in three. Tails ends the game:
/// ```
/// # use oddsmith_mdp::{Solver, Table};
/// # let coin = Table::from_fn(4, |state, row| match state {
/// #     0 | 1 => row.end(state),
/// #     toss => { row.choice().to(toss - 1, 2).to(0, 1); }
/// # })?;
/// let solution = Solver::exact().solve_table(&coin, 3)?; // 3, then 2, then 1
/// let line = solution.likeliest_line()?;
/// assert_eq!((line.steps.len(), line.end), (2, 1));
/// assert_eq!(line.probability.to_string(), "4/9"); // tails at once: 1/3
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "S: serde::Serialize, A: serde::Serialize, V: crate::written::Written"
    ))
)]
#[non_exhaustive]
pub struct Line<S, A, V> {
    /// The states passed, each with what is done there, beginning with the start.
    pub steps: Vec<LineStep<S, A, V>>,
    /// The state in which the game ends.
    pub end: S,
    /// The probability that play goes exactly this way.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub probability: V,
}

/// One state of a [`Line`] and what is done in it.
///
/// # Examples
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
/// let line = solution.likeliest_line_to(|&(_, pips)| pips == 5)?.ok_or("no way")?;
/// let step = &line.steps[1];
/// assert_eq!((step.state, step.action), ((2, 5), Some("keep")));
/// assert_eq!(step.probability.to_string(), "1/6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "S: serde::Serialize, A: serde::Serialize, V: crate::written::Written"
    ))
)]
#[non_exhaustive]
pub struct LineStep<S, A, V> {
    /// The state.
    pub state: S,
    /// The action decided on, or `None` where chance moves.
    pub action: Option<A>,
    /// The probability that play arrives here along the line.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub probability: V,
}

/// The lines of a game `G`, in numbers of kind `N`.
type LineOf<G, N> = Line<<G as Game>::State, <G as Game>::Action, <N as Number>::Value>;

impl<G: Game + ?Sized, N: Number, M: Model<G>> Solution<'_, G, N, M> {
    /// Returns the most likely single way in which the game goes from its start to an end, as the
    /// solution decides or as the evaluated policy plays.
    ///
    /// This is the path with the highest product of probabilities. It is not the path that takes
    /// the likeliest outcome at each step, which can be far less likely. Play that stays in a state
    /// for some time follows the same path as play that leaves it at once: the probability of a
    /// step is that of its outcome *given that the state is left*. Among equally likely paths the
    /// result is always the same one, as determined by the order of the states.
    ///
    /// Probabilities are exact in exact numbers. In floats, each step rounds a few times, so paths
    /// whose probabilities differ by no more than that may be confused. Probabilities below the
    /// range of floats are returned as 0, but still compared correctly.
    ///
    /// # Errors
    /// Only if the game answers differently from when it was solved.
    ///
    /// # Complexity
    /// One pass over the outcomes of the decided actions. If the game has cycles, states are
    /// processed in descending order of their best probabilities (E. W. Dijkstra, "A note on two
    /// problems in connexion with graphs", 1959: probabilities never grow along a path).
    ///
    /// # Examples
    /// Leaving by the gate is safest at first, but the swamp behind it has five paths, each of
    /// which is unlikely:
    /// ```
    /// use oddsmith_mdp::{Game, Node, Solver};
    ///
    /// struct Journey;
    /// impl Game for Journey {
    ///     type State = &'static str;
    ///     type Action = &'static str;
    ///     fn expand(&self, &place: &&'static str, node: &mut Node<Self>) {
    ///         match place {
    ///             "town" => {
    ///                 node.choice("go").to("swamp", 3).to("road", 2);
    ///             }
    ///             "swamp" => {
    ///                 let mut chance = node.chance();
    ///                 for way in ["reeds", "moss", "mud", "fog", "dusk"] {
    ///                     chance.to(way, 1);
    ///                 }
    ///             }
    ///             "road" => {
    ///                 node.chance().to("castle", 1).to("road", 1); // lost, at times
    ///             }
    ///             end => node.end(end == "castle"),
    ///         }
    ///     }
    /// }
    /// let solution = Solver::exact().solve(&Journey, "town")?;
    /// let line = solution.likeliest_line()?;
    /// assert_eq!(line.to_string(), "\
    /// \"town\": \"go\"
    /// \"road\": chance, reached with 2/5 = 0.4
    /// \"castle\": the end, reached with 2/5 = 0.4
    /// ");
    /// assert_eq!(line.probability.to_string(), "2/5");
    /// assert_eq!((line.steps[0].action, line.end), (Some("go"), "castle"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn likeliest_line(&self) -> Result<LineOf<G, N>, Error> {
        let line = self.likeliest_line_to(|_| true)?;
        line.ok_or_else(|| Error::Inconsistent {
            state: self.game().describe(&self.start()),
        })
    }

    /// Returns the most likely way to an end that satisfies `wanted`, such as the likeliest way to
    /// win; `None` if there is no such end.
    ///
    /// # Errors
    /// The same as for [`likeliest_line`](Solution::likeliest_line).
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let to_one = solution.likeliest_line_to(|&(_, pips)| pips == 1)?;
    /// let to_one = to_one.ok_or("no way")?;
    /// assert_eq!((to_one.steps.len(), to_one.end), (3, (0, 1)));
    /// assert_eq!(to_one.probability.to_string(), "1/216");
    /// assert_eq!(solution.likeliest_line_to(|&(_, pips)| pips == 7)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn likeliest_line_to(
        &self,
        wanted: impl Fn(&G::State) -> bool,
    ) -> Result<Option<LineOf<G, N>>, Error> {
        let mut ways = Ways {
            solution: self,
            arrivals: vec![None; self.len()],
        };
        ways.arrivals[self.start_number()] = Some(Arrival {
            chance: ways.certain(),
            from: None,
        });
        let end = if <N::Store as Store>::CYCLES {
            ways.best_first(wanted)?
        } else {
            ways.in_order(wanted)?
        };
        end.map(|end| ways.line(end)).transpose()
    }
}

/// The probability of a path, which can be compared whatever its size.
#[derive(Clone, Debug)]
enum Likelihood<W: Weight> {
    /// A numerator over a mass that can be divided along every path.
    Mass(W),
    Ratio(W::Ratio),
    /// The first number times two to the power of the second, which is a multiple of 256. The first
    /// is above 2⁻²⁵⁶ and at most 1, so such pairs are compared by the second number first.
    Scaled(f64, i64),
}

impl<W: Mass> Likelihood<W> {
    /// Compares two of the same kind. None of them is `NaN`, so all of them are comparable.
    fn compare(&self, other: &Self) -> Ordering {
        use Likelihood::{Mass, Ratio, Scaled};
        let order = match (self, other) {
            (Mass(a), Mass(b)) => a.partial_cmp(b),
            (Ratio(a), Ratio(b)) => Some(W::compare(a, b)),
            (Scaled(a, exponent), Scaled(b, other)) => (exponent, a).partial_cmp(&(other, b)),
            _ => None,
        };
        order.unwrap_or(Ordering::Equal)
    }
}

/// 2²⁵⁶ as a power of two, and its inverse.
const SCALE: i64 = 256;

fn scaled(mut float: f64, mut exponent: i64) -> (f64, i64) {
    let unit = 2.0_f64.powi(SCALE as i32);
    while float > 0.0 && float * unit < 1.0 {
        float *= unit;
        exponent -= SCALE;
    }
    (float, exponent)
}

/// Returns the float nearest to such a pair. A single step at most leaves the range of normal
/// floats, and whatever is one step further is 0.
fn unscaled(mut float: f64, mut exponent: i64) -> f64 {
    let unit = 2.0_f64.powi(-(SCALE as i32));
    while float > 0.0 && exponent < 0 {
        float *= unit;
        exponent += SCALE;
    }
    float
}

/// The best known path to a state, by probability.
#[derive(Clone, Debug)]
struct Arrival<L> {
    chance: L,
    from: Option<u32>,
}

type Chance<N> = Likelihood<<N as Number>::Mass>;

struct Ways<'s, 'g, G: Game + ?Sized, N: Number, M> {
    solution: &'s Solution<'g, G, N, M>,
    arrivals: Vec<Option<Arrival<Chance<N>>>>,
}

impl<G: Game + ?Sized, N: Number, M: Model<G>> Ways<'_, '_, G, N, M> {
    fn certain(&self) -> Chance<N> {
        match (N::Mass::EXACT, <N::Store as Store>::CYCLES) {
            (false, _) => Likelihood::Scaled(1.0, 0),
            (true, true) => Likelihood::Ratio(N::Value::one()),
            // Known in advance, so that nothing ever needs to be reduced to lowest terms.
            (true, false) => Likelihood::Mass(self.solution.store().whole()),
        }
    }

    fn times(chance: &Chance<N>, weight: Amount<'_>, total: Amount<'_>) -> Chance<N> {
        match chance {
            Likelihood::Mass(mass) => Likelihood::Mass(mass.share(weight, total)),
            Likelihood::Ratio(ratio) => {
                let p = N::Mass::quotient(&weight.to_big(), &total.to_big());
                Likelihood::Ratio(ratio.clone() * p)
            }
            Likelihood::Scaled(float, exponent) => {
                let one = N::Mass::start(&BigUint::one());
                let p = N::Mass::ratio(&one.share(weight, total), &one);
                let (p, shift) = scaled(p.to_f64().unwrap_or(0.0), 0);
                let (float, exponent) = scaled(float * p, exponent + shift);
                Likelihood::Scaled(float, exponent)
            }
        }
    }

    fn value(&self, chance: &Chance<N>) -> N::Value {
        match chance {
            Likelihood::Mass(mass) => N::Mass::ratio(mass, &self.solution.store().whole()),
            Likelihood::Ratio(ratio) => ratio.clone(),
            Likelihood::Scaled(float, exponent) => {
                N::Value::from_f64(unscaled(*float, *exponent)).unwrap_or_else(N::Value::zero)
            }
        }
    }

    /// Returns the outcomes of the decided choice of a state with their probabilities along the
    /// path; none where the game ends.
    fn outcomes(
        &self,
        number: usize,
        chance: &Chance<N>,
        scratch: &mut Scratch<G>,
    ) -> Result<Vec<(u32, Chance<N>)>, Error> {
        let row = self.solution.row(number, scratch)?;
        let Some((targets, odds)) = row.choice(self.solution.decided_choice(number)) else {
            return Ok(Vec::new());
        };
        let mut sorted = targets.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
            let outcomes = targets.iter().enumerate().map(|(outcome, &target)| {
                let chance = Self::times(chance, odds.weight(outcome), odds.leaving());
                (target, chance)
            });
            return Ok(outcomes.collect());
        }
        // An outcome that is named twice is one outcome.
        sorted.dedup();
        let leaving = odds.leaving().to_big();
        let merged = sorted.into_iter().map(|target| {
            let named = targets.iter().enumerate().filter(|(_, t)| **t == target);
            let weight: BigUint = named.map(|(o, _)| odds.weight(o).to_big()).sum();
            let chance = Self::times(chance, Amount::Big(&weight), Amount::Big(&leaving));
            (target, chance)
        });
        Ok(merged.collect())
    }

    /// Records a path to `target` if it is likelier than those known, and returns whether it is.
    fn arrive(&mut self, target: u32, from: usize, chance: Chance<N>) -> bool {
        let arrival = &mut self.arrivals[target as usize];
        let better = arrival
            .as_ref()
            .is_none_or(|known| chance.compare(&known.chance).is_gt());
        if better {
            *arrival = Some(Arrival {
                chance,
                from: Some(from as u32),
            });
        }
        better
    }

    /// Processes every state before its outcomes: at its turn, its best path is known.
    fn in_order(&mut self, wanted: impl Fn(&G::State) -> bool) -> Result<Option<usize>, Error> {
        let mut scratch = Scratch::new();
        let mut best: Option<(usize, Chance<N>)> = None;
        for place in (0..self.solution.len()).rev() {
            let number = self.solution.model().at(place);
            let Some(arrival) = &self.arrivals[number] else {
                continue;
            };
            let chance = arrival.chance.clone();
            let outcomes = self.outcomes(number, &chance, &mut scratch)?;
            if outcomes.is_empty() {
                let better = best
                    .as_ref()
                    .is_none_or(|(_, best)| chance.compare(best).is_gt());
                if better && wanted(&self.solution.state(number)) {
                    best = Some((number, chance));
                }
                continue;
            }
            for (target, chance) in outcomes {
                self.arrive(target, number, chance);
            }
        }
        Ok(best.map(|(number, _)| number))
    }

    /// Processes the likeliest state next: the first wanted end that is reached is the answer.
    fn best_first(&mut self, wanted: impl Fn(&G::State) -> bool) -> Result<Option<usize>, Error> {
        let mut scratch = Scratch::new();
        let mut waiting = BinaryHeap::new();
        let start = self.solution.start_number() as u32;
        waiting.push(Waiting(self.certain(), Reverse(start)));
        let mut done = vec![false; self.solution.len()];
        while let Some(Waiting(chance, Reverse(number))) = waiting.pop() {
            let number = number as usize;
            if std::mem::replace(&mut done[number], true) {
                continue;
            }
            let outcomes = self.outcomes(number, &chance, &mut scratch)?;
            if outcomes.is_empty() && wanted(&self.solution.state(number)) {
                return Ok(Some(number));
            }
            for (target, chance) in outcomes {
                if !done[target as usize] && self.arrive(target, number, chance.clone()) {
                    waiting.push(Waiting(chance, Reverse(target)));
                }
            }
        }
        Ok(None)
    }

    /// Reads the path to `end` backwards.
    fn line(&self, end: usize) -> Result<LineOf<G, N>, Error> {
        let mut steps = Vec::new();
        let probability = |number: usize| match &self.arrivals[number] {
            Some(arrival) => self.value(&arrival.chance),
            None => N::Value::zero(),
        };
        let mut number = end;
        while let Some(from) = self.arrivals[number].as_ref().and_then(|a| a.from) {
            number = from as usize;
            let state = self.solution.state(number);
            let node = Node::solved(self.solution.game(), &state)?;
            steps.push(LineStep {
                action: node.action(self.solution.decided_choice(number)).cloned(),
                probability: probability(number),
                state,
            });
        }
        steps.reverse();
        Ok(Line {
            steps,
            end: self.solution.state(end),
            probability: probability(end),
        })
    }
}

/// A state waiting for its turn, and the probability of its best path so far. Equal probabilities
/// are ordered by state.
struct Waiting<W: Weight>(Likelihood<W>, Reverse<u32>);

impl<W: Mass> PartialEq for Waiting<W> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<W: Mass> Eq for Waiting<W> {}

impl<W: Mass> PartialOrd for Waiting<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<W: Mass> Ord for Waiting<W> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.compare(&other.0).then(self.1.cmp(&other.1))
    }
}

impl<S, A, V> fmt::Display for Line<S, A, V>
where
    S: fmt::Debug,
    A: fmt::Debug,
    V: fmt::Display + ToPrimitive + One + PartialEq,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reached = |f: &mut fmt::Formatter<'_>, probability: &V| match probability.is_one() {
            true => writeln!(f),
            false => writeln!(f, ", reached with {}", Readable(probability)),
        };
        for step in &self.steps {
            match &step.action {
                Some(action) => write!(f, "{:?}: {action:?}", step.state)?,
                None => write!(f, "{:?}: chance", step.state)?,
            }
            reached(f, &step.probability)?;
        }
        write!(f, "{:?}: the end", self.end)?;
        reached(f, &self.probability)
    }
}
