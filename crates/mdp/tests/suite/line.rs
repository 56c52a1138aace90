//! The most likely line of play, compared with all lines.

use crate::small::{Row, Small, integer};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_mdp::{AtRandom, Game, Indexed, Node, Played, Solver, Table};
use quickcheck::quickcheck;

/// The probabilities of all lines to ends that are `wanted`, without self-loops.
fn lines(
    game: &Small,
    policy: &impl Fn(usize) -> usize,
    state: usize,
    chance: BigRational,
    wanted: &impl Fn(usize) -> bool,
    found: &mut Vec<BigRational>,
) {
    if let Row::End(_) = game.rows[state] {
        if wanted(state) {
            found.push(chance);
        }
        return;
    }
    let law = &game.laws(state)[policy(state)];
    // A repeated outcome counts as one.
    let mut weights = vec![0; state];
    for &(to, weight) in &law.outcomes {
        if to != state {
            weights[to] += weight;
        }
    }
    let leaving: u64 = weights.iter().sum();
    for (to, weight) in weights
        .into_iter()
        .enumerate()
        .filter(|(_, weight)| *weight > 0)
    {
        let chance = &chance * BigRational::new(weight.into(), leaving.into());
        lines(game, policy, to, chance, wanted, found);
    }
}

impl Indexed for Small {
    fn size(&self) -> usize {
        self.rows.len()
    }

