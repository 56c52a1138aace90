//! Duels compared with slow, simple recursions over the hit points of both sides, with the general
//! solver, and with seeded simulations.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_dice::Dist;
use oddsmith_dnd::{Duel, Fighter, Phase, Winner};
use oddsmith_mdp::{Game, Node, Solver};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

type Ends = BTreeMap<(Winner, i64), BigRational>;

/// The joint distribution of winner and hit points, and the expected rounds: one equation for each
/// pair of hit points, with a loop where both miss.
fn plain(turns: [&Dist<i64>; 2], points: [i64; 2]) -> (Ends, BigRational) {
    let mut known: BTreeMap<[i64; 2], (Ends, BigRational)> = BTreeMap::new();
    for a in 1..=points[0] {
        for b in 1..=points[1] {
            let (mut ends, mut rounds) = (Ends::new(), BigRational::one());
            let mut again = BigRational::zero();
            for &first in turns[0].support() {
                let p = turns[0].p(&first);
                if first >= b {
                    *ends.entry((Winner::First, a)).or_default() += p;
                    continue;
                }
                for &second in turns[1].support() {
                    let p = &p * turns[1].p(&second);
                    if second >= a {
                        *ends.entry((Winner::Second, b - first)).or_default() += p;
                    } else if first == 0 && second == 0 {
                        again += p;
                    } else {
                        let (later, more) = &known[&[a - second, b - first]];
                        for (end, q) in later {
                            *ends.entry(*end).or_default() += &p * q;
                        }
                        rounds += &p * more;
                    }
                }
            }
            let once = BigRational::one() - again;
            ends.values_mut().for_each(|p| *p /= &once);
            known.insert([a, b], (ends, rounds / once));
        }
    }
    known.remove(&points).unwrap()
}

fn law(ends: &Dist<(Winner, i64)>) -> Ends {
    ends.support()
        .iter()
        .map(|end| (*end, ends.p(end)))
        .collect()
}

/// A turn with misses and damage up to 6, sometimes more than the hit points.
#[derive(Clone, Debug)]
struct Turn(Dist<i64>);

impl Arbitrary for Turn {
    fn arbitrary(g: &mut Gen) -> Self {
        let count = usize::arbitrary(g) % 4 + 1;
        let pairs: Vec<(i64, u32)> = (0..count)
            .map(|_| {
                (
                    i64::from(u8::arbitrary(g) % 8),
                    u32::from(u8::arbitrary(g) % 9 + 1),
                )
            })
            .collect();
        // Somebody must be able to win.
        let pairs = pairs.into_iter().chain([(3, 1)]);
        Turn(Dist::from_weights(pairs).unwrap())
    }
}

#[derive(Clone, Debug)]
struct Points(i64);

impl Arbitrary for Points {
    fn arbitrary(g: &mut Gen) -> Self {
        Points(i64::from(u8::arbitrary(g) % 12) + 1)
    }
}

#[test]
fn the_generator_reaches_misses_and_blows_that_fell_at_once() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut gen_ = Gen::from_size_and_seed(20, 1);
    let turns: Vec<Turn> = (0..200).map(|_| Turn::arbitrary(&mut gen_)).collect();
    assert!(turns.iter().any(|turn| *turn.0.min() == 0));
    assert!(turns.iter().any(|turn| *turn.0.min() > 0));
    assert!(turns.iter().any(|turn| *turn.0.max() == 7));
}

#[test]
fn endings_agree_with_the_joint_chain() {
    fn property(first: Turn, second: Turn, a: Points, b: Points) {
        let (first, second) = (first.0, second.0);
        let duel = Duel::new(
            Fighter::new(a.0, first.clone()).unwrap(),
            Fighter::new(b.0, second.clone()).unwrap(),
        );
        let ending = duel.ending().unwrap();
        let (ends, rounds) = plain([&first, &second], [a.0, b.0]);
        assert_eq!(law(ending.law()), ends);
        assert_eq!(ending.expected_rounds(), &rounds);

        let float = duel.to_f64().ending().unwrap();
        assert!(float.relative_error() < 1e-11);
        for (end, exact) in &ends {
            let exact = exact.to_f64().unwrap();
            let error = (float.law().p(end) - exact).abs();
            assert!(error <= exact * (float.relative_error() + 1e-15), "{end:?}");
        }
    }
    QuickCheck::new()
        .tests(150)
        .quickcheck(property as fn(Turn, Turn, Points, Points));
}

