//! Victory without LUCK: the vectors, the identity of equations (6)–(8), the float and its
//! logarithm.

#![allow(clippy::expect_used, reason = "a failed check is a failed test")]

use crate::oracle;
use crate::oracle::{fraction, integer, ratio};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Signed;
use oddsmith_dice::DifferenceTable;
use oddsmith_fightingfantasy::{
    Error, RoundOdds, WithoutLuck, histories, ln_win_without_luck, win_without_luck,
    win_without_luck_f64,
};
use quickcheck::quickcheck;

fn float(value: f64) -> BigRational {
    BigRational::from_float(value).expect("finite")
}

/// 2^−`bits`.
fn bit(bits: u32) -> BigRational {
    ratio(1, BigUint::from(1_u8) << bits)
}

/// The stated bound: 2^-52 of the value, and one subnormal step below the normal range.
#[track_caller]
fn check_f64(value: f64, exact: &BigRational) {
    let error = (float(value) - exact).abs();
    let bound = if value >= f64::MIN_POSITIVE {
        exact * bit(52)
    } else {
        bit(1074)
    };
    assert!(error <= bound, "{value:e}");
}

#[track_caller]
fn check_ln(value: f64, exact: &BigRational) {
    let expected = oracle::ln(exact);
    let error = (float(value) - &expected).abs();
    // Near certainty it is −P(defeat), and that may be too small for a float.
    let bound = if expected.abs() < float(f64::MIN_POSITIVE) {
        bit(1074)
    } else {
        expected.abs() * bit(50)
    };
    assert!(error <= bound, "{value:e}");
}

/// Float, logarithm and their counterparts of defeat, compared with the exact answer.
#[track_caller]
fn check_floats(odds: RoundOdds, s_h: u32, s_o: u32) {
    let duel = WithoutLuck::new(odds);
    let exact = duel.win(s_h, s_o).unwrap();
    let defeat = duel.defeat(s_h, s_o).unwrap();
    assert_eq!(&exact + &defeat, ratio(1, 1));
    check_f64(duel.win_f64(s_h, s_o).unwrap(), &exact);
    check_f64(duel.defeat_f64(s_h, s_o).unwrap(), &defeat);
    check_ln(duel.ln_win(s_h, s_o).unwrap(), &exact);
}

fn plain(damage: u32) -> [oracle::Blow; 1] {
    [(ratio(1, 1), damage)]
}

#[test]
fn rounds_agree_with_the_vectors() {
    let vectors = oracle::vectors("round");
    let vectors = vectors.as_object().unwrap();
    assert_eq!(vectors.len(), 25);
    let table = DifferenceTable::new(2, 6).unwrap();
    for (difference, chances) in vectors {
        let difference = difference.parse().unwrap();
        let odds = RoundOdds::standard(difference);
        let expected = [0, 1, 2].map(|i| fraction(&chances[i]));
        assert_eq!(
            [odds.win(), odds.draw(), odds.lose()],
            expected,
            "{difference}"
        );
        assert_eq!(RoundOdds::from_table(&table, difference).unwrap(), odds);
    }
}

#[test]
fn draws_are_the_sextinomial_coefficients() {
    // The sentence above equation (2), for the four dice of a round.
    let published = [
        1, 4, 10, 20, 35, 56, 80, 104, 125, 140, 146, 140, 125, 104, 80, 56, 35, 20, 10, 4, 1,
    ];
    for (difference, count) in (-10..=10).zip(published) {
        assert_eq!(
            RoundOdds::standard(difference).draw(),
            ratio(count, 1296),
            "{difference}"
        );
    }
}

