//! Values as tables over ENDURANCE. Each table is computed once for all sheets that share it.

use rustc_hash::FxHashMap;

use crate::hand::{Asked, Hand};
use crate::ladder::Ladders;
use crate::melee::Melee;
use crate::program::StepId;
use crate::resolve::{Bout, Choice, Missing, Node, Plan, Setting};
use crate::sheet::Sheet;
use crate::situation::Situation;
use crate::skirmish::{Rounds, Skirmish};
use crate::{CombatTable, Error, gamble, wheel};

/// The number of a table.
pub(crate) type TableId = u32;

/// What is known about a step and a sheet: a table, which several results may share, and how many
/// roundings may be in each of its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Known {
    pub(crate) table: TableId,
    pub(crate) roundings: u64,
}

impl Known {
    /// Returns whether nothing can be done there.
    pub(crate) fn is_nothing(self) -> bool {
        self.table == NOTHING
    }
}

/// The result of a step in which nothing can be done.
const NOTHING: TableId = TableId::MAX;

/// Everything known about a book for heroes with one COMBAT SKILL and ENDURANCE.
#[derive(Clone, Debug)]
pub(crate) struct Memo {
    pub(crate) combat_skill: u8,
    pub(crate) endurance: u8,
    lanes: usize,
    ladders: Ladders,
    results: Vec<Known>,
    /// The values for each ENDURANCE from 1 up, table after table.
    tables: Vec<f64>,
    known: FxHashMap<Box<[u64]>, TableId>,
    bouts: FxHashMap<Bout, usize>,
    melees: Vec<Melee>,
    /// The distributions of the Cartwheel, by Crowns held and Crowns aimed at.
    spins: FxHashMap<(u8, u8), Vec<(u8, f64)>>,
    laws: FxHashMap<u8, wheel::Laws>,
    combat_table: CombatTable,
    /// Combats that may be evaded, by everything on which their values depend.
    skirmishes: FxHashMap<(Bout, u8, Box<[u64]>), usize>,
    rounds: Vec<Rounds>,
    /// The index of the rounds of a result.
    under_way: FxHashMap<u32, usize>,
    /// How many tables of usual size would take the memory of all `rounds`.
    heavy: usize,
}

/// The number of values that take the memory of a table with what is known about it.
const VALUES_A_TABLE: usize = 12;

/// A step being computed: its exits are looked up one after the other.
struct Frame {
    step: StepId,
    asked: Asked,
    plan: Plan,
    known: Vec<Known>,
}

impl Memo {
    pub(crate) fn new(setting: &Setting<'_>) -> Self {
        Memo {
            combat_skill: setting.combat_skill,
            endurance: setting.endurance,
            lanes: setting.lanes(),
            ladders: Ladders::new(setting.program.steps.len()),
            results: Vec::new(),
            tables: Vec::new(),
            known: FxHashMap::default(),
            bouts: FxHashMap::default(),
            melees: Vec::new(),
            spins: FxHashMap::default(),
            laws: FxHashMap::default(),
            combat_table: setting.rules.table,
            skirmishes: FxHashMap::default(),
            rounds: Vec::new(),
            under_way: FxHashMap::default(),
            heavy: 0,
        }
    }

    /// Returns the number of results, tables and rungs.
    pub(crate) fn sizes(&self) -> (usize, usize, usize) {
        let rungs = self.ladders.rungs();
        (self.results.len(), self.known.len(), rungs)
    }

    /// Returns what is known for a result.
    pub(crate) fn known(&self, result: u32) -> Known {
        self.results[result as usize]
    }

    /// Returns the value in a table for this ENDURANCE.
    pub(crate) fn value(&self, known: Known, endurance: u8) -> f64 {
        if known.is_nothing() || endurance == 0 {
            return 0.0;
        }
        self.tables[known.table as usize * self.lanes + usize::from(endurance) - 1]
    }

