//! Rings of few sheets, which are solved one by one: compared with theory, with the state-by-state
//! solver, and with iteration.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::gamblers;
use crate::gamblers::paid;
use crate::pieces::{after, random, rolled, with_gold};
use num_rational::BigRational;
use num_traits::{One, Signed};
use oddsmith_gamebook::{
    Book, BookGame, BookPolicy, BookSolver, Choice, Condition, Effect, Enemy, Escape, Fight, Item,
    Manuscript, Passage, Play, Refreshment, Stat, Valuation,
};
use oddsmith_mdp::Solver;

fn exact(float: f64) -> BigRational {
    BigRational::from_float(float).unwrap()
}

/// One gold piece at a time, from some gold up to more.
fn gambler(gold: i16, most: i16, odds: (u32, u32)) -> BookGame {
    let book = gamblers::gambler(gold, most, odds);
    Book::new(book).unwrap().game(rolled(7, 6, 7)).unwrap()
}

/// The value of a policy, in fractions.
fn followed(game: &BookGame, policy: &BookPolicy) -> BigRational {
    let journey = game.follow(policy, game.start(), 100_000).unwrap();
    BigRational::clone(journey.value())
}

/// The error is as stated, and at most this.
#[track_caller]
fn within(valuation: &Valuation, truth: &BigRational, most: f64) {
    let error = valuation.error().unwrap();
    let off = (exact(valuation.win()) - truth).abs();
    assert!(off <= exact(error), "{truth}: {valuation}");
    assert!(error < most, "{valuation}");
}

/// De Moivre: with r = q / p the chance is (r^i - 1) / (r^n - 1), and i / n if r is 1.
fn ruin(gold: i16, most: i16, (win, lose): (u32, u32)) -> BigRational {
    if win == lose {
        return BigRational::new(gold.into(), most.into());
    }
    let ratio = BigRational::new(lose.into(), win.into());
    let one = BigRational::one();
    (ratio.pow(gold.into()) - &one) / (ratio.pow(most.into()) - one)
}

#[test]
fn gamblers_of_all_kinds() {
    for odds in [(18, 19), (1, 1), (19, 18), (1, 3), (244, 251)] {
        for (gold, most) in [(1, 2), (3, 10), (20, 40), (250, 500), (1_999, 2_000)] {
            let game = gambler(gold, most, odds);
            let valuation = BookSolver::new(&game).solve(game.start()).unwrap();
            // A few roundings for each expected move, of which there may be millions.
            let moves = f64::from(most) * f64::from(most);
            within(
                &valuation,
                &ruin(gold, most, odds),
                1e-13 * moves.max(100.0),
            );
        }
    }
}

/// A tiny chance to win is known to as many digits as any other.
#[test]
fn chances_next_to_nothing() {
    let odds = (18, 19);
    for gold in [5, 100, 250] {
        let game = gambler(gold, 1_000, odds);
        let win = BookSolver::new(&game).solve(game.start()).unwrap().win();
        let truth = ruin(gold, 1_000, odds);
        let off = (exact(win) - &truth).abs();
        assert!(win < 1e-16 && off < truth * exact(1e-9), "{gold}: {win}");
    }
}

#[test]
fn between_two_bounds() {
    for (gold, most, odds) in [(3, 10, (1, 1)), (250, 500, (18, 19)), (40, 90, (19, 18))] {
        let game = gambler(gold, most, odds);
        let valuation = BookSolver::new(&game).approximate(game.start(), 1e-4);
        let (least, above) = valuation.unwrap().enclosure().unwrap();
        let truth = ruin(gold, most, odds);
        assert!(exact(least) <= truth && truth <= exact(above));
        assert!(above - least <= 2e-4, "{least} {above}");
    }
}

