//! Entry point of the solver for long books: turns a query into tasks, and solutions into
//! valuations.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use oddsmith_mdp::Node;

use crate::apply::Overflow;
use crate::book_solver::BookSolver;
use crate::compiled::Scene;
use crate::fork::{Fork, Met};
use crate::place::STATS;
use crate::solver::chunks::Chunks;
use crate::solver::decisions::answers::Answers;
use crate::solver::effort::Effort;
use crate::solver::induction::aim::{Aim, Hope};
use crate::solver::induction::kept::Kept;
use crate::solver::induction::reading::MOST_ROUNDS;
use crate::solver::induction::streets::Task;
use crate::solver::limits::Halt;
use crate::solver::reach::fork::{Apart, explored};
use crate::solver::reduction::deals::in_any_order;
use crate::solver::reduction::nested::Nested;
use crate::solver::reduction::supplies::never_worse;
use crate::solver::reduction::{Reduced, lanes, lanes_left, seed};
use crate::solver::tables::coarse::Grain;
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Region};
use crate::{BookGame, Error, Place, Progress, Valuation};

/// Advice where only this solver fails.
const PLAIN: &str =
    "; solve the book state by state with `Book::solve_with` and a higher limit (`max_states`)";

impl BookSolver<'_> {
    /// Computes the values of best play from some places, and whatever else is sought.
    pub(crate) fn seek(&self, starts: &[Place], sought: Sought) -> Result<Solved<'_>, Error> {
        let Some(first) = starts.first().copied() else {
            return Ok(Solved::default());
        };
        let book = &self.game.compiled;
        let reduced = Reduced::new(self.game, self.settings.left_out);
        let (effort, chunks) = (Effort::default(), Chunks::default());
        let failed = |halt| self.failed(halt, first, &effort);
        let mut arrived = Vec::new();
        for &start in starts {
            if start.scene as usize >= book.scenes.len() {
                return Err(Error::NotReached {
                    section: start.section,
                });
            }
            arrived.push(self.arrivals(start)?);
        }
        let places = arrived.iter().flatten();
        // Decisions and odds must hold after any set of deals, and a bound gets worse with every
        // scene in a row, so these are not decided in turn.
        let deal_by_deal = self.settings.deal_by_deal && sought.is_value();
        let in_turn = match deal_by_deal {
            true => in_any_order(book, &self.game.caps, places.clone().map(|one| &one.0.held)),
            false => vec![false; book.scenes.len()],
        };
        // Bounds merge neighbouring values of LUCK, which hardly differ, so these are not kept side
        // by side.
        let together = self.settings.luck_together && !matches!(sought, Sought::Bound(_));
        let walk = Walk {
            game: self.game,
            effort: &effort,
            chunks: &chunks,
            caps: &self.game.caps,
            live: &reduced.live,
            needed: &reduced.needed,
            markers: &reduced.markers,
            in_turn: &in_turn,
            nested: None,
            never_worse: match self.settings.never_worse && sought.is_value() {
                true if self.game.own_rules => never_worse(book),
                _ => [false; STATS],
            },
            lanes: lanes(book, together),
            apart: Apart::Nothing,
        };
        let seed = |place: &Place, apart: Apart| {
            let scene = place.scene as usize;
            let markers = reduced.markers[scene];
            seed(book, &reduced.live.scenes[scene], markers, apart, place)
        };
        let seeds = |apart: Apart| -> Vec<(Region, At)> {
            let places = places.clone();
            places.filter_map(|(place, _)| seed(place, apart)).collect()
        };
        let limits = self.settings.limits.counted();
        let (walk, explored) =
            explored(walk, &seeds, self.settings.apart, limits).map_err(failed)?;
        let apart = walk.apart;
        // Decisions are made among all options, and the dominating option may have the worse bound.
        let nested = (self.settings.nested && sought.is_value()).then(|| Nested::new(book, apart));
        let walk = Walk {
            nested: nested.as_ref(),
            lanes: lanes_left(&walk, &explored),
            ..walk
        };
        let seeds = seeds(apart);
        let aim = Aim {
            put_off: self.settings.put_off,
            decide: matches!(sought, Sought::Decisions),
            onwards: self.settings.onwards,
            keep: matches!(sought, Sought::Odds),
            bound: match sought {
                Sought::Bound(grain) => Some(grain),
                _ => None,
            },
            hope: Hope::No,
        };
        let task = Task {
            walk,
            explored,
            starts: seeds,
            aim,
            limits,
            always: self.settings.apart < 1.0,
        };
        // If chance moves on arrival, the value of one place is not that of the start.
        let surely = matches!(&arrived[..], [places] if places.len() == 1);
        let solution = match sought {
            Sought::Looks { wanted } => task.looked(wanted).transpose(),
            _ => Some(task.solved()),
        };
        let Some(solution) = solution else {
            return Ok(Solved::default());
        };
        let solution = solution.map_err(|halt| match halt {
            Halt::Between { .. } if !surely => failed(Halt::Bytes),
            halt => failed(halt),
        })?;
        // Places where the book has ended are not among the starts.
        let mut starts = solution.starts.iter();
        let mut worth = |arrived: Vec<(Place, f64)>| {
            let (mut met, mut parts) = (Vec::new(), Vec::new());
            for (place, chance) in arrived {
                let (value, error) = match seed(&place, apart) {
                    None => {
                        let value = f64::from(u8::from(self.game.is_won(&place)));
                        met.push((chance, Met::Ended(value)));
                        (value, Some(0.0))
                    }
                    Some(_) => {
                        let start = starts.next().ok_or(Error::NotReached {
                            section: place.section,
                        })?;
                        met.push((chance, Met::Start(&start.parted)));
                        (start.value, start.error)
                    }
                };
                parts.push((chance, value, error));
            }
            let mut valuation = Valuation::mixed(&parts, solution.size);
            valuation.fork = Fork::of(book, apart, &met);
            Ok(valuation)
        };
        let valuations = arrived
            .into_iter()
            .map(&mut worth)
            .collect::<Result<_, Error>>()?;
        Ok(Solved {
            valuations,
            reduced: Some(reduced),
            answers: solution.answers,
            kept: solution.kept,
            at_most: solution.at_most,
        })
    }

    /// The places where a start may be once its arrival is done, with their probabilities.
    pub(crate) fn arrivals(&self, start: Place) -> Result<Vec<(Place, f64)>, Error> {
        match start.step {
            0 => Ok(vec![(start, 1.0)]),
            crate::book_game::ARRIVING => {
                let arrived = self.game.arrived(&start);
                let arrived = arrived.map_err(|overflow| match overflow {
                    Overflow::Stat(stat) => self.overflows(start.section, usize::from(stat)),
                    Overflow::Sheets => Error::NotFollowed {
                        section: start.section,
                        problem: "more than 100,000 outcomes are possible on arrival".to_owned(),
                    },
                })?;
                Ok(chances(&arrived.total, arrived.outcomes.into_iter()))
            }
            _ => match self.game.compiled.scenes[start.scene as usize] {
                // The rounds that have been played are all there is to know.
                Scene::Game { .. } => Ok(vec![(start, 1.0)]),
                _ => Err(Error::NotReached {
                    section: start.section,
                }),
            },
        }
    }

    /// The error for a stat that leaves the range of a sheet.
    fn overflows(&self, section: u32, stat: usize) -> Error {
        let stat = self.game.compiled.stats.get(stat);
        let stat = stat.map(|stat| stat.id.to_string()).unwrap_or_default();
        Error::StatOverflows { section, stat }
    }

    /// The error for a halt, with the section if it happened in a scene.
    pub(crate) fn failed(&self, halt: Halt, start: Place, effort: &Effort) -> Error {
        let compiled = &self.game.compiled;
        let number = |scene: u32| compiled.numbers[scene as usize];
        let mut section = effort.scene().map_or(start.section, number);
        let (mut wide, mut between) = (None, None);
        let (what, limit) = match halt {
            Halt::Between { least, most } => {
                between = Some((least, most));
                ("bytes", self.settings.limits.bytes)
            }
            Halt::Regions => ("regions", self.settings.limits.regions),
            Halt::Rounds => ("rounds of a fight", self.settings.limits.regions),
            Halt::Bytes => ("bytes", self.settings.limits.bytes),
            Halt::Sweeps => (
                "sweeps through a ring of sections",
                self.settings.limits.sweeps,
            ),
            Halt::Values { stat, scene, limit } => {
                section = number(scene);
                let stat = compiled.stats.get(stat);
                wide = stat.map(|stat| stat.id.to_string());
                ("values of a stat", limit)
            }
            Halt::Range { stat } => return self.overflows(section, stat),
            Halt::Unexplored => {
                return Error::NotReached {
                    section: start.section,
                };
            }
            Halt::NoRoll { dice, value } => {
                return Error::NoRoll {
                    section,
                    dice,
                    value,
                };
            }
            Halt::Effort => {
                return Error::NotFollowed {
                    section,
                    problem: format!(
                        "effects or conditions branch too widely or too deeply{PLAIN}"
                    ),
                };
            }
            Halt::Fight => {
                return Error::NotFollowed {
                    section,
                    problem: format!("a fight has more than {MOST_ROUNDS} different rounds{PLAIN}"),
                };
            }
        };
        let (found, solved) = effort.counted();
        Error::BookTooLarge {
            what,
            limit,
            progress: Progress {
                section,
                found,
                solved,
            },
            stat: wide,
            between,
        }
    }
}

