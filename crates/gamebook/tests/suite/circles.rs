//! Books with cycles: what to do there, and the errors if a cycle has no end.

use crate::pieces::{self, after, choice, random};
use num_rational::BigRational;
use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Cap, Choice, Condition, Effect, Ending, Error, FollowLimits, Habit,
    Journey, Manuscript, Passage, Play, Section, Stat, Trial,
};
use oddsmith_mdp::{AtRandom, Node, Solver};

/// A hero who waits can still leave, with the same value. One who only waits never wins.
#[test]
fn nobody_is_advised_to_wait_for_ever() {
    let waiting = Book::builder()
        .choice(1, [("wait", 2), ("stay", 1), ("go", 3)])
        .choice(2, [("back", 1)])
        .chance(3, [(4, 1), (5, 1)]);
    // A town that all roads lead back to, although the best of them does not.
    let town = Book::builder()
        .choice(1, [("rest", 2), ("walk about", 3), ("leave", 4)])
        .choice(2, [("wake up", 1), ("walk about", 3)])
        .choice(3, [("go to bed", 2), ("to the square", 1), ("leave", 4)])
        .fight(4, Foe::new(6, 2).unwrap(), 5)
        .lost(6);
    for book in [waiting.won(4).lost(5).build(), town.won(5).build()] {
        let game = book.unwrap().game(Hero::new(8, 6, 8).unwrap()).unwrap();
        let mut place = game.start();
        let mut road = vec![];
        while let Some(advice) = BookSolver::new(&game).advice(place).unwrap() {
            let options = advice.options().iter();
            assert!(options.clone().filter(|option| option.optimal).count() > 1);
            assert_eq!(options.filter(|option| option.decided).count(), 1);
            road.push(advice.target().unwrap());
            assert!(road.len() < 10, "{road:?}");
            place = game.start_at(advice.target().unwrap()).unwrap();
        }
    }
}

/// Regression: from the first scene of a cycle, best play leaves at once, and decides nothing in
/// the others. Advice at these came from policies of their own, which led to each other.
#[test]
fn advice_leaves_a_cycle_that_best_play_leaves_at_once() {
    let mut book = Manuscript::new("a cycle beside the way");
    book.sheet.flags.push("seen".into());
    let out = || {
        let luck = Trial::new("luck", Passage::won(), Passage::lost());
        Choice::new("out", Play::Test(Box::new(luck)).into())
    };
    let way = |label: &str, to| Choice::new(label, Passage::to(to));
    let mut seen = Passage::to(1);
    seen.effects.push(Effect::SetFlag("seen".into()));
    let on = way("on", 2).when(Condition::Flag("seen".into()));
    book.sections = vec![
        Section::new(1, Play::Choice(vec![out(), way("down", 2), on]).into()),
        Section::new(2, Play::Choice(vec![way("east", 3), out()]).into()),
        Section::new(
            3,
            Play::Choice(vec![way("west", 2), Choice::new("up", seen), out()]).into(),
        ),
    ];
    let game = Book::new(book).unwrap();
    let game = game.game(Hero::new(8, 6, 8).unwrap()).unwrap();
    for section in 1..=3 {
        let mut place = game.start_at(section).unwrap();
        let mut steps = 0;
        while let Some(advice) = BookSolver::new(&game).advice(place).unwrap() {
            let decided = advice.options().iter().position(|option| option.decided);
            let node = Node::of(&game, &place).unwrap();
            let outcomes = node.outcomes(decided.unwrap());
            let [(to, _)] = outcomes else {
                break;
            };
            place = *to;
            steps += 1;
            assert!(steps < 10, "from {section} for ever");
        }
    }
}

/// Outside of cycles, the first of the best options is taken, as before.
#[test]
fn ties_outside_of_circles_are_taken_as_they_come() {
    let book = Book::builder()
        .choice(1, [("left", 2), ("right", 3)])
        .chance(2, [(4, 1), (5, 1)])
        .chance(3, [(4, 2), (5, 2)])
        .won(4)
        .lost(5)
        .build()
        .unwrap();
    let game = book.game(Hero::new(8, 6, 8).unwrap()).unwrap();
    let advice = BookSolver::new(&game).advice(game.start()).unwrap();
    assert_eq!(advice.unwrap().label(), "left");
}

