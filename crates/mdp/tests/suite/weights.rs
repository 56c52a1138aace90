//! Weights of any length, both players and tables, compared with simple recursion in fractions.

use crate::plain;
use crate::plain::{Plain, Row, below};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use oddsmith_dice::Dist;
use oddsmith_mdp::{AtRandom, Error, Game, Law, Node, Played, Player, Solver};
use quickcheck::{Gen, quickcheck};

/// Values, decisions, ties and gaps of one exact solution.
macro_rules! check {
    ($solution:expr, $model:expr, $values:expr) => {{
        let (solution, model, values) = ($solution.unwrap(), $model, $values);
        for (state, value) in solution.states() {
            assert_eq!(value, values[state], "value of {state}");
            let Row::Choices(player, _) = &model.rows[state] else {
                continue;
            };
            assert_eq!(solution.player(&state).unwrap(), *player);
            let all = model.choices(state, values);
            let first = all.iter().position(|v| v.as_ref() == Some(&value));
            assert_eq!(solution.decision(&state).unwrap(), first, "in {state}");
            let leading = all.iter().enumerate().filter(|(_, v)| v.is_some());
            let found = solution.choices(&state).unwrap();
            assert_eq!(found.len(), leading.clone().count());
            for (found, (action, expected)) in found.iter().zip(leading) {
                assert_eq!(
                    (found.action, Some(&found.value)),
                    (action, expected.as_ref())
                );
                assert_eq!(found.gap, (&found.value - &value).abs());
                assert_eq!(found.optimal, found.value == value);
            }
        }
    }};
}

quickcheck! {
    fn every_way_of_solving(model: Plain) -> bool {
        let values = model.values();
        check!(Solver::exact().solve(&model, model.start()), &model, &values);
        check!(Solver::exact().solve_indexed(&model, model.start()), &model, &values);
        let table = model.plain_table();
        check!(Solver::exact().solve_table(&table, model.start()), &model, &values);
        check!(Solver::exact().solve(&table, model.start()), &model, &values);
        true
    }

    /// The policy of a solution has the stated value, for both players.
    fn both_sides_play_their_parts(model: Plain) -> bool {
        let solution = Solver::exact().solve(&model, model.start()).unwrap();
        let value = solution.value();
        let start = model.start();
        let played = Played::new(&model, &solution);
        assert_eq!(worth(&played, start), value);
        assert_eq!(worth(&played.by_opponent(), start), value);
        assert_eq!(worth(&played.by_both(), start), value);
        // A random player against best replies does no better, and neither does a random opponent.
        // Choices that only stay may be mixed.
        let random = Played::new(&model, AtRandom);
        assert!(worth(&random, start) <= value);
        assert!(worth(&random.by_opponent(), start) >= value);
        true
    }

    fn forecasts_weigh_rightly(model: Plain) -> bool {
        let solution = Solver::exact().solve(&model, model.start()).unwrap();
        let forecast = solution.forecast().unwrap();
        let ends = forecast.ends().unwrap();
        let mean = ends.outcomes().fold(BigRational::zero(), |sum, end| {
            let Row::End(score) = &model.rows[*end] else { panic!("{end} is no end") };
            sum + ends.p(end) * score
        });
        assert_eq!(mean, solution.value());
        let lengths = forecast.lengths(3, |_| true).unwrap();
        assert!(lengths.into_iter().sum::<BigRational>() <= BigRational::one());
        let expected = forecast.expected_count(|_| true).unwrap();
        assert!(expected >= BigRational::zero());
        // The float solution agrees.
        if let Ok(float) = Solver::float().solve(&model, model.start()) {
            let chance = float.forecast().unwrap().chance(&model.start()).unwrap();
            assert_eq!(chance, 1.0);
        }
        true
    }

    fn floats_lie_within_their_bounds(model: Plain) -> bool {
        let values = model.values();
        let Ok(float) = Solver::float().solve(&model, model.start()) else {
            return true;
        };
        for (state, value) in float.states() {
            let bound = float.error(&state).unwrap();
            if bound.is_finite() {
                let error = (BigRational::from_float(value).unwrap() - &values[state]).abs();
                assert!(error <= BigRational::from_float(bound).unwrap(), "{state}");
            }
        }
        true
    }

    /// The rounded weights may add up to more than their rounded total.
    fn floats_of_a_sure_win_are_one(weights: Vec<(u64, u64, bool)>) -> bool {
        let weight = |&(high, low, long): &(u64, u64, bool)| match long {
            true => (BigUint::from(high) << 64) + low,
            false => BigUint::from(low >> 8),
        };
        let lottery = Lottery(weights.iter().map(weight).collect());
        let solution = Solver::float().solve(&lottery, 0).unwrap();
        solution.value() == 1.0
    }

    /// A table may number its states in any order.
    fn relabelling_changes_nothing(model: Plain, seed: u64) -> bool {
        let values = model.values();
        let mut numbers: Vec<usize> = (0..values.len()).collect();
        let mut random = seed;
        for place in (1..numbers.len()).rev() {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            numbers.swap(place, (random >> 33) as usize % (place + 1));
        }
        let table = model.table(&numbers);
        let solution = Solver::exact().solve_table(&table, numbers[model.start()]).unwrap();
        values.iter().zip(&numbers).all(|(value, number)| solution.value_of(number).unwrap() == *value)
    }
}

