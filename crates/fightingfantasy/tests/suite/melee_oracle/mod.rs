//! Random melees and their values, by the simplest recursion in fractions.

#![allow(clippy::expect_used, reason = "a failed check is a failed test")]

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_fightingfantasy::{
    AtOnce, Attacker, Damage, Escape, Foe, Hero, Manner, Melee, Objective, Rules,
};
use quickcheck::{Arbitrary, Gen};

/// A melee in plain numbers, and its value by the simplest recursion: one pair of dice sums at a
/// time, every decision based only on the rolls before it. A round in which nothing has happened so
/// far is worth `a + b · V`, where V is the unknown value of the round itself; so V = a / (1 − b).
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) hero: (i32, i64, i64),
    pub(crate) foes: Vec<(i32, i64, Damage)>,
    pub(crate) hit: Damage,
    pub(crate) in_turn: bool,
    pub(crate) in_order: bool,
    pub(crate) fall_ends_round: bool,
    pub(crate) one_roll: bool,
    pub(crate) last_rounds: Option<i64>,
    /// After this many rounds, at this cost of STAMINA.
    pub(crate) escape: Option<(i64, i64)>,
    pub(crate) stamina_counts: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Now {
    hero: i64,
    luck: i64,
    foes: Vec<i64>,
    rounds: i64,
    since: i64,
}

/// `a + b · V`.
type Affine = (BigRational, BigRational);

pub(crate) fn ratio(a: i64, b: i64) -> BigRational {
    BigRational::new(BigInt::from(a), BigInt::from(b))
}

fn known(value: BigRational) -> Affine {
    (value, BigRational::zero())
}

fn mix(parts: impl IntoIterator<Item = (BigRational, Affine)>) -> Affine {
    parts.into_iter().fold(
        (BigRational::zero(), BigRational::zero()),
        |sum, (p, part)| (sum.0 + &p * part.0, sum.1 + p * part.1),
    )
}

/// The 36 rolls of two dice, by their sum.
fn two_dice() -> BTreeMap<i64, BigRational> {
    let mut sums = BTreeMap::new();
    for a in 1..=6 {
        for b in 1..=6 {
            *sums.entry(a + b).or_insert_with(BigRational::zero) += ratio(1, 36);
        }
    }
    sums
}

pub(crate) struct Oracle {
    case: Case,
    dice: BTreeMap<i64, BigRational>,
    /// P(win, draw, lose) by difference, for a fresh roll of the hero.
    fresh: HashMap<i64, [BigRational; 3]>,
    seen: HashMap<Now, BigRational>,
}

impl Oracle {
    pub(crate) fn value(case: &Case) -> BigRational {
        let now = Now {
            hero: case.hero.1,
            luck: case.hero.2,
            foes: case.foes.iter().map(|foe| foe.1).collect(),
            rounds: 0,
            since: 0,
        };
        let mut oracle = Oracle {
            case: case.clone(),
            dice: two_dice(),
            fresh: HashMap::new(),
            seen: HashMap::new(),
        };
        oracle.before_round(&now)
    }

    fn score(&self, stamina: i64) -> BigRational {
        ratio(if self.case.stamina_counts { stamina } else { 1 }, 1)
    }

    fn before_round(&mut self, now: &Now) -> BigRational {
        if now.hero <= 0 {
            return BigRational::zero();
        }
        let living: Vec<usize> = (0..now.foes.len()).filter(|&i| now.foes[i] > 0).collect();
        if living.is_empty() {
            return self.score(now.hero);
        }
        if self.case.last_rounds.is_some_and(|last| now.rounds >= last) {
            return self.score(now.hero);
        }
        if let Some(value) = self.seen.get(now) {
            return value.clone();
        }
        let one_target = self.case.in_turn || self.case.in_order;
        let targets = if one_target {
            &living[..1]
        } else {
            &living[..]
        };
        let mut values: Vec<BigRational> = Vec::new();
        for &target in targets {
            let others: Vec<usize> = match self.case.in_turn {
                true => vec![],
                false => living.iter().copied().filter(|&i| i != target).collect(),
            };
            let (a, b) = self.exchange(now, target, &others);
            values.push(a / (BigRational::one() - b));
        }
        if let Some((after, cost)) = self.case.escape {
            let fought = if self.case.in_turn {
                now.since
            } else {
                now.rounds
            };
            if fought >= after {
                // Only scores that do not require success count an escape.
                values.push(match self.case.stamina_counts {
                    true => ratio((now.hero - cost).max(0), 1),
                    false => BigRational::zero(),
                });
            }
        }
        let value = values.into_iter().max().unwrap();
        self.seen.insert(now.clone(), value.clone());
        value
    }

