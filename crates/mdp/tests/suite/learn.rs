//! Q-learning compared with values known by hand and with exact solutions.
#![cfg(feature = "rand")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::convert::Infallible;

use crate::classics::KeepOrRoll;
use crate::rules::Rules;
use num_traits::{ToPrimitive, Zero};
use oddsmith_mdp::{Error, Exploration, Learned, Node, QLearning, Rate, Recording, Score, Solver};
use rand::{SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;

fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Settings that converge: every action is tried for ever, with decreasing weight of each
/// experience.
fn patient(game: &Rules, discount: f64) -> QLearning<'_, Rules> {
    QLearning::new(game)
        .discount(discount)
        .rate(Rate::Decaying(4))
        .explore(Exploration::Random(0.5))
}

#[track_caller]
fn close(estimate: f64, exact: f64, tolerance: f64) {
    assert!(
        (estimate - exact).abs() < tolerance,
        "{estimate} instead of {exact}"
    );
}

/// From 9 either directly (wins 3 of 4 times), or after three certain moves more (wins 9 of 10
/// times). A win scores 1, a loss 0.
static SHORT_OR_LONG: Rules = Rules {
    size: 10,
    expand: |state, node| match state {
        0 | 1 => node.end(state),
        9 => {
            node.choice("short").to(1, 3).to(0, 1);
            node.choice("long").to(4, 1);
        }
        2 => {
            node.choice("on").to(1, 9).to(0, 1);
        }
        _ => {
            node.choice("on").to(state - 1, 1);
        }
    },
};

#[test]
fn a_discount_makes_it_learn_something_else_than_the_chance_of_winning() {
    // By hand with γ = 0.9: short 3/4; long γ³ · 9/10 = 0.6561, four moves in all.
    let learned = patient(&SHORT_OR_LONG, 0.9)
        .learn(9, 100_000, &mut seeded(1))
        .unwrap();
    // Standard deviation below 0.0045: h²/(2h − 1) · p(1 − p) / visits.
    close(learned.estimate(&9, 0), 0.75, 0.015);
    close(learned.estimate(&9, 1), 0.6561, 0.015);
    close(learned.value(), 0.75, 0.015);
    let regret = learned.regret().unwrap();
    assert_eq!(regret.best.to_string(), "9/10");
    assert_eq!(regret.learned.to_string(), "3/4");
    assert_eq!(regret.loss().to_string(), "3/20");
}

#[test]
fn without_discount_it_learns_the_chance_of_winning() {
    let learned = patient(&SHORT_OR_LONG, 1.0)
        .learn(9, 100_000, &mut seeded(2))
        .unwrap();
    close(learned.estimate(&9, 0), 0.75, 0.015);
    close(learned.estimate(&9, 1), 0.9, 0.015);
    assert!(learned.regret().unwrap().loss().is_zero());
    // As a policy it can be evaluated like any other.
    let evaluation = Solver::exact().evaluate(&SHORT_OR_LONG, &learned, 9);
    assert_eq!(evaluation.unwrap().value().to_string(), "9/10");
}

#[test]
fn more_games_bring_the_estimate_closer() {
    let error = |epochs| {
        let errors = (0..8).map(|seed| {
            let learned = patient(&SHORT_OR_LONG, 1.0);
            let learned = learned.learn(9, epochs, &mut seeded(seed)).unwrap();
            (learned.value() - 0.9).abs()
        });
        errors.sum::<f64>() / 8.0
    };
    let (few, some, many) = (error(100), error(1_600), error(25_600));
    assert!(few > some && some > many, "{few} {some} {many}");
    assert!(many < 0.006, "{many}");
}