#[test]
fn beyond_ten_the_round_is_certain() {
    for difference in [11, 12, 24, i64::MAX] {
        assert_eq!(RoundOdds::standard(difference).counts(), (1296, 0, 0));
        assert_eq!(RoundOdds::standard(-difference).counts(), (0, 0, 1296));
        for (odds, certain) in [
            (RoundOdds::standard(difference), 1),
            (RoundOdds::standard(-difference), 0),
        ] {
            assert_eq!(win_without_luck(&odds, 3, 7).unwrap(), ratio(certain, 1));
            assert_eq!(
                win_without_luck(&odds, u32::MAX, u32::MAX).unwrap(),
                ratio(certain, 1)
            );
            assert_eq!(
                win_without_luck_f64(&odds, u32::MAX, u32::MAX).unwrap(),
                f64::from(certain)
            );
            let ln = if certain == 1 {
                0.0_f64
            } else {
                f64::NEG_INFINITY
            };
            assert_eq!(
                ln_win_without_luck(&odds, 9, 9).unwrap().to_bits(),
                ln.to_bits()
            );
            let duel = WithoutLuck::new(odds);
            assert_eq!(
                duel.win_hypergeometric(u32::MAX, u32::MAX).unwrap(),
                ratio(certain, 1)
            );
            assert_eq!(duel.win_by_histories(9, 9, 9).unwrap(), ratio(certain, 1));
        }
    }
    assert_eq!(RoundOdds::standard(10).counts(), (1295, 1, 0));
    assert_eq!(
        win_without_luck(&RoundOdds::standard(10), 1, 24).unwrap(),
        ratio(1, 1)
    );
    assert_eq!(
        win_without_luck(&RoundOdds::standard(-10), 24, 1).unwrap(),
        ratio(0, 1)
    );
}

#[test]
fn victory_agrees_with_the_vectors() {
    let vectors = oracle::vectors("no_luck");
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 101);
    for case in vectors {
        let (difference, s_h, s_o) = (integer(&case[0]), integer(&case[1]), integer(&case[2]));
        let odds = RoundOdds::standard(difference);
        let duel = WithoutLuck::new(odds);
        let expected = fraction(&case[3]);
        assert_eq!(duel.win(s_h, s_o).unwrap(), expected, "{case}");
        assert_eq!(
            duel.win_hypergeometric(s_h, s_o).unwrap(),
            expected,
            "{case}"
        );
        assert_eq!(
            oracle::duel(odds.counts(), s_h, s_o, &plain(2), &plain(2)),
            Some(expected),
            "{case}"
        );
        check_floats(odds, s_h, s_o);
    }
}

quickcheck! {
    fn every_form_is_the_plain_recursion(win: u8, draw: u8, lose: u8, s_h: u8, s_o: u8, hit: u8, wound: u8) -> bool {
        let counts = (u64::from(win % 7), u64::from(draw), u64::from(lose % 7));
        let Ok(odds) = RoundOdds::new(counts.0, counts.1, counts.2) else {
            return counts == (0, 0, 0);
        };
        let (s_h, s_o) = (u32::from(s_h % 14) + 1, u32::from(s_o % 14) + 1);
        let (hit, wound) = (u16::from(hit % 5), u16::from(wound % 5));
        let duel = WithoutLuck::new(odds).damage(hit, wound);
        let expected = oracle::duel(counts, s_h, s_o, &plain(hit.into()), &plain(wound.into()));
        let Some(expected) = expected else {
            return [
                duel.win(s_h, s_o),
                duel.defeat(s_h, s_o),
                duel.win_hypergeometric(s_h, s_o),
                duel.win_by_histories(s_h, s_o, 3),
            ]
            .iter()
            .all(|answer| *answer == Err(Error::NeverEnding));
        };
        check_f64(duel.win_f64(s_h, s_o).unwrap(), &expected);
        duel.win(s_h, s_o).unwrap() == expected
            && duel.defeat(s_h, s_o).unwrap() == ratio(1, 1) - &expected
            && duel.win_hypergeometric(s_h, s_o).unwrap() == expected
            && duel.win_by_histories(s_h, s_o, 2).unwrap() <= expected
    }

    fn histories_are_all_strings_that_end_in_a_win(wins: u8, losses: u8, draws: u8) -> bool {
        let (wins, losses, draws) = (wins % 5, losses % 5, draws % 4);
        // Every string of this many W, L and D with a W at the end.
        fn strings(wins: u8, losses: u8, draws: u8, last: bool) -> u64 {
            if (wins, losses, draws) == (0, 0, 0) {
                return u64::from(last);
            }
            let mut count = 0;
            if wins > 0 { count += strings(wins - 1, losses, draws, true); }
            if losses > 0 { count += strings(wins, losses - 1, draws, false); }
            if draws > 0 { count += strings(wins, losses, draws - 1, false); }
            count
        }
        histories(wins.into(), losses.into(), draws.into()) == strings(wins, losses, draws, false).into()
    }

    fn sum_of_histories_is_equation_7(s_h: u8, s_o: u8, draws: u8, difference: i8) -> bool {
        let (s_h, s_o, draws) = (u32::from(s_h % 9) + 1, u32::from(s_o % 9) + 1, u32::from(draws % 6));
        let odds = RoundOdds::standard(i64::from(difference % 11));
        let (sigma_h, sigma_o) = (s_h.div_ceil(2), s_o.div_ceil(2));
        let mut expected = ratio(0, 1);
        for l in 0..sigma_h {
            for d in 0..=draws {
                let count = histories(sigma_o as u16, l as u16, d as u16);
                expected += ratio(count, 1)
                    * oracle::power(&odds.win(), sigma_o)
                    * oracle::power(&odds.lose(), l)
                    * oracle::power(&odds.draw(), d);
            }
        }
        WithoutLuck::new(odds).win_by_histories(s_h, s_o, draws).unwrap() == expected
    }
}

