//! Victory with constant LUCK: the vectors, plain recursions, the printed equations, the criteria.

#![allow(clippy::expect_used, reason = "a failed check is a failed test")]

use crate::oracle;
use crate::oracle::{fraction, integer, ratio};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Signed;
use oddsmith_fightingfantasy::{
    ConstantLuck, Damage, Error, PublishedEquation, RoundOdds, Use, defensive_threshold,
    expected_damage, lucky_chance, offensive_threshold, win_without_luck,
};
use quickcheck::quickcheck;

const USES: [Use; 3] = [Use::Offensive, Use::Defensive, Use::Both];

#[track_caller]
fn check_f64(value: f64, exact: &BigRational) {
    let error = (BigRational::from_float(value).expect("finite") - exact).abs();
    let bound = if value >= f64::MIN_POSITIVE {
        exact * ratio(1, 1_u64 << 52)
    } else {
        ratio(1, BigUint::from(1_u8) << 1074)
    };
    assert!(error <= bound, "{value:e} for {exact}");
}

fn blows(damage: Damage, q: &BigRational, tested: bool) -> Vec<oracle::Blow> {
    if tested {
        vec![
            (q.clone(), damage.lucky.into()),
            (ratio(1, 1) - q, damage.unlucky.into()),
        ]
    } else {
        vec![(ratio(1, 1), damage.plain.into())]
    }
}

fn by_recursion(
    odds: RoundOdds,
    q: &BigRational,
    used: Use,
    (hit, wound): (Damage, Damage),
    s_h: u32,
    s_o: u32,
) -> Option<BigRational> {
    let hits = blows(hit, q, used != Use::Defensive);
    let wounds = blows(wound, q, used != Use::Offensive);
    oracle::duel(odds.counts(), s_h, s_o, &hits, &wounds)
}

#[test]
fn victory_agrees_with_the_vectors() {
    let vectors = oracle::vectors("constant_luck");
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 306);
    let mut uses = [0; 3];
    for case in vectors {
        let (difference, s_h, s_o) = (integer(&case[0]), integer(&case[1]), integer(&case[2]));
        let (q, expected) = (fraction(&case[3]), fraction(&case[5]));
        let used = match case[4].as_str().unwrap() {
            "off" => Use::Offensive,
            "def" => Use::Defensive,
            "both" => Use::Both,
            other => panic!("unknown use {other}"),
        };
        uses[used as usize] += 1;
        let duel = ConstantLuck::new(RoundOdds::standard(difference), q).unwrap();
        assert_eq!(duel.win(used, s_h, s_o).unwrap(), expected, "{case}");
        assert_eq!(
            duel.defeat(used, s_h, s_o).unwrap(),
            ratio(1, 1) - &expected,
            "{case}"
        );
        check_f64(duel.win_f64(used, s_h, s_o).unwrap(), &expected);
        check_f64(
            duel.defeat_f64(used, s_h, s_o).unwrap(),
            &(ratio(1, 1) - expected),
        );
    }
    assert_eq!(uses, [102, 102, 102]);
}