/// One of some tickets is drawn, and each of them wins.
struct Lottery(Vec<BigUint>);

impl Game for Lottery {
    type State = usize;
    type Action = ();

    fn expand(&self, state: &usize, node: &mut Node<Self>) {
        if *state > 0 || self.0.iter().all(Zero::is_zero) {
            return node.end(1);
        }
        let mut draw = node.chance();
        for (ticket, weight) in (1..).zip(&self.0) {
            draw.to_wide(ticket, weight.clone());
        }
    }
}

fn worth<G: Game<State = usize>>(game: &G, start: usize) -> BigRational {
    Solver::exact().solve(game, start).unwrap().value()
}

/// Thousands of states: several groups of denominators, and outcomes that skip some of them.
#[test]
fn long_models() {
    let mut g = Gen::new(100);
    for size in [300, 3_000] {
        let scores = plain::scores(&mut g);
        let model = Plain::random(&mut g, size, &scores);
        let narrow = Plain {
            rows: model
                .rows
                .iter()
                .map(|row| match row {
                    Row::End(score) => Row::End(score.clone()),
                    // Almost all weights are small, so that numbers stay printable.
                    Row::Choices(player, choices) => Row::Choices(
                        *player,
                        choices
                            .iter()
                            .map(|outcomes| {
                                let small = |w: &BigUint| w % 7_u8 + 1_u8;
                                outcomes.iter().map(|(to, w)| (*to, small(w))).collect()
                            })
                            .collect(),
                    ),
                })
                .collect(),
        };
        let values = narrow.values();
        let last = narrow.start();
        check!(
            Solver::exact().solve_indexed(&narrow, last),
            &narrow,
            &values
        );
        let certified = Solver::certified().certify_indexed(&narrow, last).unwrap();
        assert_eq!(certified.value(), values[last]);
    }
}

/// A hundred thousand states with long distributions one after another.
#[test]
fn a_hundred_thousand_states() {
    struct Ladder(Law<i64>);
    impl Game for Ladder {
        type State = (u32, bool);
        type Action = ();
        fn expand(&self, &(step, won): &(u32, bool), node: &mut Node<Self>) {
            if won || step == 0 {
                return node.end(won);
            }
            // Certain steps, and a distribution of 104 bits every 10,000.
            if step % 10_000 == 0 {
                node.chance().roll(&self.0, |&n| (step - 1, n == 40));
            } else {
                node.chance().to((step - 1, false), 5);
            }
        }
    }
    let dist = Dist::ndice(40, 6).unwrap();
    let law = Law::new(&dist);
    let ladder = Ladder(law);
    let solution = Solver::exact().solve(&ladder, (100_000, false)).unwrap();
    assert_eq!(solution.len(), 100_011);
    let miss = BigRational::one() - dist.p(&40);
    let value = BigRational::one() - miss.pow(10);
    assert_eq!(solution.value(), value);
}

#[test]
fn a_law_is_read_in_lowest_terms() {
    let law = Dist::from_weights([(1, 6_u32), (2, 12)]).unwrap();
    assert_eq!(Law::new(&law).total(), BigUint::from(3_u8));
    assert_eq!(Law::from(&law).outcomes(), [1, 2]);
}

