//! Journeys: by hand, compared with a recursion over all paths, and theorems.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{
    Avoiding, Book, BookGame, Branch, Effect, Error, Evaluation, Fate, FirstOption, FollowLimits,
    Item, Journey, Manuscript, Move, Passage, Place, Play, Section, Stat, WalkThrough,
    WeightedEffects,
};
use oddsmith_mdp::{AtRandom, Node, Policy, Solver};
use quickcheck::{Arbitrary, Gen};

use crate::properties::drawn;

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

fn hero() -> Hero {
    Hero::new(7, 14, 7).unwrap()
}

#[track_caller]
fn check_visits(journey: &Journey<BigRational>, expected: &[(u32, &str)]) {
    let visited: Vec<(u32, String)> = journey
        .visited()
        .map(|(section, chance)| (section, chance.to_string()))
        .collect();
    let expected: Vec<(u32, String)> = expected
        .iter()
        .map(|(section, chance)| (*section, (*chance).to_owned()))
        .collect();
    assert_eq!(visited, expected);
}

#[test]
fn who_comes_back_is_counted_once() {
    // LUCK 7, 6 and 5 lead back in 21, 15 and 10 of 36 cases, and so on.
    let book = Book::builder()
        .chance(1, [(2, 1)])
        .luck(2, 1, 3)
        .lost(3)
        .build()
        .unwrap();
    let journey = book.follow_exact(hero(), AtRandom).unwrap();
    check_visits(&journey, &[(1, "1"), (2, "1"), (3, "1")]);
    assert_eq!(journey.ends_by(Place::section)[&3], fraction(1, 1));
}

#[test]
fn a_cycle_with_one_sheet() {
    // p = 1/2 · 1/2 + 1/2 · 1/2 · p from section 1: a third.
    let book = Book::builder()
        .chance(1, [(2, 1), (3, 1)])
        .chance(2, [(1, 1), (4, 1)])
        .lost(3)
        .won(4)
        .build()
        .unwrap();
    let journey = book.follow_exact(hero(), AtRandom).unwrap();
    assert_eq!(journey.value(), &fraction(1, 3));
    check_visits(&journey, &[(1, "1"), (2, "1/2"), (3, "2/3"), (4, "1/3")]);
    let steps = journey.walkthrough().steps();
    let sections: Vec<u32> = steps.iter().map(|step| step.place.section()).collect();
    assert_eq!(sections, [1, 2, 4]);
    assert_eq!(steps[2].reached, fraction(1, 3));
    let float = book.follow(hero(), AtRandom).unwrap();
    assert!((float.value() - 1.0 / 3.0).abs() <= float.error());
    assert!((float.visits(3).unwrap() * 1.5 - 1.0).abs() <= float.relative_error());
}

#[test]
fn a_section_that_leads_to_itself() {
    let book = Book::builder()
        .chance(1, [(1, 5), (2, 1)])
        .won(2)
        .build()
        .unwrap();
    let journey = book.follow_exact(hero(), AtRandom).unwrap();
    check_visits(&journey, &[(1, "1"), (2, "1")]);
}

#[test]
fn fates_and_what_is_left() {
    let book = Book::builder()
        .fight(1, Foe::new(7, 4).unwrap(), 2)
        .chance(2, [(3, 1), (4, 3)])
        .won(3)
        .lost(4)
        .build()
        .unwrap();
    // Two of three rounds at equal odds: dead 1/2, unhurt 1/4, hurt once 1/4.
    let journey = book
        .follow_exact(Hero::new(7, 4, 7).unwrap(), AtRandom)
        .unwrap();
    let endings = journey.endings();
    assert_eq!(
        endings,
        [
            (1, Fate::Died, fraction(1, 2)),
            (3, Fate::Won, fraction(1, 8)),
            (4, Fate::Lost, fraction(3, 8)),
        ]
    );
    let deaths = [(1, fraction(1, 2)), (4, fraction(3, 8))];
    assert_eq!(journey.deaths(), deaths);
    let stamina = journey.stat_at_end("stamina").unwrap();
    let law: Vec<(i16, String)> = stamina.iter().map(|(s, p)| (*s, p.to_string())).collect();
    assert_eq!(
        law,
        [(0, "1/2".into()), (2, "1/4".into()), (4, "1/4".into())]
    );
    let winners = journey.stat_in_victory("stamina").unwrap();
    assert_eq!(winners[&2], fraction(1, 2));
    let error = journey.stat_at_end("magic").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the end of the journey: stat: there is no stat \"magic\" on the sheet"
    );
    assert!(journey.holds_at_end("lamp").is_err());
    assert_eq!(journey.visits(9), Err(Error::NoSuchSection { section: 9 }));
}