quickcheck! {
    fn victory_is_the_plain_recursion(counts: (u8, u8, u8), q: (u8, u8), s: (u8, u8), hit: (u8, u8, u8), wound: (u8, u8, u8)) -> bool {
        let counts = (u64::from(counts.0 % 6), u64::from(counts.1 % 6), u64::from(counts.2 % 6));
        let Ok(odds) = RoundOdds::new(counts.0, counts.1, counts.2) else {
            return counts == (0, 0, 0);
        };
        let q = ratio(q.0.min(q.1), q.0.max(q.1).max(1));
        let (s_h, s_o) = (u32::from(s.0 % 9) + 1, u32::from(s.1 % 9) + 1);
        let damage = |d: (u8, u8, u8)| Damage::new(u16::from(d.0 % 6), u16::from(d.1 % 6), u16::from(d.2 % 6));
        let (hit, wound) = (damage(hit), damage(wound));
        let duel = ConstantLuck::new(odds, &q).unwrap().damage(hit, wound);
        USES.into_iter().all(|used| match by_recursion(odds, &q, used, (hit, wound), s_h, s_o) {
            None => duel.win(used, s_h, s_o) == Err(Error::NeverEnding),
            Some(expected) => {
                check_f64(duel.win_f64(used, s_h, s_o).unwrap(), &expected);
                check_f64(duel.defeat_f64(used, s_h, s_o).unwrap(), &(ratio(1, 1) - &expected));
                duel.win(used, s_h, s_o).unwrap() == expected
                    && duel.defeat(used, s_h, s_o).unwrap() == ratio(1, 1) - expected
            }
        })
    }

    fn defeat_is_the_victory_of_the_foe(difference: i8, q: (u8, u8), s_h: u8, s_o: u8) -> bool {
        // The foe's hits are the hero's wounds, and the tests are still the hero's.
        let odds = RoundOdds::standard(i64::from(difference % 10));
        let q = ratio(q.0.min(q.1), q.0.max(q.1).max(1));
        let (s_h, s_o) = (u32::from(s_h % 24) + 1, u32::from(s_o % 24) + 1);
        let duel = ConstantLuck::new(odds, &q).unwrap();
        let mirror = ConstantLuck::new(odds.reversed(), &q).unwrap().damage(Damage::WOUND, Damage::HIT);
        [(Use::Offensive, Use::Defensive), (Use::Defensive, Use::Offensive), (Use::Both, Use::Both)]
            .into_iter()
            .all(|(used, mirrored)| duel.defeat(used, s_h, s_o) == mirror.win(mirrored, s_o, s_h))
    }
}

/// The corrected form of equations (9)–(15), term by term, in fractions.
fn by_corrected_equations(odds: RoundOdds, q: &BigRational, s_h: u32, s_o: u32) -> BigRational {
    let (rho_w, rho_l) = (odds.decisive_win().unwrap(), odds.decisive_lose().unwrap());
    let (lucky, unlucky) = (&rho_w * q, &rho_w * (ratio(1, 1) - q));
    let p = |n: i64, p_f: &BigRational| {
        let mut sum = ratio(0, 1);
        for k in 0..=if n < 0 { -1 } else { n / 4 } {
            let (k, n) = (k as u32, n as u32);
            let hits = n - 3 * k;
            // (n − 3k)! / (k! (n − 4k)!) = C(n − 3k, k)
            let strings = oracle::binomial(hits, k)
                * oracle::power(&lucky, k)
                * oracle::power(&unlucky, n - 4 * k);
            let losses = (0..s_h.div_ceil(2))
                .map(|l| oracle::binomial(hits + l, l) * oracle::power(&rho_l, l));
            sum += strings * losses.sum::<BigRational>();
        }
        sum * p_f
    };
    let s_o = i64::from(s_o);
    p(s_o - 4, &lucky)
        + p(s_o - 3, &lucky)
        + p(s_o - 2, &lucky)
        + p(s_o - 1, &lucky)
        + p(s_o - 1, &unlucky)
}

#[test]
fn offensive_use_is_the_corrected_equation_15_and_not_the_printed_one() {
    let mut above_one = 0;
    for difference in [-6, -2, 0, 3] {
        let odds = RoundOdds::standard(difference);
        for q in [
            ratio(0, 1),
            ratio(5, 18),
            ratio(5, 12),
            ratio(11, 12),
            ratio(1, 1),
        ] {
            let duel = ConstantLuck::new(odds, &q).unwrap();
            for (s_h, s_o) in [(1, 1), (2, 4), (1, 5), (6, 8), (9, 11), (24, 24)] {
                let right = duel.win(Use::Offensive, s_h, s_o).unwrap();
                assert_eq!(by_corrected_equations(odds, &q, s_h, s_o), right);
                let eq_11 = duel
                    .as_published(PublishedEquation::Eq11, s_h, s_o)
                    .unwrap();
                let eq_12 = duel
                    .as_published(PublishedEquation::Eq12, s_h, s_o)
                    .unwrap();
                // With (12) only the last round lacks its factor; with (11) all won rounds do.
                assert_eq!(&eq_12 * odds.win(), right);
                assert!(eq_11 >= eq_12 && eq_12 > right);
                above_one += u32::from(eq_11 > ratio(1, 1));
            }
        }
    }
    // A "probability" above one in more than half of the cases.
    assert!(above_one > 60, "{above_one}");
}

