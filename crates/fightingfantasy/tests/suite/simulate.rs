//! Simulations compared with exact probabilities, with fixed seeds.
#![cfg(feature = "rand")]
#![allow(clippy::panic, reason = "a failed check is a failed test")]

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::{
    AtOnce, Damage, Duel, DuelAction, DuelGame, DuelState, Error, Escape, Foe, Hero, Heuristic,
    Melee, MeleeAction, MeleePhase, MeleeState, Objective, Phase, Rules, Strategy, SuddenDeath,
    Threshold,
};
use oddsmith_mdp::{AtRandom, Policy, Simulation, Simulator, Solver};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const GAMES: u64 = 20_000;

fn duel(hero: [u16; 3], foe: [u16; 2]) -> Duel {
    let hero = Hero::new(i32::from(hero[0]), i64::from(hero[1]), i64::from(hero[2])).unwrap();
    Duel::new(
        hero,
        Foe::new(i32::from(foe[0]), i64::from(foe[1])).unwrap(),
    )
}

fn never(_: &DuelState, _: &[DuelAction]) -> usize {
    0
}

/// After every won round.
fn offensive(state: &DuelState, actions: &[DuelAction]) -> usize {
    match state.phase {
        Phase::Won => actions.len() - 1,
        _ => 0,
    }
}

/// Within 4 standard errors, which have the right size.
#[track_caller]
fn check(duel: &Duel, policy: impl Policy<DuelGame> + Copy, exact: &BigRational, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let fights = duel.simulate(policy, GAMES, &mut rng).unwrap();
    let z = fights.z_score(exact);
    assert!(
        z.abs() < 4.0,
        "{z} standard errors: {} for {exact}",
        fights.mean()
    );
    assert!(fights.standard_error() > 0.0);
}

#[test]
fn without_luck() {
    for (seed, duel) in (1..).zip([
        duel([12, 24, 12], [14, 12]),
        duel([9, 4, 0], [9, 4]),
        duel([8, 13, 3], [7, 20]),
        duel([7, 24, 9], [12, 3]),
    ]) {
        check(&duel, never, &duel.without_luck().unwrap(), seed);
    }
}

#[test]
fn with_the_best_use_of_luck() {
    for (seed, duel) in (11..).zip([
        duel([12, 24, 12], [15, 22]),
        duel([12, 24, 12], [14, 12]),
        duel([9, 10, 9], [9, 10]),
        duel([10, 2, 7], [8, 11]),
    ]) {
        let plan = duel.best_luck().unwrap();
        check(&duel, plan.solution(), &plan.value(), seed);
    }
}

#[test]
fn with_any_other_policy() {
    let duel = duel([9, 15, 10], [10, 12]);
    check(&duel, offensive, &duel.with_policy(offensive).unwrap(), 21);
    check(&duel, AtRandom, &duel.with_policy(AtRandom).unwrap(), 22);

    /// Tests LUCK two times in three.
    #[derive(Clone, Copy)]
    struct Mixed;
    impl Policy<DuelGame> for Mixed {
        fn weigh(&self, _: &DuelState, actions: &[DuelAction], weights: &mut [u64]) {
            weights.copy_from_slice(&[1, 2][..actions.len()]);
        }
    }
    check(&duel, Mixed, &duel.with_policy(Mixed).unwrap(), 23);
}

#[test]
fn with_the_heuristics_of_the_paper() {
    let duel = duel([10, 16, 11], [10, 15]);
    for number in 0..=8 {
        let strategy = Strategy::from_number(number).unwrap();
        let heuristic = Heuristic::new(strategy, Threshold::AtLeast(6));
        let exact = duel.with_policy(heuristic).unwrap();
        check(&duel, heuristic, &exact, 100 + u64::from(number));
    }
}

#[test]
fn by_special_rules() {
    let crypt = Rules::standard().sudden_death(SuddenDeath::after(2));
    let reset = Rules::standard().sudden_death(SuddenDeath::after(3).reset_by_draws());
    let flight = Rules::standard().escape(Escape::after(4).with_luck());
    let other = Rules::standard()
        .attack_dice(1, 20)
        .hit(Damage::new(1, 3, 1));
    let fight = duel([12, 18, 9], [12, 10]);
    for (seed, rules) in (31..).zip([crypt, reset, flight, other]) {
        let duel = fight.clone().rules(rules);
        let plan = duel.best_luck().unwrap();
        check(&duel, plan.solution(), &plan.value(), seed);
        check(&duel, never, &duel.without_luck().unwrap(), seed + 10);
    }
}

