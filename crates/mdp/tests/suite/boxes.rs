//! Boxes that violate the contract of their numbers, with and without cycles, and rows that exceed
//! the memory limit.

use oddsmith_mdp::{Error, Game, Indexed, Meeting, Node, Ranked, Simultaneous, Solver};

/// A field of three columns; a step right from the last one leaves it, to a point that has the
/// number of a point in the row above.
struct Field {
    leaving: bool,
}

impl Game for Field {
    type State = (usize, usize);
    type Action = ();

    fn expand(&self, &(row, column): &(usize, usize), node: &mut Node<Self>) {
        if row == 0 {
            return node.end(column as i64);
        }
        let right = if self.leaving {
            column + 1
        } else {
            (column + 1).min(2)
        };
        node.chance()
            .to((row - 1, right), 1)
            .to((row - 1, column), 1);
    }
}

impl Indexed for Field {
    fn size(&self) -> usize {
        9
    }

    fn index(&self, &(row, column): &(usize, usize)) -> usize {
        row * 3 + column
    }

    fn state(&self, index: usize) -> (usize, usize) {
        (index / 3, index % 3)
    }
}

#[test]
fn an_outcome_with_the_number_of_another_state_is_an_error() {
    let shared = Some(Error::SharedIndex {
        state: "(1, 2)".into(),
        successor: "(0, 3)".into(),
        index: 3,
        own: "(1, 0)".into(),
    });
    let field = Field { leaving: true };
    assert_eq!(Solver::exact().solve_indexed(&field, (2, 0)).err(), shared);
    assert_eq!(Solver::float().solve_indexed(&field, (2, 0)).err(), shared);
    let cycles = Solver::exact().allow_cycles().solve_indexed(&field, (2, 0));
    assert_eq!(cycles.err(), shared);
}

#[test]
fn a_state_outside_the_box_is_unknown_whatever_its_number() {
    let field = Field { leaving: false };
    let unknown = || Error::UnknownState {
        state: "(1, 3)".into(),
    };
    let outside = Solver::exact().solve_indexed(&field, (1, 3)).err();
    assert_eq!(outside, Some(unknown()));
    let solution = Solver::exact().solve_indexed(&field, (2, 0)).unwrap();
    assert_eq!(solution.value().to_string(), "1");
    assert_eq!(solution.value_of(&(1, 3)).err(), Some(unknown()));
    assert_eq!(solution.decision(&(1, 3)).err(), Some(unknown()));
}

/// Down a stair of any height, ranked by the step or by its difference from 2⁶⁴ − 1.
struct Stair;

impl Game for Stair {
    type State = u64;
    type Action = ();

    fn expand(&self, &step: &u64, node: &mut Node<Self>) {
        match step {
            0..2 => node.end(step),
            // From the top of the number range to the other states.
            u64::MAX => {
                node.chance().to(u64::MAX - 1, 1).to(20_000, 1);
            }
            20_001.. => {
                node.chance().to(20_000, 1).to(step, 1);
            }
            _ => {
                node.chance().to(step - 1, 1).to(step - 2, 1);
            }
        }
    }
}

impl Ranked for Stair {
    fn rank(&self, &step: &u64) -> u64 {
        step
    }
}

#[test]
fn ranks_may_be_as_high_as_numbers_go() {
    let ranked = Solver::float().solve_ranked(&Stair, u64::MAX).unwrap();
    let hashed = Solver::float().solve(&Stair, u64::MAX).unwrap();
    assert_eq!(ranked.value().to_bits(), hashed.value().to_bits());
    assert_eq!(ranked.len(), hashed.len());
}

/// Both players mix at every step.
impl Simultaneous for Stair {
    type State = u64;
    type Row = bool;
    type Column = bool;

    fn expand(&self, &step: &u64, meeting: &mut Meeting<Self>) {
        if step < 2 {
            return meeting.end(step);
        }
        for row in [false, true] {
            for column in [false, true] {
                let down = if row == column { 1 } else { 2 };
                meeting.cell(row, column).to(step - down, 1);
            }
        }
    }
}

/// Ten thousand steps down, three ways for each.
struct Steps;

impl Game for Steps {
    type State = usize;
    type Action = usize;

    fn expand(&self, &step: &usize, node: &mut Node<Self>) {
        if step < 3 {
            return node.end(1);
        }
        for down in 1..=3 {
            node.choice(down).to(step - down, 1);
        }
    }
}

impl Indexed for Steps {
    fn size(&self) -> usize {
        10_000
    }

    fn index(&self, &step: &usize) -> usize {
        step
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

#[track_caller]
fn check_room(error: Option<Error>) {
    // Checked every 4,096 states, so the error reports the progress.
    let got = match &error {
        Some(Error::TooMuchMemory {
            what: "their outcomes",
            states,
            needed,
            limit,
        }) => needed > limit && states.is_multiple_of(4_096) && *states < 20_000,
        _ => false,
    };
    assert!(got, "{error:?}");
}

#[test]
fn rows_beyond_the_memory_allowed_are_refused_while_they_are_found() {
    let float = || Solver::float().max_bytes(100_000);
    check_room(float().solve(&Stair, 20_000).err());
    check_room(float().allow_cycles().solve(&Stair, 20_000).err());
    check_room(float().solve_ranked(&Stair, 20_000).err());
    check_room(float().solve_simultaneous(&Stair, 20_000).err());
    check_room(
        Solver::exact()
            .max_bytes(100_000)
            .solve(&Stair, 20_000)
            .err(),
    );
    // A box computes its rows again instead.
    let boxed = Solver::exact()
        .max_bytes(300_000)
        .solve_indexed(&Steps, 9_999);
    assert_eq!(boxed.unwrap().value().to_string(), "1");
    check_room(float().allow_cycles().solve_indexed(&Steps, 9_999).err());
    assert!(
        Solver::float()
            .max_bytes(1_000_000)
            .solve(&Stair, 20_000)
            .is_ok()
    );
}

/// Five states, all of which have the number of the next one.
struct Shifted;

impl Game for Shifted {
    type State = usize;
    type Action = ();

    fn expand(&self, _: &usize, node: &mut Node<Self>) {
        node.end(1);
    }
}

impl Indexed for Shifted {
    fn size(&self) -> usize {
        5
    }

    fn index(&self, &state: &usize) -> usize {
        (state + 1) % 5
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

/// Regression test: the start was said to be unknown.
#[test]
fn a_wrong_numbering_is_told_wherever_play_starts() {
    for start in 0..5 {
        let index = (start + 1) % 5;
        let mismatch = Some(Error::IndexMismatch {
            index,
            state: index.to_string(),
            back: (index + 1) % 5,
        });
        assert_eq!(
            Solver::exact().solve_indexed(&Shifted, start).err(),
            mismatch
        );
        let certified = Solver::certified().certify_indexed(&Shifted, start);
        assert_eq!(certified.err(), mismatch);
    }
}
