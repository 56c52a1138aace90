//! Custom rules: distributions with counts of any size, and invalid ones.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::{LuckTest, RoundOdds};
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Character, Enemy, Error, Escape, Fight, FightOrder,
    FightingFantasy, Fights, Hazard, Manuscript, Passage, Play, Rules, Section, Trial,
};
use oddsmith_mdp::{AtRandom, Solver};

/// The usual rules, with each count multiplied: all probabilities stay the same.
#[derive(Debug)]
struct Finer {
    tests: u64,
    rounds: u64,
}

impl Rules for Finer {
    fn test(&self, dice: u8, value: i32) -> (u64, u64) {
        let (pass, fail) = FightingFantasy::default().test(dice, value);
        (pass * self.tests, fail * self.tests)
    }

    fn round(&self, difference: i32) -> RoundOdds {
        let (win, draw, lose) = FightingFantasy::default().round(difference).counts();
        let times = self.rounds;
        RoundOdds::new(win * times, draw * times, lose * times).unwrap()
    }
}

/// One distribution for every test.
#[derive(Debug)]
struct Told(u64, u64);

impl Rules for Told {
    fn test(&self, _dice: u8, _value: i32) -> (u64, u64) {
        (self.0, self.1)
    }

    fn round(&self, difference: i32) -> RoundOdds {
        FightingFantasy::default().round(difference)
    }
}

fn tested() -> Manuscript {
    let mut book = Manuscript::new("test");
    let trial = Trial::new("luck", Passage::won(), Passage::lost());
    book.sections = vec![Section::new(1, Play::Test(Box::new(trial)).into())];
    book
}

fn fought(foes: Vec<Enemy>, order: FightOrder) -> Manuscript {
    let mut book = Manuscript::new("fight");
    let fight = Fight {
        order,
        ..Fight::new(foes, Passage::won())
    };
    book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
    book
}

/// The usual fight with LUCK.
fn lucky() -> Manuscript {
    let mut book = fought(vec![Enemy::new(7, 3), Enemy::new(6, 2)], FightOrder::AtOnce);
    book.rules.luck_in_battle = true;
    book
}

fn game(book: Manuscript, stamina: i16) -> BookGame {
    let hero = Character::new()
        .stat("skill", 8)
        .stat("stamina", stamina)
        .stat("luck", 7);
    Book::new(book).unwrap().game(hero).unwrap()
}

fn exact(game: &BookGame) -> BigRational {
    let solution = Solver::exact().solve(game, game.start());
    solution.unwrap().value()
}

/// All solvers give the stated value.
#[track_caller]
fn worth(game: BookGame, value: &BigRational) {
    let game = game.fights(Fights::Rounds);
    assert_eq!(exact(&game), *value);
    let game = game.fights(Fights::Folded);
    assert_eq!(exact(&game), *value);
    let solver = BookSolver::new(&game);
    for valuation in [
        solver.solve(game.start()).unwrap(),
        solver.policy(game.start()).unwrap().valuation().clone(),
    ] {
        let error = valuation.error().unwrap();
        assert!(error < 1e-11, "{error}");
        let off = (valuation.win() - value.to_f64().unwrap()).abs();
        assert!(off <= error, "{} is off by {off}", valuation.win());
    }
}

/// Regression: the two counts add up to more than a word holds, which caused a panic, or 1 instead
/// of a half.
#[test]
fn a_test_in_counts_beyond_words() {
    let half = BigRational::new(1.into(), 2.into());
    worth(
        game(tested(), 9).with_rules(Arc::new(Told(u64::MAX, u64::MAX))),
        &half,
    );
    // Odd counts, which would be rounded by halving.
    let (pass, fail) = (u64::MAX, u64::MAX / 3);
    worth(
        game(tested(), 9).with_rules(Arc::new(Told(pass, fail))),
        &BigRational::new(3.into(), 4.into()),
    );
    for (pass, fail) in [(1, u64::MAX), (u64::MAX, 1)] {
        let all = num_bigint::BigInt::from(u128::from(u64::MAX) + 1);
        worth(
            game(tested(), 9).with_rules(Arc::new(Told(pass, fail))),
            &BigRational::new(pass.into(), all),
        );
    }
}

/// The same for tests of LUCK on blows, where each count fits but the sum does not.
#[test]
fn luck_in_battle_in_counts_beyond_words() {
    let usual = exact(&game(lucky(), 5));
    // 21 or more of 36 are the larger count.
    let tests = u64::MAX / 36;
    let finer = Finer { tests, rounds: 1 };
    worth(game(lucky(), 5).with_rules(Arc::new(finer)), &usual);

    let half = exact(&game(lucky(), 5).with_rules(Arc::new(Told(1, 1))));
    assert_ne!(half, usual);
    let wide = Arc::new(Told(u64::MAX, u64::MAX));
    worth(game(lucky(), 5).with_rules(wide), &half);
}

