//! Decisions from known values: the best option, and if several tie on a cycle, one that leaves it.

use indexmap::IndexMap;
use oddsmith_mdp::Node;

use crate::amid_fight::is_round;
use crate::book_odds::BookOdds;
use crate::comes_back::onwards;
use crate::solver::reach::ring;
use crate::sought::brought;
use crate::valuation::Valuation;
use crate::{BookGame, Error, Place};

/// No way out is sought among more places of a cycle than these.
const MOST_IN_CIRCLE: usize = 1_000;

impl BookOdds {
    /// Finds the option that leaves the cycle of a place soonest, if chance allows it, by best
    /// options only.
    ///
    /// If chance allows it, the next place is one step nearer to the exit. A reader who asks at
    /// each place therefore gets out in that many steps with some probability, hence in the end
    /// with certainty; or arrives where nobody wins.
    pub(super) fn way_out(&self, place: Place) -> Result<WayOut, Error> {
        let circle = ring(&self.game.compiled, place.scene);
        // Each place with the option that the path to it begins with. Breadth first, so the earlier
        // options come first at each distance.
        let mut found: IndexMap<Place, Option<usize>> = IndexMap::from([(place, None)]);
        let (mut looked, mut fought) = (0, Fought::default());
        while let Some((&at, &first)) = found.get_index(looked) {
            looked += 1;
            if found.len() > MOST_IN_CIRCLE {
                return Ok(WayOut::TooFar);
            }
            let node = Node::of(&self.game, &at)?;
            for choice in self.best(&at, &node, &mut fought)? {
                let first = first.unwrap_or(choice);
                for (to, _) in node.wide_outcomes(choice) {
                    if !circle.contains(&to.scene) {
                        return Ok(WayOut::By(first));
                    }
                    found.entry(*to).or_insert(Some(first));
                }
            }
        }
        Ok(WayOut::None)
    }

    /// The options of a place that may be best, as far as their errors tell.
    fn best(
        &self,
        place: &Place,
        node: &Node<BookGame>,
        fought: &mut Fought,
    ) -> Result<Vec<usize>, Error> {
        if node.len() == 1 {
            return Ok(vec![0]);
        }
        let all = (0..node.len()).map(|choice| brought(node, choice));
        let all: Vec<Vec<(Place, f64)>> = all.collect();
        // If the value of the place is known, an option that may lead to an unknown place is not
        // best.
        if let Some(value) = self.looked_up(place, fought)? {
            let least = value.win - value.error.unwrap_or(0.0);
            let mut best = Vec::new();
            for (choice, outcomes) in all.iter().enumerate() {
                let found = outcomes.iter().map(|(to, _)| self.looked_up(to, fought));
                let found: Option<Vec<Valuation>> = found.collect::<Result<_, _>>()?;
                let worth = found.map(|found| worth(outcomes, &mut found.into_iter()));
                if worth.is_some_and(|(value, error)| value + error >= least) {
                    best.push(choice);
                }
            }
            if !best.is_empty() {
                return Ok(best);
            }
        }
        let places: Vec<Place> = all.iter().flatten().map(|one| one.0).collect();
        let mut values = self.values(&places)?.into_iter();
        let all = all.iter().map(|outcomes| worth(outcomes, &mut values));
        let all: Vec<(f64, f64)> = all.collect();
        let most = all.iter().map(|(value, error)| value - error);
        let most = most.fold(0.0, f64::max);
        let best = all.iter().enumerate();
        let best = best.filter(|(_, (value, error))| value + error >= most);
        Ok(best.map(|(choice, _)| choice).collect())
    }

    /// What is known of a place, which may be in the middle of a fight.
    pub(crate) fn looked_up(
        &self,
        place: &Place,
        fought: &mut Fought,
    ) -> Result<Option<Valuation>, Error> {
        if !is_round(&self.game, place) {
            return self.known(place);
        }
        if let Some(known) = fought.get(place) {
            return Ok(known.clone());
        }
        // All rounds that may follow, at once, since they will be asked for one after the other.
        let (rounds, after) = self.solver().rounds(&[*place])?;
        let after = after.into_iter().map(|place| {
            let known = self.known(&place)?;
            Ok(known.map(|known| (place, known)))
        });
        let after: Option<IndexMap<Place, Valuation>> = after.collect::<Result<_, Error>>()?;
        match after {
            None => _ = fought.insert(*place, None),
            Some(after) => {
                let rounds: Vec<Place> = rounds.into_iter().collect();
                let known = |place: &Place| {
                    let section = place.section;
                    after
                        .get(place)
                        .cloned()
                        .ok_or(Error::NotReached { section })
                };
                let worth = |outside: &[Place]| outside.iter().map(known).collect();
                let worth = self.solver().worth_anywhere(&rounds, false, worth)?.0;
                fought.extend(rounds.into_iter().zip(worth.into_iter().map(Some)));
            }
        }
        Ok(fought.get(place).cloned().flatten())
    }

    /// The number of the option decided for, at a place with several.
    pub(super) fn number(
        &self,
        place: &Place,
        node: &Node<BookGame>,
    ) -> Result<Option<usize>, Error> {
        let best = self.best(place, node, &mut Fought::default())?;
        if best.len() > 1 {
            let options = best.iter().map(|choice| {
                let to = node.wide_outcomes(*choice).map(|(to, _)| *to);
                (*choice, to.collect())
            });
            if let Some(onwards) = onwards(&self.game, place, options)? {
                return Ok(Some(onwards));
            }
            match self.way_out(*place)? {
                WayOut::By(out) => return Ok(Some(out)),
                WayOut::TooFar => return Ok(None),
                WayOut::None => {}
            }
        }
        Ok(best.first().copied())
    }
}

/// What has been looked up for rounds of fights.
pub(crate) type Fought = IndexMap<Place, Option<Valuation>>;

/// Whether an option leads out of a cycle.
pub(super) enum WayOut {
    /// The option with this number does.
    By(usize),
    /// No best option does.
    None,
    /// The search would have to go too far.
    TooFar,
}

/// The value of an option with these outcomes, and its error.
fn worth(outcomes: &[(Place, f64)], found: &mut impl Iterator<Item = Valuation>) -> (f64, f64) {
    let (mut value, mut error) = (0.0, Valuation::rounding(outcomes.len()));
    for ((_, chance), valuation) in outcomes.iter().zip(found) {
        value += chance * valuation.win;
        error += chance * valuation.error.unwrap_or(0.0);
    }
    (value, error)
}