#[test]
fn for_other_objectives() {
    for (seed, objective) in (51..).zip([
        Objective::stamina_kept(),
        Objective::luck_kept(),
        Objective::of(|end| (i64::from(end.stamina), 7)),
    ]) {
        let duel = duel([10, 14, 8], [10, 12]).objective(objective);
        let plan = duel.best_luck().unwrap();
        check(&duel, plan.solution(), &plan.value(), seed);
    }
}

/// Pearson's statistic of counts and probabilities.
fn chi_square(pairs: impl Iterator<Item = (u64, f64)>) -> (f64, usize) {
    let mut sum = 0.0;
    let mut cells = 0;
    let mut rest = (0.0, 0.0);
    for (count, expected) in pairs {
        // Rare results are merged: the statistic needs some games in each cell.
        if expected < 10.0 {
            rest = (rest.0 + count as f64, rest.1 + expected);
            continue;
        }
        sum += (count as f64 - expected).powi(2) / expected;
        cells += 1;
    }
    if rest.1 >= 10.0 {
        sum += (rest.0 - rest.1).powi(2) / rest.1;
        cells += 1;
    }
    (sum, cells)
}

#[track_caller]
fn check_chi_square((sum, cells): (f64, usize)) {
    let freedom = cells as f64 - 1.0;
    assert!(freedom >= 5.0, "too few cells: {cells}");
    // Mean and variance of the statistic are `freedom` and twice that.
    let z = (sum - freedom) / (2.0 * freedom).sqrt();
    assert!(
        z.abs() < 4.0,
        "chi square {sum} for {freedom} degrees of freedom"
    );
}

#[test]
fn final_states_come_as_often_as_they_should() {
    let duel = duel([11, 12, 9], [10, 13]);
    let plan = duel.best_luck().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(61);
    let fights = duel.simulate(plan.solution(), GAMES, &mut rng).unwrap();
    let forecast = plan.solution().forecast().unwrap();
    let laws = forecast.ends().unwrap();
    let pairs = laws.outcomes().map(|end| {
        let count = fights.count(|other| other == end);
        (count, laws.p(end).to_f64().unwrap() * GAMES as f64)
    });
    check_chi_square(chi_square(pairs));
    // Impossible results do not occur.
    assert!(
        fights
            .ends()
            .all(|(end, _)| laws.p(end).to_f64().unwrap() > 0.0)
    );
    assert_eq!(fights.ends().map(|(_, count)| count).sum::<u64>(), GAMES);
}

#[test]
fn fights_take_as_many_rounds_as_they_should() {
    // A decided round takes 2 from one of them, so the fight ends after 5 to 9 such rounds; a draw
    // occurs once in 8.9 and counts too.
    let duel = duel([10, 10, 0], [10, 10]);
    let mut rng = ChaCha8Rng::seed_from_u64(71);
    let fights = duel.simulate(never, GAMES, &mut rng).unwrap();
    let game = duel.game().unwrap();
    let solved = Solver::float()
        .evaluate(&game, never, DuelState::new(10, 10, 0))
        .unwrap();
    let forecast = solved.forecast().unwrap();
    let rounds = |state: &DuelState| state.phase == Phase::Round;
    let lengths = forecast.lengths(40, rounds).unwrap();
    let seen = |rounds: u64| {
        let mut these = fights.lengths().filter(|&(length, _)| length == rounds);
        these.next().map_or(0, |(_, count)| count)
    };
    let pairs = (0..)
        .zip(&lengths)
        .map(|(n, &chance)| (seen(n), chance * GAMES as f64));
    check_chi_square(chi_square(pairs));
    assert_eq!(fights.shortest(), 5);
    assert!(fights.longest() >= 12);
    let expected = forecast.expected_count(rounds).unwrap();
    assert!((fights.mean_length() - expected).abs() < 0.05, "{expected}");
}

#[test]
fn the_same_seed_fights_the_same_fights() {
    let duel = duel([9, 12, 9], [9, 12]);
    let run = |seed| {
        duel.simulate(offensive, 500, &mut ChaCha8Rng::seed_from_u64(seed))
            .unwrap()
    };
    let all = |fights: &Simulation<DuelState>| -> Vec<(DuelState, u64)> {
        fights.ends().map(|(end, count)| (*end, count)).collect()
    };
    assert_eq!(all(&run(5)), all(&run(5)));
    assert_ne!(all(&run(5)), all(&run(6)));
    // One run of 500 games equals two of 250 with the same generator.
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let halves = [(); 2].map(|()| duel.simulate(offensive, 250, &mut rng).unwrap());
    let won = |fights: &Simulation<DuelState>| fights.count(|end| end.foe == 0);
    assert_eq!(won(&halves[0]) + won(&halves[1]), won(&run(5)));
}

