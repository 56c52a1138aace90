//! Regression tests for attacks on the public interface: crashes, hangs, unlimited memory, and
//! cheap answers that were rejected.

use oddsmith_mdp::Solver;
use oddsmith_risk::{
    Assault, Battle, Campaign, DEFAULT_WORK, DiceGame, Error, Rules, Side, StopRule, Table, Throw,
    Timing, attackers_for, defenders_for, force_line, win_estimate,
};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// Regression test: the recursion over the faces had one level for each.
#[test]
fn a_die_of_very_many_sides_may_be_seen() -> Tested {
    let rules = Rules::standard().sides(100_000, 1)?;
    let seen = DiceGame::new(1, 1)?
        .rules(rules)
        .timing(Timing::AfterTheThrow);
    assert!((seen.win_f64()? - 99_999.0 / 100_000.0).abs() < 1e-12);
    Ok(())
}

/// Regression test: the loop that replaced it listed every sorted throw by its rolls, although a
/// defender with one die has no choice.
#[test]
fn seen_throws_add_up() -> Tested {
    for (attack, sides) in [(1, 2), (3, 6), (5, 3), (4, 1)] {
        let rules = Rules::standard().max_dice(attack, 1)?.sides(sides, 6)?;
        let seen = DiceGame::new(attack, 1)?
            .rules(rules.clone())
            .timing(Timing::AfterTheThrow);
        // Throwing all dice is best, and a single defender is lost with one pair.
        let first = Throw::new(attack, 1)?.rules(rules.clone()).law()?.p(&1);
        let win = seen.win()?;
        assert!(win >= first, "{attack} dice of {sides} sides");
        assert_eq!(win, Battle::new(attack, 1)?.rules(rules).win()?);
    }
    Ok(())
}

/// Regression test: widths of text have only 16 bits.
#[test]
fn a_plan_with_a_wide_gap_is_shown() -> Tested {
    // An attacker with only ones never takes a unit, so the last of 24000 columns is reached.
    let blank = Rules::standard().sides(1, 6)?;
    let plan = DiceGame::new(1, 24_000)?.rules(blank).plan()?;
    let shown = plan.to_string();
    let last = shown.lines().last().ok_or("a line")?;
    assert!(last.len() > usize::from(u16::MAX) && last.trim_start().starts_with("1 "));
    assert!(last.ends_with("1v2"));
    let row = Table::of_plan(&plan).to_csv();
    assert!(row.ends_with(",1v2\r\n"));
    Ok(())
}

#[test]
fn a_table_with_a_long_cell_is_shown() {
    let long = "x".repeat(70_000);
    let shown = Table::new("corner", ["a"], [("row", [long.as_str()])]).to_string();
    assert!(shown.lines().all(|line| line.len() <= 70_008));
    assert!(shown.ends_with(&format!("   row  {long}\n")));
}

#[track_caller]
fn refused<T: std::fmt::Debug>(found: Result<T, Error>) {
    assert!(
        matches!(found, Err(Error::RowsTooLarge { bytes, .. }) if bytes > 1 << 30),
        "{found:?}"
    );
}

/// Regression test: one attacker against half a billion takes few steps for each defender, but rows
/// of gigabytes.
#[test]
fn long_rows_are_refused() -> Tested {
    let wide = Battle::new(1, (1 << 29) - 1)?;
    refused(wide.win_f64());
    refused(wide.lose_f64());
    refused(wide.ln_win());
    refused(wide.expected_throws_f64());
    refused(wide.survivors_f64().map(|_| ()));
    refused(wide.throws_needed_f64().map(|_| ()));
    refused(force_line(1 << 28, "0.5", &Rules::standard()));
    // Regression test: the error claimed that there was no memory, on machines that had enough.
    let told = wide.win_f64().err().map(|error| error.to_string());
    assert_eq!(
        told.as_deref(),
        Some(
            "1 attackers against 536870911 need 8589934592 bytes at once, which exceeds the fixed limit of \
             1073741824; use fewer units, or use an estimate"
        )
    );
    Ok(())
}

#[track_caller]
fn no_force(found: Result<u32, Error>, expected: Side) {
    assert!(
        matches!(&found, Err(Error::NoForce { side, .. }) if *side == expected),
        "{found:?}"
    );
}

