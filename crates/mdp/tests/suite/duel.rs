//! The Fighting Fantasy duel with optimal use of LUCK against published and
//! independently computed values: I. G. Johnston, "Optimal strategies in the
//! Fighting Fantasy gaming system: influencing stochastic dynamics by gambling
//! with limited resource", equations (20)–(24).

use oddsmith_mdp::{Game, Indexed, Node, Solver, Tolerance};

/// The skill of the hero minus that of the foe.
struct Duel {
    skill: i64,
}

/// Luck, stamina of hero and foe, and whether the round was lost (0), won (1) or is still to be
/// fought (2), in an order in which play leads downwards.
type State = [i64; 4];

impl Duel {
    /// The won, drawn and lost ones of the 1,296 results of 2d6 against 2d6.
    fn round(&self) -> [u64; 3] {
        let mut ways = [0; 3];
        for n in 0..1_296 {
            let dice = [n % 6, n / 6 % 6, n / 36 % 6, n / 216];
            let ahead = self.skill + dice[0] + dice[1] - dice[2] - dice[3];
            ways[usize::from(ahead <= 0) + usize::from(ahead < 0)] += 1;
        }
        ways
    }
}

impl Game for Duel {
    type State = State;
    type Action = bool;

    fn expand(&self, &[luck, hero, foe, phase]: &State, node: &mut Node<Self>) {
        if hero == 0 || foe == 0 {
            return node.end(hero > 0);
        }
        if phase == 2 {
            let [won, drawn, lost] = self.round();
            let mut round = node.chance();
            round
                .to([luck, hero, foe, 1], won)
                .to([luck, hero, foe, 0], lost);
            round.to([luck, hero, foe, 2], drawn);
            return;
        }
        let lucky = (1..=36)
            .filter(|n| (n - 1) / 6 + (n - 1) % 6 + 2 <= luck)
            .count() as u64;
        let mut after = |used: bool, damage: [i64; 2], weights: [u64; 2]| {
            let mut choice = node.choice(used);
            for (damage, weight) in damage.into_iter().zip(weights) {
                let (hero, foe) = match phase {
                    0 => ((hero - damage).max(0), foe),
                    _ => (hero, (foe - damage).max(0)),
                };
                choice.to([luck - i64::from(used), hero, foe, 2], weight);
            }
        };
        after(false, [2, 2], [1, 0]);
        if luck > 0 {
            let damage = if phase == 0 { [1, 3] } else { [4, 1] };
            after(true, damage, [lucky, 36 - lucky]);
        }
    }
}

/// The same as a box; a finished fight needs no phase but keeps it.
impl Indexed for Duel {
    fn size(&self) -> usize {
        13 * 25 * 25 * 3
    }

    fn index(&self, &[luck, hero, foe, phase]: &State) -> usize {
        (((luck * 25 + hero) * 25 + foe) * 3 + phase) as usize
    }

    fn state(&self, index: usize) -> State {
        let i = index as i64;
        [i / 1_875, i / 75 % 25, i / 3 % 25, i % 3]
    }
}

/// Skill difference, stamina of hero and foe, luck: the exact probability of winning, and whether
/// luck is used after a won and after a lost round, if it is strictly better.
#[track_caller]
fn check(start: [i64; 4], value: &str, won: bool, lost: bool) {
    let [skill, hero, foe, luck] = start;
    let duel = Duel { skill };
    let state = [luck, hero, foe, 2];
    let explored = Solver::exact().solve(&duel, state).unwrap();
    let boxed = Solver::exact().solve_indexed(&duel, state).unwrap();
    assert_eq!(explored.value().to_string(), value);
    assert_eq!(boxed.value().to_string(), value);
    for (phase, used) in [(1, won), (0, lost)] {
        let state = [luck, hero, foe, phase];
        assert_eq!(explored.decision(&state).unwrap(), Some(used), "{state:?}");
        assert_eq!(boxed.decision(&state).unwrap(), Some(used), "{state:?}");
    }
}

#[test]
fn independently_computed_values() {
    check([-9, 2, 3, 3], "10388749/155281614336", true, true);
    check([-8, 2, 3, 3], "26677055/76564139616", true, true);
    check([-3, 2, 3, 3], "681981643/15243028992", true, true);
    check(
        [-3, 7, 13, 6],
        "48700023784111760384836183523803/29486120193565912781999415553425408",
        true,
        false,
    );
    check([0, 2, 3, 3], "41/144", true, true);
    check([0, 7, 13, 6], "73439/331776", false, false);
    check([0, 13, 7, 5], "5899/6912", true, false);
}

/// The largest duel of the paper's map where the hero is weaker by four; its value was computed
/// independently by a model checker.
#[test]
fn the_largest_duel_against_a_stronger_foe() {
    let (duel, start) = (Duel { skill: -4 }, [12, 24, 24, 2]);
    let value = "8993505771570245528756852546375186479472486456099626183869483439686622554029061/\
                 3644686411518204433304781285687858208877307009228666669014138397847023281489575936";
    let exact = Solver::exact().solve(&duel, start).unwrap();
    assert_eq!(exact.value().to_string(), value);
    let boxed = Solver::exact().solve_indexed(&duel, start).unwrap();
    assert_eq!(boxed.value().to_string(), value);
    let certified = Solver::certified().certify(&duel, start).unwrap();
    assert_eq!(certified.value().to_string(), value);
}

/// The abstract and the text of the paper: (start, published value).
#[test]
fn published_chances() {
    for (skill, hero, foe, luck, published) in [
        (-9, 2, 23, 12, 2.3e-19_f64),
        (-4, 22, 19, 12, 0.011_41),
        (-2, 22, 21, 12, 0.221_2),
        (-3, 24, 22, 12, 0.046_39),
        (-2, 24, 12, 12, 0.776_4),
    ] {
        let duel = Duel { skill };
        let solution = Solver::float().solve(&duel, [luck, hero, foe, 2]).unwrap();
        let off = (solution.value() / published - 1.0).abs();
        assert!(
            off < if skill == -9 { 0.05 } else { 1e-3 },
            "{skill}: {}",
            solution.value()
        );
    }
}

/// The published rule, "a relative advantage above 1e-10", in exact arithmetic and in floats: both
/// decide alike over a whole map, while strict improvement uses luck in a few more states where the
/// foe is much weaker.
#[test]
fn the_published_tolerance() {
    for (skill, more) in [(-3, false), (5, true)] {
        let duel = Duel { skill };
        let rule = Tolerance::relative(1, 10_000_000_000).unwrap();
        let start = [12, 24, 24, 2];
        let exact = Solver::exact()
            .tolerance(rule)
            .solve_indexed(&duel, start)
            .unwrap();
        let float = Solver::float()
            .tolerance(rule)
            .solve_indexed(&duel, start)
            .unwrap();
        let strict = Solver::exact().solve_indexed(&duel, start).unwrap();
        let mut differing = 0;
        for (state, _) in exact.states() {
            let decision = exact.decision(&state).unwrap();
            assert_eq!(
                float.decision(&state).unwrap(),
                decision,
                "{skill} {state:?}"
            );
            differing += usize::from(strict.decision(&state).unwrap() != decision);
        }
        assert_eq!(differing > 0, more, "{skill}: {differing}");
    }
}
