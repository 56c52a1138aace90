//! The decisions of the solver by diagrams, followed through every place that they reach, have the
//! value that the solver states.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, HashMap};

use crate::generated::{Acyclic, Generated};
use crate::pieces::rolled;
use crate::properties::drawn;
use crate::risky::Risky;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookGame, BookPolicy, BookSolver, Cap, Character, Choice, Condition, Effect, Enemy,
    Error, Escape, Fight, Journey, Manuscript, Move, Passage, Place, Play, Section, Stat, Trial,
};
use oddsmith_mdp::{Node, Policy};
use quickcheck::{Arbitrary, Gen, TestResult};

/// The highest number of places followed.
const LIMIT: usize = 20_000;

/// A relative difference below 10⁻¹³ counts as a tie; this may happen once in each of this many
/// choices along a path.
const TIES: f64 = 30.0 * 1e-13;

/// The possible outcomes of each option at a place.
fn ways(game: &BookGame, place: &Place) -> Vec<Vec<Place>> {
    let node = Node::of(game, place).unwrap();
    let ways = |choice| node.wide_outcomes(choice).map(|(to, _)| *to).collect();
    (0..node.len()).map(ways).collect()
}

/// All reachable places, and of these, those from which play can end, or be won; `None` if there
/// are too many.
pub(crate) fn ending(
    game: &BookGame,
    won: bool,
    ways: impl Fn(&Place) -> Vec<Vec<Place>>,
) -> Option<HashMap<Place, bool>> {
    let mut before: HashMap<Place, Vec<Place>> = HashMap::new();
    let (mut found, mut ends) = (HashMap::new(), Vec::new());
    let mut open = vec![game.start()];
    found.insert(game.start(), false);
    while let Some(place) = open.pop() {
        let all = ways(&place);
        let node = Node::of(game, &place).unwrap();
        if node
            .score()
            .is_some_and(|score| !won || score.to_f64() > 0.0)
        {
            ends.push(place);
        }
        for to in all.into_iter().flatten() {
            before.entry(to).or_default().push(place);
            if found.insert(to, false).is_none() {
                open.push(to);
            }
        }
        if found.len() > LIMIT {
            return None;
        }
    }
    while let Some(place) = ends.pop() {
        if found.insert(place, true) == Some(false) {
            ends.extend(before.get(&place).into_iter().flatten());
        }
    }
    Some(found)
}

/// The possible outcomes of each move that the policy may make at a place.
pub(crate) fn followed(game: &BookGame, policy: &BookPolicy, place: &Place) -> Vec<Vec<Place>> {
    let node = Node::of(game, place).unwrap();
    let moves: Vec<_> = (0..node.len())
        .filter_map(|choice| node.action(choice).cloned())
        .collect();
    let ways = ways(game, place);
    if moves.is_empty() {
        return ways;
    }
    let mut weights = vec![0; moves.len()];
    policy.weigh(place, &moves, &mut weights);
    let taken = ways.into_iter().zip(weights);
    let taken: Vec<_> = taken.filter(|way| way.1 > 0).map(|way| way.0).collect();
    assert!(!taken.is_empty(), "{}", game.describe(place));
    taken
}

/// Whether play by the policy can end wherever any play can win.
fn leads_out(game: &BookGame, policy: &BookPolicy) -> Option<bool> {
    let any = ending(game, true, |place| ways(game, place))?;
    let followed = ending(game, false, |place| followed(game, policy, place))?;
    for (place, ends) in &followed {
        assert!(*ends || !any[place], "{} for ever", game.describe(place));
    }
    Some(followed.values().all(|ends| *ends))
}

