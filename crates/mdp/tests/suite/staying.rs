//! Actions that certainly stay in their state: nobody gains by them, but a policy may take them, and
//! each time they pay. Rules mean the same whether they are written as a game or as a table.

use crate::small::{Law, Row, Small, below, integer};
use num_rational::BigRational;
use oddsmith_mdp::{
    AtRandom, Csr, Discounted, Exact, ExplicitReader, Game, Generated, Horizon, Node, Objective,
    Played, Player, Rescored, Score, Solution, Solver, Staged, Steps, Table, TableRow, Tallied,
    Totalled,
};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// A small game in which actions that stay cost the player who decides.
#[derive(Clone, Debug)]
struct Idle(Small);

impl Arbitrary for Idle {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut game = Small::arbitrary(g);
        for (state, row) in game.rows.iter_mut().enumerate() {
            let Row::Choices(player, laws) = row else {
                continue;
            };
            let sign = if *player == Player::Max { -1 } else { 1 };
            for law in laws.iter_mut().filter(|law| !law.leaves(state)) {
                law.reward = sign * below(g, 3) as i64;
            }
            let reward = sign * (1 + below(g, 2) as i64);
            let outcomes = vec![(state, 1 + below(g, 3) as u64)];
            laws.insert(below(g, laws.len() + 1), Law { outcomes, reward });
        }
        Idle(game)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Idle))
    }
}

impl Idle {
    fn write(&self, state: usize, row: &mut TableRow<'_>) {
        if let Row::End(score) = self.0.rows[state] {
            return row.end(score);
        }
        if self.0.player(state) == Player::Min {
            row.opponent();
        }
        for law in self.0.laws(state) {
            row.choice().reward(law.reward);
            for &(to, weight) in &law.outcomes {
                row.to(to, weight);
            }
        }
    }
}

fn values<G: Game<State = usize>>(
    solved: &Solution<'_, G, Exact>,
    states: usize,
) -> Vec<Option<BigRational>> {
    (0..states)
        .map(|state| solved.value_of(&state).ok())
        .collect()
}

/// Everything that a policy may earn, and what is best.
fn appraise<G: Game<State = usize>>(
    game: &G,
    start: usize,
    states: usize,
) -> Vec<Vec<Option<BigRational>>> {
    let exact = Solver::exact;
    let one = |value: BigRational| vec![Some(value)];
    let mut all = Vec::new();
    all.push(values(
        &exact().evaluate(game, AtRandom, start).unwrap(),
        states,
    ));
    let both = Played::new(game, AtRandom).by_both();
    all.push(values(&exact().solve(&both, start).unwrap(), states));
    let aims = || [Objective::steps(Steps::All), Objective::score()];
    let scored = exact().evaluate_all(game, AtRandom, start, aims()).unwrap();
    all.push(scored.into_iter().map(Some).collect());
    let doubled = Rescored::new(game, |_, old| old.clone())
        .rewards(|_, _, old| old.to_ratio().unwrap() * integer(2));
    all.push(values(
        &exact().evaluate(&doubled, AtRandom, start).unwrap(),
        states,
    ));
    let horizon = Horizon::new(game);
    let stages = exact().stages(&horizon, start, 4).unwrap();
    all.push(stages.values().unwrap().into_iter().map(Some).collect());
    let staged = Staged::new(3, start);
    all.push(one(exact()
        .evaluate(&horizon, AtRandom, staged)
        .unwrap()
        .value()));
    let discounted = Discounted::new(game, (2, 3)).unwrap();
    all.push(one(exact()
        .solve(&discounted, Some(start))
        .unwrap()
        .value()));
    let random = exact()
        .evaluate(&discounted, AtRandom, Some(start))
        .unwrap();
    all.push(one(random.value()));
    // Totals grow for ever, so they are only counted for some steps.
    let totalled = Totalled::new(game);
    let counted = Horizon::new(&totalled).unfinished(|tallied| Score::from(&tallied.total));
    let start_of = Staged::new(3, Tallied::new(start));
    all.push(one(exact()
        .evaluate(&counted, AtRandom, start_of)
        .unwrap()
        .value()));
    all.push(values(&exact().solve(game, start).unwrap(), states));
    all
}

