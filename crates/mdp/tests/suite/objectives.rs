//! Objectives: alone, lexicographic, weighted, under a policy; compared with an enumeration of all
//! policies.

use crate::small;
use crate::small::{Law, Round, Small, below, integer};
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use oddsmith_mdp::{
    Aimed, AtRandom, Error, Game, Node, Objective, Player, Rescored, Score, Solver, Steps, Table,
    Tallied, Totalled,
};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// A random objective, and how to compute it.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Score,
    LowScore,
    /// The parity of the end.
    Parity,
    FewestSteps,
    MostDecisions,
}

impl Arbitrary for Kind {
    fn arbitrary(g: &mut Gen) -> Self {
        use Kind::{FewestSteps, LowScore, MostDecisions, Parity, Score};
        [Score, LowScore, Parity, FewestSteps, MostDecisions][below(g, 5)]
    }
}

impl Kind {
    fn objective(self) -> Objective<'static, usize> {
        match self {
            Kind::Score => Objective::score(),
            Kind::LowScore => Objective::score().minimized(),
            Kind::Parity => Objective::of(|&end: &usize| end % 2 == 0),
            Kind::FewestSteps => Objective::fewest_steps(),
            Kind::MostDecisions => Objective::steps(Steps::Decisions),
        }
    }

    /// Whether a certain self-loop would be repeated for ever.
    fn endless(self) -> bool {
        matches!(self, Kind::MostDecisions | Kind::FewestSteps)
    }

    fn end(self, state: usize, score: i64) -> BigRational {
        match self {
            Kind::Score | Kind::LowScore => integer(score),
            Kind::Parity => integer(i64::from(state.is_multiple_of(2))),
            Kind::FewestSteps | Kind::MostDecisions => integer(0),
        }
    }

    fn reward(self, decided: bool, law: &Law) -> BigRational {
        match self {
            Kind::Score | Kind::LowScore => integer(law.reward),
            Kind::Parity => integer(0),
            Kind::FewestSteps => integer(1),
            Kind::MostDecisions => integer(i64::from(decided)),
        }
    }

    /// Higher is better.
    fn good(self, value: &BigRational) -> BigRational {
        match self {
            Kind::LowScore | Kind::FewestSteps => -value.clone(),
            _ => value.clone(),
        }
    }

    fn values(self, game: &Small, policy: &[usize]) -> Vec<BigRational> {
        game.evaluate(
            policy,
            |state, score| self.end(state, score),
            |state, law| self.reward(game.decides(state), law),
        )
    }
}

/// Without choices that only stay, since some objectives would reward them for ever.
fn leaving(mut game: Small) -> Small {
    for (state, row) in game.rows.iter_mut().enumerate() {
        if let small::Row::Choices(_, laws) = row {
            laws.retain(|law| law.leaves(state));
        }
    }
    game
}

/// The best vector of all policies, for one player.
fn best_of_all(game: &Small, kinds: &[Kind]) -> Vec<BigRational> {
    let vectors = game.policies().into_iter().map(|policy| {
        let values = kinds.iter().map(|kind| {
            let value = kind.values(game, &policy).swap_remove(game.start());
            (kind.good(&value), value)
        });
        values.unzip::<_, _, Vec<_>, Vec<_>>()
    });
    vectors.max().unwrap().1
}

/// The best vector of all policies that end for certain, for one player who may return to a state.
fn best_that_ends(game: &Small, kinds: &[Kind]) -> Option<Vec<BigRational>> {
    let mut policies = vec![Vec::new()];
    for state in 0..game.rows.len() {
        let longer = policies.iter().flat_map(|policy: &Vec<usize>| {
            (0..game.laws(state).len().max(1)).map(move |choice| [&policy[..], &[choice]].concat())
        });
        policies = longer.collect();
    }
    let vectors = policies.into_iter().filter_map(|policy| {
        let values = kinds.iter().map(|kind| {
            let value = absorbed(game, &policy, |state, score| kind.end(state, score))?;
            Some((kind.good(&value), value))
        });
        let values: Option<Vec<_>> = values.collect();
        Some(values?.into_iter().unzip::<_, _, Vec<_>, Vec<_>>())
    });
    Some(vectors.max()?.1)
}

