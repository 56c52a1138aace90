//! Where a decision may lead, and with which probabilities: in floats and exactly, by the same
//! code.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::fraction::Fraction;
use crate::melee::{self, Ending};
use crate::resolve::{Bout, Node, Plan, Setting};
use crate::situation::Situation;
use crate::skirmish::Skirmish;
use crate::{CombatTable, gamble, wheel};

/// The distributions computed so far, for one Combat Results Table.
#[derive(Clone, Debug)]
pub(crate) struct Laws {
    table: CombatTable,
    combats: FxHashMap<(Bout, u8), Ending<Fraction>>,
    floats: FxHashMap<(Bout, u8), Ending<f64>>,
    wheels: FxHashMap<u8, wheel::Laws>,
}

impl Laws {
    pub(crate) fn new(table: CombatTable) -> Self {
        Laws {
            table,
            combats: FxHashMap::default(),
            floats: FxHashMap::default(),
            wheels: FxHashMap::default(),
        }
    }

    fn wheel(&mut self, gold: u8, target: u8) -> Vec<(u8, BigRational)> {
        let laws = self.wheels.entry(target);
        laws.or_insert_with(|| wheel::Laws::new(target)).from(gold)
    }
}

/// A share of the probability.
pub(crate) trait Portion: Clone {
    fn of_ten(&self, numbers: u8) -> Self;
    fn of(&self, weight: &Self) -> Self;
    fn add(&mut self, other: &Self);
    fn is_nothing(&self) -> bool;
    fn from_ratio(ratio: &BigRational) -> Self;
    fn combat<'l>(laws: &'l mut Laws, bout: &Bout, endurance: u8) -> &'l Ending<Self>;
}

impl Portion for f64 {
    fn of_ten(&self, numbers: u8) -> Self {
        self * f64::from(numbers) / 10.0
    }
    fn of(&self, weight: &Self) -> Self {
        self * weight
    }
    fn add(&mut self, other: &Self) {
        *self += other;
    }
    fn is_nothing(&self) -> bool {
        *self == 0.0
    }
    fn from_ratio(ratio: &BigRational) -> Self {
        ratio.to_f64().unwrap_or(0.0)
    }
    fn combat<'l>(laws: &'l mut Laws, bout: &Bout, endurance: u8) -> &'l Ending<Self> {
        let ending = laws.floats.entry((*bout, endurance));
        ending.or_insert_with(|| bout.ending(&laws.table, endurance, 1.0))
    }
}

impl Portion for Fraction {
    fn of_ten(&self, numbers: u8) -> Self {
        self.times(&Fraction::new(numbers.into(), 1))
    }
    fn of(&self, weight: &Self) -> Self {
        self.times(weight)
    }
    fn add(&mut self, other: &Self) {
        Fraction::add(self, other);
    }
    fn is_nothing(&self) -> bool {
        self.is_zero()
    }
    fn from_ratio(ratio: &BigRational) -> Self {
        Fraction::from_ratio(ratio)
    }
    fn combat<'l>(laws: &'l mut Laws, bout: &Bout, endurance: u8) -> &'l Ending<Self> {
        let table = &laws.table;
        laws.combats.entry((*bout, endurance)).or_insert_with(|| {
            let (Ending { won, fled, lost }, tens) = melee::exact(bout, table, endurance);
            let over = |weight| Fraction::new(weight, tens).trimmed();
            Ending {
                won: won.into_iter().map(over).collect(),
                fled: fled.into_iter().map(over).collect(),
                lost: over(lost),
            }
        })
    }
}

/// Spreads a portion of the probability over what follows a decision.
pub(crate) struct Spreader<'a, 'b, P> {
    pub(crate) setting: &'a Setting<'b>,
    pub(crate) laws: &'a mut Laws,
    pub(crate) plan: &'a Plan,
    /// Where to play on at the Cartwheel, if one may stop at will.
    pub(crate) plays: Option<&'a [bool]>,
    /// Situations in the order in which they were reached, with their portions.
    pub(crate) found: Vec<(Situation, P)>,
    places: FxHashMap<Situation, usize>,
}