#[test]
fn z_scores_follow_the_normal_law() {
    // 400 simulations of 400 games: their z-scores have mean 0, variance 1.
    let duel = duel([9, 8, 6], [9, 8]);
    let plan = duel.best_luck().unwrap();
    let exact = plan.value();
    let mut rng = ChaCha8Rng::seed_from_u64(81);
    let scores: Vec<f64> = (0..400)
        .map(|_| {
            duel.simulate(plan.solution(), 400, &mut rng)
                .unwrap()
                .z_score(&exact)
        })
        .collect();
    let mean = scores.iter().sum::<f64>() / 400.0;
    let variance = scores.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / 399.0;
    assert!(mean.abs() < 4.0 / 20.0, "{mean}");
    assert!(
        (variance - 1.0).abs() < 4.0 * (2.0 / 399.0_f64).sqrt(),
        "{variance}"
    );
}

#[test]
fn extremes() {
    let mut rng = ChaCha8Rng::seed_from_u64(91);
    // With SKILL 20 higher, every round is won and nothing varies.
    let sure = duel([30, 2, 0], [10, 10]);
    let fights = sure.simulate(never, 100, &mut rng).unwrap();
    assert_eq!((fights.mean(), fights.standard_error()), (1.0, 0.0));
    assert_eq!(fights.z_score(1), 0.0);
    assert_eq!(fights.z_score((1, 2)), f64::INFINITY);
    assert_eq!((fights.shortest(), fights.longest()), (5, 5));
    assert!(fights.z_score((1, 0)).is_nan());
    // One game gives no information about the variation.
    let one = sure.simulate(never, 1, &mut rng).unwrap();
    assert_eq!(one.standard_error(), f64::INFINITY);
    assert_eq!(one.z_score((1, 2)), 0.0);
}

#[test]
fn bad_input_is_refused() {
    let duel = duel([9, 12, 9], [9, 12]);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let error = duel.simulate(never, 0, &mut rng).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a simulation needs at least 1 game, got 0"
    );

    let lost = |_: &DuelState, _: &[DuelAction]| 7;
    let error = duel.simulate(lost, 10, &mut rng).unwrap_err();
    let Error::Solve(oddsmith_mdp::Error::NoDecision { state }) = &error else {
        panic!("{error}");
    };
    assert!(state.contains("hero: 12, foe: 12, luck: 9"), "{state}");

    let game = duel.game().unwrap();
    let short = Simulator::new(&game, never).max_steps(6);
    let error = short
        .run(&DuelState::new(12, 12, 9), 10, &mut rng)
        .unwrap_err();
    let oddsmith_mdp::Error::TooManySteps {
        limit: 6, games: 0, ..
    } = error
    else {
        panic!("{error}");
    };
    // The limit is the largest length allowed: two moves for each round, six rounds.
    let sure = Simulator::new(&game, never).max_steps(1_000);
    assert!(sure.run(&DuelState::new(12, 12, 9), 10, &mut rng).is_ok());
    let exactly = Simulator::new(&game, never).max_steps(1);
    assert!(exactly.run(&DuelState::new(0, 12, 9), 10, &mut rng).is_ok());
}

#[test]
fn several_foes() {
    let hero = Hero::new(10, 14, 8).unwrap();
    let foes = [Foe::new(8, 5).unwrap(), Foe::new(9, 4).unwrap()];
    let at_once = Melee::at_once(hero, foes).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(101);
    for melee in [
        at_once.clone(),
        at_once.clone().manner(AtOnce::standard().one_roll()),
        at_once.objective(Objective::stamina_kept()),
        Melee::in_turn(hero, foes).unwrap(),
    ] {
        let plan = melee.best().unwrap();
        let fights = melee.simulate(plan.solution(), GAMES, &mut rng).unwrap();
        assert!(fights.z_score(plan.value()).abs() < 4.0);
        // Rounds in which nobody is hit count, too.
        let rounds = |state: &MeleeState| state.phase == MeleePhase::Round;
        let expected = plan.solution().forecast().unwrap();
        let expected = expected.expected_count(rounds).unwrap().to_f64().unwrap();
        assert!((fights.mean_length() - expected).abs() < 0.1, "{expected}");

        let plain = |_: &MeleeState, _: &[MeleeAction]| 0;
        let exact = melee.with_policy(plain).unwrap();
        let fights = melee.simulate(plain, GAMES, &mut rng).unwrap();
        assert!(fights.z_score(exact).abs() < 4.0);
    }
    let melee = Melee::in_turn(hero, foes).unwrap();
    let lost = |_: &MeleeState, _: &[MeleeAction]| 7;
    assert!(matches!(
        melee.simulate(lost, 10, &mut rng),
        Err(Error::Solve(oddsmith_mdp::Error::NoDecision { .. }))
    ));
}