/// The value of the start if play ends for certain, by linear equations.
fn absorbed(
    game: &Small,
    policy: &[usize],
    end: impl Fn(usize, i64) -> BigRational,
) -> Option<BigRational> {
    let size = game.rows.len();
    let edges = |state: usize| {
        let law = game.laws(state).get(policy[state]);
        law.into_iter()
            .flat_map(|law| law.outcomes.iter().map(|outcome| outcome.0))
    };
    let mut met = vec![false; size];
    met[game.start()] = true;
    let mut ends: Vec<bool> = (0..size)
        .map(|state| edges(state).next().is_none())
        .collect();
    for _ in 0..size {
        for state in 0..size {
            if met[state] {
                edges(state).for_each(|to| met[to] = true);
            }
            ends[state] = ends[state] || edges(state).any(|to| ends[to]);
        }
    }
    if (0..size).any(|state| met[state] && !ends[state]) {
        return None;
    }
    // v − P v = 0 where play goes on, v = score where it ends; states that are not reached are 0.
    let mut rows: Vec<Vec<BigRational>> = Vec::new();
    for state in 0..size {
        let mut row = vec![BigRational::zero(); size + 1];
        row[state] = integer(1);
        match (&game.rows[state], met[state]) {
            (_, false) => {}
            (small::Row::End(score), _) => row[size] = end(state, *score),
            _ => {
                let law = &game.laws(state)[policy[state]];
                for &(to, weight) in &law.outcomes {
                    row[to] -= BigRational::new(weight.into(), law.total().into());
                }
            }
        }
        rows.push(row);
    }
    for pivot in 0..size {
        let place = (pivot..size)
            .find(|&row| !rows[row][pivot].is_zero())
            .unwrap();
        rows.swap(pivot, place);
        let top = rows[pivot].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
            let factor = &row[pivot] / &top[pivot];
            if !factor.is_zero() {
                row.iter_mut()
                    .zip(&top)
                    .for_each(|(entry, above)| *entry -= above * &factor);
            }
        }
    }
    let start = game.start();
    Some(&rows[start][size] / &rows[start][start])
}

/// Vectors of all states by backward induction on vectors.
fn vectors(game: &Small, kinds: &[Kind]) -> Vec<Vec<BigRational>> {
    let mut all: Vec<Vec<BigRational>> = Vec::new();
    for (state, row) in game.rows.iter().enumerate() {
        if let small::Row::End(score) = row {
            all.push(kinds.iter().map(|kind| kind.end(state, *score)).collect());
            continue;
        }
        let decided = game.decides(state);
        let laws = game.laws(state).iter().filter(|law| law.leaves(state));
        let mut candidates: Vec<(Vec<BigRational>, Vec<BigRational>)> = laws
            .map(|law| {
                let values = kinds.iter().enumerate().map(|(rank, kind)| {
                    let reward = kind.reward(decided, law);
                    let value = law.value(state, &reward, |to| all[to][rank].clone());
                    (kind.good(&value), value)
                });
                values.unzip()
            })
            .collect();
        candidates.sort();
        let best = match game.player(state) {
            Player::Max => candidates.pop(),
            Player::Min => Some(candidates.swap_remove(0)),
        };
        all.push(best.unwrap().1);
    }
    all
}