/// Unlimited day labour: the error names the stat that rises, and the section.
#[test]
fn a_stat_with_too_many_values_is_named() {
    let mut book = Manuscript::new("day labour");
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("silver", 0)
    });
    let mut work = Passage::to(7);
    work.effects.push(Effect::change("silver", 1));
    let mut rest = Choice::new("rest", Passage::to(9));
    rest.condition = Some(Condition::at_least("silver", 200));
    let options = vec![Choice::new("work", work), rest];
    book.sections = vec![
        Section::new(7, Play::Choice(options).into()),
        Section::new(9, Passage::won()),
    ];
    book.start = 7;
    let book = Book::new(book).unwrap();
    let game = book.game(Hero::new(8, 6, 8).unwrap()).unwrap();
    let refused = BookSolver::new(&game).max_values(100).solve(game.start());
    let error = refused.unwrap_err();
    let named = Some("silver".to_owned());
    assert!(
        matches!(&error, Error::BookTooLarge { limit: 100, stat, .. } if *stat == named),
        "{error:?}"
    );
    assert_eq!(
        error.to_string(),
        "the number of values of a stat exceeds the limit of 100, at section 7, with 1 region found; \
         give silver a cap and a floor with fewer values between them, or raise the limit with `BookSolver::max_values`"
    );
}

/// One coin of silver and one of copper at a time, won or lost, until one purse is full and the
/// game is won, or empty and it is over: rings of (most − 1)² places in each of two sections.
fn two_purses(most: i16) -> BookGame {
    let mut book = Manuscript::new("two purses");
    let purses = ["silver", "copper"];
    for purse in purses {
        book.sheet.stats.push(Stat {
            cap: Some(Cap::At(most)),
            floor: Some(0),
            ..Stat::new(purse, most / 2)
        });
    }
    let mut cases = Vec::new();
    for purse in purses {
        let rich = Condition::at_least(purse, most);
        cases.push(Choice::new("rich", Passage::to(3)).when(rich));
        let poor = Condition::Not(Box::new(Condition::at_least(purse, 1)));
        cases.push(Choice::new("poor", Passage::to(4)).when(poor));
    }
    cases.push(Choice::new("on", Passage::to(2)));
    let tosses =
        purses.map(|purse| [-1, 1].map(|by| (1, after(vec![Effect::change(purse, by)], 1))));
    book.sections = vec![
        Section::new(1, Play::First(cases).into()),
        Section::new(2, random(&tosses.concat()).into()),
        Section::new(3, Passage::won()),
        Section::new(4, Passage::lost()),
    ];
    let book = Book::new(book).unwrap();
    book.game(Hero::new(7, 14, 7).unwrap()).unwrap()
}

/// Regression: following them in fractions had no limit except memory, and went on for hours.
#[test]
fn rings_are_followed_in_fractions_up_to_a_limit() {
    let game = two_purses(6);
    let follow = |limits| -> Result<Journey<BigRational>, Error> {
        game.follow_within(AtRandom, game.start(), limits)
    };
    // Each purse is equally likely to be the first full one, or the first empty one.
    let default = follow(FollowLimits::default()).unwrap();
    assert_eq!(default.value().to_string(), "1/2");
    let error = follow(FollowLimits::default().max_ring(0)).unwrap_err();
    let Error::RingTooLarge {
        ring,
        places,
        limit: 0,
        ..
    } = error
    else {
        unreachable!("{error}")
    };
    assert!(50 <= ring && ring < places, "{ring} {places}");
    let enough = follow(FollowLimits::default().max_ring(ring)).unwrap();
    assert_eq!(enough.value(), default.value());
    let error = follow(FollowLimits::default().max_ring(ring - 1)).unwrap_err();
    let told = error.to_string();
    let wanted = format!(
        "{ring} of the {places} places reached lead back to each other, one of them section "
    );
    assert!(told.starts_with(&wanted), "{told}");
    let raise = "raise it with `FollowLimits::max_ring`, or use floats, which have no limit unless it is set";
    assert!(told.ends_with(raise), "{told}");
    // Floats have a limit if one is set.
    let limits = FollowLimits::default();
    let float = game
        .follow_within::<f64>(AtRandom, game.start(), limits)
        .unwrap();
    assert!((float.value() - 0.5).abs() <= float.error());
    let error = game.follow_within::<f64>(AtRandom, game.start(), limits.max_ring(10));
    assert!(matches!(error, Err(Error::RingTooLarge { limit: 10, .. })));
    // The same for the game itself.
    let solver = Solver::exact().allow_cycles().max_cycle(10);
    let error = solver.evaluate(&game, AtRandom, game.start()).err();
    assert!(matches!(
        error,
        Some(oddsmith_mdp::Error::CycleTooLarge { limit: 10, .. })
    ));
}