#[test]
fn nobody_wins_a_lost_book() {
    let book = Book::builder()
        .choice(1, [("on", 2)])
        .lost(2)
        .build()
        .unwrap();
    let journey = book.follow_exact(hero(), AtRandom).unwrap();
    assert!(journey.stat_in_victory("skill").unwrap().is_empty());
    let steps = journey.walkthrough().steps().len();
    assert_eq!(steps, 2);
}

/// A book in which a passed test of LUCK, which costs some, may lead back.
#[derive(Clone, Debug)]
struct Loops(Vec<[u32; 4]>, i64);

impl Arbitrary for Loops {
    fn arbitrary(g: &mut Gen) -> Self {
        let size = 3 + usize::arbitrary(g) % 6;
        let row = |g: &mut Gen| [(); 4].map(|()| u32::arbitrary(g));
        Loops(
            (0..size).map(|_| row(g)).collect(),
            i64::arbitrary(g).rem_euclid(8),
        )
    }
}

impl Loops {
    fn book(&self) -> Book {
        let size = self.0.len() as u32;
        let mut builder = Book::builder().won(size).lost(size + 1);
        for (number, &[kind, a, b, c]) in (0..).zip(&self.0) {
            let on = |seed: u32| number + 1 + seed % (size + 1 - number);
            builder = match kind % 4 {
                0 => builder.choice(number, [("one", on(a)), ("two", on(b)), ("three", on(c))]),
                1 => builder.chance(number, [(on(a), 1 + b % 5), (on(c), 1)]),
                2 => builder.luck(number, a % size, on(b)),
                _ => {
                    let foe = Foe::new(5 + (a % 5) as i32, 1 + i64::from(b % 5)).unwrap();
                    builder.fight(number, foe, on(c))
                }
            };
        }
        builder.start(0).build().unwrap()
    }

    fn hero(&self) -> Hero {
        Hero::new(7, 4, self.1).unwrap()
    }
}

/// The probability of ever reaching a section, over all paths.
fn ever(
    game: &BookGame,
    policy: &impl Policy<BookGame>,
    place: &Place,
    section: u32,
    known: &mut HashMap<Place, BigRational>,
) -> BigRational {
    if place.section() == section {
        return BigRational::one();
    }
    if let Some(known) = known.get(place) {
        return known.clone();
    }
    let mut sum = BigRational::zero();
    for (to, p) in outcomes(game, policy, place) {
        sum += p * ever(game, policy, &to, section, known);
    }
    known.insert(*place, sum.clone());
    sum
}

/// The possible next places, by chance or by the decisions of a policy.
fn outcomes(
    game: &BookGame,
    policy: &impl Policy<BookGame>,
    place: &Place,
) -> BTreeMap<Place, BigRational> {
    let node = Node::of(game, place).unwrap();
    let actions: Vec<Move> = (0..node.len())
        .filter_map(|choice| node.action(choice).cloned())
        .collect();
    let mut weights = vec![u64::from(actions.is_empty()); node.len()];
    if !actions.is_empty() {
        policy.weigh(place, &actions, &mut weights);
    }
    let all: u64 = weights.iter().sum();
    let mut outcomes = BTreeMap::new();
    for (choice, weight) in weights.iter().enumerate() {
        let part = BigRational::new((*weight).into(), all.into());
        let total = BigInt::from(node.wide_total(choice));
        for (to, weight) in node.wide_outcomes(choice) {
            if weight != num_bigint::BigUint::ZERO && !part.is_zero() {
                let p = &part * BigRational::new(weight.into(), total.clone());
                *outcomes.entry(*to).or_insert_with(BigRational::zero) += p;
            }
        }
    }
    outcomes
}

