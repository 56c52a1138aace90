//! The paper's statements about the structure of optimal play, sentence by sentence, on exact maps.
//!
//! Every test quotes its sentence and asserts what is true: often the sentence, sometimes its
//! opposite, and where it is vague the numbers that decide it. States are (s_h, s_o) at a SKILL
//! difference Δk and a LUCK l; the labels are the paper's (blank, 1 both, 2 defensive, 3
//! offensive).

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use oddsmith_fightingfantasy::{Advantage, Extent, LuckMap, Rules};

/// The decisions and values of one column of Supplementary Fig. 6.
struct Column {
    labels: Vec<char>,
    values: Vec<f64>,
}

type Columns = BTreeMap<i64, Column>;

fn columns(advantage: Advantage) -> Columns {
    let column = |difference| {
        let all = Extent::default();
        let map = LuckMap::exact(&Rules::standard(), difference, all, advantage).unwrap();
        let labels = map
            .states()
            .map(|(h, o, l)| map.decision(h, o, l).unwrap().label());
        let values = map.states().map(|(h, o, l)| map.win_f64(h, o, l).unwrap());
        (
            difference,
            Column {
                labels: labels.collect(),
                values: values.collect(),
            },
        )
    };
    (-10..=10).map(column).collect()
}

/// Strict improvement: the optimal policy.
static EXACT: LazyLock<Columns> = LazyLock::new(|| columns(Advantage::Strict));
/// The rule p_y > (1 + 10⁻¹⁰) p_n, as used by the author.
static PUBLISHED: LazyLock<Columns> = LazyLock::new(|| columns(Advantage::Published));

fn place(h: u16, o: u16, l: u16) -> usize {
    (usize::from(l) * 24 + usize::from(o) - 1) * 24 + usize::from(h) - 1
}

fn label(columns: &Columns, difference: i64, h: u16, o: u16, l: u16) -> char {
    columns[&difference].labels[place(h, o, l)]
}

fn offensive(label: char) -> bool {
    matches!(label, '1' | '3')
}

fn defensive(label: char) -> bool {
    matches!(label, '1' | '2')
}

/// All (s_h, s_o).
fn staminas() -> impl Iterator<Item = (u16, u16)> {
    (1..=24).flat_map(|o| (1..=24).map(move |h| (h, o)))
}

/// The number of points of STAMINA space in which something is true.
fn count(what: impl Fn(u16, u16) -> bool) -> usize {
    staminas().filter(|&(h, o)| what(h, o)).count()
}

/// [`count`] for LUCK 1 to 12.
fn by_luck(what: impl Fn(u16, u16, u16) -> bool) -> [usize; 12] {
    std::array::from_fn(|i| count(|h, o| what(h, o, i as u16 + 1)))
}

fn uses(difference: i64) -> [usize; 12] {
    by_luck(|h, o, l| label(&EXACT, difference, h, o, l) != ' ')
}

/// The number of points in which the maps of two SKILL differences differ, for LUCK 1 to 12.
fn differing(one: i64, other: i64) -> [usize; 12] {
    by_luck(|h, o, l| label(&EXACT, one, h, o, l) != label(&EXACT, other, h, o, l))
}

// ---- "Structure of optimal policy space" ----