    /// P(win, draw, lose) against a foe, for this roll of the hero or a fresh one.
    fn odds(&mut self, foe: usize, roll: Option<i64>) -> [BigRational; 3] {
        let lead = i64::from(self.case.hero.0 - self.case.foes[foe].0);
        let against = |hero: i64, dice: &BTreeMap<i64, BigRational>| {
            let mut odds = [(); 3].map(|()| BigRational::zero());
            for (sum, p) in dice {
                let place = match (lead + hero).cmp(sum) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                odds[place] += p;
            }
            odds
        };
        if let Some(roll) = roll {
            return against(roll, &self.dice);
        }
        let dice = &self.dice;
        let fresh = self.fresh.entry(lead).or_insert_with(|| {
            let mut odds = [(); 3].map(|()| BigRational::zero());
            for (hero, p) in dice {
                for (sum, q) in odds.iter_mut().zip(against(*hero, dice)) {
                    *sum += p * q;
                }
            }
            odds
        });
        fresh.clone()
    }

    fn exchange(&mut self, now: &Now, target: usize, others: &[usize]) -> Affine {
        if !self.case.one_roll {
            return self.exchange_with(now, target, others, None);
        }
        let dice = self.dice.clone();
        let parts: Vec<(BigRational, Affine)> = dice
            .into_iter()
            .map(|(roll, p)| (p, self.exchange_with(now, target, others, Some(roll))))
            .collect();
        mix(parts)
    }

    fn exchange_with(
        &mut self,
        now: &Now,
        target: usize,
        others: &[usize],
        roll: Option<i64>,
    ) -> Affine {
        let [win, draw, lose] = self.odds(target, roll);
        let hit = self.case.hit;
        let won = self.luck(now, hit, |oracle, mut next, taken| {
            next.foes[target] = (next.foes[target] - taken).max(0);
            let fell = next.foes[target] == 0;
            if fell {
                next.since = -1;
            }
            let settled = fell && oracle.case.fall_ends_round;
            oracle.attacks(&next, if settled { &[] } else { others }, roll, true)
        });
        let wound = self.case.foes[target].2;
        let lost = self.luck(now, wound, |oracle, mut next, taken| {
            next.hero -= taken;
            oracle.attacks(&next, others, roll, true)
        });
        let drawn = self.attacks(now, others, roll, false);
        mix([(win, won), (draw, drawn), (lose, lost)])
    }

    fn attacks(&mut self, now: &Now, others: &[usize], roll: Option<i64>, changed: bool) -> Affine {
        if now.hero <= 0 {
            return known(BigRational::zero());
        }
        let Some((&by, later)) = others.split_first() else {
            let counts = self.case.last_rounds.is_some() || self.case.escape.is_some();
            if !changed && !counts {
                return (BigRational::zero(), BigRational::one());
            }
            let most = self
                .case
                .last_rounds
                .unwrap_or(0)
                .max(self.case.escape.map_or(0, |e| e.0));
            let mut next = now.clone();
            next.rounds = (now.rounds + 1).min(most);
            next.since = (now.since + 1).min(most);
            if !self.case.in_turn {
                next.since = 0;
            }
            if self.case.last_rounds.is_none() && self.case.in_turn {
                next.rounds = 0;
            }
            if !changed && next == *now {
                return (BigRational::zero(), BigRational::one());
            }
            return known(self.before_round(&next));
        };
        let [win, draw, lose] = self.odds(by, roll);
        let wound = self.case.foes[by].2;
        let wounded = self.luck(now, wound, |oracle, mut next, taken| {
            next.hero -= taken;
            oracle.attacks(&next, later, roll, true)
        });
        let parried = self.attacks(now, later, roll, changed);
        mix([(lose, wounded), (win + draw, parried)])
    }