/// Equation (15) literally, in plain fractions, with the draws of (13) in closed form.
fn as_printed(
    equation: PublishedEquation,
    odds: RoundOdds,
    q: &BigRational,
    s_h: u32,
    s_o: u32,
) -> BigRational {
    let whole = |n: u32| ratio(i64::from(n), 1);
    let power =
        |base: &BigRational, exponent: u32| num_traits::pow(base.clone(), exponent as usize);
    let binomial =
        |n: u32, k: u32| (1..=k).fold(whole(1), |value, i| value * whole(n + 1 - i) / whole(i));
    let unlucky = whole(1) - q;
    let mut sum = whole(0);
    for (left, last) in [(4, q), (3, q), (2, q), (1, q), (1, &unlucky)] {
        let Some(n) = s_o.checked_sub(left) else {
            continue;
        };
        for k in 0..=n / 4 {
            let hits = n - 3 * k;
            let mut string = binomial(hits, k) * last * power(q, k) * power(&unlucky, n - 4 * k);
            if equation == PublishedEquation::Eq12 {
                string *= power(&odds.win(), hits);
            }
            for l in 0..s_h.div_ceil(2) {
                let decided = whole(1) - odds.draw();
                sum += &string * binomial(hits + l, l) * power(&odds.lose(), l)
                    / power(&decided, hits + l + 1);
            }
        }
    }
    sum
}

#[test]
fn published_equations_are_summed_as_they_are_printed() {
    let tens = RoundOdds::new(0, 3, 7).unwrap();
    let safe = RoundOdds::new(2, 5, 0).unwrap();
    for odds in [RoundOdds::standard(-3), RoundOdds::standard(2), tens, safe] {
        for q in [ratio(0, 1), ratio(5, 18), ratio(3, 4), ratio(1, 1)] {
            let duel = ConstantLuck::new(odds, &q).unwrap();
            for (s_h, s_o) in [(1, 1), (2, 1), (1, 4), (3, 5), (8, 9), (5, 16), (13, 2)] {
                for equation in [PublishedEquation::Eq11, PublishedEquation::Eq12] {
                    let printed = as_printed(equation, odds, &q, s_h, s_o);
                    assert_eq!(duel.as_published(equation, s_h, s_o).unwrap(), printed);
                }
            }
        }
    }
}

#[test]
fn defensive_use_is_its_closed_sum() {
    for difference in [-5, 0, 4] {
        let odds = RoundOdds::standard(difference);
        let (rho_w, rho_l) = (odds.decisive_win().unwrap(), odds.decisive_lose().unwrap());
        for q in [ratio(0, 1), ratio(7, 12), ratio(1, 1)] {
            let duel = ConstantLuck::new(odds, &q).unwrap();
            for (s_h, s_o) in [(1, 1), (2, 9), (7, 8), (13, 10)] {
                let sigma = u32::div_ceil(s_o, 2);
                let mut sum = ratio(0, 1);
                for j in 0..s_h {
                    let survived = (0..=j)
                        .filter(|c| 3 * j - 2 * c < s_h)
                        .map(|c| {
                            oracle::binomial(j, c)
                                * oracle::power(&q, c)
                                * oracle::power(&(ratio(1, 1) - &q), j - c)
                        })
                        .sum::<BigRational>();
                    sum += oracle::binomial(sigma - 1 + j, j) * oracle::power(&rho_l, j) * survived;
                }
                assert_eq!(
                    duel.win(Use::Defensive, s_h, s_o).unwrap(),
                    sum * oracle::power(&rho_w, sigma)
                );
            }
        }
    }
}

