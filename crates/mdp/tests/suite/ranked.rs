//! Games explored rank by rank, compared with the other ways of exploring them.

use std::ops::ControlFlow;

use crate::layered::{Layered, Standing};
use crate::plain::Plain;
use crate::rules::{Rules, STAIR};
use oddsmith_mdp::{AtRandom, Error, Game, Node, Phase, Ranked, Solver};
use quickcheck::quickcheck;

/// Outcomes have lower numbers; some of the numbers are ranks with gaps.
impl Ranked for Plain {
    fn rank(&self, &state: &usize) -> u64 {
        (state as u64).pow(5)
    }
}

impl Ranked for Layered {
    fn rank(&self, state: &Standing) -> u64 {
        match *state {
            Standing::At { layer, .. } => u64::MAX - u64::from(layer),
            Standing::Over { .. } => 0,
        }
    }
}

impl Ranked for Rules {
    fn rank(&self, &state: &u64) -> u64 {
        state
    }
}

quickcheck! {
    /// Ranked games support every method of a box.
    fn ranks_are_played_kept_and_certified(model: Plain) -> bool {
        let start = model.start();
        let exact = Solver::exact().solve_ranked(&model, start).unwrap();
        let owned = Solver::exact().solve_ranked_owned(model.clone(), start).unwrap();
        let certified = Solver::certified().certify_ranked(&model, start).unwrap();
        let played = Solver::exact().evaluate_ranked(&model, AtRandom, start).unwrap();
        let wanted = Solver::exact().evaluate(&model, AtRandom, start).unwrap();
        owned.value() == exact.value()
            && owned.len() == exact.len()
            && certified.value() == exact.value()
            && played.value() == wanted.value()
            && played.states().all(|(state, value)| wanted.value_of(&state) == Ok(value))
    }

    fn ranks_change_no_value(model: Plain) -> bool {
        let start = model.start();
        let wanted = model.values();
        let exact = Solver::exact().solve_ranked(&model, start).unwrap();
        let explored = Solver::exact().solve(&model, start).unwrap();
        let certified = Solver::certified().solve_ranked(&model, start).unwrap();
        exact.len() == explored.len()
            && explored.states().all(|(state, value)| {
                exact.value_of(&state).unwrap() == value
                    && value == wanted[state]
                    && exact.decision(&state) == explored.decision(&state)
                    && exact.best(&state) == explored.best(&state)
                    && certified.enclosure(&state).is_ok()
            })
            && exact.forecast().unwrap().ends().unwrap() == explored.forecast().unwrap().ends().unwrap()
    }
}

#[test]
fn layers_are_ranks() {
    let model = Layered::new(10_000, 100, 1);
    let ranked = Solver::float().solve_ranked(&model, model.start()).unwrap();
    assert!((ranked.value() - 0.732_566_283_599_043_7).abs() < 1e-13);
    let explored = Solver::float().solve(&model, model.start()).unwrap();
    assert_eq!(ranked.len(), explored.len());
    for (state, value) in explored.states() {
        assert_eq!(ranked.value_of(&state).unwrap().to_bits(), value.to_bits());
    }
    let met: Vec<Standing> = ranked.states().map(|(state, _)| state).collect();
    assert!(
        met.windows(2)
            .all(|two| model.rank(&two[0]) <= model.rank(&two[1]))
    );
}

/// From 3 back to 5, and between two states of one rank.
struct Wrong;

impl Game for Wrong {
    type State = u8;
    type Action = ();

    fn expand(&self, &state: &u8, node: &mut Node<Self>) {
        match state {
            0 => node.end(0),
            3 => {
                node.chance().to(3, 1).to(5, 1).to(0, 1);
            }
            20 => {
                node.chance().to(21, 1);
            }
            _ => {
                node.chance().to(state - 1, 1).to(state, 2);
            }
        }
    }
}

impl Ranked for Wrong {
    fn rank(&self, &state: &u8) -> u64 {
        state.min(20).into()
    }
}

#[test]
fn a_rank_that_does_not_fall_is_named() {
    let wrong = |state: u8, rank, successor: u8, successor_rank| Error::RankNotLower {
        state: state.to_string(),
        rank,
        successor: successor.to_string(),
        successor_rank,
    };
    let error = Solver::exact().solve_ranked(&Wrong, 10).err();
    assert_eq!(error, Some(wrong(3, 3, 5, 5)));
    let text = error.unwrap().to_string();
    assert!(
        text.contains("state 3 (rank 3) leads to 5 (rank 5)"),
        "{text}"
    );
    let error = Solver::exact().solve_ranked(&Wrong, 20).err();
    assert_eq!(error, Some(wrong(20, 20, 21, 20)));
    // A self-loop is not a move.
    let two = Solver::exact().solve_ranked(&Wrong, 2).unwrap();
    assert_eq!(two.value().to_string(), "0");
}

#[test]
fn limits_and_observers_are_heard() {
    for limit in [0, 1, 10] {
        let error = Solver::exact().max_states(limit).solve_ranked(&STAIR, 20);
        assert_eq!(error.err(), Some(Error::TooManyStates { limit }));
    }
    assert!(
        Solver::exact()
            .max_states(21)
            .solve_ranked(&STAIR, 20)
            .is_ok()
    );
    let stop = |_| ControlFlow::Break(());
    let error = Solver::float().observe(stop).solve_ranked(&STAIR, 20).err();
    let phase = Phase::Exploring;
    assert_eq!(error, Some(Error::Cancelled { phase, done: 21 }));
    let unknown = Solver::float().solve_ranked(&STAIR, 20).unwrap();
    assert!(unknown.value_of(&21).is_err());
}