/// Whether following the decisions has the stated value; `None` if the solver need not answer and
/// does not, or if there is too much to follow.
pub(crate) fn kept(
    game: &BookGame,
    change: impl Fn(BookSolver<'_>) -> BookSolver<'_>,
) -> Option<bool> {
    let policy = match change(BookSolver::new(game)).policy(game.start()) {
        Ok(policy) => policy,
        Err(Error::NotFollowed { .. } | Error::BookTooLarge { .. }) => {
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    // Some books have places that nobody ever leaves; these have no journeys.
    if !leads_out(game, &policy)? {
        return None;
    }
    let journey: Journey<BigRational> = game.follow(&policy, game.start(), LIMIT).unwrap();
    let valuation = policy.valuation();
    // Converting the exact value to a float also rounds once.
    let error = valuation.error().unwrap_or(1e-9) + f64::EPSILON;
    let value = journey.value().to_f64().unwrap();
    let (win, ties) = (valuation.win(), valuation.win() * TIES);
    Some(win - error - ties <= value && value <= win + error)
}

pub(crate) fn holds(holds: Option<bool>) -> TestResult {
    holds.map_or_else(TestResult::discard, TestResult::from_bool)
}

#[test]
fn without_rings() {
    fn same(Acyclic(generated): Acyclic) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        holds(kept(&game, |solver| solver))
    }
    drawn(300).quickcheck(same as fn(Acyclic) -> TestResult);
}

#[test]
fn with_rings() {
    fn same(generated: Generated) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        holds(kept(&game, |solver| solver))
    }
    drawn(300).quickcheck(same as fn(Generated) -> TestResult);
}

/// After one sweep, almost no ring has converged: 386 of these books are answered then.
#[test]
fn with_rings_sheet_by_sheet() {
    let mut g = Gen::from_size_and_seed(30, 5);
    let (mut followed, mut left) = (0, 0);
    for number in 0..3_000 {
        let (game, ring) = match number % 3 {
            0 => {
                let book = Generated::arbitrary(&mut g);
                (book.book().game(book.hero()).unwrap(), book.cyclic)
            }
            1 => {
                let book = Risky::arbitrary(&mut g);
                (book.game(), book.rings())
            }
            _ => {
                let book = Risky::arbitrary(&mut g);
                (book.with_luck(), book.rings())
            }
        };
        if !ring {
            continue;
        }
        match kept(&game, |solver| solver.max_sweeps(1)) {
            Some(kept) => {
                assert!(kept, "{number}");
                followed += 1;
            }
            None => left += 1,
        }
    }
    assert!(followed > 420, "{followed} {left}");
}

#[test]
fn with_luck_in_battle() {
    fn same(mut generated: Generated, risky: Risky) -> TestResult {
        generated.manuscript.rules.luck_in_battle = true;
        let game = generated.book().game(generated.hero()).unwrap();
        let both = [
            kept(&game, |solver| solver),
            kept(&risky.with_luck(), |solver| solver),
        ];
        let known = both.iter().flatten();
        match known.clone().count() {
            0 => TestResult::discard(),
            _ => TestResult::from_bool(known.copied().all(|kept| kept)),
        }
    }
    drawn(300).quickcheck(same as fn(Generated, Risky) -> TestResult);
}

#[test]
fn whatever_is_left_out() {
    fn same(generated: Generated, forget: bool, cap: bool, needed: bool) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        holds(kept(&game, |solver| {
            solver.forget(forget).cap_stats(cap).must_haves(needed)
        }))
    }
    drawn(200).quickcheck(same as fn(Generated, bool, bool, bool) -> TestResult);
}

#[test]
fn with_luck_kept_together_or_not() {
    fn same(generated: Generated, together: bool) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        holds(kept(&game, |solver| solver.luck_together(together)))
    }
    drawn(300).quickcheck(same as fn(Generated, bool) -> TestResult);
}

#[test]
fn with_ways_told_apart() {
    fn same(generated: Generated, risky: Risky, first: bool) -> TestResult {
        let game = match first {
            true => generated.book().game(generated.hero()).unwrap(),
            false => risky.game(),
        };
        holds(kept(&game, |solver| solver.tell_apart(0.0)))
    }
    drawn(300).quickcheck(same as fn(Generated, Risky, bool) -> TestResult);
}

#[test]
fn with_risks_put_off_or_not() {
    fn same(book: Risky, put_off: bool) -> TestResult {
        holds(kept(&book.game(), |solver| solver.put_off(put_off)))
    }
    drawn(300).quickcheck(same as fn(Risky, bool) -> TestResult);
}

/// With less memory, values that are not needed any more are discarded all the time, but decisions
/// are kept.
#[test]
fn with_little_memory() {
    fn same(book: Risky) -> TestResult {
        let game = book.game();
        let Ok(plenty) = BookSolver::new(&game).policy(game.start()) else {
            return TestResult::discard();
        };
        let plenty = plenty.valuation().bytes() + plenty.bytes();
        // From half to twice the memory that was used.
        let bytes = plenty / 128 * (64 + usize::from(book.bytes) * 3 / 4);
        holds(kept(&game, |solver| solver.max_bytes(bytes)))
    }
    drawn(300).quickcheck(same as fn(Risky) -> TestResult);
}

