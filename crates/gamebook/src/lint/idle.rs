//! Fields of a section that never take effect, whatever the hero does.

use crate::Section;
use crate::section::{Passage, Play};

/// The fields of a section that have no effect.
pub(super) fn idle(section: &Section) -> Vec<&'static str> {
    let choice = matches!(section.passage.play, Play::Choice(_));
    let mut idle = Vec::new();
    if section.refresh.is_some() && !choice {
        idle.push("refresh");
    }
    if !section.leave.is_empty() && !turns(&section.passage) {
        idle.push("leave");
    }
    idle
}

/// Whether some way other than fleeing leads to a section; only then the section is left in the
/// sense of `leave`.
fn turns(passage: &Passage) -> bool {
    let mut waiting = vec![passage];
    while let Some(passage) = waiting.pop() {
        match &passage.play {
            Play::Turn(_) => return true,
            Play::Fight(fight) => waiting.push(&fight.victory),
            play => waiting.extend(play.inner()),
        }
    }
    false
}
