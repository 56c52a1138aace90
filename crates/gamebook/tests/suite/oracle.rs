//! Small random books, compared with a plain recursion that shares nothing with the crate except
//! the meaning of a section, and theorems about books.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_fightingfantasy::{Foe, Hero, LuckTest};
use oddsmith_gamebook::{Book, Ending, Fights, Move, Place, Play};
use oddsmith_mdp::{AtRandom, Solver};
use quickcheck::{Arbitrary, Gen};

use crate::properties::drawn;

/// A section in numbers; its targets are later sections.
#[derive(Clone, Debug)]
enum Plain {
    Won,
    Lost,
    Choice(Vec<u32>),
    Chance(Vec<(u32, u32)>),
    Luck(u32, u32),
    Skill(u32, u32),
    Fight(i32, i64, u32),
}

/// A book whose links all lead to higher numbers, and its hero.
#[derive(Clone, Debug)]
struct Adventure {
    sections: Vec<Plain>,
    hero: (i32, i64, i64),
    below: bool,
}

impl Arbitrary for Adventure {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, n: u32| u32::arbitrary(g) % n;
        let size = 3 + below(g, 9);
        let mut sections = Vec::new();
        for number in 0..size {
            let left = size - number - 1;
            let target = |g: &mut Gen| number + 1 + below(g, left);
            sections.push(if left < 2 {
                [Plain::Won, Plain::Lost][(left % 2) as usize].clone()
            } else {
                match below(g, 10) {
                    0..=2 => Plain::Choice((0..=below(g, 3)).map(|_| target(g)).collect()),
                    3..=4 => {
                        let outcomes =
                            (0..=below(g, 3)).map(|n| (target(g), below(g, 7) + u32::from(n == 0)));
                        Plain::Chance(outcomes.collect())
                    }
                    5 => Plain::Luck(target(g), target(g)),
                    6 => Plain::Skill(target(g), target(g)),
                    _ => Plain::Fight(below(g, 16) as i32, 1 + i64::from(below(g, 12)), target(g)),
                }
            });
        }
        Adventure {
            sections,
            hero: (
                below(g, 14) as i32,
                1 + i64::from(below(g, 16)),
                i64::from(below(g, 14)),
            ),
            below: bool::arbitrary(g),
        }
    }
}

/// The policy of the oracle: the best, the first or a random option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    Best,
    First,
    Random,
}

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// All rolls of four dice, counted one by one: two for the hero against two for the foe.
fn hit_chance(difference: i32) -> BigRational {
    let (mut won, mut lost) = (0, 0);
    for roll in 0..1_296 {
        let dice = [roll % 6, roll / 6 % 6, roll / 36 % 6, roll / 216];
        match difference + dice[0] + dice[1] - dice[2] - dice[3] {
            1.. => won += 1,
            0 => {}
            ..0 => lost += 1,
        }
    }
    fraction(won, won + lost)
}

impl Adventure {
    fn book(&self) -> Book {
        self.renumbered(|number| number)
    }

    /// The same book with its sections renumbered.
    fn renumbered(&self, to: impl Fn(u32) -> u32 + Copy) -> Book {
        let labels = ["first", "second", "third"];
        let mut builder = Book::builder();
        for (number, section) in (0..).zip(&self.sections) {
            let number = to(number);
            builder = match section.clone() {
                Plain::Won => builder.won(number),
                Plain::Lost => builder.lost(number),
                Plain::Choice(targets) => {
                    builder.choice(number, labels.into_iter().zip(targets.into_iter().map(to)))
                }
                Plain::Chance(outcomes) => builder.chance(
                    number,
                    outcomes
                        .into_iter()
                        .map(|(target, weight)| (to(target), weight)),
                ),
                Plain::Luck(lucky, unlucky) => builder.luck(number, to(lucky), to(unlucky)),
                Plain::Skill(success, failure) => builder.skill(number, to(success), to(failure)),
                Plain::Fight(skill, stamina, victory) => {
                    builder.fight(number, Foe::new(skill, stamina).unwrap(), to(victory))
                }
            };
        }
        let rule = if self.below {
            LuckTest::Below
        } else {
            LuckTest::AtMost
        };
        builder.tests(rule).build().unwrap()
    }

    fn hero(&self) -> Hero {
        let (skill, stamina, luck) = self.hero;
        Hero::new(skill, stamina, luck).unwrap()
    }