/// Machine words whose sum exceeds one word, written as given.
#[test]
fn sums_beyond_a_word() {
    struct Halves(bool);
    impl Game for Halves {
        type State = u8;
        type Action = char;
        fn expand(&self, &state: &u8, node: &mut Node<Self>) {
            if state > 0 {
                return node.end(state);
            }
            let mut choice = node.choice('a');
            choice.to(1, u64::MAX).to(2, u64::MAX);
            if self.0 {
                choice.to_wide(1, 0_u8).to_wide(3, u64::MAX);
            }
        }
    }
    let overflow = Solver::exact().solve(&Halves(false), 0).err();
    let (state, action) = ("0".to_owned(), "'a'".to_owned());
    assert_eq!(overflow, Some(Error::WeightOverflow { state, action }));
    // As soon as one weight is wide, all are, in any order.
    struct Third;
    impl Game for Third {
        type State = u8;
        type Action = char;
        fn expand(&self, &state: &u8, node: &mut Node<Self>) {
            if state > 0 {
                return node.end(state);
            }
            let mut choice = node.choice('a');
            choice.to(1, u64::MAX).to_wide(2, u64::MAX).to(3, u64::MAX);
        }
    }
    let solution = Solver::exact().solve(&Third, 0).unwrap();
    assert_eq!(solution.value().to_string(), "2");
}

#[test]
fn weights_too_far_apart_for_floats() {
    struct Needle;
    impl Game for Needle {
        type State = u8;
        type Action = char;
        fn expand(&self, &state: &u8, node: &mut Node<Self>) {
            if state > 0 {
                return node.end(state - 1);
            }
            let hay = BigUint::one() << 1_200_u32;
            node.choice('n').to(2, 1).to_wide(1, hay - 1_u8);
        }
    }
    let (state, action) = ("0".to_owned(), "'n'".to_owned());
    let beyond = Some(Error::WeightsBeyondFloat { state, action });
    assert_eq!(Solver::float().solve(&Needle, 0).err(), beyond);
    assert_eq!(Solver::certified().solve(&Needle, 0).err(), beyond);
    let exact = Solver::exact().solve(&Needle, 0).unwrap().value();
    assert_eq!(
        exact,
        BigRational::new(1.into(), BigInt::one() << 1_200_u32)
    );
}

/// The common factor of weights used to be found bit by bit, which took ten times as long here.
#[test]
fn a_long_common_factor_of_many_long_weights() {
    let power = |base: u8, exponent| BigUint::from(base).pow(exponent);
    let (factor, first, step) = (power(3, 40_000), power(5, 27_000), power(7, 22_000));
    let weight = |end: usize| &first + &step * (2 * end + 1);
    let ends = 200_usize;
    let fan = oddsmith_mdp::Table::from_fn(ends + 1, |state, row| {
        if state < ends {
            return row.end(state);
        }
        let choice = row.choice();
        for end in 0..ends {
            choice.to_wide(end, &factor * weight(end));
        }
    })
    .unwrap();
    let solution = Solver::exact().solve_table(&fan, ends).unwrap();
    let total: BigUint = (0..ends).map(weight).sum();
    let scored: BigUint = (0..ends).map(|end| weight(end) * end).sum();
    let value = BigRational::new(scored.into(), total.into());
    assert_eq!(solution.value(), value);
}

/// The random models contain the features they are meant to test.
#[test]
fn the_models_drawn_reach_the_hard_cases() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    let (mut wide, mut ties, mut stays, mut opponents, mut zeros, mut signed) = (0, 0, 0, 0, 0, 0);
    for _ in 0..300 {
        let size = 4 + below(&mut g, 12);
        let scores = plain::scores(&mut g);
        let model = Plain::random(&mut g, size, &scores);
        let values = model.values();
        for (state, row) in model.rows.iter().enumerate() {
            let Row::Choices(player, choices) = row else {
                continue;
            };
            opponents += usize::from(*player == Player::Min);
            let all: Vec<_> = model.choices(state, &values);
            ties += usize::from(
                all.iter()
                    .flatten()
                    .filter(|v| **v == values[state])
                    .count()
                    > 1,
            );
            stays += usize::from(all.iter().any(Option::is_none));
            for choice in choices {
                let total: BigUint = choice.iter().map(|o| &o.1).sum();
                wide += usize::from(total.bits() > 64);
                zeros += usize::from(choice.iter().any(|o| o.1.is_zero()));
            }
            signed += usize::from(values[state].is_negative());
        }
    }
    for (what, times) in [
        ("wide weights", wide),
        ("ties", ties),
        ("choices that only stay", stays),
        ("opponents", opponents),
        ("weights of zero", zeros),
        ("negative values", signed),
    ] {
        assert!(times > 30, "{what}: {times}");
    }
}