#[test]
fn every_estimate_approaches_the_exact_value_of_its_action() {
    let learned = QLearning::new(&KeepOrRoll)
        .discount(1.0)
        .initial(6.0)
        .rate(Rate::Decaying(5))
        .explore(Exploration::Random(0.5))
        .learn((3, 0), 2_000_000, &mut seeded(3))
        .unwrap();
    let solution = Solver::exact().solve(&KeepOrRoll, (3, 0)).unwrap();
    let mut compared = 0;
    for (state, _) in solution.states() {
        for (action, choice) in solution.choices(&state).unwrap().iter().enumerate() {
            let exact = choice.value.to_f64().unwrap();
            close(learned.estimate(&state, action), exact, 0.06);
            compared += 1;
        }
    }
    assert_eq!(compared, 1 + 2 * 12);
    assert!(learned.regret().unwrap().loss().is_zero());
}

/// The last choice of the source: one of three actions wins.
static FINAL_CHOICE: Rules = Rules {
    size: 3,
    expand: |state, node| match state {
        0 | 1 => node.end(state),
        _ => {
            node.choice("wrong").to(0, 1);
            node.choice("right").to(1, 1);
            node.choice("wrong too").to(0, 1);
        }
    },
};

fn source(game: &Rules) -> QLearning<'_, Rules> {
    QLearning::new(game)
        .losing(2, 0)
        .losing(2, 2)
        .watch(2, 1)
        .watch(2, 0)
}

#[test]
fn the_sources_own_exploration_never_reaches_its_stopping_rule() {
    for seed in 0..20 {
        let learned = source(&FINAL_CHOICE)
            .learn(2, 2_000, &mut seeded(seed))
            .unwrap();
        assert!(!learned.mastered());
        // A wrong action is tried at most once: afterwards 0.5 is less than 1.
        let estimates = learned.estimates(&2).unwrap();
        assert_eq!(estimates, [0.5, 1.0, 0.5]);
        assert_eq!(learned.visits(&2).unwrap(), [1, 1_998, 1]);
    }
}

#[test]
fn random_exploration_reaches_the_stopping_rule() {
    let learned = source(&FINAL_CHOICE)
        .explore(Exploration::Random(0.1))
        .learn(2, 100_000, &mut seeded(4))
        .unwrap();
    assert!(learned.mastered() && learned.epochs() < 2_000);
    // Seven defeats each: 2⁻⁷ is the first power below 0.01.
    let visits = learned.visits(&2).unwrap();
    assert!(visits[0].min(visits[2]) == 7, "{visits:?}");
    assert!(learned.estimate(&2, 0) < 0.01 && learned.estimate(&2, 2) < 0.01);
    assert_eq!(learned.estimate(&2, 1), 1.0);
}

#[test]
fn the_history_follows_the_games_won() {
    let learned = source(&FINAL_CHOICE)
        .explore(Exploration::Random(0.1))
        .learn(2, 100_000, &mut seeded(4))
        .unwrap();
    let history = learned.history();
    assert_eq!(history.len() as u64, learned.won());
    assert!(history.windows(2).all(|pair| pair[0].epoch < pair[1].epoch));
    // The right action stays at 1, the wrong one only decreases.
    assert!(history.iter().all(|kept| kept.estimates[0] == 1.0));
    let falls = |pair: &[oddsmith_mdp::Estimates]| pair[0].estimates[1] >= pair[1].estimates[1];
    assert!(history.windows(2).all(falls));
    assert_eq!(learned.late_mean(0), Some(1.0));
    assert!(learned.late_mean(1).unwrap() < 0.1);
}

#[test]
fn records_can_be_thinned_out() {
    let learner = source(&FINAL_CHOICE).record(Recording::Every(100));
    let learned = learner.learn(2, 1_050, &mut seeded(5)).unwrap();
    let epochs: Vec<u64> = learned.history().iter().map(|kept| kept.epoch).collect();
    assert_eq!(epochs, (1..=10).map(|k| 100 * k).collect::<Vec<_>>());
    // Nothing is watched, so nothing is recorded.
    let learner = QLearning::new(&FINAL_CHOICE);
    let learned = learner.learn(2, 10, &mut seeded(5)).unwrap();
    assert!(learned.history().is_empty());
    assert_eq!(learned.late_mean(0), None);
}