/// The probability of the likeliest path to a victory; no path returns to a place, except by
/// staying there.
fn likeliest(
    game: &BookGame,
    policy: &impl Policy<BookGame>,
    place: &Place,
    won: u32,
    known: &mut HashMap<Place, BigRational>,
) -> BigRational {
    if place.section() == won {
        return BigRational::one();
    }
    if let Some(known) = known.get(place) {
        return known.clone();
    }
    let mut best = BigRational::zero();
    let mut next = outcomes(game, policy, place);
    let stays = next.remove(place).unwrap_or_else(BigRational::zero);
    for (to, p) in next {
        let p = p / (BigRational::one() - &stays);
        best = best.max(p * likeliest(game, policy, &to, won, known));
    }
    known.insert(*place, best.clone());
    best
}

fn agrees(loops: &Loops, policy: impl Policy<BookGame> + Copy) -> bool {
    let (book, hero) = (loops.book(), loops.hero());
    let journey = book.follow_exact(hero, policy).unwrap();
    let float = book.follow(hero, policy).unwrap();
    let game = book.game(hero).unwrap();
    let mut fits = true;
    for (section, _) in book.sections() {
        let expected = ever(&game, &policy, &game.start(), section, &mut HashMap::new());
        let rounded = float.visits(section).unwrap();
        fits &= journey.visits(section).unwrap() == expected;
        let near = expected.to_f64().unwrap();
        fits &= (rounded - near).abs() <= near * (float.relative_error() + 1e-15);
    }
    let won = loops.0.len() as u32;
    let line = likeliest(&game, &policy, &game.start(), won, &mut HashMap::new());
    let end = journey.walkthrough().steps().last().unwrap();
    let rounded = float.walkthrough().steps().last().unwrap();
    let off = (rounded.line / line.to_f64().unwrap() - 1.0).abs();
    fits &= line.is_zero() || (end.place.section() == won && end.line == line && off < 1e-12);
    let sum: BigRational = journey.endings().into_iter().map(|(_, _, p)| p).sum();
    let won = journey.ends().filter(|(_, fate, _)| *fate == Fate::Won);
    let won: BigRational = won.map(|(_, _, p)| p).sum();
    fits && sum.is_one() && won == *journey.value() && book.evaluate(hero, policy).unwrap() == won
}

#[test]
fn visits_agree_with_a_recursion_over_all_ways() {
    fn holds(loops: Loops) -> bool {
        agrees(&loops, AtRandom) && agrees(&loops, FirstOption)
    }
    drawn(60).quickcheck(holds as fn(Loops) -> bool);
}

#[test]
fn the_journey_of_best_play_is_worth_the_solution() {
    fn holds(loops: Loops) -> bool {
        let (book, hero) = (loops.book(), loops.hero());
        let plan = book.solve(hero).unwrap();
        let journey = book.follow_exact(hero, plan.solution().policy()).unwrap();
        let best = plan.value();
        let habits = book.difficulty(hero, best.clone()).unwrap();
        let worse = habits.habits().all(|(_, p)| *p.as_ref().unwrap() <= best);
        let start = journey.visits(0).unwrap().is_one();
        let walk = plan.walkthrough().unwrap();
        // With equally likely lines, it may be another one.
        let end = |walk: &WalkThrough<BigRational>| walk.steps().last().unwrap().line.clone();
        let same = end(journey.walkthrough()) == end(&walk);
        start && worse && *journey.value() == best && same
    }
    drawn(60).quickcheck(holds as fn(Loops) -> bool);
}