#[test]
fn histories_rise_to_the_closed_form() {
    for (difference, s_h, s_o) in [(0, 24, 24), (-3, 24, 22), (4, 5, 12), (-9, 3, 2)] {
        let odds = RoundOdds::standard(difference);
        let duel = WithoutLuck::new(odds);
        let closed = duel.win(s_h, s_o).unwrap();
        // A victory with more than `draws` draws has them before the n-th round that is not a draw.
        let n = s_h.div_ceil(2) + s_o.div_ceil(2) - 1;
        let (decisive, draw) = (ratio(1, 1) - odds.draw(), odds.draw());
        let mut few = ratio(0, 1);
        let mut before = ratio(-1, 1);
        for draws in 0..40 {
            few += oracle::binomial(n - 1 + draws, draws)
                * oracle::power(&decisive, n)
                * oracle::power(&draw, draws);
            let partial = duel.win_by_histories(s_h, s_o, draws).unwrap();
            assert!(partial > before && partial < closed);
            assert!(&closed - &partial <= ratio(1, 1) - &few, "{draws}");
            before = partial;
        }
        assert!(closed - before < bit(50));
    }
}

#[test]
fn equation_8_as_printed_approaches_the_closed_form() {
    // The infinite series of the printed function, truncated: from above, as all its terms are
    // positive.
    for (difference, s_h, s_o) in [(0, 24, 24), (2, 9, 20), (-2, 24, 12)] {
        let odds = RoundOdds::standard(difference);
        let (p_w, p_l) = (odds.win(), odds.lose());
        let decisive = &p_w + &p_l;
        let (rho_w, rho_l) = (&p_w / &decisive, &p_l / &decisive);
        let (sigma_h, sigma_o) = (s_h / 2 + s_h % 2, s_o / 2 + s_o % 2);
        let mut term = ratio(1, 1);
        let mut series = ratio(0, 1);
        for i in 0..600 {
            series += &term;
            // Rounded up to 400 bits, to keep the fractions short.
            term *= ratio(sigma_h + sigma_o + i, sigma_h + 1 + i) * &rho_l;
            let scale = ratio(BigUint::from(1_u8) << 400, 1);
            term = (term * &scale).ceil() / scale;
        }
        let bracket = ratio(1, 1) / oracle::power(&rho_w, sigma_o)
            - oracle::power(&p_l, sigma_h) / oracle::power(&decisive, sigma_h)
                * oracle::binomial(sigma_h + sigma_o - 1, sigma_h)
                * series;
        let printed = oracle::power(&p_w, sigma_o) / oracle::power(&decisive, sigma_o) * bracket;
        let closed = win_without_luck(&odds, s_h, s_o).unwrap();
        assert!(
            (printed - closed).abs() < bit(100),
            "{difference} {s_h} {s_o}"
        );
    }
}