#[test]
fn certain_and_impossible_tests_are_other_damage() {
    // With q = 1 or 0 a test has no risk: the duel has plain damage.
    for (q, hit, wound) in [(1, 4, 1), (0, 1, 3)] {
        for difference in [-9, -1, 0, 6] {
            let odds = RoundOdds::standard(difference);
            let duel = ConstantLuck::new(odds, q).unwrap();
            let plain = oddsmith_fightingfantasy::WithoutLuck::new(odds);
            for (s_h, s_o) in [(1, 1), (4, 4), (5, 13), (24, 24)] {
                assert_eq!(
                    duel.win(Use::Offensive, s_h, s_o),
                    plain.damage(hit, 2).win(s_h, s_o)
                );
                assert_eq!(
                    duel.win(Use::Defensive, s_h, s_o),
                    plain.damage(2, wound).win(s_h, s_o)
                );
                assert_eq!(
                    duel.win(Use::Both, s_h, s_o),
                    plain.damage(hit, wound).win(s_h, s_o)
                );
            }
        }
    }
}

#[test]
fn criteria_are_equations_16_and_17() {
    for (sixths, hit, wound) in [(0, 1, 3), (2, 2, 0), (6, 4, 1)] {
        let q = ratio(sixths, 6);
        assert_eq!(expected_damage(Damage::HIT, &q).unwrap(), ratio(hit, 1));
        if wound > 0 {
            assert_eq!(expected_damage(Damage::WOUND, &q).unwrap(), ratio(wound, 1));
        }
    }
    assert_eq!(
        expected_damage(Damage::HIT, offensive_threshold()).unwrap(),
        ratio(2, 1)
    );
    assert_eq!(
        expected_damage(Damage::WOUND, defensive_threshold()).unwrap(),
        ratio(2, 1)
    );
    assert_eq!(Damage::HIT.threshold(), Some(offensive_threshold()));
    assert_eq!(Damage::WOUND.threshold(), Some(defensive_threshold()));
    // A lucky hit no better than a plain one never pays: only certain luck is equally good.
    assert_eq!(Damage::new(2, 2, 1).threshold(), Some(ratio(1, 1)));
    assert_eq!(Damage::new(2, 3, 3).threshold(), None);
}

#[test]
fn chances_of_a_test() {
    for luck in 0..=20 {
        assert_eq!(lucky_chance(luck), oracle::lucky(luck), "{luck}");
    }
    assert_eq!(lucky_chance(u32::MAX), ratio(1, 1));
    // Printed to three digits with equations (16) and (17).
    for (luck, printed) in [(6, 417), (5, 278), (7, 583)] {
        assert!(
            (lucky_chance(luck) - ratio(printed, 1000)).abs() < ratio(1, 2000),
            "{luck}"
        );
    }
}

#[test]
fn luck_dramatically_increases_victory() {
    // Fig. 2: offensive LUCK of 12 compared with none. A foe of STAMINA 1 or 2 falls to one hit
    // either way.
    for difference in -9..=9 {
        let odds = RoundOdds::standard(difference);
        let duel = ConstantLuck::new(odds, lucky_chance(12)).unwrap();
        for s_h in (1..=24).step_by(5) {
            for s_o in 1..=24 {
                let none = win_without_luck(&odds, s_h, s_o).unwrap();
                let with = duel.win(Use::Offensive, s_h, s_o).unwrap();
                assert_eq!(with > none, s_o > 2, "{difference} {s_h} {s_o}");
                assert!(with >= none);
            }
        }
    }
    // High LUCK makes up for low Δk: 22/19 at −4 goes from one in 100 000 to one in 70.
    let odds = RoundOdds::standard(-4);
    let none = win_without_luck(&odds, 22, 19).unwrap();
    for (luck, fold) in [(12, 1495), (9, 759), (6, 64), (5, 15)] {
        let duel = ConstantLuck::new(odds, lucky_chance(luck)).unwrap();
        let ratio = duel.win(Use::Offensive, 22, 19).unwrap() / &none;
        assert_eq!(ratio.to_integer(), fold.into(), "{luck}");
    }
}