/// C_n = S_A(n) S_B(n), W_n = Σ (S_A(m−1) − S_A(m)) S_B(m−1), and the bracket.
#[test]
fn closed_forms_and_the_certified_bracket() {
    fn stands(turn: &Dist<i64>, points: i64, turns: u32) -> BigRational {
        turn.repeat(turns).unwrap().less(&points)
    }
    fn property(first: Turn, second: Turn, a: Points, b: Points) {
        let (first, second) = (first.0, second.0);
        let duel = Duel::new(
            Fighter::new(a.0, first.clone()).unwrap(),
            Fighter::new(b.0, second.clone()).unwrap(),
        );
        let limit = duel.ending().unwrap().chance(Winner::First);
        let mut won = BigRational::zero();
        for (n, round) in duel.rounds(6).unwrap().iter().enumerate() {
            let n = n as u32;
            let s_a = stands(&first, b.0, n);
            let s_b = stands(&second, a.0, n);
            assert_eq!(round.open(), &(&s_a * s_b));
            if n > 0 {
                won += (stands(&first, b.0, n - 1) - s_a) * stands(&second, a.0, n - 1);
            }
            assert_eq!(round.won(), &won);
            assert_eq!(
                round.won() + round.open() + round.lost(),
                BigRational::one()
            );
            assert!(won <= limit && limit <= &won + round.open());
        }
    }
    QuickCheck::new()
        .tests(60)
        .quickcheck(property as fn(Turn, Turn, Points, Points));
}

/// partdist as published, step by step with its matrices.
#[test]
fn the_published_procedure_gives_the_same_table() {
    fn property(first: Turn, second: Turn, a: Points, b: Points) {
        let duel = Duel::new(
            Fighter::new(a.0, first.0.clone()).unwrap(),
            Fighter::new(b.0, second.0.clone()).unwrap(),
        );
        let rounds = duel.rounds(5).unwrap();
        let mut state = rounds[0].state().to_vec();
        let mut damage = [Dist::certain(0), Dist::certain(0)];
        for round in rounds.iter().skip(1) {
            let mut fells = [BigRational::zero(), BigRational::zero()];
            for (side, (turn, points)) in [(&first.0, b.0), (&second.0, a.0)].iter().enumerate() {
                let Ok(standing) = oddsmith_dnd::partdist(&damage[side], *points) else {
                    return; // nobody is left to be attacked
                };
                damage[side] = standing.matfold(turn).unwrap();
                fells[side] = damage[side].at_least(points);
            }
            let product = |matrix: ndarray::Array2<BigRational>, v: &[BigRational]| {
                let row = |i: usize| (0..3).map(|j| &matrix[[i, j]] * &v[j]).sum();
                (0..3).map(row).collect::<Vec<BigRational>>()
            };
            state = product(oddsmith_dnd::first_attack_matrix(&fells[0]), &state);
            state = product(oddsmith_dnd::second_attack_matrix(&fells[1]), &state);
            assert_eq!(round.state().to_vec(), state);
            if !round.open().is_zero() {
                assert_eq!(
                    [round.first_fells(), round.second_fells()],
                    [&fells[0], &fells[1]]
                );
            }
        }
    }
    QuickCheck::new()
        .tests(60)
        .quickcheck(property as fn(Turn, Turn, Points, Points));
}

/// The same duel as a game for the general solver: turn by turn, with healing and phases.
struct Told<'a> {
    fighters: [&'a Fighter; 2],
    maxima: [i64; 2],
    heals: [i64; 2],
    score: fn(Winner, i64) -> i64,
}