quickcheck! {
    fn one_after_the_other_is_the_best_of_all_ways(game: Small, a: Kind, b: Kind, c: Kind) -> bool {
        let game = leaving(game.alone());
        let kinds = [a, b, c];
        let objectives = kinds.map(Kind::objective);
        let solution = Solver::exact().lexicographic(&game, game.start(), objectives).unwrap();
        solution.values().unwrap() == best_of_all(&game, &kinds)
    }

    fn both_players_mind_vectors(game: Small, a: Kind, b: Kind) -> bool {
        let game = if a.endless() || b.endless() { leaving(game) } else { game };
        let kinds = [a, b];
        let objectives = kinds.map(Kind::objective);
        let solution = Solver::exact().lexicographic(&game, game.start(), objectives).unwrap();
        let expected = vectors(&game, &kinds);
        (0..game.rows.len()).all(|state| match solution.value_of(&state) {
            Ok(vector) => vector == expected[state],
            Err(error) => matches!(error, Error::UnknownState { .. }),
        })
    }

    fn appraisals_fit_the_vectors(game: Small, a: Kind, b: Kind) -> bool {
        let game = leaving(game);
        let kinds = [a, b];
        let objectives = kinds.map(Kind::objective);
        let solution = Solver::exact().lexicographic(&game, game.start(), objectives).unwrap();
        let expected = vectors(&game, &kinds);
        (0..game.rows.len()).all(|state| {
            let Ok(choices) = solution.choices(&state) else {
                return true;
            };
            let decided: Vec<usize> =
                choices.iter().filter(|c| c.decided).map(|c| c.action).collect();
            let first_best = choices.iter().find(|c| c.optimal).map(|c| c.action);
            let law_of = |action: usize| &game.laws(state)[action];
            decided == Vec::from_iter(first_best)
                && solution.decision(&state).unwrap() == first_best
                && choices.iter().all(|choice| {
                    let first = choice.gaps.iter().find(|gap| !gap.is_zero());
                    choice.optimal == first.is_none()
                        && first.is_none_or(Signed::is_positive)
                        && kinds.iter().enumerate().all(|(rank, kind)| {
                            let reward = kind.reward(true, law_of(choice.action));
                            let value = |to: usize| expected[to][rank].clone();
                            choice.values[rank]
                                == law_of(choice.action).value(state, &reward, value)
                        })
                })
        })
    }

    fn weights_far_apart_are_one_after_the_other(game: Small, a: Kind, b: Kind) -> bool {
        let game = leaving(game);
        let kinds = [a, b];
        // Larger than any ratio of differences in such small games.
        let far = 1_i64 << 60;
        let sum = Objective::weighted([(far, a.objective()), (1, b.objective())]).unwrap();
        let one = Solver::exact().solve(&Aimed::new(&game, sum), game.start()).unwrap().value();
        let lists = kinds.map(Kind::objective);
        let both = Solver::exact().lexicographic(&game, game.start(), lists).unwrap();
        let values = both.values().unwrap();
        one == a.good(&values[0]) * integer(far) + b.good(&values[1])
    }

    fn a_list_of_one_is_that_one(game: Small, kind: Kind) -> bool {
        let game = leaving(game);
        let aimed = Aimed::new(&game, kind.objective());
        let one = Solver::exact().solve(&aimed, game.start()).unwrap();
        let list = Solver::exact().lexicographic(&game, game.start(), [kind.objective()]).unwrap();
        let float = Solver::float().solve(&aimed, game.start()).unwrap();
        let certified = Solver::certified().certify(&aimed, game.start()).unwrap();
        list.values().unwrap() == [one.value()]
            && certified.value() == one.value()
            && list.len() == one.len()
            && one.states().all(|(state, value)| {
                let float = BigRational::from_float(float.value_of(&state).unwrap()).unwrap();
                let error = float_error(&state, &aimed, game.start());
                list.value_of(&state).unwrap() == [value.clone()] && (float - value).abs() <= error
            })
    }

    fn the_policy_of_a_list_is_worth_its_values(game: Small, a: Kind, b: Kind) -> bool {
        let game = leaving(game);
        let kinds = [a, b];
        let start = game.start();
        let list = Solver::exact().lexicographic(&game, start, kinds.map(Kind::objective)).unwrap();
        let all = Solver::exact()
            .evaluate_all(&game, &list, start, kinds.map(Kind::objective))
            .unwrap();
        all == list.values().unwrap()
    }

    fn any_policy_is_worth_what_it_is(game: Small, kinds: Vec<Kind>, which: usize) -> bool {
        let game = leaving(game);
        let policies = game.policies();
        let chosen = policies[which % policies.len()].clone();
        let policy = |&state: &usize, _: &[usize]| chosen[state];
        let objectives: Vec<_> = kinds.iter().map(|kind| kind.objective()).collect();
        let values = Solver::exact()
            .evaluate_all(&game, policy, game.start(), objectives)
            .unwrap();
        let expected = kinds.iter().map(|k| k.values(&game, &chosen).swap_remove(game.start()));
        values == Vec::from_iter(expected)
    }

    fn on_cycles_it_is_the_best_of_all_ways_that_end(round: Round, a: bool, b: bool) -> bool {
        let game = round.0.alone().unpaid();
        let kinds = [a, b].map(|score| if score { Kind::Score } else { Kind::Parity });
        // Minimized, too.
        let kinds = [kinds[0], if a == b { Kind::LowScore } else { kinds[1] }];
        let solver = Solver::exact().allow_cycles();
        let objectives = kinds.map(Kind::objective);
        let solution = solver.lexicographic(&game, game.start(), objectives);
        match solution {
            Ok(solution) => Some(solution.values().unwrap()) == best_that_ends(&game, &kinds),
            Err(Error::EndlessCycle { .. }) => true,
            Err(Error::NeverEnds { .. }) => true,
            Err(_) => false,
        }
    }

    fn a_chance_of_a_total_is_the_sum_of_its_law(game: Small, least: i8) -> bool {
        let game = unlooped(game.alone());
        let least = i64::from(least) % 4;
        let totalled = Totalled::new(&game);
        let start = Tallied::new(game.start());
        let aimed = Aimed::new(&totalled, Objective::at_least(least));
        let solution = Solver::exact().solve(&aimed, start.clone()).unwrap();
        // The same policy, evaluated for the totals themselves.
        let played = Solver::exact().evaluate(&totalled, solution.policy(), start.clone()).unwrap();
        let law = played.forecast().unwrap().scores().unwrap();
        let chance: BigRational = law
            .support()
            .iter()
            .filter(|total| **total >= Score::from(least))
            .map(|total| law.p(total))
            .sum();
        let best = game
            .policies()
            .iter()
            .map(|policy| reaching(&game, policy, game.start(), integer(0), &integer(least)))
            .max();
        let plain = Solver::exact().solve(&totalled, start).unwrap();
        // A policy that knows the total can be better than one that only knows the state.
        solution.value() == chance
            && Some(chance) >= best
            && plain.value() == Solver::exact().solve(&game, game.start()).unwrap().value()
    }
}