    /// Returns the value in the middle of a combat.
    pub(crate) fn value_of_round(&self, result: u32, at: &Situation) -> f64 {
        let place = self.under_way.get(&result);
        place.map_or(0.0, |&place| self.rounds[place].value(at))
    }

    /// Returns the result of a step with this sheet.
    ///
    /// The search is depth-first with its own stack, so that no book is too long for it.
    pub(crate) fn solve(
        &mut self,
        setting: &Setting<'_>,
        step: StepId,
        sheet: &Sheet,
        limit: usize,
    ) -> Result<u32, Error> {
        if let Some(result) = self.ladders.find(step, sheet) {
            return Ok(result);
        }
        let mut stack = vec![begin(setting, step, sheet)];
        let mut last = 0;
        loop {
            let open = stack.len();
            let Some(frame) = stack.last_mut() else { break };
            if let Some(exit) = frame.plan.exits.get(frame.known.len()) {
                let sheet = &exit.hand.sheet;
                let Some(result) = self.ladders.find(exit.step, sheet) else {
                    // Steps being computed become tables, too.
                    if self.results.len() + self.heavy + open >= limit {
                        return Err(Error::Limit { limit });
                    }
                    let next = begin(setting, exit.step, sheet);
                    stack.push(next);
                    continue;
                };
                let way = &exit.hand.way;
                let asked = &mut frame.asked;
                self.ladders
                    .questions(exit.step, sheet, |entry, threshold, answer| {
                        way.ask_back(asked, entry, threshold, answer);
                    });
                frame.known.push(self.results[result as usize]);
                continue;
            }
            if self.results.len() + self.heavy >= limit {
                return Err(Error::Limit { limit });
            }
            let known = self.evaluate(setting, frame, limit)?;
            last = self.results.len() as u32;
            self.results.push(known);
            if !self
                .ladders
                .insert(frame.step, &frame.asked.questions, last)
            {
                return Err(Error::Limit { limit });
            }
            stack.pop();
        }
        Ok(last)
    }

    /// Computes the table of a step all of whose exits have theirs.
    fn evaluate(
        &mut self,
        setting: &Setting<'_>,
        frame: &Frame,
        limit: usize,
    ) -> Result<Known, Error> {
        if let Some(skirmish) = &frame.plan.skirmish {
            let lanes = self.skirmish(skirmish, &frame.known, limit)?;
            return Ok(self.intern(&lanes));
        }
        let section = setting.program.steps[frame.step as usize].section;
        let mut best: Option<Lanes> = None;
        for choice in &frame.plan.options {
            if is_impossible(setting, section, choice, &frame.plan, &frame.known) {
                continue;
            }
            let lanes = self.lanes(&choice.node, &frame.known);
            best = Some(match (best, choice.missing) {
                (None, None) => lanes,
                (None, Some(missing)) => lanes.only(missing),
                (Some(best), missing) => best.or(lanes, missing),
            });
        }
        Ok(match best {
            None => Known {
                table: NOTHING,
                roundings: 0,
            },
            Some(lanes) => self.intern(&lanes),
        })
    }

    fn intern(&mut self, lanes: &Lanes) -> Known {
        let bits: Box<[u64]> = lanes.values.iter().map(|value| value.to_bits()).collect();
        let next = self.known.len() as TableId;
        let table = *self.known.entry(bits).or_insert(next);
        if table == next {
            self.tables.extend_from_slice(&lanes.values);
        }
        Known {
            table,
            roundings: lanes.roundings,
        }
    }