impl Game for Told<'_> {
    /// The acting side, the hit points, the phases, and the winner.
    type State = (usize, [i64; 2], [usize; 2], Option<Winner>);
    type Action = ();

    fn expand(&self, state: &Self::State, node: &mut Node<Self>) {
        let &(side, mut points, phases, won) = state;
        if let Some(winner) = won {
            return node.end((self.score)(winner, points[winner as usize]));
        }
        let healed = (points[side] + self.heals[side]).min(self.maxima[side]);
        points[side] = points[side].max(healed);
        let phase = &self.fighters[side].phases()[phases[side]];
        let mut blow = node.chance();
        for (damage, weight) in phase.damage() {
            for (next, more) in phase.next() {
                let (mut points, mut phases) = (points, phases);
                points[1 - side] = (points[1 - side] - damage).max(0);
                phases[side] = *next;
                let won = (points[1 - side] == 0).then_some([Winner::First, Winner::Second][side]);
                blow.to_wide((1 - side, points, phases, won), weight * more);
            }
        }
    }
}

#[track_caller]
fn check_told(first: &Fighter, second: &Fighter, maxima: [i64; 2], heals: [i64; 2]) {
    let ending = Duel::new(first.clone(), second.clone()).ending().unwrap();
    let start = (0, [first.standing(), second.standing()], [0, 0], None);
    let value = |score| {
        let told = Told {
            fighters: [first, second],
            maxima,
            heals,
            score,
        };
        let solver = Solver::exact().allow_cycles();
        solver.solve(&told, start).unwrap().value().clone()
    };
    let wins = value(|winner, _| i64::from(winner == Winner::First));
    assert_eq!(ending.chance(Winner::First).to_string(), wins.to_string());
    let squares = value(|winner, left| left * left * (1 + 2 * i64::from(winner == Winner::First)));
    let expected = ending.law().expectation(|&(winner, left)| {
        BigRational::from(BigInt::from(
            left * left * (1 + 2 * i64::from(winner == Winner::First)),
        ))
    });
    assert_eq!(expected.to_string(), squares.to_string());
}

fn club() -> Dist<i64> {
    Dist::from_weights([(0, 5), (2, 3), (3, 1), (5, 1)]).unwrap()
}

#[test]
fn plain_duels_told_to_the_general_solver() {
    let (first, second) = (
        Fighter::new(9, club()).unwrap(),
        Fighter::new(7, club()).unwrap(),
    );
    check_told(&first, &second, [9, 7], [0, 0]);
}

#[test]
fn opening_turns() {
    let alpha = [Dist::die(4).unwrap(), Dist::certain(0), club()];
    let first = Fighter::opening(9, alpha).unwrap();
    let second = Fighter::new(8, club()).unwrap().temporary(2).unwrap();
    check_told(&first, &second, [9, 8], [0, 0]);
    check_told(&second, &first, [8, 9], [0, 0]);
    // A decisive opening, followed by harmless turns.
    let sure = Fighter::opening(3, [Dist::certain(20), Dist::certain(0)]).unwrap();
    check_told(&sure, &second, [3, 8], [0, 0]);
    let idle = Fighter::new(3, Dist::certain(0)).unwrap();
    let law = Duel::new(idle.clone(), sure).ending().unwrap();
    assert_eq!(law.law().support(), [(Winner::Second, 3)]);
    assert_eq!(law.expected_rounds(), &BigRational::one());
}