/// A coin: heads wins.
static COIN: Rules = Rules {
    size: 3,
    expand: |state, node| match state {
        0 | 1 => node.end(state),
        _ => {
            node.chance().to(0, 1).to(1, 1);
        }
    },
};

#[test]
fn at_the_sources_constant_rate_an_estimate_never_settles() {
    let learned = QLearning::new(&COIN)
        .watch(2, 0)
        .record(Recording::Every(1))
        .learn(2, 20_000, &mut seeded(6))
        .unwrap();
    let late = &learned.history()[10_000..];
    let estimates = || late.iter().map(|kept| kept.estimates[0]);
    assert!(estimates().fold(1.0, f64::min) < 0.01);
    assert!(estimates().fold(0.0, f64::max) > 0.99);
    // Its mean over many epochs is still correct.
    close(learned.late_mean(0).unwrap(), 0.5, 0.05);
}

#[test]
fn the_mean_of_all_experiences_is_the_frequency() {
    let learner = patient(&COIN, 1.0).rate(Rate::Decaying(1));
    let learned = learner.learn(2, 777, &mut seeded(7)).unwrap();
    let frequency = learned.won() as f64 / 777.0;
    close(learned.estimate(&2, 0), frequency, 1e-12);
}

#[test]
fn the_same_seed_learns_the_same() {
    let learn = |seed| -> Learned<'static, Rules> {
        let learner = QLearning::new(&SHORT_OR_LONG)
            .explore(Exploration::Random(0.3))
            .watch(9, 0)
            .watch(9, 1);
        learner.learn(9, 3_000, &mut seeded(seed)).unwrap()
    };
    assert_eq!(learn(8).history(), learn(8).history());
    assert_ne!(learn(8).history(), learn(9).history());
}

#[test]
fn a_game_that_is_over_teaches_nothing() {
    let learned = QLearning::new(&COIN).learn(1, 5, &mut seeded(1)).unwrap();
    assert!(learned.is_empty());
    assert_eq!(
        (learned.epochs(), learned.won(), learned.value()),
        (5, 5, 1.0)
    );
    assert_eq!(
        learned.estimates(&1).err(),
        Some(Error::UnknownState { state: "1".into() })
    );
}

#[track_caller]
fn check_bad(learner: QLearning<'_, Rules>, expected: &str) {
    let error = learner.learn(2, 10, &mut seeded(1)).expect_err("an error");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_parameters_are_refused() {
    let rate = |rate| QLearning::new(&COIN).rate(Rate::Constant(rate));
    let allowed = "the learning rate must be above 0 and at most 1, got";
    check_bad(rate(0.0), &format!("{allowed} 0"));
    check_bad(rate(1.5), &format!("{allowed} 1.5"));
    check_bad(rate(f64::NAN), &format!("{allowed} NaN"));
    check_bad(
        QLearning::new(&COIN).rate(Rate::Decaying(0)),
        "the weight of a decaying rate must be 1 or more, got 0",
    );
    for discount in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        check_bad(
            QLearning::new(&COIN).discount(discount),
            &format!("the discount must be between 0 and 1, got {discount}"),
        );
    }
    for share in [-0.1, 1.1, f64::NAN] {
        check_bad(
            QLearning::new(&COIN).explore(Exploration::Random(share)),
            &format!("the share of random actions must be between 0 and 1, got {share}"),
        );
    }
    check_bad(
        QLearning::new(&COIN).initial(f64::INFINITY),
        "the initial value must be a finite number, got inf",
    );
    check_bad(
        QLearning::new(&COIN).threshold(f64::NAN),
        "the threshold must be a finite number, got NaN",
    );
    check_bad(
        QLearning::new(&COIN).record(Recording::Every(0)),
        "the distance of recorded epochs must be 1 or more, got 0",
    );
    check_bad(
        QLearning::new(&COIN).watch(2, 1),
        "state 2 has no action 1; it has 1 actions, counted from 0",
    );
    check_bad(
        QLearning::new(&COIN).losing(0, 0),
        "state 0 has no action 0; it has 0 actions, counted from 0",
    );
    let none = QLearning::new(&COIN).learn(2, 0, &mut seeded(1)).err();
    assert!(matches!(none, Some(Error::BadParameter { .. })), "{none:?}");
}