    fn index(&self, &state: &usize) -> usize {
        state
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

quickcheck! {
    fn the_likeliest_of_all_lines(game: Small, modulus: usize) -> bool {
        let modulus = modulus % 3 + 1;
        let wanted = |end: usize| end.is_multiple_of(modulus);
        let start = game.start();
        let solution = Solver::exact().solve(&game, start).unwrap();
        let policy = |state: usize| solution.decision(&state).unwrap().unwrap_or(0);
        let mut all = Vec::new();
        lines(&game, &policy, start, BigRational::one(), &wanted, &mut all);
        let best = all.iter().max();
        let line = solution.likeliest_line_to(|&end| wanted(end)).unwrap();
        // The probability of the line is the product of its steps.
        let consistent = line.as_ref().is_none_or(|line| {
            let states = line.steps.iter().map(|step| step.state).chain([line.end]);
            let chances = line.steps.iter().map(|step| &step.probability);
            let chances: Vec<_> = chances.chain([&line.probability]).collect();
            let states: Vec<usize> = states.collect();
            states[0] == start
                && *chances[0] == BigRational::one()
                && wanted(line.end)
                && line.steps.iter().all(|step| step.action == solution.decision(&step.state).unwrap())
                && states.windows(2).zip(chances.windows(2)).all(|(pair, chance)| {
                    let law = &game.laws(pair[0])[policy(pair[0])];
                    let weight = |to: usize| -> u64 {
                        law.outcomes.iter().filter(|o| o.0 == to).map(|o| o.1).sum()
                    };
                    let leaving = law.total() - weight(pair[0]);
                    let p = BigRational::new(weight(pair[1]).into(), leaving.into());
                    *chance[1] == chance[0] * p
                })
        });
        consistent && line.map(|line| line.probability).as_ref() == best
    }

    fn lines_in_all_numbers_and_models(game: Small) -> bool {
        let start = game.start();
        let exact = Solver::exact().solve(&game, start).unwrap();
        let line = exact.likeliest_line().unwrap();
        let boxed = Solver::exact().solve_indexed(&game, start).unwrap();
        let cyclic = Solver::exact().allow_cycles().solve(&game, start).unwrap();
        // Floats may decide differently if actions tie.
        let fixed = |&state: &usize, _: &[usize]| boxed.decision(&state).unwrap().unwrap_or(0);
        let played = Played::new(&game, fixed).by_both();
        let float = Solver::float().solve(&played, start).unwrap().likeliest_line().unwrap();
        let boxed_float = Solver::float().solve_indexed(&played, start).unwrap();
        let boxed_float = boxed_float.likeliest_line().unwrap();
        let loose = Solver::float().allow_cycles().solve(&played, start).unwrap();
        let loose = loose.likeliest_line().unwrap();
        let chance = line.probability.to_f64().unwrap();
        boxed.likeliest_line().unwrap().probability == line.probability
            && cyclic.likeliest_line().unwrap().probability == line.probability
            && [float.probability, boxed_float.probability, loose.probability]
                .iter()
                .all(|p| (p / chance - 1.0).abs() < 1e-13)
    }
}

#[test]
fn the_best_line_is_not_the_greedy_one() {
    // The likeliest first step leads to five equal ways.
    let table = Table::from_fn(8, |state, row| match state {
        0..=5 => row.end(state),
        6 => {
            let chance = row.choice();
            (1..=5).for_each(|to| {
                chance.to(to, 1);
            });
        }
        _ => {
            row.choice().to(6, 3).to(0, 1);
        }
    })
    .unwrap();
    let solution = Solver::exact().solve_table(&table, 7).unwrap();
    let line = solution.likeliest_line().unwrap();
    assert_eq!(line.end, 0);
    assert_eq!(line.probability, BigRational::new(1.into(), 4.into()));
    let text = line.to_string();
    assert_eq!(text, "7: 0\n0: the end, reached with 1/4 = 0.25\n");
}

#[test]
fn on_a_cycle_the_line_goes_straight() {
    // Gambler's ruin: three steps down from 3, seven up.
    let ruin = Table::from_fn(11, |hand, row| match hand {
        0 | 10 => row.end(hand == 10),
        _ => {
            row.choice().to(hand - 1, 1).to(hand + 1, 1);
        }
    })
    .unwrap();
    let solution = Solver::exact()
        .allow_cycles()
        .solve_table(&ruin, 3)
        .unwrap();
    let line = solution.likeliest_line().unwrap();
    assert_eq!((line.end, line.steps.len()), (0, 3));
    assert_eq!(line.probability, BigRational::new(1.into(), 8.into()));
    let up = solution
        .likeliest_line_to(|&end| end == 10)
        .unwrap()
        .unwrap();
    let hands: Vec<usize> = up.steps.iter().map(|step| step.state).collect();
    assert_eq!(hands, [3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(up.probability, BigRational::new(1.into(), 128.into()));
    let float = Solver::float()
        .allow_cycles()
        .solve_table(&ruin, 3)
        .unwrap();
    let up = float.likeliest_line_to(|&end| end == 10).unwrap().unwrap();
    assert_eq!(up.probability, 1.0 / 128.0);
}

#[test]
fn chances_below_all_floats_are_compared_all_the_same() {
    // 2,000 steps, each with 1/4 by the left and 1/3 by the right.
    const LENGTH: usize = 2_000;
    struct Long;
    impl Game for Long {
        type State = (usize, u8);
        type Action = ();
        fn expand(&self, &(left, _): &(usize, u8), node: &mut Node<Self>) {
            if left == 0 {
                return node.end(0);
            }
            let mut chance = node.chance();
            for (way, weight) in [(0, 3), (1, 4), (2, 3), (3, 2)] {
                chance.to((left - 1, way), weight);
            }
        }
    }
    let start = (LENGTH, 0);
    let float = Solver::float()
        .solve(&Long, start)
        .unwrap()
        .likeliest_line()
        .unwrap();
    assert_eq!(float.probability, 0.0);
    assert!(float.steps[1..].iter().all(|step| step.state.1 == 1));
    assert_eq!(float.end, (0, 1));
    let exact = Solver::exact()
        .solve(&Long, start)
        .unwrap()
        .likeliest_line()
        .unwrap();
    let third = BigRational::new(1.into(), 3.into());
    assert_eq!(exact.probability, num_traits::pow(third, LENGTH));
    assert_eq!(exact.end, float.end);
}

#[test]
fn nothing_to_go_through() {
    let over = Table::from_fn(1, |_, row| row.end(3)).unwrap();
    let solution = Solver::exact().solve_table(&over, 0).unwrap();
    let line = solution.likeliest_line().unwrap();
    assert_eq!(
        (line.steps.len(), line.end, line.probability),
        (0, 0, integer(1))
    );
    assert_eq!(solution.likeliest_line_to(|_| false).unwrap(), None);
}

#[test]
fn outcomes_explain_values() {
    // The value of each action is its reward plus its weighted outcomes, even if it may stay.
    struct Toll;
    impl Game for Toll {
        type State = u8;
        type Action = &'static str;
        fn expand(&self, &state: &u8, node: &mut Node<Self>) {
            match state {
                0 => {
                    node.choice("pay")
                        .reward((-1, 2))
                        .to(2, 1)
                        .to(1, 2)
                        .to(2, 1);
                    node.choice("walk").to(1, 1).to(0, 3);
                }
                3 => {
                    let mut chance = node.chance();
                    (0..9).for_each(|to| {
                        chance.to(if to == 3 { 10 } else { to }, 9 - u64::from(to));
                    });
                }
                _ => node.end(state),
            }
        }
    }
    let solution = Solver::exact().solve(&Toll, 3).unwrap();
    let explanation = solution.explain(&0).unwrap();
    assert_eq!(
        explanation.to_string(),
        "0 is worth 1\n\
         + \"pay\": 1; best, tied with 1 other\n    \
             pays -1/2 = -0.5\n    \
             1/2 = 0.5 to 2, worth 2\n    \
             1/2 = 0.5 to 1, worth 1\n\
         - \"walk\": 1; best, tied with 1 other\n    \
             3/4 = 0.75 to 0, worth 1\n    \
             1/4 = 0.25 to 1, worth 1\n"
    );
    let chance = solution.explain(&3).unwrap();
    let text = chance.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with("; chance moves"), "{}", lines[0]);
    assert_eq!(lines[1], "    1/5 = 0.2 to 0, worth 1");
    assert_eq!((lines.len(), lines[7]), (8, "    … and 3 more"));
    assert_eq!(solution.explain(&2).unwrap().to_string(), "2 is worth 2\n");
    let weighted = |prospect: &oddsmith_mdp::Prospect<u8, BigRational>| {
        let outcomes = prospect.outcomes.iter();
        let sum = outcomes.fold(BigRational::zero(), |sum, o| sum + &o.chance * &o.value);
        sum + &prospect.reward
    };
    for (choice, prospect) in explanation.choices.iter().zip(&explanation.prospects) {
        assert_eq!(weighted(prospect), choice.value);
    }
    assert_eq!(weighted(&chance.prospects[0]), chance.value);
    let random = Solver::exact().evaluate(&Toll, AtRandom, 0).unwrap();
    assert_eq!(
        weighted(&random.explain(&0).unwrap().prospects[0]),
        random.value()
    );
}