#[test]
fn even_stamina_is_the_odd_one_below() {
    // The parity of Fig. 1. It needs σ = ⌈s / 2⌉: with the printed ⌊s / 2⌋ a hero of STAMINA 1
    // could not win.
    for difference in [-4, 0, 3] {
        let odds = RoundOdds::standard(difference);
        let victory = |s_h, s_o| win_without_luck(&odds, s_h, s_o).unwrap();
        for n in 1..=12 {
            for m in 1..=12 {
                let even = victory(2 * n, 2 * m);
                assert_eq!(victory(2 * n - 1, 2 * m), even);
                assert_eq!(victory(2 * n, 2 * m - 1), even);
                assert!(victory(2 * n + 1, 2 * m) > even);
                assert!(victory(2 * n, 2 * m + 1) < even);
            }
        }
        assert_eq!(victory(1, 1), odds.decisive_win().unwrap());
    }
}

#[test]
fn victory_rises_with_skill() {
    for (s_h, s_o) in [(1, 1), (24, 24), (2, 23), (24, 1), (13, 8)] {
        let chances =
            (-10..=10).map(|d| win_without_luck(&RoundOdds::standard(d), s_h, s_o).unwrap());
        let chances = chances.collect::<Vec<_>>();
        assert!(chances.is_sorted_by(|low, high| low < high), "{s_h} {s_o}");
        for (win, lose) in chances.iter().zip(chances.iter().rev()) {
            // Only with equal STAMINA is the mirror image the other fighter's probability.
            assert_eq!(
                win + lose == ratio(1, 1),
                s_h.div_ceil(2) == s_o.div_ceil(2) || *win == ratio(1, 1) || *lose == ratio(1, 1)
            );
        }
    }
}

#[test]
fn lower_stamina_gives_flatter_odds() {
    // Fig. 1 in numbers: with equal STAMINA the longer duel favours the better fighter more.
    for difference in 1..=9 {
        let odds = RoundOdds::standard(difference);
        let chances = (1..=12)
            .map(|n| win_without_luck(&odds, 2 * n, 2 * n).unwrap())
            .collect::<Vec<_>>();
        assert!(chances.is_sorted_by(|low, high| low < high));
    }
}

#[test]
fn published_chances_without_luck() {
    // (Δk, s_h, s_o), as printed in the text on optimal play, with the printed digits.
    for (difference, s_h, s_o, low, high) in [
        (-3, 24, 22, (435, 1_000_000), (445, 1_000_000)), // White Dragon, 4.4e-4
        (-2, 24, 12, (275, 1_000), (285, 1_000)),         // Hell Demon, 0.28
        (-4, 22, 19, (975, 100_000_000), (985, 100_000_000)), // 9.8e-6
        (-2, 22, 21, (95, 10_000), (105, 10_000)),        // 0.010
    ] {
        let exact = win_without_luck(&RoundOdds::standard(difference), s_h, s_o).unwrap();
        assert!(
            ratio(low.0, low.1) <= exact && exact < ratio(high.0, high.1),
            "{difference} {s_h} {s_o}"
        );
    }
    // 2.3e-19 is 10^18 times the chance without LUCK, to the order of magnitude.
    let exact = win_without_luck(&RoundOdds::standard(-9), 2, 23).unwrap();
    assert_eq!(exact, oracle::power(&ratio(1, 1292), 12));
}