    fn lanes(&mut self, node: &Node, known: &[Known]) -> Lanes {
        match node {
            Node::Lost => Lanes::all(0.0, self.lanes),
            Node::Won => Lanes::all(1.0, self.lanes),
            Node::Exit(exit) => {
                let Known { table, roundings } = known[*exit];
                if known[*exit].is_nothing() {
                    return Lanes::all(0.0, self.lanes);
                }
                let from = table as usize * self.lanes;
                Lanes {
                    values: self.tables[from..from + self.lanes].to_vec(),
                    roundings,
                }
            }
            Node::Body(ops, then) => {
                let then = self.lanes(then, known);
                let values = (1..=self.lanes as u8).map(|endurance| {
                    match ops
                        .iter()
                        .fold(endurance, |endurance, op| op.apply(endurance))
                    {
                        0 => 0.0,
                        left => then.values[usize::from(left) - 1],
                    }
                });
                Lanes {
                    values: values.collect(),
                    roundings: then.roundings,
                }
            }
            Node::Chance(lines) => {
                let mut sum = Lanes::all(0.0, self.lanes);
                let mut worst = 0;
                for (numbers, then) in lines {
                    let then = self.lanes(then, known);
                    worst = worst.max(then.roundings);
                    for (sum, value) in sum.values.iter_mut().zip(&then.values) {
                        *sum += f64::from(*numbers) * value;
                    }
                }
                for sum in &mut sum.values {
                    *sum /= 10.0;
                }
                sum.roundings = more(worst, lines.len() + 2);
                sum
            }
            Node::Fight {
                bout,
                won,
                fled,
                contest,
            } => {
                let won = self.lanes(won, known);
                let fled = fled.as_ref().map(|fled| self.lanes(fled, known));
                let contest = contest.as_ref().map(|lost| self.lanes(lost, known));
                self.fight(*bout, &won, fled.as_ref(), contest.as_ref())
            }
            Node::Spin { gold, target, ends } => {
                let law = self.spin_law(*gold, *target);
                let mut sum = Lanes::all(0.0, self.lanes);
                let mut worst = 0;
                for (left, weight) in &law {
                    let end = self.lanes(&ends[usize::from(*left)], known);
                    worst = worst.max(end.roundings);
                    for (sum, value) in sum.values.iter_mut().zip(&end.values) {
                        *sum += weight * value;
                    }
                }
                sum.roundings = more(worst, law.len() + 3);
                sum
            }
            Node::Gamble { gold, ends } => {
                let ends: Vec<Lanes> = ends.iter().map(|end| self.lanes(end, known)).collect();
                let worst = ends.iter().map(|end| end.roundings).max();
                let values = (0..self.lanes).map(|lane| {
                    let stop: Vec<f64> = ends.iter().map(|end| end.values[lane]).collect();
                    gamble::gamble(&stop).0[usize::from(*gold)]
                });
                Lanes {
                    values: values.collect(),
                    roundings: more(worst.unwrap_or(0), gamble::GAMBLE_ROUNDINGS as usize),
                }
            }
        }
    }

    fn spin_law(&mut self, gold: u8, target: u8) -> Vec<(u8, f64)> {
        let laws = &mut self.laws;
        let law = self.spins.entry((gold, target)).or_insert_with(|| {
            let laws = laws.entry(target);
            laws.or_insert_with(|| wheel::Laws::new(target))
                .floats(gold)
        });
        law.clone()
    }

    fn fight(
        &mut self,
        bout: Bout,
        won: &Lanes,
        fled: Option<&Lanes>,
        contest: Option<&Lanes>,
    ) -> Lanes {
        let place = *self.bouts.entry(bout).or_insert_with(|| {
            let melee = Melee::new(&bout, &self.combat_table, self.lanes);
            self.melees.push(melee);
            self.melees.len() - 1
        });
        let melee = &self.melees[place];
        let values = melee.endings.iter().enumerate().map(|(lane, ending)| {
            if let Some(contest) = contest {
                let wins: f64 = ending.won.iter().sum();
                return wins * won.values[lane] + ending.lost * contest.values[lane];
            }
            let products = |weights: &[f64], lanes: &Lanes| -> f64 {
                let weights = weights[1..].iter();
                weights.zip(&lanes.values).map(|(p, value)| p * value).sum()
            };
            let stand = products(&ending.won, won);
            stand + fled.map_or(0.0, |fled| products(&ending.fled, fled))
        });
        let fought = match contest {
            Some(_) => melee.roundings.max(melee.of_defeat),
            None => melee.roundings,
        };
        let worst = [Some(won), fled, contest].into_iter().flatten();
        let worst = worst.map(|lanes| lanes.roundings).max();
        Lanes {
            values: values.collect(),
            roundings: more(worst.unwrap_or(0), fought as usize + self.lanes + 4),
        }
    }
}