    /// The better of keeping and testing LUCK, where `land` gives the result.
    fn luck(
        &mut self,
        now: &Now,
        blow: Damage,
        mut land: impl FnMut(&mut Self, Now, i64) -> Affine,
    ) -> Affine {
        let (save, _) = land(self, now.clone(), i64::from(blow.plain));
        if now.luck == 0 {
            return known(save);
        }
        let spent = Now {
            luck: now.luck - 1,
            ..now.clone()
        };
        let lucky: BigRational = self.dice.range(..=now.luck).map(|(_, p)| p.clone()).sum();
        let (good, _) = land(self, spent.clone(), i64::from(blow.lucky));
        let (bad, _) = land(self, spent, i64::from(blow.unlucky));
        let test = &lucky * good + (BigRational::one() - &lucky) * bad;
        known(save.max(test))
    }
}

impl Case {
    pub(crate) fn melee(&self) -> Melee {
        let (skill, stamina, luck) = self.hero;
        let foes = self.foes.iter().map(|&(skill, stamina, wound)| {
            Attacker::new(Foe::new(skill, stamina).unwrap()).wound(wound)
        });
        let mut rules = Rules::standard().hit(self.hit);
        if let Some(rounds) = self.last_rounds {
            rules = rules.last_rounds(u16::try_from(rounds).unwrap());
        }
        if let Some((after, cost)) = self.escape {
            let escape = Escape::after(u16::try_from(after).unwrap());
            rules = rules.escape(escape.cost(u16::try_from(cost).unwrap()));
        }
        let objective = if self.stamina_counts {
            Objective::stamina_of_survivor()
        } else {
            Objective::victory()
        };
        Melee::in_turn(Hero::new(skill, stamina, luck).unwrap(), foes)
            .unwrap()
            .manner(self.manner())
            .rules(rules)
            .objective(objective)
    }

    fn manner(&self) -> Manner {
        if self.in_turn {
            return Manner::InTurn;
        }
        let mut rule = AtOnce::standard();
        if self.in_order {
            rule = rule.targets_in_order();
        }
        if self.fall_ends_round {
            rule = rule.fall_ends_round();
        }
        if self.one_roll {
            rule = rule.one_roll();
        }
        rule.into()
    }

    pub(crate) fn best(&self) -> BigRational {
        self.melee().best().unwrap().value()
    }
}

fn upto(g: &mut Gen, range: std::ops::RangeInclusive<i64>) -> i64 {
    let size = range.end() - range.start() + 1;
    range.start() + i64::from(u32::arbitrary(g)) % size
}

fn one_in(g: &mut Gen, times: u32) -> bool {
    u32::arbitrary(g).is_multiple_of(times)
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let three = one_in(g, 3);
        let one_roll = one_in(g, 4);
        let most = if three || one_roll { 3 } else { 6 };
        let foes = (0..if three { 3 } else { 2 }).map(|_| {
            let wound = match upto(g, 0..=4) {
                0 => Damage::new(3, 0, 4),
                1 => Damage::new(1, 0, 5),
                _ => Damage::WOUND,
            };
            (upto(g, 4..=12) as i32, upto(g, 1..=most), wound)
        });
        let foes = foes.collect();
        let in_turn = one_in(g, 4);
        let limited = one_in(g, 4);
        let escape = one_in(g, 4).then(|| (upto(g, 0..=3), upto(g, 0..=3)));
        Case {
            hero: (
                upto(g, 5..=12) as i32,
                upto(g, 1..=6),
                upto(g, 0..=3) * upto(g, 1..=3),
            ),
            foes,
            hit: if one_in(g, 4) {
                Damage::new(2, 3, 0)
            } else {
                Damage::HIT
            },
            in_turn,
            in_order: one_in(g, 3),
            fall_ends_round: one_in(g, 3) && !in_turn,
            one_roll,
            last_rounds: (limited && escape.is_none()).then(|| upto(g, 1..=4)),
            escape,
            stamina_counts: one_in(g, 2),
        }
    }
}