/// Five foes at once, with 1,036,800 rolls per round and foe: their product has 100 bits.
#[test]
fn five_at_once_in_fine_counts() {
    let five = || {
        let foes = [(7, 2), (5, 1), (8, 1), (6, 2), (4, 1)];
        let foes = foes.map(|(skill, stamina)| Enemy::new(skill, stamina));
        fought(foes.into(), FightOrder::AtOnce)
    };
    let usual = exact(&game(five(), 9));
    for rounds in [800, u64::MAX / 1_296] {
        let finer = Finer { tests: 1, rounds };
        worth(game(five(), 9).with_rules(Arc::new(finer)), &usual);
    }

    let mut lucky = five();
    lucky.rules.luck_in_battle = true;
    let usual = exact(&game(lucky.clone(), 5));
    let finer = Finer {
        tests: 1,
        rounds: u64::MAX / 1_296,
    };
    worth(game(lucky, 5).with_rules(Arc::new(finer)), &usual);
}

/// One foe whose rounds count nearly 64 bits, times its breath, and running is possible.
#[test]
fn a_breath_on_top_of_fine_counts() {
    let breath = Hazard {
        chance: 250,
        of: 999,
        damage: 1,
    };
    let dragon = || Enemy {
        hazard: Some(breath),
        ..Enemy::new(9, 4)
    };
    let rounds = u64::MAX / 1_296;
    let finer = || Arc::new(Finer { tests: 1, rounds });
    for order in [FightOrder::InTurn, FightOrder::AtOnce, FightOrder::OneOf] {
        let book = || fought(vec![dragon(), Enemy::new(6, 2)], order);
        let usual = exact(&game(book(), 8));
        worth(game(book(), 8).with_rules(finer()), &usual);
    }
    let mut running = fought(vec![dragon()], FightOrder::InTurn);
    if let Play::Fight(fight) = &mut running.sections[0].passage.play {
        fight.escape = Some(Escape {
            cost: 3,
            ..Escape::new(2, tested().sections[0].passage.clone())
        });
    }
    let usual = exact(&game(running.clone(), 8));
    worth(game(running, 8).with_rules(finer()), &usual);
}

/// Regression: with no roll that passes or fails, [`BookSolver`] counted the hero as lost.
#[test]
fn a_test_without_rolls_is_an_error() {
    for book in [tested(), lucky()] {
        let game = game(book, 5).with_rules(Arc::new(Told(0, 0)));
        let error = Solver::exact().solve(&game, game.start()).err();
        assert!(
            matches!(error, Some(oddsmith_mdp::Error::NoOutcome { .. })),
            "{error:?}"
        );
        let followed = game.follow::<f64>(AtRandom, game.start(), 100).err();
        let followed = followed.map(|error| error.to_string()).unwrap_or_default();
        assert!(
            followed.contains("no outcome of positive weight"),
            "{followed}"
        );
        let solver = BookSolver::new(&game);
        let no_roll = Error::NoRoll {
            section: 1,
            dice: 2,
            value: 7,
        };
        let solved = solver.solve(game.start());
        assert_eq!(solved, Err(no_roll.clone()));
        let policy = solver.policy(game.start()).err();
        assert_eq!(policy, Some(no_roll.clone()));
        let within = solver.approximate(game.start(), 0.01).err();
        assert_eq!(within, Some(no_roll));
    }
    let no_roll = Error::NoRoll {
        section: 4,
        dice: 2,
        value: 7,
    };
    assert_eq!(
        no_roll.to_string(),
        "section 4: under the given rules, no roll of 2 dice against 7 passes or fails; `Rules::test` must count at least one roll"
    );
}

/// Regression: books use 1 to 6 dice, but the usual rules can be wrapped and asked for more, which
/// were treated as six, or for none, which was treated as one.
#[test]
fn the_usual_rules_with_any_dice() {
    let rules = FightingFantasy::new(LuckTest::AtMost);
    assert_eq!(rules.test(1, 2), (2, 4));
    assert_eq!(rules.test(6, 6), (1, 46_655));
    assert_eq!(rules.test(7, 7), (1, 279_935));
    assert_eq!(rules.test(0, 0), (1, 0));
    assert_eq!(rules.test(0, -1), (0, 1));
    // More do not fit into 64 bits.
    assert_eq!(rules.test(24, 24), (1, 6_u64.pow(24) - 1));
    for dice in [25, u8::MAX] {
        assert_eq!(rules.test(dice, 70), (0, 0));
    }
    let strict = FightingFantasy::new(LuckTest::Below);
    assert_eq!(strict.test(2, i32::MIN), (0, 36));
    assert_eq!(strict.test(2, i32::MAX), (36, 0));
}
