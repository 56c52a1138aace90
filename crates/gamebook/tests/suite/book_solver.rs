//! Whole books solved by diagrams, compared with the state-by-state solver.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::generated::{Acyclic, Generated};
use crate::properties::drawn;
use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Branch, Character, Choice, Condition, Effect, Error, Fights, Goods,
    Item, Manuscript, Passage, Play, RefreshAt, Refreshment, Section, Shop, Stat, Trial,
};
use oddsmith_mdp::Solver;
use quickcheck::TestResult;

/// The highest number of states solved.
const LIMIT: usize = 30_000;

/// The exact chance to win, as a float.
fn direct(game: &BookGame, cyclic: bool) -> Option<f64> {
    let solver = Solver::exact().max_states(LIMIT);
    let value = match cyclic {
        true => solver
            .allow_cycles()
            .solve(game, game.start())
            .map(|plan| plan.value()),
        false => solver.solve(game, game.start()).map(|plan| plan.value()),
    };
    value.ok()?.to_f64()
}

/// Whether the two solvers agree; `None` if one of them does not answer.
fn agree(generated: &Generated, change: impl Fn(BookSolver<'_>) -> BookSolver<'_>) -> Option<bool> {
    let game = generated.book().game(generated.hero()).unwrap();
    let direct = direct(&game.clone().fights(Fights::Folded), generated.cyclic)?;
    let solved = change(BookSolver::new(&game)).solve(game.start());
    let valuation = match solved {
        Ok(valuation) => valuation,
        // Rings that are left too rarely do not converge in time.
        Err(Error::NotFollowed { .. } | Error::BookTooLarge { .. }) => {
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    // Converting the exact value to a float also rounds once.
    let error = valuation.error().unwrap_or(1e-9) + f64::EPSILON;
    Some((valuation.win() - direct).abs() <= error)
}

fn holds(holds: Option<bool>) -> TestResult {
    holds.map_or_else(TestResult::discard, TestResult::from_bool)
}

#[test]
fn diagrams_agree_with_single_states() {
    fn same(Acyclic(generated): Acyclic) -> TestResult {
        holds(agree(&generated, |solver| solver))
    }
    drawn(300).quickcheck(same as fn(Acyclic) -> TestResult);
}

#[test]
fn rings_agree_with_single_states() {
    fn same(generated: Generated) -> TestResult {
        holds(agree(&generated, |solver| solver))
    }
    drawn(200).quickcheck(same as fn(Generated) -> TestResult);
}

#[test]
fn luck_in_battle_agrees_with_single_states() {
    fn same(mut generated: Generated, forget: bool, must_haves: bool) -> TestResult {
        generated.manuscript.rules.luck_in_battle = true;
        holds(agree(&generated, |solver| {
            solver.forget(forget).must_haves(must_haves)
        }))
    }
    drawn(300).quickcheck(same as fn(Generated, bool, bool) -> TestResult);
}

#[test]
fn advice_agrees_with_single_states() {
    fn same(Acyclic(generated): Acyclic) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        let game = game.fights(Fights::Folded);
        let Ok(Some(advice)) = BookSolver::new(&game).advice(game.start()) else {
            return TestResult::discard();
        };
        let Ok(plan) = Solver::exact().max_states(LIMIT).solve(&game, game.start()) else {
            return TestResult::discard();
        };
        let direct = plan.choices(&advice.place()).unwrap();
        let pairs = advice.options().iter().zip(&direct);
        let same = pairs.clone().all(|(mine, theirs)| {
            let value = theirs.value.to_f64().unwrap();
            let gap = theirs.gap.to_f64().unwrap();
            mine.action == theirs.action
                && (mine.value - value).abs() < 1e-9
                && (mine.gap - gap).abs() < 1e-9
                && (mine.optimal || !theirs.optimal)
        });
        let decided =
            pairs.filter(|(mine, theirs)| mine.decided && theirs.gap.to_f64().unwrap() < 1e-9);
        TestResult::from_bool(
            same && direct.len() == advice.options().len() && decided.count() == 1,
        )
    }
    drawn(200).quickcheck(same as fn(Acyclic) -> TestResult);
}

#[test]
fn nothing_is_left_out_that_matters() {
    fn same(Acyclic(generated): Acyclic, forget: bool, cap: bool, needed: bool) -> TestResult {
        holds(agree(&generated, |solver| {
            solver.forget(forget).cap_stats(cap).must_haves(needed)
        }))
    }
    drawn(300).quickcheck(same as fn(Acyclic, bool, bool, bool) -> TestResult);
}

/// Whether a solver that reduces less gives the same value, with the same kind of proof.
fn as_without(
    generated: &Generated,
    without: impl Fn(BookSolver<'_>) -> BookSolver<'_>,
) -> TestResult {
    let game = generated.book().game(generated.hero()).unwrap();
    let solver = BookSolver::new(&game).max_sweeps(2_000);
    let Ok(all) = without(solver.clone()).solve(game.start()) else {
        return TestResult::discard();
    };
    let fewer = solver.solve(game.start()).unwrap();
    assert_eq!(all.error().is_some(), fewer.error().is_some());
    let off = all.error().zip(fewer.error());
    let off = off.map_or(1e-9, |(one, other)| one + other);
    TestResult::from_bool((all.win() - fewer.win()).abs() <= off)
}

#[test]
fn options_that_others_bring_as_well_make_no_difference() {
    fn same(generated: Generated) -> TestResult {
        as_without(&generated, |solver| solver.nested(false))
    }
    drawn(600).quickcheck(same as fn(Generated) -> TestResult);
}

#[test]
fn that_more_is_never_worse_makes_no_difference() {
    fn same(generated: Generated) -> TestResult {
        as_without(&generated, |solver| solver.never_worse(false))
    }
    drawn(600).quickcheck(same as fn(Generated) -> TestResult);
}

/// Whether one way is better than another is read off STAMINA and money alone, unless the book
/// prefers those who have little.
#[test]
fn who_has_more_is_worse_off_in_some_books() {
    let win = |gate: Play, gain: &str| {
        let more = Passage {
            effects: vec![Effect::change(gain, 5)],
            ..Passage::to(2)
        };
        let choice = vec![
            Choice::new("take", more),
            Choice::new("leave", Passage::to(2)),
        ];
        let mut book = Manuscript::new("gate");
        book.sheet.stats.push(Stat {
            floor: Some(0),
            ..Stat::new("gold", 6)
        });
        let stats = book.sheet.stats.iter_mut();
        stats.for_each(|stat| stat.cap = None);
        book.sections = vec![
            Section::new(1, Play::Choice(choice).into()),
            Section::new(2, gate.into()),
            Section::new(3, Play::Random(branches()).into()),
        ];
        let hero = Character::new().stat("skill", 7).stat("stamina", 9);
        let game = Book::new(book).unwrap().game(hero.stat("luck", 7)).unwrap();
        let solver = BookSolver::new(&game);
        let wins = [true, false].map(|known| {
            let solver = solver.clone().never_worse(known);
            solver.solve(game.start()).unwrap().win()
        });
        assert_eq!(wins[0], wins[1]);
        assert_eq!(direct(&game, false), Some(wins[0]));
        wins[0]
    };
    fn branches() -> Vec<Branch> {
        let branch = |weight, passage| Branch { weight, passage };
        vec![branch(1, Passage::won()), branch(3, Passage::lost())]
    }
    for stat in ["gold", "stamina"] {
        let rich = || Condition::at_least(stat, 10);
        let poor = Choice::new("poor", Passage::won()).when(Condition::Not(rich().into()));
        let rich_only = Choice::new("rich", Passage::won()).when(rich());
        let other = || Choice::new("other", Passage::to(3));
        // An option for the poor, one for the rich, and a case for the rich. Whoever takes is rich.
        assert_eq!(win(Play::Choice(vec![poor, other()]), stat), 1.0);
        assert_eq!(win(Play::Choice(vec![rich_only, other()]), stat), 1.0);
        let case = Choice::new("", Passage::to(3)).when(rich());
        let cases = vec![case, Choice::new("", Passage::won())];
        assert_eq!(win(Play::First(cases), stat), 1.0);
    }
}

#[test]
fn luck_kept_together_makes_no_difference() {
    fn same(generated: Generated) -> TestResult {
        as_without(&generated, |solver| solver.luck_together(false))
    }
    drawn(600).quickcheck(same as fn(Generated) -> TestResult);
}

/// Every room of a corridor leads out. Each must keep its own exit; otherwise what lies behind
/// would be carried from room to room, once per lap.
#[test]
fn a_corridor_is_gone_through_twice() {
    let rooms = 1..=40_u32;
    let book = rooms.clone().fold(Book::builder(), |book, room| {
        let back = if room > 1 { room - 1 } else { 40 };
        let on = if room < 40 { room + 1 } else { 1 };
        book.choice(room, [("out", 41), ("back", back), ("on", on)])
    });
    let book = book.luck(41, 42, 43).won(42).lost(43).build().unwrap();
    let game = book.game(Hero::new(7, 14, 7).unwrap()).unwrap();
    let win = BookSolver::new(&game).max_sweeps(10).solve(game.start());
    assert_eq!(win.unwrap().win(), 21.0 / 36.0);
}

#[test]
fn ways_are_told_apart_or_not() {
    fn same(generated: Generated) -> TestResult {
        holds(agree(&generated, |solver| solver.tell_apart(0.0)))
    }
    drawn(200).quickcheck(same as fn(Generated) -> TestResult);
}

/// Every section of City of Thieves from which few enough states can be reached for the
/// state-by-state solver, with and without LUCK in battle.
#[test]
#[cfg(feature = "serde")]
fn city_of_thieves_agrees_with_single_states() {
    let plain = Book::city_of_thieves().unwrap();
    let lucky = Book::city_of_thieves_luck_in_battle().unwrap();
    let hero = Character::new()
        .stat("skill", 9)
        .stat("stamina", 8)
        .stat("luck", 8)
        .now("provisions", 3)
        .item("luck_potion");
    let mut doubtful = Vec::new();
    for (book, most) in [(plain, 3_000), (lucky, 6_000)] {
        let game = book.game(hero.clone()).unwrap();
        let mut doubts = 0;
        for (number, _) in book.sections() {
            let start = game.start_at(number).unwrap();
            let solver = Solver::float().max_states(most).allow_cycles();
            let Ok(direct) = solver.solve(&game, start) else {
                continue;
            };
            let valuation = BookSolver::new(&game).solve(start).unwrap();
            assert!(
                (valuation.win() - direct.value()).abs() < 1e-12,
                "{number}: {valuation}"
            );
            doubts += usize::from(direct.value() > 0.0 && direct.value() < 1.0);
        }
        doubtful.push(doubts);
    }
    assert!(doubtful.iter().all(|doubts| *doubts > 0), "{doubtful:?}");
}

fn solve(book: Manuscript, hero: Character) -> Result<oddsmith_gamebook::Valuation, Error> {
    let game = Book::new(book).unwrap().game(hero).unwrap();
    BookSolver::new(&game).solve(game.start())
}

fn rolled() -> Character {
    Character::new()
        .stat("skill", 7)
        .stat("stamina", 5)
        .stat("luck", 7)
}

fn gold() -> Stat {
    Stat::new("gold", 0)
}

/// Purchases are optional. Regression: STAMINA for sale hid the fact that a hero who cannot pay
/// lives on.
#[test]
fn a_shop_may_be_left_without_buying() {
    let goods = Goods::stat("stamina", 1);
    let shop = Shop {
        sells: vec![goods],
        buys: vec![],
        leave: Passage::won(),
    };
    let mut book = Manuscript::new("shop");
    book.sheet.stats.push(gold());
    book.sections.push(Section::new(1, Passage::to(5)));
    book.sections
        .push(Section::new(5, Play::Shop(Box::new(shop)).into()));
    assert_eq!(solve(book, rolled()).unwrap().win(), 1.0);
}

/// Regression: a ring distinguished by a flag that nobody can have on one of its laps led into
/// itself forever.
#[test]
fn a_ring_with_a_flag_is_left() {
    let mut book = Manuscript::new("ring");
    book.sheet.flags.push("seen".into());
    let seen = || Condition::Flag("seen".into());
    let option = |label: &str, to: Passage, condition: Option<Condition>| Choice {
        condition,
        ..Choice::new(label, to)
    };
    let mut look = Passage::to(1);
    look.effects.push(Effect::SetFlag("seen".into()));
    let unseen = Condition::Not(Box::new(seen()));
    book.sections.push(Section::new(
        1,
        Play::Choice(vec![
            option("look", Passage::to(2), Some(unseen)),
            option("go", Passage::won(), Some(seen())),
        ])
        .into(),
    ));
    book.sections.push(Section::new(
        2,
        Play::First(vec![option("back", look, None)]).into(),
    ));
    let valuation = solve(book, rolled()).unwrap();
    assert_eq!((valuation.win(), valuation.error().is_some()), (1.0, true));
}

#[test]
fn what_cannot_be_solved_is_said() {
    let book = Book::builder().luck(1, 2, 3).won(2).lost(3);
    let game = book.build().unwrap().game(rolled()).unwrap();
    let solver = BookSolver::new(&game);
    for (solver, limit) in [(solver.clone().max_regions(0), 0), (solver.max_bytes(1), 1)] {
        let Err(error @ Error::BookTooLarge { limit: found, .. }) = solver.solve(game.start())
        else {
            panic!("more than {limit}");
        };
        assert_eq!(found, limit);
        assert!(error.to_string().contains("limit"), "{error}");
    }
}

/// LUCK that can fall without end has no bounds, and is rejected.
#[test]
fn a_stat_without_bounds_is_not_followed() {
    let mut book = Manuscript::new("deep");
    book.sheet.stats.push(gold());
    let mut deeper = Passage::to(1);
    deeper.effects.push(Effect::change("gold", -1));
    let surface = Choice::new("up", Passage::to(2)).when(Condition::at_least("gold", -5));
    let down = Choice::new("down", deeper);
    book.sections
        .push(Section::new(1, Play::Choice(vec![down, surface]).into()));
    let mut up = Passage::to(1);
    up.effects.push(Effect::change("gold", 7));
    let on = |passage| Choice::new("on", passage);
    book.sections.push(Section::new(
        2,
        Play::Choice(vec![on(up), on(Passage::won())]).into(),
    ));
    match solve(book, rolled()) {
        Ok(valuation) => assert_eq!(valuation.win(), 1.0),
        Err(error) => assert!(
            error
                .to_string()
                .starts_with("the number of values of a stat exceeds the limit of 4096"),
            "{error}"
        ),
    }
}

/// Two potions that restore each other form a ring, not a ladder: after drinking one, the hero
/// still has as many.
#[test]
fn potions_that_bring_back_each_other() {
    let mut book = Manuscript::new("potions");
    book.rules.refresh = RefreshAt::Choices;
    book.rules.refresh_options = 1;
    book.sheet.items = vec![Item::new("a"), Item::new("b")];
    book.sheet.initial_items = vec!["a".into()];
    let potion = |from: &str, to: &str| Refreshment {
        label: from.into(),
        condition: Some(Condition::Has(from.into())),
        effects: vec![Effect::Lose(from.into()), Effect::Gain(to.into())],
    };
    book.sheet.refreshments = vec![potion("a", "b"), potion("b", "a")];
    let go = Choice::new("go", Passage::to(2)).when(Condition::Has("b".into()));
    let dead = Choice::new("dead", Passage::lost());
    let luck = Trial::new("luck", Passage::won(), Passage::lost());
    book.sections = vec![
        Section::new(1, Play::Choice(vec![go, dead]).into()),
        Section::new(2, Play::Test(Box::new(luck)).into()),
    ];
    let valuation = solve(book, rolled()).unwrap();
    assert!((valuation.win() - 21.0 / 36.0).abs() < 1e-12, "{valuation}");
}