impl Memo {
    /// Computes the values of a combat for the next result, unless they are too many.
    fn skirmish(
        &mut self,
        skirmish: &Skirmish,
        known: &[Known],
        limit: usize,
    ) -> Result<Lanes, Error> {
        let won = self.lanes(&skirmish.won, known);
        let fled = self.lanes(&skirmish.fled, known);
        let table = &self.combat_table;
        let added = skirmish.roundings(table, self.lanes);
        let bits = won.values.iter().chain(&fled.values);
        let bits = bits.map(|value| value.to_bits()).collect();
        let key = (skirmish.bout, skirmish.after, bits);
        let next = self.rounds.len();
        let place = self.skirmishes.get(&key).copied().unwrap_or(next);
        if place == next {
            let heavy = self.heavy + skirmish.size(self.lanes) / VALUES_A_TABLE;
            if self.results.len() + heavy >= limit {
                return Err(Error::Limit { limit });
            }
            let rounds = skirmish.values(table, &won.values, &fled.values);
            self.rounds.push(rounds);
            self.skirmishes.insert(key, place);
            self.heavy = heavy;
        }
        self.under_way.insert(self.results.len() as u32, place);
        Ok(Lanes {
            values: self.rounds[place].start().collect(),
            roundings: more(won.roundings.max(fled.roundings), added as usize),
        })
    }
}

fn begin(setting: &Setting<'_>, step: StepId, sheet: &Sheet) -> Frame {
    let mut asked = Asked::listening();
    let plan = setting.resolve(step, Hand::new(*sheet), &mut asked);
    Frame {
        step,
        asked,
        known: Vec::with_capacity(plan.exits.len()),
        plan,
    }
}

/// Returns whether an option leads, within its section, to a step where nothing can be done. Such
/// an option is no option.
fn is_impossible(
    setting: &Setting<'_>,
    section: u16,
    choice: &Choice,
    plan: &Plan,
    known: &[Known],
) -> bool {
    let Some(exit) = choice.node.only_exit() else {
        return false;
    };
    let to = plan.exits[exit].step;
    known[exit].is_nothing() && setting.program.steps[to as usize].section == section
}

/// Adds this many roundings. Long books have more than 32 bits can count.
fn more(roundings: u64, by: usize) -> u64 {
    roundings.saturating_add(by as u64)
}

/// Values for each ENDURANCE from 1 up, and the number of roundings that may be in them.
struct Lanes {
    values: Vec<f64>,
    roundings: u64,
}

impl Lanes {
    fn all(value: f64, lanes: usize) -> Self {
        Lanes {
            values: vec![value; lanes],
            roundings: 0,
        }
    }

    fn only(mut self, missing: Missing) -> Self {
        for (endurance, value) in (1..).zip(&mut self.values) {
            if !missing.allows(endurance) {
                *value = 0.0;
            }
        }
        self
    }

    /// Takes the better of both wherever the other is allowed.
    fn or(mut self, other: Lanes, missing: Option<Missing>) -> Self {
        let pairs = self.values.iter_mut().zip(other.values);
        for (endurance, (best, value)) in (1..).zip(pairs) {
            if value > *best && missing.is_none_or(|missing| missing.allows(endurance)) {
                *best = value;
            }
        }
        self.roundings = self.roundings.max(other.roundings);
        self
    }
}