#[test]
fn healing_and_recharging() {
    let second = Fighter::new(8, club()).unwrap();
    let troll = Fighter::new(6, club()).unwrap().maximum(7).unwrap();
    let troll = troll.heals(Dist::certain(1)).unwrap();
    check_told(&troll, &second, [7, 8], [1, 0]);
    check_told(&second, &troll, [8, 7], [0, 1]);
    // Temporary hit points are not healed, so the hit points start at the maximum.
    let shielded = Fighter::new(7, club()).unwrap().temporary(2).unwrap();
    let shielded = shielded.heals(Dist::certain(1)).unwrap();
    check_told(&second, &shielded, [8, 7], [0, 1]);

    let recharge = Dist::from_weights([(0, 1), (1, 2)]).unwrap();
    let breath = Phase::new(Dist::ndice(2, 3).unwrap()).then(recharge.clone());
    let bite = Phase::new(club()).then(recharge);
    let dragon = Fighter::in_phases(7, [breath, bite]).unwrap();
    check_told(&dragon, &second, [7, 8], [0, 0]);
    check_told(&troll, &dragon, [7, 7], [1, 0]);
}

/// The table of rounds supports healing and phases too: it converges to the ending.
#[test]
fn rounds_close_in_on_endings_with_healing_and_phases() {
    let recharge = Dist::from_weights([(0, 1), (1, 2)]).unwrap();
    let breath = Phase::new(Dist::ndice(2, 3).unwrap()).then(recharge.clone());
    let dragon = Fighter::in_phases(9, [breath, Phase::new(club()).then(recharge)]).unwrap();
    let troll = Fighter::new(6, club()).unwrap().maximum(7).unwrap();
    let troll = troll.heals(Dist::die(2).unwrap()).unwrap();
    for duel in [
        Duel::new(dragon.clone(), troll.clone()),
        Duel::new(troll, dragon),
    ] {
        let limit = duel.ending().unwrap().chance(Winner::First);
        let (least, most) = duel.rounds(25).unwrap().bracket();
        assert!(least < limit && limit < most);
        assert!(most - least < BigRational::new(1.into(), 100.into()));
        let float = duel.to_f64().ending().unwrap();
        let error = (float.chance(Winner::First) - limit.to_f64().unwrap()).abs();
        assert!(error <= float.relative_error().max(1e-15));
    }
}

fn draw(law: &[(i64, u64)], total: u64, rng: &mut ChaCha8Rng) -> i64 {
    let mut rest = rng.next_u64() % total;
    for (damage, weight) in law {
        match rest.checked_sub(*weight) {
            Some(less) => rest = less,
            None => return *damage,
        }
    }
    unreachable!("the weights add up to the total")
}

/// 40,000 simulated duels: within four standard deviations.
#[test]
fn seeded_play_agrees() {
    let turn = Dist::from_weights([(0, 9), (4, 3), (5, 4), (9, 2), (13, 1)]).unwrap();
    let weights: Vec<(i64, u64)> = turn
        .iter()
        .map(|(x, w)| (*x, w.to_u64().unwrap()))
        .collect();
    let total = turn.total().to_u64().unwrap();
    let duel = Duel::new(
        Fighter::new(31, turn.clone()).unwrap(),
        Fighter::new(34, turn).unwrap(),
    );
    let ending = duel.to_f64().ending().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(20_190_221);
    let games = 40_000;
    let (mut wins, mut left, mut rounds) = (0.0, 0.0, 0.0);
    for _ in 0..games {
        let mut points = [31, 34];
        loop {
            rounds += 1.0;
            points[1] -= draw(&weights, total, &mut rng);
            if points[1] <= 0 {
                wins += 1.0;
                left += points[0] as f64;
                break;
            }
            points[0] -= draw(&weights, total, &mut rng);
            if points[0] <= 0 {
                left += points[1] as f64;
                break;
            }
        }
    }
    let games = f64::from(games);
    let p = ending.chance(Winner::First);
    assert!((wins / games - p).abs() < 4.0 * (p * (1.0 - p) / games).sqrt());
    let mean = ending.law().expectation(|&(_, points)| points as f64);
    assert!((left / games - mean).abs() < 4.0 * 12.0 / games.sqrt());
    assert!((rounds / games - ending.expected_rounds()).abs() < 4.0 * 6.0 / games.sqrt());
}