/// The same within both errors, whether sheets are solved one by one or not; a limit that is too
/// low turns this off.
#[test]
fn by_sheets_or_by_going_round() {
    let game = gambler(5, 12, (18, 19));
    let solver = BookSolver::new(&game);
    let valuations = [0, 10, 100, 50_000].map(|most| {
        let solver = solver.clone().sheet_by_sheet(most);
        let valuation = solver.solve(game.start()).unwrap();
        within(&valuation, &ruin(5, 12, (18, 19)), 1e-11);
        valuation
    });
    let wins = valuations.map(|valuation| valuation.win());
    assert_eq!((wins[0], wins[2]), (wins[1], wins[3]));
    // Few sheets need at most one sweep.
    let hasty = solver.clone().max_sweeps(1).solve(game.start()).unwrap();
    assert_eq!(hasty.win(), wins[3]);
    assert!(
        solver
            .sheet_by_sheet(0)
            .max_sweeps(1)
            .solve(game.start())
            .is_err()
    );
}

/// With unfavourable odds, bold play is best: all gold, or what is needed (L. E. Dubins and L. J.
/// Savage, "How to Gamble If You Must", 1965). With favourable odds, timid play is best: the
/// smallest stake (S. M. Ross, "Dynamic programming and gambling models", 1974).
#[test]
fn bold_play_and_timid_play() {
    let stakes = [1, 2, 4, 8, 16, 32];
    for (gold, doubled) in [(32, 1), (16, 2), (8, 3), (1, 6)] {
        let book = gamblers::player(gold, 64, (18, 19), &stakes);
        let game = Book::new(book).unwrap().game(rolled(7, 6, 7)).unwrap();
        let policy = BookSolver::new(&game).policy(game.start()).unwrap();
        let truth = BigRational::new(18.into(), 37.into()).pow(doubled);
        within(policy.valuation(), &truth, 1e-12);
        assert_eq!(followed(&game, &policy), truth, "{gold}");
    }
    for gold in [8, 31, 60] {
        let book = gamblers::player(gold, 64, (19, 18), &stakes);
        let game = Book::new(book).unwrap().game(rolled(7, 6, 7)).unwrap();
        let policy = BookSolver::new(&game).policy(game.start()).unwrap();
        let truth = ruin(gold, 64, (19, 18));
        within(policy.valuation(), &truth, 1e-10);
        assert_eq!(followed(&game, &policy), truth, "{gold}");
        let decision = policy.decision(&game.start_at(2).unwrap()).unwrap();
        assert_eq!(decision.unwrap().label(), "bet 1");
    }
}

/// A tavern: bets of three kinds, a brawl to run from, a meal to eat, a cloak that can be pawned
/// and bought back, and a door that costs gold.
fn tavern() -> Manuscript {
    let option = |label: &str, passage: Passage| Choice::new(label, passage);
    let rich = Condition::at_least("gold", 9);
    let some = Condition::at_least("gold", 2);
    let cloak = Condition::Has("cloak".into());
    let pawned = Passage {
        effects: vec![Effect::Lose("cloak".into()), Effect::change("gold", 2)],
        ..Passage::to(1)
    };
    let bought = Passage {
        effects: vec![Effect::change("gold", -2), Effect::Gain("cloak".into())],
        ..Passage::to(1)
    };
    let hall = Play::Choice(vec![
        option("leave", Passage::to(6)).when(rich),
        option("dice", Passage::to(2)).when(Condition::at_least("gold", 1)),
        option("cards", Passage::to(3)).when(some.clone()),
        option("brawl", Passage::to(4)),
        option("pawn", pawned).when(cloak.clone()),
        option("buy back", bought).when(Condition::All(vec![
            some,
            Condition::Not(Box::new(cloak.clone())),
        ])),
    ]);
    let dice = random(&[(15, paid(1)), (21, paid(-1))]);
    let cards = random(&[(1, paid(2)), (1, paid(-2)), (1, paid(0))]);
    let brawl = Fight {
        escape: Some(Escape {
            cost: 1,
            ..Escape::new(1, Passage::to(1))
        }),
        ..Fight::new([Enemy::new(6, 2)], paid(1))
    };
    let cold = after(vec![Effect::change("stamina", -2)], 7);
    let street = Play::First(vec![
        option("warm", Passage::to(7)).when(cloak),
        option("cold", cold),
    ]);
    let sections = vec![
        (1, hall),
        (2, dice),
        (3, cards),
        (4, Play::Fight(Box::new(brawl))),
        (6, street),
        (7, random(&[(2, Passage::won()), (1, Passage::lost())])),
    ];
    let mut book = with_gold("tavern", (2, 10), sections);
    book.sheet.items = vec![Item::new("cloak")];
    book.sheet.initial_items = vec!["cloak".into()];
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("meals", 1)
    });
    book.sheet.refreshments = vec![Refreshment {
        label: "eat".into(),
        condition: Some(Condition::at_least("meals", 1)),
        effects: vec![Effect::change("meals", -1), Effect::change("stamina", 4)],
    }];
    book
}