#[cfg(feature = "rand")]
fn played<G: Game<State = usize>>(game: &G, start: usize) -> Vec<(usize, Score, u64)> {
    use rand::SeedableRng;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    let simulator = oddsmith_mdp::Simulator::new(game, AtRandom);
    let plays = (0..20).map(|_| simulator.play(&start, &mut rng).unwrap());
    plays
        .map(|play| (play.end, play.score, play.length))
        .collect()
}

quickcheck! {
    fn rules_written_as_a_table_mean_the_same(idle: Idle) -> bool {
        let (start, states) = (idle.0.start(), idle.0.rows.len());
        let table = Table::from_fn(states, |state, row| idle.write(state, row)).unwrap();
        let falling = Generated::falling(states, |state, row: &mut TableRow<'_>| idle.write(state, row));
        let falling = falling.unwrap();
        let wanted = appraise(&idle.0, start, states);
        appraise(&table, start, states) == wanted && appraise(&falling, start, states) == wanted
    }
}

#[cfg(feature = "rand")]
quickcheck! {
    fn tables_are_played_for_the_same_scores(idle: Idle) -> bool {
        let (start, states) = (idle.0.start(), idle.0.rows.len());
        let table = Table::from_fn(states, |state, row| idle.write(state, row)).unwrap();
        // Not the game itself: it writes outcomes in another order, so others would be drawn.
        let falling = Generated::falling(states, |state, row: &mut TableRow<'_>| idle.write(state, row));
        let simulated = played(&table, start);
        let paid = simulated.iter().all(|(.., score, _)| score.to_ratio().is_some());
        paid && simulated == played(&falling.unwrap(), start)
    }
}

/// State 1 leaves for nothing, or stays and pays.
fn toll(reward: i64) -> Table {
    Table::from_fn(2, |state, row| match state {
        0 => row.end(0),
        _ => {
            row.choice().to(0, 1);
            row.choice().to(1, 1).reward(reward);
        }
    })
    .unwrap()
}

#[test]
fn what_staying_pays_is_kept() {
    let table = toll(-1);
    let random = Solver::exact().evaluate(&table, AtRandom, 1).unwrap();
    assert_eq!(random.value(), integer(-1)); // one in two, again and again
    let node = Node::of(&table, &1).unwrap();
    assert_eq!(node.reward(1), Some(&Score::from(-1)));
    assert_eq!(node.reward(0), None);
    // The best play leaves at once, and a solver sees nothing else.
    let best = Solver::exact().solve_table(&table, 1).unwrap();
    assert_eq!(
        (best.value(), best.choices(&1).unwrap().len()),
        (integer(0), 1)
    );

    let csr = Csr {
        choices: &[0, 0, 2],
        outcomes: &[0, 1, 2],
        targets: &[0, 1],
        weights: &[1, 1],
        ends: &[(0, 0)],
    };
    let table = Table::from_csr_with_rewards(csr, &[0, -3]).unwrap();
    let random = Solver::exact().evaluate(&table, AtRandom, 1).unwrap();
    assert_eq!(random.value(), integer(-3));

    let text = "mdp\n0 0 1 1\n0 1 0 1\n1 0 2 0.5\n1 0 1 0.5\n2 0 2 1\n";
    let reader = ExplicitReader::new(text).transition_rewards("0 1 0 -2\n1 0 2 0\n");
    let read = reader.read().unwrap();
    let random = Solver::exact().evaluate(&read.table, AtRandom, 0).unwrap();
    assert_eq!(random.value(), integer(-2));
}

#[cfg(feature = "rand")]
#[test]
fn whoever_stays_pays_in_a_simulation() {
    for (_, score, length) in played(&toll(-1), 1) {
        assert_eq!(score, Score::from(1 - length as i64)); // the last move is free
    }
}