/// Regression test: a target out of reach of any force used all allowed steps, more than a second.
#[test]
fn certainty_is_refused_before_any_sweep() -> Tested {
    let rules = Rules::standard();
    for opponents in [1, 10, 1000] {
        no_force(attackers_for(opponents, 1, &rules), Side::Attacker);
        no_force(defenders_for(opponents, 1, &rules), Side::Defender);
    }
    assert!(force_line(3, 1, &rules).is_err());
    let blank = rules.sides(1, 6)?;
    no_force(attackers_for(3, (1, 1_000_000), &blank), Side::Attacker);
    assert!(force_line(3, (1, 2), &blank).is_err());
    // A defender with one die, or with two, is never beaten: a sweep to the limit gave the same
    // answer after twelve seconds.
    let last_stand = Rules::standard().defence_bonus([7]);
    no_force(attackers_for(5, "0.5", &last_stand), Side::Attacker);
    no_force(attackers_for(100_000, "0.5", &last_stand), Side::Attacker);
    assert!(matches!(
        force_line(3, "0.5", &last_stand),
        Err(Error::NoForce { opponents: 1, .. })
    ));
    let first_stand = Rules::standard().defence_bonus([6, 6]);
    no_force(attackers_for(2, "0.5", &first_stand), Side::Attacker);
    let hero = Rules::standard().attack_bonus([7, 7]);
    no_force(defenders_for(5, "0.5", &hero), Side::Defender);
    // Regression test: the sides were exchanged.
    let many = defenders_for(100_000_000, "0.5", &Rules::standard());
    assert!(matches!(
        many,
        Err(Error::RowsTooLarge {
            attackers: 100_000_000,
            ..
        })
    ));
    // A certain or trivial target is found.
    assert_eq!(defenders_for(5, 1, &blank)?, 1);
    assert_eq!(attackers_for(3, 0, &blank)?, 1);
    assert_eq!(force_line(2, 0, &blank)?, [1, 1]);
    let sure = Rules::standard().sides(6, 1)?.attack_bonus([1, 1, 1]);
    assert_eq!(attackers_for(7, 1, &sure)?, 1);
    Ok(())
}

/// Regression test: odds of 0 and 1 required fractions of all states, which large battles reject.
#[test]
fn extreme_odds_need_no_fractions() -> Tested {
    let battle = Battle::new(900, 700)?;
    let plain = battle.win_f64()?;
    let never = battle.clone().stop(StopRule::below_odds(0)?)?;
    assert_eq!(never.win_f64()?, plain);
    let always = battle.clone().stop(StopRule::below_odds(1)?)?;
    assert_eq!(always.win_f64()?, 0.0);
    assert_eq!(always.survivors_f64()?.broken_off(), 1.0);
    let nearly = battle.stop(StopRule::below_odds("0.999999999999999999999999")?)?;
    assert_eq!(nearly.win_f64()?, 0.0);
    Ok(())
}

/// From either side, the odds stop at the same forces as the plain probability.
#[test]
fn odds_stop_where_the_chance_is_below() -> Tested {
    let win = oddsmith_risk::win_matrix(12, 12, &Rules::standard())?;
    for (attackers, defenders) in [(1, 1), (2, 1), (5, 5), (7, 4), (12, 3), (3, 12)] {
        let battle = Battle::new(attackers, defenders)?;
        let chance = &win[[attackers as usize, defenders as usize]];
        // A battle begins at exactly its own odds, but not slightly above.
        let hair = num_rational::BigRational::new(1.into(), (1_u64 << 60).into());
        let begins = battle.clone().stop(StopRule::below_odds(chance.clone())?)?;
        assert!(begins.expected_throws_f64()? >= 1.0);
        let stays = battle.stop(StopRule::below_odds(chance + hair)?)?;
        assert_eq!(stays.expected_throws_f64()?, 0.0);
    }
    Ok(())
}

/// Regression test: all throws of a battle of a thousand dice were computed until the limit was
/// reached.
#[test]
fn too_many_throws_are_refused_before_the_first() -> Tested {
    let many = Rules::standard().max_dice(u32::MAX, u32::MAX)?;
    let battle = Battle::new(1000, 1000)?.rules(many);
    assert!(matches!(
        battle.win_f64(),
        Err(Error::ThrowsTooLarge { .. })
    ));
    let battle = battle.max_work(1 << 20);
    assert!(matches!(battle.win(), Err(Error::ThrowsTooLarge { .. })));
    Ok(())
}

