//! Stats of which more is never worse, so that using some up for nothing gains nothing.

use crate::compiled::{Compiled, Op, Scene, Test};
use crate::place::STATS;

/// By stat, whether it is a supply: more of it is [never worse](never_worse), and the rules do not
/// read it.
pub(crate) fn supplies(book: &Compiled) -> [bool; STATS] {
    let mut all = never_worse(book);
    for stat in [Some(book.life), book.money].into_iter().flatten() {
        all[usize::from(stat)] = false;
    }
    all
}

/// By stat, whether a hero who has more of it, and is otherwise the same, can do whatever somebody
/// with less can do, and still has no less afterwards.
///
/// This holds if the stat is only added to, set, and required: then every option that is open with
/// less is open with more, and chance and effects are the same. So it can be imitated move by move.
/// It may fail where something happens to those who have little, where a case depends on it, and
/// for SKILL and LUCK, since success in a test may be worse than failure. It holds for life by the
/// rules of the system, and for money: whoever has more of it can imitate fights and deals, too.
pub(crate) fn never_worse(book: &Compiled) -> [bool; STATS] {
    let mut all = [false; STATS];
    for (stat, never_worse) in all.iter_mut().enumerate().take(book.stats.len()) {
        let tested = [book.skill, book.luck].contains(&Some(stat as u8));
        *never_worse = !tested && !book.is_raised_cap(stat);
    }
    let mut not = |stat: u8| all[usize::from(stat)] = false;
    for list in &book.effects {
        for op in list.iter() {
            match op {
                Op::When(condition, ..) | Op::Repeat(_, Some(condition), _) => {
                    read(book, *condition, None, &mut not);
                }
                _ => {}
            }
        }
    }
    let refreshments = book.refreshments.iter();
    for condition in refreshments.filter_map(|refreshment| refreshment.condition) {
        read(book, condition, Some(true), &mut not);
    }
    for scene in &book.scenes {
        match scene {
            Scene::Test { stat, .. } => not(*stat),
            Scene::Choice(options) | Scene::First(options) => {
                // A case that is open shuts those after it.
                let opens = matches!(scene, Scene::Choice(_)).then_some(true);
                for condition in options.iter().filter_map(|option| option.condition) {
                    read(book, condition, opens, &mut not);
                }
            }
            // Who may stop playing can imitate who has to.
            Scene::Game {
                condition: Some(condition),
                free,
                ..
            } => read(book, *condition, free.then_some(true), &mut not),
            _ => {}
        }
    }
    all
}

/// Finds the stats that a condition may require to be low. It opens something if it holds, or if it
/// does not; `None` if it matters both ways.
fn read(book: &Compiled, condition: u32, holds: Option<bool>, low: &mut impl FnMut(u8)) {
    match &book.conditions[condition as usize] {
        Test::Has(_) | Test::Holds(..) => {}
        Test::AtLeast(stat, _) => {
            if holds != Some(true) {
                low(*stat);
            }
        }
        Test::Not(not) => read(book, *not, holds.map(|holds| !holds), low),
        Test::All(all) | Test::Any(all) => {
            for one in all {
                read(book, *one, holds, low);
            }
        }
    }
}