#[test]
fn the_default_limit_on_rings() {
    // Twice 71² places, counted once or twice each.
    let game = two_purses(72);
    let refused: Result<Journey<BigRational>, Error> =
        game.follow(AtRandom, game.start(), usize::MAX);
    let told = refused.unwrap_err();
    assert!(
        matches!(
            told,
            Error::RingTooLarge {
                ring: 5_001..,
                limit: 5_000,
                ..
            }
        ),
        "{told}"
    );
    // A habit that is too much work reports this in its own line.
    let difficulty = game
        .book()
        .difficulty(Hero::new(7, 14, 7).unwrap(), BigRational::default());
    let difficulty = difficulty.unwrap();
    assert!(matches!(
        difficulty.chance(Habit::AtRandom),
        Err(Error::RingTooLarge { limit: 5_000, .. })
    ));
    let told = difficulty.to_string();
    let wanted = "which exceeds the limit of 5000; raise it with `Book::difficulty_within`\n";
    assert!(
        told.contains("lead back to each other, one of them section "),
        "{told}"
    );
    assert!(told.contains(wanted), "{told}");
}

/// An unlucky hero fails every test, however unlucky, so all ways out of this cycle have the same
/// value, although the solver finds them in three places: no reason to go round forever.
#[test]
fn ways_out_of_a_circle_that_are_worth_the_same() {
    let luck = |success, failure| {
        let trial = Trial::new("luck", Passage::to(success), Passage::to(failure));
        Play::Test(Box::new(trial))
    };
    let worse = |by: i16, to| after(vec![Effect::change("luck", -by)], to);
    let either = |one, other| choice(vec![one, other]);
    let mut book = Manuscript::new("circle");
    book.sheet.stats[2].floor = None;
    let sections = [
        (1, either(Passage::to(2), Passage::to(9))),
        (2, random(&[(1, worse(6, 3)), (1, worse(7, 3))])),
        (3, either(Passage::to(4), Passage::to(6))),
        (4, either(Passage::to(5), Passage::to(7))),
        (5, either(Passage::to(3), Passage::to(8))),
        (6, either(worse(0, 9), worse(2, 9))),
        (7, either(worse(1, 9), worse(0, 9))),
        (8, either(worse(2, 9), worse(1, 9))),
        (9, luck(13, 10)),
        // Becoming lucky is worth nothing here, but that is not known beforehand.
        (10, either(Passage::to(11), worse(-12, 12))),
        (11, random(&[(1, Passage::won()), (1, Passage::lost())])),
        (12, luck(14, 15)),
        (13, Play::Ending(Ending::Won)),
        (14, Play::Ending(Ending::Lost)),
        (15, random(&[(1, Passage::won()), (3, Passage::lost())])),
    ];
    let sections = sections.into_iter();
    book.sections = sections
        .map(|(number, play)| Section::new(number, play.into()))
        .collect();
    let book = Book::new(book).unwrap();
    let game = book.game(pieces::rolled(7, 7, 7)).unwrap();
    // With LUCK 7, 21 of 36; or one half.
    let exact = BigRational::new(19.into(), 24.into());
    let solved = Solver::exact().allow_cycles().solve(&game, game.start());
    assert_eq!(solved.unwrap().value(), exact);
    for (section, win) in [(1, 19.0 / 24.0), (2, 0.5)] {
        let place = game.start_at(section).unwrap();
        let valuation = BookSolver::new(&game).solve(place).unwrap();
        assert!((valuation.win() - win).abs() < 1e-12, "{valuation}");
    }
}