/// Regression test: throws were rejected beyond a limit that could not be raised.
#[test]
fn a_battle_that_may_take_more_steps_may_throw_more_dice() -> Tested {
    let many = Rules::standard().max_dice(u32::MAX, u32::MAX)?;
    let battle = Battle::new(1000, 1000)?.rules(many);
    for steps in [1, DEFAULT_WORK, 1 << 34] {
        let Err(Error::ThrowsTooLarge { limit, .. }) = battle.clone().max_work(steps).game() else {
            return Err("not refused".into());
        };
        assert_eq!(limit, steps.max(DEFAULT_WORK));
    }
    // A low limit still allows the dice of the board game.
    assert!(Battle::new(3, 2)?.max_work(12).win_f64().is_ok());
    Ok(())
}

/// A probability so small that one rescaling is not enough, and the next one needs it.
#[test]
fn logarithms_of_throws_that_are_next_to_impossible() -> Tested {
    // A coin that must beat d coins, up to 600: 1 in 2ᵈ⁺¹.
    let rules = Rules::standard().max_dice(1, 600)?.sides(2, 2)?;
    let battle = Battle::new(1, 800)?.rules(rules);
    let exponents: u32 = (1..=800_u32).map(|d| d.min(600) + 1).sum();
    let expected = -f64::from(exponents) * std::f64::consts::LN_2;
    assert!((battle.ln_win()? - expected).abs() < 1e-9 * expected.abs());
    Ok(())
}

/// Regression test: the solver stored millions of states before it gave up.
#[test]
fn a_choice_of_dice_among_millions_of_states_is_refused_at_once() -> Tested {
    let long = DiceGame::new(2, 1 << 23)?;
    assert!(matches!(long.win_f64(), Err(Error::BattleTooLarge { .. })));
    assert!(matches!(long.plan(), Err(Error::BattleTooLarge { .. })));
    assert!(DiceGame::new(1000, 1000)?.game().is_ok());
    Ok(())
}

/// The same value with the general solver, which has its own limits.
#[test]
fn a_solver_agrees_at_one_against_one() -> Tested {
    for timing in [Timing::AttackerFirst, Timing::DefenderFirst] {
        let game = DiceGame::new(1, 1)?.timing(timing);
        assert_eq!(game.win()?.to_string(), "5/12");
        assert!((game.solve_with(Solver::float())?.value() - 5.0 / 12.0).abs() < 1e-15);
    }
    Ok(())
}

/// Regression test: the estimate was Φ(z) where this is close to 1 whatever the last units can do,
/// and NaN elsewhere.
#[test]
fn an_estimate_sees_that_the_last_unit_cannot_be_taken() -> Tested {
    let held = Rules::standard().defence_bonus([5]);
    let taken = Rules::standard().attack_bonus([6]);
    for (attackers, defenders) in [(3000, 1000), (1000, 1000), (1, 1), (1000, 3000)] {
        assert_eq!(Battle::new(20, 10)?.rules(held.clone()).win_f64()?, 0.0);
        let never = win_estimate(attackers, defenders, &held)?;
        assert_eq!(
            [never.lower(), never.chance(), never.upper()],
            [0.0; 3],
            "{attackers} {defenders}"
        );
        assert_eq!(Battle::new(10, 20)?.rules(taken.clone()).win_f64()?, 1.0);
        let always = win_estimate(attackers, defenders, &taken)?;
        assert_eq!(
            [always.lower(), always.chance(), always.upper()],
            [1.0; 3],
            "{attackers} {defenders}"
        );
    }
    // A six against a one may take it, so the probability is not 0.
    let hard = win_estimate(1000, 1000, &Rules::standard().defence_bonus([4]))?;
    assert!(hard.upper() > 0.0);
    Ok(())
}

/// Regression test: infinite iterators used up all memory.
#[test]
fn battles_without_an_end() {
    let refused = |what| Error::TooManyBattles {
        what,
        limit: 10_000,
    };
    let endless = std::iter::repeat(1);
    let campaign = Campaign::new(50, endless.clone()).err();
    assert_eq!(campaign, Some(refused("a campaign")));
    let assault = Assault::new(endless.clone(), 50).err();
    assert_eq!(assault, Some(refused("an assault")));
    assert!(Campaign::new(50, endless.take(10_000)).is_ok());
}