fn float_error<'g>(state: &usize, aimed: &Aimed<'g, Small>, start: usize) -> BigRational {
    let solution = Solver::float().solve(aimed, start).unwrap();
    BigRational::from_float(solution.error(state).unwrap()).unwrap()
}

/// Without self-loops, since a total that is paid at each try is unbounded.
fn unlooped(mut game: Small) -> Small {
    for (state, row) in game.rows.iter_mut().enumerate() {
        let laws = match row {
            small::Row::End(_) => continue,
            small::Row::Chance(law) => std::slice::from_mut(law),
            small::Row::Choices(_, laws) => laws.as_mut_slice(),
        };
        for law in laws {
            law.outcomes.retain(|&(to, _)| to != state);
            if law.outcomes.is_empty() {
                law.outcomes.push((0, 1));
            }
        }
    }
    game
}

/// The probability of at least this total, by recursion over all plays.
fn reaching(
    game: &Small,
    policy: &[usize],
    state: usize,
    total: BigRational,
    least: &BigRational,
) -> BigRational {
    if let small::Row::End(score) = game.rows[state] {
        return integer(i64::from(total + integer(score) >= *least));
    }
    let law = &game.laws(state)[policy[state]];
    let total = total + integer(law.reward);
    let outcomes = law.outcomes.iter().map(|&(to, weight)| {
        reaching(game, policy, to, total.clone(), least)
            * BigRational::new(weight.into(), law.total().into())
    });
    outcomes.sum()
}

