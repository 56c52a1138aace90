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
        let (mut won, mut fled) = (Lives::default(), Lives::default());
        for (hero, foe) in exchanges {
            // Never more than before, so a byte holds it.
            let (hero, foe) = (hero as u8, foe as u8);
            match (hero, foe) {
                (0, _) => self.arrive(Situation::lost(), &share),
                _ if evades => fled.add(hero, &share),
                (_, 0) => won.add(hero, &share),
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
        self.spread_all(&skirmish.won, &won.list());
        self.spread_all(&skirmish.fled, &fled.list());
    }

    /// Spreads a portion of heroes with this ENDURANCE.
    pub(crate) fn spread(&mut self, node: &Node, endurance: u8, portion: &P) {
        self.spread_all(node, &[(endurance, portion.clone())]);
    }

    /// Spreads portions of heroes, each with another ENDURANCE. Each node is met once: one after the
    /// other, fights would part them into more and more.
    fn spread_all(&mut self, node: &Node, heroes: &[(u8, P)]) {
        let mut living = Vec::with_capacity(heroes.len());
        for (endurance, portion) in heroes {
            match endurance {
                _ if portion.is_nothing() => {}
                0 => self.arrive(Situation::lost(), portion),
                _ => living.push((*endurance, portion.clone())),
            }
        }
        if living.is_empty() {
            return;
        }
        match node {
            Node::Lost => self.arrive_all(&living, |_| Situation::lost()),
            Node::Won => self.arrive_all(&living, |_| Situation::won()),
            Node::Exit(exit) => {
                let exit = &self.plan.exits[*exit];
                let situation = Situation {
                    step: exit.step,
                    section: self.setting.program.steps[exit.step as usize].section,
                    endurance: 0,
                    sheet: exit.hand.sheet,
                    foe: 0,
                    rounds: 0,
                };
                self.arrive_all(&living, |endurance| Situation {
                    endurance,
                    ..situation
                });
            }
            Node::Body(ops, then) => {
                let mut after = Lives::default();
                for (endurance, portion) in &living {
                    let left = ops.iter().fold(*endurance, |left, op| op.apply(left));
                    after.add(left, portion);
                }
                self.spread_all(then, &after.list());
            }
            Node::Chance(lines) => {
                for (numbers, then) in lines {
                    self.spread_all(then, &shares(&living, |portion| portion.of_ten(*numbers)));
                }
            }
            Node::Fight {
                bout,
                won,
                fled,
                contest,
            } => {
                let mut ends = [(); 3].map(|()| Lives::default());
                let [victors, losers, fugitives] = &mut ends;
                for (endurance, portion) in &living {
                    let ending = P::combat(self.laws, bout, *endurance);
                    losers.add(*endurance, &portion.of(&ending.lost));
                    for (left, weight) in ending.won.iter().enumerate() {
                        let left = match contest {
                            Some(_) => *endurance,
                            // Never more than before, so a byte holds it.
                            None => left as u8,
                        };
                        victors.add(left, &portion.of(weight));
                    }
                    for (left, weight) in ending.fled.iter().enumerate() {
                        fugitives.add(left as u8, &portion.of(weight));
                    }
                }
                let [victors, losers, fugitives] = ends.map(Lives::list);
                match contest {
                    Some(contest) => self.spread_all(contest, &losers),
                    None => self.arrive_all(&losers, |_| Situation::lost()),
                }
                self.spread_all(won, &victors);
                if let Some(fled) = fled {
                    self.spread_all(fled, &fugitives);
                }
            }
            Node::Spin { gold, target, ends } => {
                for (left, p) in self.laws.wheel(*gold, *target) {
                    let p = P::from_ratio(&p);
                    let heroes = shares(&living, |portion| portion.of(&p));
                    self.spread_all(&ends[usize::from(left)], &heroes);
                }
            }
            Node::Gamble { gold, ends } => {
                let stop = vec![false; wheel::PURSE + 1];
                let law = gamble::law_of(*gold, self.plays.unwrap_or(&stop));
                for (end, p) in ends.iter().zip(&law) {
                    let p = P::from_ratio(p);
                    if !p.is_nothing() {
                        self.spread_all(end, &shares(&living, |portion| portion.of(&p)));
                    }
                }
            }
        }
    }

    fn arrive_all(&mut self, heroes: &[(u8, P)], at: impl Fn(u8) -> Situation) {
        for (endurance, portion) in heroes {
            self.arrive(at(*endurance), portion);
        }
    }
}

/// Portions of heroes by the ENDURANCE they have left.
struct Lives<P>(Vec<Option<P>>);

impl<P> Default for Lives<P> {
    fn default() -> Self {
        Lives(Vec::new())
    }
}

impl<P: Portion> Lives<P> {
    fn add(&mut self, endurance: u8, portion: &P) {
        if portion.is_nothing() {
            return;
        }
        let place = usize::from(endurance);
        if self.0.len() <= place {
            self.0.resize(place + 1, None);
        }
        match &mut self.0[place] {
            Some(sum) => sum.add(portion),
            none => *none = Some(portion.clone()),
        }
    }

    fn list(self) -> Vec<(u8, P)> {
        let lives = self.0.into_iter().zip(0..=u8::MAX);
        lives
            .filter_map(|(portion, endurance)| Some((endurance, portion?)))
            .collect()
    }
}

/// A share of each portion.
fn shares<P: Portion>(heroes: &[(u8, P)], share: impl Fn(&P) -> P) -> Vec<(u8, P)> {
    let heroes = heroes.iter();
    heroes
        .map(|(endurance, portion)| (*endurance, share(portion)))
        .collect()
}