#[test]
fn the_ends_of_the_ranges_are_allowed() {
    for (discount, value) in [(0.0, 0.0), (1.0, 1.0)] {
        let chain = Rules::new(4, |state, node| match state {
            0 => node.end(1),
            _ => {
                node.choice("on").to(state - 1, 1);
            }
        });
        let learner = QLearning::new(&chain)
            .rate(Rate::Constant(1.0))
            .discount(discount)
            .explore(Exploration::Random(1.0));
        let learned = learner.learn(2, 10, &mut seeded(1)).unwrap();
        assert_eq!(learned.value(), value);
    }
}

#[test]
fn a_game_that_goes_round_for_ever_hits_the_step_limit() {
    let round = Rules::new(2, |state, node| {
        node.choice("other").to(1 - state, 1);
    });
    let error = QLearning::new(&round)
        .max_steps(99)
        .learn(0, 5, &mut seeded(1));
    let expected = Error::TooManySteps {
        limit: 99,
        games: 0,
        state: "1".into(),
    };
    assert_eq!(error.err(), Some(expected));
    // A state that leads to itself counts each time.
    let stay = Rules::new(1, |_, node| {
        node.chance().to(0, 1);
    });
    let error = QLearning::new(&stay)
        .max_steps(7)
        .learn(0, 5, &mut seeded(1));
    assert!(matches!(
        error.err(),
        Some(Error::TooManySteps { limit: 7, .. })
    ));
}

#[test]
fn malformed_states_are_told() {
    #[track_caller]
    fn check(expand: fn(u64, &mut Node<Rules>), expected: Error) {
        let game = Rules::new(9, expand);
        let learned = QLearning::new(&game).learn(1, 5, &mut seeded(1));
        assert_eq!(learned.err(), Some(expected));
    }
    let state = |state: &str| state.to_owned();
    check(|_, _| {}, Error::DeadEnd { state: state("1") });
    check(
        |s, node| match s {
            0 => node.end(f64::NAN),
            _ => {
                node.chance().to(0, 1);
            }
        },
        Error::BadScore { state: state("0") },
    );
    check(
        |_, node| {
            node.end(Score::from(num_rational::BigRational::from_integer(
                num_bigint::BigInt::from(7).pow(500),
            )))
        },
        Error::ScoreBeyondFloat { state: state("1") },
    );
}

/// Returns the same number again and again.
struct Constant(u64);

impl TryRng for Constant {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0 as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(self.0 as u8);
        Ok(())
    }
}

#[test]
fn a_generator_that_is_always_refused_ends_in_an_error() {
    // Of 2⁶⁴ words one too many would give 0 of 3: the word 0 is rejected.
    let error = QLearning::new(&FINAL_CHOICE).learn(2, 5, &mut Constant(0));
    assert_eq!(error.err(), Some(Error::BadGenerator { refused: 128 }));
    assert!(
        QLearning::new(&FINAL_CHOICE)
            .learn(2, 5, &mut Constant(u64::MAX))
            .is_ok()
    );
}

#[test]
fn outcomes_are_drawn_by_their_weights() {
    let weighted = Rules::new(5, |state, node| match state {
        4 => {
            node.chance().to(0, 1).to(1, 2).to(2, 0).to(3, 7);
        }
        _ => node.end(i64::from(state == 3)),
    });
    let learned = patient(&weighted, 1.0);
    let learned = learned.learn(4, 100_000, &mut seeded(10)).unwrap();
    close(learned.value(), 0.7, 0.009); // four standard deviations
}