/// Most victories go by way of 2, in ten lines; the likeliest line goes by way of 3. Regression:
/// the walk followed most of the victories. A reader who plays at random also has a line, with the
/// likelier option at each choice.
#[test]
fn the_likeliest_line_is_not_the_way_of_most_victories() {
    let rooms = (10..20).map(|room| (room, 1));
    let mut book = Book::builder()
        .choice(1, [("wait", 4), ("go", 5)])
        .chance(4, [(5, 1), (21, 2)])
        .chance(5, [(2, 6), (3, 4)])
        .chance(2, rooms)
        .luck(3, 20, 1)
        .won(20)
        .lost(21);
    for room in 10..20 {
        book = book.choice(room, [("on", 20)]);
    }
    let book = book.build().unwrap();
    // One in 36 fails the test of LUCK, and is back at 1 with one point less.
    let hero = Hero::new(7, 4, 11).unwrap();
    let journey = book.follow_exact(hero, AtRandom).unwrap();
    let walk = journey.walkthrough().steps();
    let steps: Vec<_> = walk
        .iter()
        .map(|step| (step.place.section(), step.line.to_string()))
        .collect();
    let wanted = [(1, "1"), (5, "1/2"), (3, "1/5"), (20, "7/36")];
    assert_eq!(
        steps,
        wanted.map(|(section, line)| (section, line.to_owned()))
    );
    assert_eq!(walk[0].deed.to_string(), "go");
    // A reader who waits may return with the same sheet.
    assert_eq!(walk[1].reached.to_string(), "2/3");
}

/// Most victories go by way of 2, which only leads back.
#[test]
fn a_walk_through_a_book_with_cycles_comes_to_an_ending() {
    let book = Book::builder()
        .chance(1, [(2, 3), (3, 1)])
        .chance(2, [(1, 1)])
        .choice(3, [("on", 4), ("give up", 5)])
        .chance(4, [(6, 1), (5, 1)])
        .lost(5)
        .won(6)
        .build()
        .unwrap();
    let plan = book
        .solve_with(hero(), Solver::exact().allow_cycles())
        .unwrap();
    let journey = book.follow_exact(hero(), plan.solution().policy()).unwrap();
    let walk = journey.walkthrough().steps().iter();
    let sections: Vec<u32> = walk.map(|step| step.place.section()).collect();
    assert_eq!(sections, [1, 3, 4, 6]);
    assert_eq!(plan.walkthrough().unwrap(), *journey.walkthrough());
    let advice = plan.first_choice().unwrap().unwrap();
    assert_eq!(advice.place().section(), 3);
}

#[test]
fn the_generator_makes_books_that_come_back() {
    // Fixed cases, so that rare ones do not fail by chance.
    let mut g = Gen::from_size_and_seed(10, 1);
    let comes_back = (0..200).filter(|_| {
        let loops = Loops::arbitrary(&mut g);
        let back = |(number, row): (u32, &[u32; 4])| {
            row[0] % 4 == 2 && row[1] % loops.0.len() as u32 <= number
        };
        (0..).zip(&loops.0).any(back)
    });
    assert!(comes_back.count() > 50);
}

#[test]
fn avoiding_sees_through_pages_and_runs() {
    // 2 only turns to a fight; 3 is not one.
    let book = Book::builder()
        .choice(1, [("through the gate", 2), ("over the wall", 3)])
        .chance(3, [(5, 1)])
        .fight(4, Foe::new(12, 40).unwrap(), 5)
        .won(5);
    let mut manuscript = book
        .choice(2, [("on", 4)])
        .build()
        .unwrap()
        .manuscript()
        .clone();
    manuscript.sections[1].passage = oddsmith_gamebook::Passage::to(4);
    let book = Book::new(manuscript).unwrap();
    let value = book.evaluate(hero(), Avoiding::new(&book)).unwrap();
    assert!(value.is_one());
    // A choice between two fights is made at random.
    let book = Book::builder()
        .choice(1, [("one", 2), ("other", 3)])
        .fight(2, Foe::new(7, 2).unwrap(), 4)
        .fight(3, Foe::new(7, 2).unwrap(), 5)
        .won(4)
        .lost(5)
        .build()
        .unwrap();
    let hero = Hero::new(7, 2, 7).unwrap();
    let value = book.evaluate(hero, Avoiding::new(&book)).unwrap();
    assert_eq!(value, fraction(1, 4));
}