#[test]
fn floats_keep_their_bound() {
    for difference in -9..=9 {
        let odds = RoundOdds::standard(difference);
        for (s_h, s_o) in [
            (1, 1),
            (1, 24),
            (24, 1),
            (24, 24),
            (23, 2),
            (100, 77),
            (400, 400),
            (3, 190),
            (190, 3),
        ] {
            check_floats(odds, s_h, s_o);
        }
    }
}

#[test]
fn floats_keep_their_bound_for_stamina_in_the_thousands() {
    for (difference, s_h, s_o) in [
        (0, 5_000, 5_000),
        (1, 5_000, 5_000),
        (-1, 5_000, 5_000),
        (-3, 5_000, 900),
        (2, 700, 5_000),
        (-1, 3_000, 2_999),
    ] {
        check_floats(RoundOdds::standard(difference), s_h, s_o);
    }
}

#[test]
fn floats_keep_their_bound_for_hopeless_odds() {
    // (counts, s_h, s_o, the decimal exponent of the victory chance)
    for (win, draw, lose, s_h, s_o, exponent) in [
        (1, 0, 999_999_998, 1, 66, -297),
        (1, 0, 999_999_999, 2_000, 60, -213),
        (1, 7, 999_999_999, 2_000, 80, -288),
        (1, 0, u64::MAX - 1, 1, 30, -289),
        (1, 0, u64::MAX - 1, 1_000, 24, -208),
        (1, 1_000_000, 1_291, 1, 192, -299),
        (
            12_345_678_901_234_567,
            3,
            18_000_000_000_000_000_011,
            51,
            210,
            -306,
        ),
    ] {
        let odds = RoundOdds::new(win, draw, lose).unwrap();
        check_floats(odds, s_h, s_o);
        check_floats(odds.reversed(), s_o, s_h);
        let found = win_without_luck_f64(&odds, s_h, s_o)
            .unwrap()
            .log10()
            .floor();
        assert_eq!(found, f64::from(exponent), "{win} {lose} {s_h} {s_o}");
    }
}

#[test]
fn below_the_smallest_float_the_logarithm_goes_on() {
    let odds = RoundOdds::standard(-9);
    for s_o in [196, 198, 200, 204, 206, 208, 210, 2_000] {
        check_floats(odds, 1, s_o);
        check_floats(odds, 31, s_o);
    }
    assert_eq!(win_without_luck_f64(&odds, 1, 2_000).unwrap(), 0.0);
    assert!(ln_win_without_luck(&odds, 1, 2_000).unwrap() < -7_000.0);
    // Near certainty: ln v = −P(defeat), where v itself has long been 1.
    let sure = RoundOdds::standard(9);
    assert_eq!(win_without_luck_f64(&sure, 24, 2).unwrap(), 1.0);
    check_ln(
        ln_win_without_luck(&sure, 24, 2).unwrap(),
        &win_without_luck(&sure, 24, 2).unwrap(),
    );
}

#[test]
fn long_duels_of_floats_are_symmetric() {
    // Ten million lost rounds: there is no exact answer to compare with, but it must be one half.
    let coin = WithoutLuck::new(RoundOdds::new(1, 0, 1).unwrap());
    assert!((coin.win_f64(2_000_000, 2_000_000).unwrap() - 0.5).abs() <= 2_f64.powi(-53));
    let odds = WithoutLuck::new(RoundOdds::new(1_000, 3, 1_001).unwrap());
    let (victory, defeat) = (
        odds.win_f64(2_000_000, 2_000_000),
        odds.defeat_f64(2_000_000, 2_000_000),
    );
    assert!((victory.unwrap() + defeat.unwrap() - 1.0).abs() <= 2_f64.powi(-52));
}