    /// The probability that two dice pass a test, by counting.
    fn pass(&self, value: i64) -> BigRational {
        let passes = |roll: &i64| {
            let pips = roll % 6 + roll / 6 + 2;
            if self.below {
                pips < value
            } else {
                pips <= value
            }
        };
        fraction((0..36).filter(passes).count() as i64, 36)
    }

    /// The chance to win, one round and one section at a time.
    fn recurse(&self, habit: Habit, section: u32, stamina: i64, luck: i64) -> BigRational {
        let to = |section, luck| self.recurse(habit, section, stamina, luck);
        let mix = |p: BigRational, yes, no, luck| {
            let q = fraction(1, 1) - &p;
            p * to(yes, luck) + q * to(no, luck)
        };
        match &self.sections[section as usize] {
            Plain::Won => fraction(1, 1),
            Plain::Lost => fraction(0, 1),
            Plain::Choice(targets) => {
                let values = targets.iter().map(|&target| to(target, luck));
                match habit {
                    Habit::Best => values.max().unwrap(),
                    Habit::First => to(targets[0], luck),
                    Habit::Random => {
                        values.sum::<BigRational>() / fraction(targets.len() as i64, 1)
                    }
                }
            }
            Plain::Chance(outcomes) => {
                let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
                let sum: BigRational = outcomes
                    .iter()
                    .map(|&(target, weight)| fraction(weight.into(), 1) * to(target, luck))
                    .sum();
                sum / fraction(total.into(), 1)
            }
            &Plain::Luck(yes, no) => mix(self.pass(luck), yes, no, (luck - 1).max(0)),
            &Plain::Skill(yes, no) => mix(self.pass(self.hero.0.into()), yes, no, luck),
            &Plain::Fight(skill, foe, victory) => {
                let hit = hit_chance(self.hero.0 - skill);
                let mut known = HashMap::new();
                let wins = |left| self.recurse(habit, victory, left, luck);
                fight(&hit, (stamina, foe), &wins, &mut known)
            }
        }
    }

    fn oracle(&self, habit: Habit) -> BigRational {
        self.recurse(habit, 0, self.hero.1, self.hero.2)
    }
}

/// The chance to win a fight and what follows, round by round.
fn fight(
    hit: &BigRational,
    (hero, foe): (i64, i64),
    wins: &impl Fn(i64) -> BigRational,
    known: &mut HashMap<(i64, i64), BigRational>,
) -> BigRational {
    if hero <= 0 {
        return fraction(0, 1);
    }
    if foe <= 0 {
        return wins(hero);
    }
    if let Some(value) = known.get(&(hero, foe)) {
        return value.clone();
    }
    let won = fight(hit, (hero, foe - 2), wins, known);
    let lost = fight(hit, (hero - 2, foe), wins, known);
    let value = hit * won + (fraction(1, 1) - hit) * lost;
    known.insert((hero, foe), value.clone());
    value
}

#[test]
fn books_are_worth_what_plain_recursion_says() {
    fn agrees(adventure: Adventure) -> bool {
        let (book, hero) = (adventure.book(), adventure.hero());
        let first = |_: &Place, _: &[Move]| 0;
        book.solve(hero).unwrap().value() == adventure.oracle(Habit::Best)
            && book.evaluate(hero, first).unwrap() == adventure.oracle(Habit::First)
            && book.evaluate(hero, AtRandom).unwrap() == adventure.oracle(Habit::Random)
    }
    drawn(400).quickcheck(agrees as fn(Adventure) -> bool);
}

/// The generator must cover what the test is about.
#[test]
fn random_books_are_interesting() {
    // Fixed cases, so that rare ones do not fail by chance.
    let mut generator = Gen::from_size_and_seed(30, 1);
    let (mut between, mut choices, mut fights, mut habits) = (0, 0, 0, 0);
    for _ in 0..500 {
        let adventure = Adventure::arbitrary(&mut generator);
        let best = adventure.oracle(Habit::Best);
        between += u32::from(best > fraction(0, 1) && best < fraction(1, 1));
        let plan = adventure.book().solve(adventure.hero()).unwrap();
        choices += u32::from(plan.first_choice().unwrap().is_some());
        let boss = |section: &Plain| matches!(section, Plain::Fight(..));
        fights += u32::from(adventure.sections.iter().any(boss));
        habits += u32::from(adventure.oracle(Habit::First) < best);
    }
    for (what, count) in [
        ("between", between),
        ("choices", choices),
        ("fights", fights),
        ("habits", habits),
    ] {
        assert!(count >= 30, "{what}: only {count} of 500");
    }
}

