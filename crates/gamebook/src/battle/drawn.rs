//! Drawing the end of a whole fight.

use rand::Rng;

use super::whole::WholeFight;
use crate::Place;
use crate::apply::Overflow;
use crate::book_game::BookGame;
use crate::compiled::Way;
use crate::play::reader::{number, pick};

impl BookGame {
    /// Draws where a whole fight leads.
    pub(crate) fn fought<R: Rng + ?Sized>(
        &self,
        place: &Place,
        (fight, victory): &(WholeFight, Way),
        rng: &mut R,
    ) -> Result<Option<Place>, Overflow> {
        let law = fight.law();
        let Some(end) = number(law, rng.next_u64()) else {
            return Ok(None);
        };
        let after = self.after_whole(fight, place, law.outcomes[end].0, *victory)?;
        Ok(pick(after, rng))
    }
}