#[test]
fn with_cycles_too() {
    // Around a square, towards the exit at one corner or another, slowly or quickly.
    let square = Table::from_fn(6, |state, row| match state {
        4 => row.end(1),
        5 => row.end(0),
        3 => {
            row.choice().to(0, 1);
            row.choice().to(4, 1).to(2, 1);
        }
        0 => {
            row.choice().to(1, 1);
            row.choice().to(4, 1).to(5, 1);
        }
        _ => {
            row.choice().to(state + 1, 1);
        }
    })
    .unwrap();
    let objectives = [Objective::score(), Objective::of(|&end: &usize| end == 5)];
    let solver = Solver::exact().allow_cycles();
    let solution = solver.lexicographic(&square, 0, objectives).unwrap();
    assert_eq!(solution.values().unwrap(), [integer(1), integer(0)]);
    assert_eq!(solution.decision(&0).unwrap(), Some(0));
    assert_eq!(solution.decision(&3).unwrap(), Some(1));
}

/// A game that pays rewards on the way, has its own final scores and can be misused.
struct Toll;

impl Game for Toll {
    type State = u8;
    type Action = &'static str;

    fn expand(&self, &state: &u8, node: &mut Node<Self>) {
        match state {
            0 => {
                node.choice("pay").reward(-1).to(2, 1);
                node.choice("wait").to(0, 1);
                node.choice("walk").to(1, 1).to(0, 1);
            }
            _ => node.end(state),
        }
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let chance = Aimed::new(&Toll, Objective::at_least(1));
    assert_eq!(
        Solver::exact().solve(&chance, 0).err(),
        Some(Error::RewardOnTheWay { state: "0".into() })
    );
    let totalled = Totalled::new(&Toll);
    let chance = Aimed::new(&totalled, Objective::at_least(1));
    let solution = Solver::exact().solve(&chance, Tallied::new(0)).unwrap();
    assert_eq!(solution.value(), integer(1));

    let none: [Objective<'_, u8>; 0] = [];
    let error = Solver::exact().lexicographic(&Toll, 0, none).err();
    assert!(matches!(error, Some(Error::BadParameter { .. })));
    let error = Objective::weighted([(f64::NAN, Objective::<u8>::score())]).err();
    assert!(matches!(error, Some(Error::BadParameter { .. })));
    let unnumbered = Aimed::new(&Toll, Objective::of(|_: &u8| f64::INFINITY));
    let error = Solver::exact().solve(&unnumbered, 0).err();
    assert!(matches!(error, Some(Error::BadScore { .. })));

    // Waiting is an endless number of steps, whether steps are wanted or not.
    let waiting = Aimed::new(&Toll, Objective::most_steps());
    let error = Solver::exact().solve(&waiting, 0).err();
    assert!(matches!(error, Some(Error::EndlessGain { .. })));
    let quick = Aimed::new(&Toll, Objective::fewest_steps());
    assert_eq!(
        Solver::exact().solve(&quick, 0).unwrap().value(),
        integer(1)
    );

    let limited = Solver::exact().max_states(2);
    let error = limited.lexicographic(&Toll, 0, [Objective::score()]).err();
    assert_eq!(error, Some(Error::TooManyStates { limit: 2 }));
    let enough = Solver::exact().max_states(3);
    assert!(enough.lexicographic(&Toll, 0, [Objective::score()]).is_ok());
    let unknown = Solver::exact()
        .lexicographic(&Toll, 0, [Objective::score()])
        .unwrap();
    assert_eq!(
        unknown.value_of(&9).err(),
        Some(Error::UnknownState { state: "9".into() })
    );
}

#[test]
fn an_objective_that_weighs_nothing() {
    let none: [(i64, Objective<'_, u8>); 0] = [];
    let nothing = Objective::weighted(none).unwrap();
    let solution = Solver::exact()
        .lexicographic(&Toll, 0, [nothing, Objective::score()])
        .unwrap();
    assert_eq!(solution.values().unwrap(), [integer(0), integer(1)]);
    // Paying for 2 or walking to 1: equally good without repetition.
    assert_eq!(solution.decision(&0).unwrap(), Some("pay"));
    let ties = solution.choices(&0).unwrap();
    assert!(ties.iter().all(|choice| choice.optimal) && ties.len() == 2);
}

#[test]
fn rewards_may_be_replaced() {
    let free = Rescored::new(&Toll, |_, old| old.clone()).rewards(|_, _, _| 0);
    assert_eq!(Solver::exact().solve(&free, 0).unwrap().value(), integer(2));
    let dear = Rescored::new(&Toll, |_, old| old.clone()).rewards(|_, action, old| match action {
        Some(&"pay") => old.plus_five(),
        _ => 0,
    });
    assert_eq!(Solver::exact().solve(&dear, 0).unwrap().value(), integer(6));
}

trait PlusFive {
    fn plus_five(&self) -> i64;
}

impl PlusFive for oddsmith_mdp::Score {
    fn plus_five(&self) -> i64 {
        self.to_f64() as i64 + 5
    }
}

#[test]
fn at_random_for_many_things_in_floats() {
    let objectives = [
        Objective::score(),
        Objective::steps(Steps::All),
        Objective::steps(Steps::Decisions),
    ];
    let uniform = |_: &u8, actions: &[&str]| actions.len() - 1;
    let walk = Solver::float()
        .evaluate_all(&Toll, uniform, 0, objectives.clone())
        .unwrap();
    assert_eq!(walk, [1.0, 2.0, 2.0]);
    // At random: 1/6 walks to 1, 1/3 pays for 2, 1/2 stays.
    let values = Solver::exact()
        .evaluate_all(&Toll, AtRandom, 0, objectives)
        .unwrap();
    assert_eq!(values, [integer(1), integer(2), integer(2)]);
}

/// No score is compared with NaN, and no state is blamed for it.
#[test]
fn a_least_score_is_a_number() {
    for least in [f64::NAN, f64::INFINITY] {
        let aimed = Aimed::new(&Toll, Objective::at_least(least));
        let error = Solver::exact().solve(&aimed, 0).unwrap_err();
        assert!(matches!(error, Error::BadParameter { .. }), "{error}");
    }
}

/// Regression test: sums of sums that double in length, and an infinite sum, used up all memory.
#[test]
fn weighted_sums_stay_short() {
    let endless = std::iter::repeat_with(|| (1, Objective::<u8>::score()));
    let error = Objective::weighted(endless).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the number of terms of a weighted sum must be at most 1,000, got more than 1000"
    );
    let mut doubled = Objective::score();
    for _ in 0..50 {
        doubled = Objective::weighted([(1, doubled.clone()), (1, doubled)]).unwrap();
    }
    assert!(doubled.name().len() < 1_000, "{}", doubled.name());
    let once = Solver::exact().solve(&Toll, 0).unwrap().value();
    let aimed = Aimed::new(&Toll, doubled);
    let value = Solver::exact().solve(&aimed, 0).unwrap().value();
    assert_eq!(value, once * integer(1 << 50));
    // Ends with the same scoring are one term, others are not.
    let read = Objective::of(|pips: &u8| u32::from(*pips));
    let twice = [
        (1, read.clone()),
        (1, read),
        (-1, Objective::of(|pips: &u8| u32::from(*pips))),
    ];
    let value = |objective| {
        let aimed = Aimed::new(&Toll, objective);
        Solver::exact().solve(&aimed, 0).unwrap().value()
    };
    let plain = value(Objective::of(|pips: &u8| u32::from(*pips)));
    assert_eq!(value(Objective::weighted(twice).unwrap()), plain);
}