impl<'a, 'b, P: Portion> Spreader<'a, 'b, P> {
    pub(crate) fn new(
        setting: &'a Setting<'b>,
        laws: &'a mut Laws,
        plan: &'a Plan,
        plays: Option<&'a [bool]>,
    ) -> Self {
        Spreader {
            setting,
            laws,
            plan,
            plays,
            found: Vec::new(),
            places: FxHashMap::default(),
        }
    }

    fn arrive(&mut self, situation: Situation, portion: &P) {
        if portion.is_nothing() {
            return;
        }
        let place = *self.places.entry(situation).or_insert(self.found.len());
        match self.found.get_mut(place) {
            Some((_, sum)) => sum.add(portion),
            None => self.found.push((situation, portion.clone())),
        }
    }

    /// Spreads a portion over one round of a combat that may be evaded.
    pub(crate) fn round(
        &mut self,
        skirmish: &Skirmish,
        evades: bool,
        from: &Situation,
        portion: &P,
    ) {
        let (foe, rounds) = skirmish.stands(from);
        let (hero, foe) = (from.endurance.into(), foe.into());
        let exchanges = skirmish
            .bout
            .exchanges(&self.laws.table, rounds, hero, foe)
            .collect::<Vec<_>>();
        let share = portion.of_ten(1);
        for (hero, foe) in exchanges {
            // Never more than before, so a byte holds it.
            let (hero, foe) = (hero as u8, foe as u8);
            match (hero, foe) {
                (0, _) => self.arrive(Situation::lost(), &share),
                _ if evades => self.spread(&skirmish.fled, hero, &share),
                (_, 0) => self.spread(&skirmish.won, hero, &share),
                _ => {
                    let next = Situation {
                        endurance: hero,
                        foe,
                        rounds: skirmish.next(rounds),
                        ..*from
                    };
                    self.arrive(next, &share);
                }
            }
        }
    }

    pub(crate) fn spread(&mut self, node: &Node, endurance: u8, portion: &P) {
        match node {
            _ if endurance == 0 => self.arrive(Situation::lost(), portion),
            Node::Lost => self.arrive(Situation::lost(), portion),
            Node::Won => self.arrive(Situation::won(), portion),
            Node::Exit(exit) => {
                let exit = &self.plan.exits[*exit];
                let situation = Situation {
                    step: exit.step,
                    section: self.setting.program.steps[exit.step as usize].section,
                    endurance,
                    sheet: exit.hand.sheet,
                    foe: 0,
                    rounds: 0,
                };
                self.arrive(situation, portion);
            }
            Node::Body(ops, then) => {
                let left = ops.iter().fold(endurance, |left, op| op.apply(left));
                self.spread(then, left, portion);
            }
            Node::Chance(lines) => {
                for (numbers, then) in lines {
                    self.spread(then, endurance, &portion.of_ten(*numbers));
                }
            }
            Node::Fight {
                bout,
                won,
                fled,
                contest,
            } => {
                let ending = P::combat(self.laws, bout, endurance).clone();
                let lose = portion.of(&ending.lost);
                match contest {
                    Some(contest) => self.spread(contest, endurance, &lose),
                    None => self.arrive(Situation::lost(), &lose),
                }
                for (left, weight) in (0u8..).zip(&ending.won) {
                    if !weight.is_nothing() {
                        let left = if contest.is_some() { endurance } else { left };
                        self.spread(won, left, &portion.of(weight));
                    }
                }
                for (left, weight) in (0u8..).zip(&ending.fled) {
                    if let Some(fled) = fled
                        && !weight.is_nothing()
                    {
                        self.spread(fled, left, &portion.of(weight));
                    }
                }
            }
            Node::Spin { gold, target, ends } => {
                for (left, p) in self.laws.wheel(*gold, *target) {
                    let portion = portion.of(&P::from_ratio(&p));
                    self.spread(&ends[usize::from(left)], endurance, &portion);
                }
            }
            Node::Gamble { gold, ends } => {
                let stop = vec![false; wheel::PURSE + 1];
                let law = gamble::law_of(*gold, self.plays.unwrap_or(&stop));
                for (end, p) in ends.iter().zip(&law) {
                    let portion = portion.of(&P::from_ratio(p));
                    if !portion.is_nothing() {
                        self.spread(end, endurance, &portion);
                    }
                }
            }
        }
    }
}