#[test]
fn bad_input_is_an_error() {
    let even = RoundOdds::standard(0);
    for (s_h, s_o, who) in [(0, 1, "hero"), (1, 0, "foe"), (0, 0, "hero")] {
        let error = Err(Error::NoStamina { who });
        assert_eq!(win_without_luck(&even, s_h, s_o), error);
        assert_eq!(WithoutLuck::new(even).win_hypergeometric(s_h, s_o), error);
        assert_eq!(WithoutLuck::new(even).win_by_histories(s_h, s_o, 1), error);
        assert_eq!(
            win_without_luck_f64(&even, s_h, s_o),
            Err(Error::NoStamina { who })
        );
        assert_eq!(
            ln_win_without_luck(&even, s_h, s_o),
            Err(Error::NoStamina { who })
        );
    }
    assert_eq!(RoundOdds::new(0, 0, 0), Err(Error::NoRounds));
    assert_eq!(
        RoundOdds::new(u64::MAX, 1, 0),
        Err(Error::CountsOverflow {
            win: u64::MAX,
            draw: 1,
            lose: 0
        })
    );
    assert_eq!(RoundOdds::new(u64::MAX, 0, 0).unwrap().total(), u64::MAX);
    let draws = RoundOdds::new(0, 5, 0).unwrap();
    assert_eq!(draws.decisive_win(), Err(Error::NeverEnding));
    assert_eq!(draws.decisive_f64(), Err(Error::NeverEnding));
    assert_eq!(win_without_luck(&draws, 1, 1), Err(Error::NeverEnding));
    assert_eq!(win_without_luck_f64(&draws, 1, 1), Err(Error::NeverEnding));
    let many = DifferenceTable::new(13, 6).unwrap();
    assert!(matches!(
        RoundOdds::from_table(&many, 0),
        Err(Error::CountTooBig { outcome: "win", .. })
    ));
}

#[test]
fn absurd_sizes_are_refused_at_once() {
    let even = WithoutLuck::new(RoundOdds::standard(0));
    let skewed = WithoutLuck::new(RoundOdds::standard(1));
    for duel in [even, skewed] {
        let refused = |answer| assert!(matches!(answer, Err(Error::TooLarge { .. })), "{answer:?}");
        refused(duel.win(u32::MAX, u32::MAX));
        refused(duel.win_hypergeometric(u32::MAX, u32::MAX));
        refused(duel.win_by_histories(u32::MAX, u32::MAX, u32::MAX));
        refused(duel.win_by_histories(1, 1, u32::MAX));
        assert!(matches!(
            duel.win_f64(u32::MAX, u32::MAX),
            Err(Error::TooLarge { .. })
        ));
        assert!(matches!(
            duel.ln_win(u32::MAX, 1_000),
            Err(Error::TooLarge { .. })
        ));
    }
    // At most one lost round and an endless foe: a single term, but an answer of 10^10 bits is
    // still rejected.
    assert!(matches!(
        skewed.win(1, u32::MAX),
        Err(Error::TooLarge { .. })
    ));
    // As a float it is a power.
    assert_eq!(skewed.win_f64(1, u32::MAX), Ok(0.0));
    let ln = skewed.ln_win(1, u32::MAX).unwrap();
    let expected = (721.0_f64 / 1156.0).ln() * 2_147_483_648.0;
    assert!((ln / expected - 1.0).abs() < 1e-14);
}

#[test]
fn the_greatest_number_of_histories_ends() {
    let most = histories(u16::MAX, u16::MAX, u16::MAX);
    assert_eq!(most.bits(), 311_593);
}

#[test]
fn fig_1_low_staminas_make_for_sharp_peaks() {
    // "For lower initial STAMINAS, v_p distributions become more sharply peaked with s values": the
    // steepest step of v_p along s_h (by 2, at Δk = 0) falls with s_o: true.
    let odds = RoundOdds::standard(0);
    let value = |h, o| win_without_luck(&odds, h, o).unwrap();
    let steepest = |o| {
        (1..=12)
            .map(|n| value(2 * n + 1, o) - value(2 * n - 1, o))
            .max()
            .unwrap()
    };
    let steps: Vec<_> = (1..=12).map(|m| steepest(2 * m)).collect();
    assert!(steps.is_sorted_by(|a, b| a >= b) && steps[0] == ratio(1, 4));
    assert_eq!(steps[11], ratio(88_179, 1_048_576));
}