#[test]
fn maps_are_not_the_same_for_all_low_skill() {
    // "For large SKILL deficiencies Δk ≤ −6 … the distribution of optimal strategies in STAMINA
    // space is the same for a given l for all Δk": false for l = 2 to 8 (up to 51 of 576 points)
    // and for one point at l = 11; true for l = 9, 10 and 12.
    assert_eq!(differing(-9, -8), [0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(differing(-9, -7), [0, 20, 12, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(
        differing(-9, -6),
        [0, 22, 51, 51, 36, 36, 36, 12, 0, 0, 1, 0]
    );
    // At −10 no round is won: all ways of defending are equally hopeless, and none is chosen.
    assert_eq!(
        differing(-9, -10),
        [0, 24, 93, 185, 277, 369, 461, 488, 496, 504, 510, 512]
    );
}

#[test]
fn only_five_points_differ_at_luck_12() {
    // "for l = 12, only 5 points in STAMINA space have different optimal strategies for Δk = −9 and
    // Δk = −4": true.
    let at = |difference, h, o| label(&EXACT, difference, h, o, 12);
    let points: Vec<_> = staminas()
        .filter(|&(h, o)| at(-9, h, o) != at(-4, h, o))
        .map(|(h, o)| (h, o, at(-9, h, o), at(-4, h, o)))
        .collect();
    let expected = [
        (4, 5, '1', '2'),
        (12, 5, '3', '1'),
        (5, 11, '3', '1'),
        (7, 13, '3', '1'),
        (3, 14, '1', '2'),
    ];
    assert_eq!(points, expected);
}

#[test]
fn similarity_continues_to_higher_skill_for_high_luck() {
    // "For higher l, this similarity continues to higher Δk": true; fewer than 3 % of the points
    // differ from LUCK 9 on, up to a quarter below it.
    assert_eq!(
        differing(-9, -4),
        [0, 24, 72, 140, 150, 106, 94, 40, 8, 3, 3, 5]
    );
    assert_eq!(
        differing(-9, -2),
        [0, 24, 84, 157, 228, 240, 181, 106, 49, 24, 14, 15]
    );
}

#[test]
fn fewer_points_use_luck_5_than_luck_6() {
    // "At more reasonable victory probabilities, a moderate transition is apparent between l = 6
    // and l = 5, where the number of points … where the optimal strategy involves using LUCK
    // decreases noticeably": true as a decrease (by a fifth to nearly a half), but the step from l
    // = 7 to l = 6 is the larger one for Δk ≥ −3. For Δk: points with l = 7, 6, 5, 4.
    for (difference, points) in [
        (-9, [507, 415, 323, 231]),
        (-5, [438, 346, 236, 130]),
        (-4, [422, 317, 180, 97]),
        (-3, [381, 248, 139, 84]),
        (-2, [339, 187, 105, 82]),
        (-1, [293, 165, 97, 71]),
        (0, [228, 113, 90, 71]),
        (1, [212, 118, 83, 71]),
        (2, [215, 115, 83, 71]),
        (3, [226, 117, 83, 71]),
    ] {
        let uses = uses(difference);
        assert_eq!([uses[6], uses[5], uses[4], uses[3]], points, "{difference}");
        let [seven_to_six, six_to_five] = [points[0] - points[1], points[1] - points[2]];
        let expected = match difference {
            ..-5 => Ordering::Equal,
            -5 | -4 => Ordering::Greater,
            _ => Ordering::Less,
        };
        assert_eq!(six_to_five.cmp(&seven_to_six), expected, "{difference}");
    }
}

#[test]
fn band_of_defence_at_hero_stamina_2() {
    // "Almost all circumstances display a band of defensive optimal strategy at s_h = 2": true, and
    // in exact numbers *all* do in which a test can succeed (l ≥ 2) and a fight can be won (Δk >
    // −10).
    for difference in -9..=10 {
        for l in 2..=12 {
            assert!((1..=24).all(|o| defensive(label(&EXACT, difference, 2, o, l))));
            assert!((1..=24).all(|o| defensive(label(&PUBLISHED, difference, 2, o, l))));
        }
    }
}

#[test]
fn strip_of_offence_at_foe_stamina_3() {
    // "A strip of strategy 3 (or strategy 1) at s_o = 3 is thus the next most robustly observed
    // feature, disappearing only when victory probability is already overwhelmingly high": true of
    // the published map; in exact numbers it never disappears for −10 ≤ Δk ≤ 9 and l ≥ 2.
    let mut lowest = 1.0_f64;
    let mut gaps = 0;
    for difference in -10..=9 {
        for l in 2..=12 {
            for h in 1..=24 {
                assert!(offensive(label(&EXACT, difference, h, 3, l)));
                if !offensive(label(&PUBLISHED, difference, h, 3, l)) {
                    gaps += 1;
                    lowest = lowest.min(PUBLISHED[&difference].values[place(h, 3, l)]);
                }
            }
        }
    }
    assert_eq!(gaps, 930);
    assert_eq!(format!("{lowest:.7}"), "0.9999983");
    // No other row is as offensive: the share of (Δk, s_h, l ≥ 2) by s_o.
    let share = |o| {
        let all =
            (-10..=10).flat_map(|d| (2..=12).flat_map(move |l| (1..=24).map(move |h| (d, h, l))));
        all.filter(|&(d, h, l)| offensive(label(&EXACT, d, h, o, l)))
            .count()
    };
    let shares: Vec<_> = (1..=24).map(share).collect();
    assert_eq!(
        shares[..8],
        [0, 0, 5_280, 3_108, 2_415, 1_859, 3_821, 2_704]
    );
    assert!((4..=24).all(|o| shares[o - 1] < shares[2]));
}

#[test]
fn unsuccessful_test_at_foe_stamina_3_is_not_disadvantageous() {
    // "An unsuccessful offensive test, leading to s_o = 2, is not disadvantageous to the same
    // extent: we still need exactly one successful attack round without LUCK": true; without LUCK 1
    // and 2 are the same.
    let all = Extent::default();
    for difference in -9..=9 {
        let map = LuckMap::exact(&Rules::standard(), difference, all, Advantage::Strict).unwrap();
        for h in 1..=24 {
            for l in 0..=12 {
                assert_eq!(map.win(h, 1, l).unwrap(), map.win(h, 2, l).unwrap());
            }
        }
    }
}

// ---- Fig. 5 ----

/// How many of the selected states have a wanted label: (they, all selected).
fn share(
    columns: &Columns,
    picks: impl Fn(i64, u16, u16, u16) -> bool,
    wanted: impl Fn(char) -> bool,
) -> (usize, usize) {
    let mut counts = (0, 0);
    for difference in -9..=9 {
        for l in 2..=12 {
            for (h, o) in staminas().filter(|&(h, o)| picks(difference, h, o, l)) {
                counts.0 += usize::from(wanted(label(columns, difference, h, o, l)));
                counts.1 += 1;
            }
        }
    }
    counts
}

#[test]
fn fig_5_i_hero_stamina_2() {
    // "(i) Hero STAMINA = 2: use luck defensively (but see (iv), (v))": true everywhere, in two
    // thirds of the states (3,426) with label 2.
    assert_eq!(
        share(&EXACT, |_, h, _, _| h == 2, defensive),
        (5_016, 5_016)
    );
    assert_eq!(
        share(&EXACT, |_, h, _, _| h == 2, |label| label == '2'),
        (3_426, 5_016)
    );
}

#[test]
fn fig_5_ii_foe_stamina_up_to_2() {
    // "(ii) Opponent STAMINA ≤ 2: use luck defensively": offence never pays there, since a plain
    // hit kills (true); defence pays in a minority of the states, among them all with s_h = 2.
    assert_eq!(share(&EXACT, |_, _, o, _| o <= 2, offensive).0, 0);
    assert_eq!(
        share(&EXACT, |_, _, o, _| o <= 2, defensive),
        (1_418, 10_032)
    );
    assert_eq!(
        share(&PUBLISHED, |_, _, o, _| o <= 2, defensive),
        (1_418, 10_032)
    );
}

#[test]
fn fig_5_iii_offence_particularly_at_3_modulo_4() {
    // "(iii) Use LUCK offensively, particularly when opponent STAMINA (mod 4) = 3": true; the
    // shares of offensive states for s_o mod 4 = 0, 1, 2, 3 (s_o ≥ 3), for Δk < 0, = 0, > 0.
    let shares = |sign: i64| {
        [0, 1, 2, 3].map(|rest| {
            let picks = |d: i64, _, o: u16, _| d.signum() == sign && o >= 3 && o % 4 == rest;
            let (offensive, all) = share(&EXACT, picks, offensive);
            (100 * offensive + all / 2) / all
        })
    };
    assert_eq!(shares(-1), [64, 62, 51, 75]);
    assert_eq!(shares(0), [41, 39, 25, 65]);
    assert_eq!(shares(1), [25, 19, 11, 48]);
}

#[test]
fn fig_5_v_defence_and_offence_at_high_luck() {
    // "(v) Use LUCK defensively, and offensively if luck is high and opponent STAMINA (mod 4) = 3
    // or 0": for Δk > 0, the share of offensive states in percent by [l ≤ 6, l ≥ 10] × [s_o mod 4
    // in {3, 0}, in {1, 2}].
    let percent = |high: bool, near: bool| {
        let picks = |d: i64, _, o: u16, l: u16| {
            d > 0 && (if high { l >= 10 } else { l <= 6 }) && matches!(o % 4, 0 | 3) == near
        };
        let (offensive, all) = share(&EXACT, picks, offensive);
        (100 * offensive + all / 2) / all
    };
    let found =
        [(false, true), (false, false), (true, true), (true, false)].map(|(h, n)| percent(h, n));
    assert_eq!(found, [17, 0, 57, 20]);
    // Defensive states with l ≥ 10 for Δk > 0.
    assert_eq!(
        share(&EXACT, |d, _, _, l| d > 0 && l >= 10, defensive),
        (7_736, 15_552)
    );
}

#[test]
fn unlikely_victories_call_for_offence_and_likely_ones_for_defence() {
    // "When default victory is unlikely, using resource to reinforce rare success probabilities is
    // a favoured strategy; when default victory is likely, using resource to mitigate rare loss
    // probabilities is favoured": offensive and defensive states with l ≥ 2 for each Δk.
    let counts = |difference: i64| {
        let sum = |kind: fn(char) -> bool| {
            by_luck(|h, o, l| kind(label(&EXACT, difference, h, o, l)))
                .iter()
                .sum::<usize>()
        };
        (sum(offensive), sum(defensive))
    };
    for difference in -9..=9 {
        let (offensive, defensive) = counts(difference);
        assert_eq!(
            offensive > defensive,
            difference <= 3,
            "{difference}: {offensive} {defensive}"
        );
    }
}

// ---- Appendix, lower Δk ----

#[test]
fn bands_of_offence_omit_2_modulo_4() {
    // "when l is low, strategy 3 appears when s_o = 3 or 4 … These bands of strategy 3 propagate as
    // l increases, occupying strips between s_o = 3 and s_o = 4n. One s_opp value is omitted from
    // each band, at s_o = 2 + 4n": true to the letter at Δk = −9 for l = 2 to 7, with n = l − 1:
    // the strip is 3..=4n without 4n − 2.
    for l in 2..=7 {
        let n = l - 1;
        for (h, o) in staminas() {
            let in_band = (3..=4 * n).contains(&o) && o != 4 * n - 2;
            assert_eq!(
                offensive(label(&EXACT, -9, h, o, l)),
                in_band,
                "{h} {o} {l}"
            );
        }
    }
    // From l = 8 on there is no strip to omit anything from: s_o ends at 24.
    assert_eq!(
        count(|h, o| o >= 3 && !offensive(label(&EXACT, -9, h, o, 8))),
        0
    );
    // Higher Δk: points that break the rule, for l = 2 to 7.
    let breaks = |difference| {
        by_luck(|h, o, l| {
            let n = l - 1;
            let in_band = (3..=4 * n).contains(&o) && o != 4 * n - 2;
            (2..=7).contains(&l) && offensive(label(&EXACT, difference, h, o, l)) != in_band
        })
    };
    assert_eq!(breaks(-8)[1..7], [10, 0, 0, 0, 0, 0]);
    assert_eq!(breaks(-7)[1..7], [20, 12, 0, 0, 0, 0]);
    assert_eq!(breaks(-6)[1..7], [22, 51, 51, 36, 36, 36]);
}

#[test]
fn other_regions_turn_defensive_from_luck_8_on() {
    // "As l increases further (l ≥ 8) other regions of STAMINA space display a preference for
    // strategy 2": true to the letter for Δk ≤ −4: the defensive points outside s_h = 2, by l.
    for difference in -9..=-4 {
        let others = by_luck(|h, o, l| h != 2 && defensive(label(&EXACT, difference, h, o, l)));
        assert_eq!(others[..7], [0; 7], "{difference}");
        assert!(others[7] > 0 && others[7..].is_sorted());
    }
    let others = by_luck(|h, o, l| h != 2 && defensive(label(&EXACT, -9, h, o, l)));
    assert_eq!(others[7..], [6, 21, 40, 63, 87]);
}

/// Rows (s_o, l) in which offence is used exactly where s_h is odd.
fn odd_rows(difference: i64) -> usize {
    let rows = (1..=12).flat_map(|l| (3..=24).map(move |o| (o, l)));
    rows.filter(|&(o, l)| {
        (1..=24).all(|h| offensive(label(&EXACT, difference, h, o, l)) == (h % 2 == 1))
    })
    .count()
}

#[test]
fn offence_thins_out_to_odd_hero_staminas() {
    // "beginning at Δk = −6, some horizontal bands in the strategy 3 region sparsify into s_h (mod
    // 2) = 1 bands": rows (s_o, l) that are offensive exactly at odd s_h, for Δk = −9 to 0: true.
    assert_eq!(
        (-9..=0).map(odd_rows).collect::<Vec<_>>(),
        [0, 0, 0, 13, 0, 3, 17, 20, 34, 25]
    );
}

// ---- Appendix, higher Δk ----

#[test]
fn luck_4_at_minus_4_is_used_at_3_modulo_4() {
    // "for e.g. Δk = −4, l = 4 strategy 3 only appears in bands of s_o = 3 + 4n": nearly. Of 76
    // offensive states 71 lie at s_o = 3, 7 and 11 (all but (2, 11)); five lie at 4 and 8.
    let points: Vec<_> = staminas()
        .filter(|&(h, o)| offensive(label(&EXACT, -4, h, o, 4)))
        .collect();
    let (bands, others): (Vec<_>, Vec<_>) = points.iter().partition(|(_, o)| o % 4 == 3);
    assert_eq!(bands.len(), 71);
    assert!(bands.iter().all(|(_, o)| *o <= 11) && !bands.contains(&(2, 11)));
    assert_eq!(others, [(1, 4), (2, 4), (3, 4), (1, 8), (3, 8)]);
}

#[test]
fn banding_at_plus_2_with_luck_12_is_shifted_by_one() {
    // "A banded structure emerges (for example, Δk = 2, l = 12) where for s_o (mod 4) ≤ 1 strategy
    // 2 is favoured and for s_o (mod 4) ≥ 2 strategies 1 and 3 are favoured": false as printed.
    // Strategy 2 is favoured at s_o mod 4 = 1 and 2, strategies 1 and 3 at 3 and 0 (as Fig. 5 (v)
    // says, too). Labels [blank, 1, 2, 3] by s_o mod 4.
    let tally = |rest| {
        [' ', '1', '2', '3']
            .map(|wanted| count(|h, o| o % 4 == rest && label(&EXACT, 2, h, o, 12) == wanted))
    };
    let expected = [
        [9, 27, 10, 98],
        [55, 5, 50, 34],
        [88, 0, 42, 14],
        [0, 37, 9, 98],
    ];
    assert_eq!([0, 1, 2, 3].map(tally), expected);
}

#[test]
fn defence_dominates_high_foe_and_low_hero_stamina() {
    // "Strategy 2 becomes particularly dominant in high s_o, low s_h regions": label 2 at Δk = 0 to
    // 3, l = 10 to 12 by quadrant [s_h ≤ 12, s_o > 12], [both high], [both low], [s_h > 12, s_o ≤
    // 12], of 1,728 states each.
    let quadrant = |low_hero: bool, low_foe: bool| {
        let picks = |d: i64, h: u16, o: u16, l: u16| {
            (0..=3).contains(&d) && l >= 10 && (h <= 12) == low_hero && (o <= 12) == low_foe
        };
        share(&EXACT, picks, |label| label == '2').0
    };
    let found =
        [(true, false), (false, false), (true, true), (false, true)].map(|(h, o)| quadrant(h, o));
    assert_eq!(found, [684, 67, 475, 12]);
}

#[test]
fn defence_dominates_high_luck_at_high_skill() {
    // "At higher yet Δk, victory is very likely, and the majority of STAMINA space for high l is
    // dominated by the defensive strategy 2": label 2 at l = 12 of 576 points, exact and by the
    // published rule, for Δk = 2 to 9.
    let twos = |columns: &Columns, d| count(|h, o| label(columns, d, h, o, 12) == '2');
    assert_eq!(
        [2, 3, 4, 5, 6, 7, 8, 9].map(|d| twos(&EXACT, d)),
        [111, 185, 309, 372, 409, 426, 427, 428]
    );
    assert_eq!(
        [2, 3, 4, 5, 6, 7, 8, 9].map(|d| twos(&PUBLISHED, d)),
        [111, 185, 305, 286, 243, 191, 151, 111]
    );
}

#[test]
fn defence_at_even_hero_staminas_with_intermediate_luck() {
    // "At intermediate l, strategies 2 and 3 appear in banded formation, where defensive LUCK use
    // is favoured when s_h is even": defensive states at Δk = 4 to 9, l = 5 to 8 with s_h even and
    // odd.
    let picks = |rest: u16| {
        move |d: i64, h: u16, _: u16, l: u16| d >= 4 && (5..=8).contains(&l) && h % 2 == rest
    };
    assert_eq!(share(&EXACT, picks(0), defensive), (2_767, 6_912));
    assert_eq!(share(&EXACT, picks(1), defensive), (11, 6_912));
}

#[test]
fn defence_expands_in_even_bands_as_skill_grows() {
    // "Column-wise, strategy 2 expands in s_h (mod 2) = 0 bands at higher Δk": label 2 with s_h
    // even and above 2, and odd, at all l, for Δk = −4, −2, 0, 2, 4, 6.
    let twos = |d, rest| -> usize {
        by_luck(|h, o, l| h > 2 && h % 2 == rest && label(&EXACT, d, h, o, l) == '2')
            .iter()
            .sum()
    };
    let expected = [
        (35, 51),
        (40, 58),
        (75, 85),
        (256, 188),
        (811, 348),
        (1_152, 379),
    ];
    assert_eq!(
        [-4, -2, 0, 2, 4, 6].map(|d| (twos(d, 0), twos(d, 1))),
        expected
    );
}