#[test]
fn floats_are_within_their_bound() {
    fn near(adventure: Adventure) -> bool {
        let (book, hero) = (adventure.book(), adventure.hero());
        let plan = book.solve_with(hero, Solver::float()).unwrap();
        let bound = plan.solution().error(&plan.start()).unwrap();
        let float = BigRational::from_float(plan.value()).unwrap();
        let exact = adventure.oracle(Habit::Best);
        let distance = if float > exact {
            float - exact
        } else {
            exact - float
        };
        bound < 1e-12 && distance <= BigRational::from_float(bound).unwrap()
    }
    drawn(200).quickcheck(near as fn(Adventure) -> bool);
}

/// The visits of the endings and the deaths in fights add up to one; the victories are the value;
/// the walk leads from the start to an ending along links.
#[test]
fn forecasts_and_walks_are_consistent() {
    fn consistent(adventure: Adventure) -> bool {
        let (book, hero) = (adventure.book(), adventure.hero());
        let plan = book.solve(hero).unwrap();
        let visited = |what: Ending| -> BigRational {
            book.sections()
                .filter(|(_, section)| section.passage.play == Play::Ending(what))
                .map(|(number, _)| plan.visits(number).unwrap())
                .sum()
        };
        let (won, lost) = (visited(Ending::Won), visited(Ending::Lost));
        let forecast = plan.solution().forecast().unwrap();
        let game = plan.solution().game();
        let stamina_of = |place: &Place| game.stat(place, "stamina").unwrap();
        let stamina = forecast.ends_by(stamina_of).unwrap();
        let walk = plan.walkthrough().unwrap();
        let steps = walk.steps();
        let linked = steps.windows(2).all(|pair| {
            let [from, to] = [&pair[0].place, &pair[1].place];
            let targets = book.section(from.section()).unwrap().targets();
            let died = stamina_of(to) == 0 && to.section() == from.section();
            died || targets.contains(&to.section())
        });
        let ends = steps.last().unwrap();
        let hopeful = steps.iter().all(|step| step.value > fraction(0, 1));
        won == plan.value()
            && won + lost + stamina.p(&0) == fraction(1, 1)
            && steps[0].place == plan.start()
            && steps[0].value == plan.value()
            && linked
            && plan.solution().choices(&ends.place).unwrap().is_empty()
            && (plan.value() == fraction(0, 1) || (hopeful && ends.value == fraction(1, 1)))
            && steps.iter().all(|step| step.reached > fraction(0, 1))
    }
    drawn(200).quickcheck(consistent as fn(Adventure) -> bool);
}

/// More STAMINA never lowers the value of a place. (More LUCK can: the lucky outcome need not be
/// the better one.)
#[test]
fn more_stamina_never_hurts() {
    fn grows(adventure: Adventure) -> bool {
        let (skill, stamina, luck) = adventure.hero;
        let value = |stamina| {
            let hero = Hero::new(skill, stamina, luck).unwrap();
            adventure.book().solve(hero).unwrap().value()
        };
        value(stamina) <= value(stamina + 1)
    }
    drawn(200).quickcheck(grows as fn(Adventure) -> bool);
}

/// The numbers of the sections do not matter, nor does the way fights are played.
#[test]
fn numbers_and_folding_change_nothing() {
    fn same(adventure: Adventure, shift: u8) -> bool {
        let hero = adventure.hero();
        let value = adventure.book().solve(hero).unwrap().value();
        // A permutation of 0 to 12, so that the start is no longer first.
        let factor = 1 + u32::from(shift) % 12;
        let renumbered = adventure.renumbered(|number| (number + 5) * factor % 13);
        let game = adventure.book().game(hero).unwrap().fights(Fights::Rounds);
        let rounds = Solver::exact().solve(&game, game.start()).unwrap().value();
        renumbered.solve(hero).unwrap().value() == value && rounds == value
    }
    drawn(300).quickcheck(same as fn(Adventure, u8) -> bool);
}