#[test]
fn the_criterion_is_about_damage_and_not_about_victory() {
    // The text calls it optimal, for constant LUCK, to use LUCK if and only if (16) is above 2.
    let fold = |difference, luck, s_h, s_o| {
        let odds = RoundOdds::standard(difference);
        let duel = ConstantLuck::new(odds, lucky_chance(luck)).unwrap();
        duel.win(Use::Offensive, s_h, s_o).unwrap() / win_without_luck(&odds, s_h, s_o).unwrap()
    };
    let one = ratio(1, 1);
    assert!(lucky_chance(5) < offensive_threshold() && offensive_threshold() < lucky_chance(6));
    // In a long and even duel this is true.
    assert!(fold(0, 6, 8, 24) > one && fold(0, 5, 8, 24) < one);
    // It is false at the end, where a plain hit is enough.
    assert!(fold(0, 11, 8, 2) < one && fold(0, 6, 8, 3) < one);
    // It is also false for the weaker fighter, who needs unlikely results.
    assert!(fold(-4, 5, 22, 19) > ratio(15, 1));
}

#[test]
fn lists_of_depleting_histories_agree_with_each_other() {
    // A test of the oracle of other tests: sums of strings, and round by round.
    for difference in [-2, 1] {
        let counts = RoundOdds::standard(difference).counts();
        for (s_h, s_o, luck) in [
            (1, 1, 12),
            (4, 8, 12),
            (5, 7, 3),
            (6, 9, 0),
            (3, 10, 1),
            (8, 6, 7),
        ] {
            let listed = oracle::always_offensive_depleting(counts, s_h, s_o, luck);
            assert_eq!(
                listed,
                oracle::always_offensive_round_by_round(counts, s_h, s_o, luck)
            );
        }
    }
    // Without LUCK it is the duel without LUCK.
    let odds = RoundOdds::standard(-1);
    let listed = oracle::always_offensive_depleting(odds.counts(), 13, 16, 0);
    assert_eq!(listed, win_without_luck(&odds, 13, 16).unwrap());
    // While every test is certain, it is constant LUCK.
    let listed = oracle::always_offensive_depleting(odds.counts(), 10, 16, 15);
    let constant = ConstantLuck::new(odds, 1)
        .unwrap()
        .win(Use::Offensive, 10, 16)
        .unwrap();
    assert_eq!(listed, constant);
    // Where it runs down, it is worse.
    let listed = oracle::always_offensive_depleting(odds.counts(), 10, 16, 9);
    let constant = ConstantLuck::new(odds, lucky_chance(9))
        .unwrap()
        .win(Use::Offensive, 10, 16)
        .unwrap();
    assert!(listed < constant);
}

#[test]
fn depleting_luck_agrees_with_the_heuristic_vectors() {
    // Strategy 3 with threshold 0 tests after every won round while there is LUCK: equations (18)
    // and (19).
    let vectors = oracle::vectors("heuristics_strict_l_gt_tau");
    let mut cases = 0;
    for case in vectors.as_array().unwrap() {
        let [s_h, s_o, luck, strategy, threshold] =
            [1, 2, 3, 4, 5].map(|i| integer::<u32>(&case[i]));
        if (strategy, threshold) == (3, 0) {
            let counts = RoundOdds::standard(integer(&case[0])).counts();
            assert_eq!(
                oracle::always_offensive_depleting(counts, s_h, s_o, luck),
                fraction(&case[6]),
                "{case}"
            );
            cases += 1;
        }
    }
    assert!(cases > 10, "{cases}");
}

#[test]
fn floats_keep_their_bound_at_large_and_hopeless_duels() {
    for (odds, q, s_h, s_o) in [
        (RoundOdds::standard(0), ratio(5, 12), 150, 150),
        (RoundOdds::standard(-9), ratio(1, 36), 24, 97),
        (RoundOdds::standard(7), ratio(35, 36), 90, 60),
        (
            RoundOdds::new(1, 0, 999_999_999).unwrap(),
            ratio(1, 1_000_000_007),
            40,
            31,
        ),
        (
            RoundOdds::new(u64::MAX - 3, 1, 1).unwrap(),
            ratio(1, u64::MAX),
            20,
            24,
        ),
    ] {
        let duel = ConstantLuck::new(odds, &q).unwrap();
        for used in USES {
            check_f64(
                duel.win_f64(used, s_h, s_o).unwrap(),
                &duel.win(used, s_h, s_o).unwrap(),
            );
            check_f64(
                duel.defeat_f64(used, s_h, s_o).unwrap(),
                &duel.defeat(used, s_h, s_o).unwrap(),
            );
        }
    }
}

