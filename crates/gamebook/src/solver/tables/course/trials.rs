//! Tests: fights that are summed up agree with fights that are run through.

use super::*;
use crate::{Book, FightCount};
use oddsmith_fightingfantasy::{Foe, Hero};

fn course(most: u16, escape: Option<Running>) -> Result<Course, Box<dyn std::error::Error>> {
    let book = Book::builder()
        .fight(1, Foe::new(8, 9)?, 2)
        .won(2)
        .build()?;
    let game = book.game(Hero::new(7, 14, 7)?)?;
    let fight = &game.compiled.fights[0];
    let bout = game.bout(fight, None, game.compiled.armed(fight, (8, 0)));
    let duel = Duel {
        bout: &bout,
        before: 0,
        first: fight.first(),
        terms: Terms {
            running: escape,
            toll: None,
        },
        tolled: &[],
        luck: None,
        odds: &|value| game.rules.test(2, value),
    };
    let room = Room {
        rows: 1 << 20,
        bytes: 1 << 30,
    };
    Course::new(duel, most, room, true).map_err(|halt| format!("{halt:?}").into())
}

/// Two values per end; the second kind favours those who run.
fn ends(most: u16) -> Vec<Vec<f64>> {
    let end = |end: u16| [f64::from(end) / f64::from(most), 1.0 / f64::from(end)];
    let ends: Vec<f64> = (1..=most).flat_map(end).collect();
    vec![ends.clone(), ends.iter().map(|end| end / 3.0).collect()]
}

fn run(course: &Course, life: Span, ends: &[Vec<f64>]) -> Vec<f64> {
    let mut values = Vec::new();
    let room = (&mut Vec::new(), &mut values);
    course.run((life, 2), ends, room, &mut |_, _, _| {});
    values
}

#[test]
fn what_is_summed_up_is_what_is_run_through() -> Result<(), Box<dyn std::error::Error>> {
    let (few, many) = (course(9, None)?, course(50, None)?);
    assert_eq!((few.summed.len(), many.summed.len()), (9, FEW_ENDS));
    let run = |course: &Course, most: u16| run(course, up_to(most), &ends(50));
    // Bit-identical, however much STAMINA others have.
    assert_eq!(run(&few, 9), run(&many, 9));
    assert_eq!(run(&few, 9), run(&many, 50)[..18]);
    let all = run(&many, 50);
    let slow = Course {
        summed: Vec::new(),
        ..many
    };
    let slowly = run(&slow, 50);
    for (fast, slow) in all.iter().zip(&slowly) {
        assert!(
            (fast - slow).abs() <= 2.0 * few.error * slow,
            "{fast}, not {slow}"
        );
    }
    assert!(few.error < 1e-13);
    Ok(())
}

#[test]
fn who_may_run_is_run_through() -> Result<(), Box<dyn std::error::Error>> {
    // Running costs 3 STAMINA, so a hero with 3 or less cannot run.
    let running = Running {
        count: FightCount::Rounds,
        after: 0,
        cost: 3,
        forced: false,
    };
    let course = course(12, Some(running))?;
    assert_eq!(course.summed.len(), 3);
    let run = |life| run(&course, life, &ends(12));
    assert_eq!(run(up_to(3)), run(up_to(12))[..6]);
    Ok(())
}