/// The places that a choice leads to, with their probabilities.
pub(crate) fn brought(node: &Node<BookGame>, choice: usize) -> Vec<(Place, f64)> {
    let outcomes = node.wide_outcomes(choice);
    let outcomes = outcomes.map(|(to, weight)| (*to, weight));
    chances(&node.wide_total(choice), outcomes)
}

/// Probabilities from weights, which may exceed machine words and the range of floats.
fn chances(total: &BigUint, outcomes: impl Iterator<Item = (Place, BigUint)>) -> Vec<(Place, f64)> {
    let shift = total.bits().saturating_sub(1_000);
    let float = |weight: &BigUint| (weight >> shift).to_f64().unwrap_or(0.0);
    let total = float(total);
    outcomes
        .map(|(place, weight)| (place, float(&weight) / total))
        .collect()
}

/// What is to be computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sought {
    Values,
    /// Values and decisions.
    Decisions,
    /// Values of all places that can be reached.
    Odds,
    /// Upper bounds by each of several routes, to find those that may reach a given value.
    Looks {
        wanted: f64,
    },
    /// Proven lower or upper bounds on the values.
    Bound(Grain),
}

impl Sought {
    /// Whether only values, or upper bounds on them, are sought.
    fn is_value(self) -> bool {
        matches!(self, Sought::Values | Sought::Looks { .. })
    }
}

/// The values of best play from some places, and whatever else was sought.
#[derive(Default)]
pub(crate) struct Solved<'b> {
    pub(crate) valuations: Vec<Valuation>,
    /// The reductions, which are needed to look up results.
    pub(crate) reduced: Option<Reduced<'b>>,
    pub(crate) answers: Option<Answers>,
    pub(crate) kept: Vec<Kept>,
    /// Upper bounds on the values of what was left out.
    pub(crate) at_most: Vec<Kept>,
}