#[test]
fn bad_input_is_an_error() {
    let even = RoundOdds::standard(0);
    for (q, given) in [((-1, 2), ratio(-1, 2)), ((3, 2), ratio(3, 2))] {
        assert_eq!(
            ConstantLuck::new(even, q),
            Err(Error::Probability {
                given: given.clone()
            })
        );
        assert_eq!(
            expected_damage(Damage::HIT, q),
            Err(Error::Probability { given })
        );
    }
    assert!(matches!(
        ConstantLuck::new(even, "NaN"),
        Err(Error::Dice(_))
    ));
    assert!(matches!(
        ConstantLuck::new(even, (1, 0)),
        Err(Error::Dice(_))
    ));

    let duel = ConstantLuck::new(even, (1, 2)).unwrap();
    let draws = ConstantLuck::new(RoundOdds::new(0, 1, 0).unwrap(), (1, 2)).unwrap();
    let harmless = duel
        .clone()
        .damage(Damage::new(0, 0, 0), Damage::new(0, 0, 0));
    for used in USES {
        assert_eq!(duel.win(used, 0, 3), Err(Error::NoStamina { who: "hero" }));
        assert_eq!(
            duel.win_f64(used, 3, 0),
            Err(Error::NoStamina { who: "foe" })
        );
        assert_eq!(draws.win(used, 3, 3), Err(Error::NeverEnding));
        assert_eq!(draws.defeat_f64(used, 3, 3), Err(Error::NeverEnding));
        assert_eq!(harmless.win(used, 3, 3), Err(Error::NeverEnding));
        assert!(matches!(
            duel.win(used, u32::MAX, u32::MAX),
            Err(Error::TooLarge { .. })
        ));
        assert!(matches!(
            duel.win(used, 1, u32::MAX),
            Err(Error::TooLarge { .. })
        ));
        assert!(matches!(
            duel.win_f64(used, u32::MAX, u32::MAX),
            Err(Error::TooLarge { .. })
        ));
    }
    for equation in [PublishedEquation::Eq11, PublishedEquation::Eq12] {
        assert_eq!(draws.as_published(equation, 3, 3), Err(Error::NeverEnding));
        assert_eq!(
            duel.as_published(equation, 0, 3),
            Err(Error::NoStamina { who: "hero" })
        );
        assert!(matches!(
            duel.as_published(equation, u32::MAX, u32::MAX),
            Err(Error::TooLarge { .. })
        ));
    }
    // Blows of u16::MAX end every duel of the rules at once.
    let deadly = duel.damage(
        Damage::new(u16::MAX, u16::MAX, u16::MAX),
        Damage::new(u16::MAX, u16::MAX, u16::MAX),
    );
    for used in USES {
        assert_eq!(deadly.win(used, 24, 24).unwrap(), ratio(1, 2));
    }
}

/// Regression test: these passed the check and kept four gigabytes of numbers.
#[test]
fn long_duels_with_luck_are_refused_at_once() {
    let even = ConstantLuck::new(RoundOdds::standard(0), (15, 36)).unwrap();
    for luck in [Use::Offensive, Use::Defensive] {
        for (hero, foe) in [(191_000, 1), (1, 191_000)] {
            let long = even.win(luck, hero, foe);
            assert!(matches!(long, Err(Error::TooLarge { .. })), "{long:?}");
        }
    }
    assert!(even.win(Use::Offensive, 400, 400).is_ok());
}

/// Regression test: this took half a gigabyte, and far longer than other answers may.
#[test]
fn long_duels_with_certain_luck_are_refused_at_once() {
    let sure = ConstantLuck::new(RoundOdds::standard(-4), (1, 1)).unwrap();
    let long = sure.win(Use::Defensive, 16_000, 16_000);
    assert!(matches!(long, Err(Error::TooLarge { .. })), "{long:?}");
    assert!(sure.win(Use::Defensive, 1_000, 1_000).is_ok());
}