/// The books that are followed have all kinds of decisions.
#[test]
fn everything_there_is_to_decide_is_decided() {
    let mut g = Gen::from_size_and_seed(30, 11);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut kept_books, mut rings) = (0, 0);
    for number in 0..500 {
        let (game, ring) = match number % 2 {
            0 => {
                let book = Generated::arbitrary(&mut g);
                (book.book().game(book.hero()).unwrap(), book.cyclic)
            }
            _ => {
                let book = Risky::arbitrary(&mut g);
                (book.game(), book.rings())
            }
        };
        match kept(&game, |solver| solver) {
            Some(kept) => assert!(kept, "{number}"),
            None => continue,
        }
        kept_books += 1;
        rings += usize::from(ring);
        let policy = BookSolver::new(&game).policy(game.start()).unwrap();
        let places = ending(&game, false, |place| followed(&game, &policy, place)).unwrap();
        for place in places.keys() {
            let decision = match policy.decision(place) {
                Err(Error::NotReached { .. }) => {
                    // Everything is lost there; otherwise best play would not have gone there.
                    if let Ok(valuation) = BookSolver::new(&game).solve(*place) {
                        assert_eq!(valuation.win(), 0.0, "{number}");
                    }
                    continue;
                }
                decision => decision.unwrap(),
            };
            let what = match decision {
                None => "nothing",
                Some(Move::Turn(_)) => "turn",
                Some(Move::Refresh(_)) => "refresh",
                Some(Move::Buy(_)) => "buy",
                Some(Move::Sell(_)) => "sell",
                Some(Move::Leave) => "leave",
                Some(Move::Play) => "play",
                Some(Move::Stop) => "stop",
                Some(Move::FightOn) => "fight on",
                Some(Move::Run) => "run",
                Some(Move::SaveLuck) => "save LUCK",
                Some(Move::TestLuck) => "test LUCK",
                Some(what) => panic!("{what}"),
            };
            *counts.entry(what).or_default() += 1;
        }
    }
    assert!(kept_books > 300 && rings > 40, "{kept_books} {rings}");
    assert!(
        counts.len() == 12 && counts.values().all(|count| *count > 5),
        "{counts:?}"
    );
}

/// Regression: a hero who reached a fight on one route has more LUCK, or life, than anybody on
/// another: within a fight, decisions of the other route were looked up.
#[test]
fn a_fight_that_two_ways_lead_to() {
    for (stat, luck_in_battle) in [("luck", true), ("stamina", false)] {
        let mut worse = Passage::to(2);
        worse.effects.push(Effect::change(stat, -2));
        let fight = Fight {
            escape: (!luck_in_battle).then(|| Escape {
                cost: 1,
                ..Escape::new(1, Passage::to(3))
            }),
            ..Fight::new([Enemy::new(8, 6)], Passage::won())
        };
        let luck = Trial::new("luck", Passage::won(), Passage::lost());
        let mut book = Manuscript::new("two ways");
        book.rules.luck_in_battle = luck_in_battle;
        book.sections = vec![
            Section::new(
                1,
                Play::Choice(vec![
                    Choice::new("worse", worse),
                    Choice::new("better", Passage::to(2)),
                ])
                .into(),
            ),
            Section::new(2, Play::Fight(Box::new(fight)).into()),
            Section::new(3, Play::Test(Box::new(luck)).into()),
        ];
        let hero = Character::new()
            .stat("skill", 7)
            .stat("stamina", 8)
            .stat("luck", 9);
        let game = Book::new(book).unwrap().game(hero).unwrap();
        assert_eq!(
            kept(&game, |solver| solver.tell_apart(0.0)),
            Some(true),
            "{stat}"
        );
    }
}

/// Six defeats in 10¹⁴ are within the tolerance, so the first option counts as a tie. The stated
/// value is still right, but a policy may be off by more than the error of the value that it
/// belongs to.
#[test]
fn what_is_hardly_better_counts_as_the_same() {
    let book = Book::builder()
        .choice(1, [("leap", 2), ("walk", 5)])
        .chance(2, [(5, 4_294_967_294), (3, 1)])
        .chance(3, [(5, 3_999), (4, 1)])
        .lost(4)
        .won(5)
        .build()
        .unwrap();
    let game = book.game(rolled(7, 9, 7)).unwrap();
    let policy = BookSolver::new(&game).policy(game.start()).unwrap();
    assert_eq!(policy.valuation().win(), 1.0);
    let journey: Journey<BigRational> = game.follow(&policy, game.start(), LIMIT).unwrap();
    let lost = 1.0 - journey.value().to_f64().unwrap();
    assert!((0.0..6e-14).contains(&lost), "{lost:e}");
}

/// Regression: conditions ask for at least zero meals. Distinguished there by all values of meals,
/// and merged on the way there, one value was found, and a hero with more was at an unknown place.
#[test]
fn what_everybody_has_is_told_apart_all_the_way() {
    let found = Section {
        leave: vec![Effect::change("meals", 1)],
        ..Section::new(1, Passage::to(2))
    };
    let eat = Choice::new("eat", Passage::won()).when(Condition::at_least("meals", 0));
    let mut book = Manuscript::new("full");
    book.sheet.stats.push(Stat {
        cap: Some(Cap::At(2)),
        floor: Some(0),
        ..Stat::new("meals", 2)
    });
    book.sections = vec![
        found,
        Section::new(
            2,
            Play::Choice(vec![Choice::new("go", Passage::won()), eat]).into(),
        ),
    ];
    let game = Book::new(book).unwrap().game(rolled(7, 9, 7)).unwrap();
    for switches in 0..4 {
        let (forget, cap) = (switches & 1 == 1, switches & 2 == 2);
        let solved = kept(&game, |solver| solver.forget(forget).cap_stats(cap));
        assert_eq!(solved, Some(true), "{forget} {cap}");
    }
}