#[test]
fn weights_of_any_length_are_drawn() {
    let wide = Rules::new(2, |state, node| match state {
        1 => {
            let whole = num_bigint::BigUint::from(10_u8).pow(30);
            node.chance()
                .to_wide(0, &whole * 7_u8)
                .to_wide(2, whole * 3_u8);
        }
        _ => node.end(i64::from(state == 0)),
    });
    let learned = patient(&wide, 1.0);
    let learned = learned.learn(1, 100_000, &mut seeded(11)).unwrap();
    close(learned.value(), 0.7, 0.009); // four standard deviations
}

#[test]
fn an_opponent_learns_to_do_his_worst() {
    // Take 0.5, or leave the decision to the opponent, who gives 1 or 0.
    let trust = Rules::new(6, |state, node| match state {
        5 => {
            node.choice("take").to(0, 1);
            node.choice("leave").to(4, 1);
        }
        4 => {
            node.opponent();
            node.choice("give").to(1, 1);
            node.choice("keep").to(2, 1);
        }
        _ => node.end([0.5, 1.0, 0.0, 0.0][state as usize]),
    });
    let learner = patient(&trust, 1.0).explore(Exploration::Random(0.3));
    let learned = learner.learn(5, 2_000, &mut seeded(12)).unwrap();
    close(learned.value(), 0.5, 1e-9);
    close(learned.estimate(&5, 1), 0.0, 0.05);
    assert_eq!(learned.regret().unwrap().loss().to_string(), "0");
}

#[test]
fn rewards_that_add_up_to_no_float() {
    let game = Rules::new(4, |state, node| match state {
        0 => node.end(0),
        _ => {
            node.choice("dig").reward(1e308).to(state - 1, 1);
        }
    });
    let learned = QLearning::new(&game).learn(3, 10, &mut seeded(1));
    let wanted = Error::RewardBeyondFloat {
        state: "2".into(),
        action: "\"dig\"".into(),
    };
    assert_eq!(learned.err(), Some(wanted));
}

/// From 2 either win at once two times in three, or return to 2 every second time and lose
/// otherwise.
static ROUND: Rules = Rules {
    size: 3,
    expand: |state, node| match state {
        0 | 1 => node.end(state),
        _ => {
            node.choice("leap").to(1, 2).to(0, 1);
            node.choice("linger").to(2, 1).to(0, 1);
        }
    },
};

/// Regression test: it was rejected, although the learner supports such games.
#[test]
fn regret_is_told_where_play_comes_back() {
    let learned = patient(&ROUND, 1.0)
        .learn(2, 2_000, &mut seeded(5))
        .unwrap();
    let regret = learned.regret().unwrap();
    assert_eq!(regret.best.to_string(), "2/3");
    assert!(regret.loss().is_zero());
}

/// Regression test: the total was a sum of floats, 5.6 · 10⁻¹⁷ instead of 0, and every game counted
/// as won.
#[test]
fn rewards_that_cancel_win_nothing() {
    let game = Rules::new(4, |state, node| match state {
        0 => node.end((-3, 10)),
        _ => {
            node.choice("earn").reward((1, 10)).to(state - 1, 1);
        }
    });
    let learner = QLearning::new(&game).watch(3, 0);
    let learned = learner.learn(3, 10, &mut seeded(1)).unwrap();
    assert_eq!((learned.won(), learned.history().len()), (0, 0));
}

/// Regression test: as a float, this score is 0.
#[test]
fn a_score_below_all_floats_wins() {
    let tiny = Rules::new(1, |_, node| {
        node.end(num_rational::BigRational::new(
            1.into(),
            num_bigint::BigInt::from(10).pow(400),
        ));
    });
    let learned = QLearning::new(&tiny).learn(0, 10, &mut seeded(1));
    assert_eq!(learned.unwrap().won(), 10);
}