#[test]
fn a_policy_without_decision_is_an_error() {
    let book = Book::builder()
        .choice(1, [("on", 2)])
        .won(2)
        .build()
        .unwrap();
    let none = |_: &Place, options: &[Move]| options.len();
    assert!(matches!(
        book.follow(hero(), none),
        Err(Error::Solve(oddsmith_mdp::Error::NoDecision { .. }))
    ));
}

#[test]
fn the_same_journey_bit_for_bit() {
    let book = Loops(
        vec![[2, 0, 1, 1], [0, 1, 2, 3], [1, 4, 4, 4], [3, 9, 9, 9]],
        7,
    )
    .book();
    let text = || {
        format!(
            "{:?}",
            book.follow(hero(), AtRandom)
                .unwrap()
                .ends()
                .collect::<Vec<_>>()
        )
    };
    assert_eq!(text(), text());
    let plan = book.solve_with(hero(), Solver::float()).unwrap();
    let journey = book.follow(hero(), plan.solution().policy()).unwrap();
    assert_eq!(journey.value().to_bits(), plan.value().to_bits());
}

/// 8/18, 7/18 and 3/18 in floats add up to 1.0000000000000002.
#[test]
fn no_sum_of_rounded_parts_exceeds_one() {
    let mut manuscript = Manuscript::new("three doors");
    manuscript.sheet.stats.push(Stat::new("gold", 0));
    manuscript.sheet.items.push(Item::new("rope"));
    manuscript.sheet.initial_items.push("rope".into());
    let doors = [8, 7, 3].into_iter().zip(0..);
    let doors = doors.map(|(weight, gold)| Branch {
        weight,
        passage: Passage {
            effects: vec![Effect::set("gold", gold)],
            ..Passage::to(2)
        },
    });
    manuscript.sections = vec![
        Section::new(1, Play::Random(doors.collect()).into()),
        Section::new(2, Passage::lost()),
    ];
    let book = Book::new(manuscript).unwrap();
    let journey = book.follow(hero(), AtRandom).unwrap();
    assert_eq!(journey.endings(), [(2, Fate::Lost, 1.0)]);
    assert_eq!(journey.deaths(), [(2, 1.0)]);
    assert_eq!(journey.holds_at_end("rope").unwrap(), 1.0);
    assert_eq!(journey.ends_by(|end| end.section())[&2], 1.0);
}

/// Weights that no machine word holds are rounded one by one, and may add up to more than their
/// total.
#[test]
fn no_value_exceeds_one() {
    let mut manuscript = Manuscript::new("thirty coins");
    manuscript.sheet.stats.push(Stat::new("gold", 0));
    for weight in 1..200 {
        let coin = |weight, effects| WeightedEffects { weight, effects };
        let find = vec![Effect::change("gold", 1)];
        let tossed = Effect::Random(vec![
            coin(2_000_000_011 + weight, find),
            coin(weight, vec![]),
        ]);
        let found = Passage {
            effects: vec![tossed; 30],
            ..Passage::to(2)
        };
        manuscript.sections = vec![Section::new(1, found), Section::new(2, Passage::won())];
        let book = Book::new(manuscript.clone()).unwrap();
        let plan = book.solve_with(hero(), Solver::float()).unwrap();
        let journey = book.follow(hero(), AtRandom).unwrap();
        let game = book.game(hero()).unwrap();
        let limits = FollowLimits::default();
        let evaluation: Evaluation<f64> = game.evaluate(AtRandom, game.start(), limits).unwrap();
        let solved = [plan.solution().value(), plan.value()];
        for value in solved
            .into_iter()
            .chain([*journey.value(), *evaluation.value()])
        {
            assert!(value <= 1.0 && value > 1.0 - 1e-12, "{value}");
        }
    }
}