#[test]
fn a_tavern_with_a_brawl_and_a_pawn_shop() {
    for (hero, least) in [((7, 6, 7), 0.3), ((6, 3, 7), 0.1)] {
        let (skill, stamina, luck) = hero;
        let game = Book::new(tavern()).unwrap();
        let game = game.game(rolled(skill, stamina, luck)).unwrap();
        let truth = Solver::exact().allow_cycles();
        let truth = truth.solve(&game, game.start()).unwrap().value().clone();
        assert!(exact(least) < truth && truth < BigRational::one());
        for sheets in [0, 10_000] {
            for sweeps in [1, 100_000] {
                if (sheets, sweeps) == (0, 1) {
                    continue;
                }
                let solver = BookSolver::new(&game).max_sweeps(sweeps);
                let solver = solver.sheet_by_sheet(sheets);
                let valuation = solver.solve(game.start());
                within(&valuation.unwrap(), &truth, 1e-10);
                let policy = solver.policy(game.start()).unwrap();
                within(policy.valuation(), &truth, 1e-10);
                assert_eq!(followed(&game, &policy), truth, "{sheets} {sweeps}");
            }
        }
    }
}

/// Regression: the first of two brawlers sets a flag when he falls, and the door asks for it. The
/// decision before a round was looked up without the flag, and counted as lost.
#[test]
fn a_brawl_in_which_a_mark_is_left() {
    let mut book = tavern();
    book.sheet.flags = vec!["ear".into()];
    for section in &mut book.sections {
        match &mut section.passage.play {
            Play::Fight(fight) => {
                let marked = Enemy {
                    mark: Some("ear".into()),
                    ..Enemy::new(6, 2)
                };
                fight.foes.insert(0, marked);
            }
            Play::First(cases) => {
                let mut feared = cases[0].clone();
                feared.condition = Some(Condition::Flag("ear".into()));
                cases.insert(0, feared);
            }
            _ => {}
        }
    }
    let game = Book::new(book).unwrap().game(rolled(7, 9, 7)).unwrap();
    let truth = Solver::exact().allow_cycles();
    let truth = truth.solve(&game, game.start()).unwrap().value().clone();
    for (sheets, sweeps) in [(10_000, 1), (10_000, 100_000), (0, 100_000)] {
        let solver = BookSolver::new(&game).max_sweeps(sweeps);
        let policy = solver.sheet_by_sheet(sheets).policy(game.start()).unwrap();
        within(policy.valuation(), &truth, 1e-10);
        assert_eq!(followed(&game, &policy), truth, "{sheets} {sweeps}");
    }
}

/// Nobody can leave or lose: that is worth nothing, by any method.
#[test]
fn who_can_never_leave_wins_nothing() {
    let wheel = random(&[(1, paid(1)), (1, paid(-1))]);
    let book = with_gold("wheel", (2, 5), vec![(1, Play::Turn(2)), (2, wheel)]);
    let game = Book::new(book).unwrap().game(rolled(7, 6, 7)).unwrap();
    for sheets in [0, 10_000] {
        let solver = BookSolver::new(&game).sheet_by_sheet(sheets);
        assert_eq!(solver.solve(game.start()).unwrap().win(), 0.0);
    }
}
