//! Simulation of policies with dice.

use num_bigint::BigUint;
use oddsmith_mdp::Policy;
use rand::Rng;

use crate::play::reader::{narrow, wide};
use crate::{BookGame, Error, Place, Played, Reader};

impl BookGame {
    /// Plays a number of games by a policy, from a place. This serves policies that reach too many
    /// places to be [evaluated](BookGame::evaluate). A game is broken off after `longest` moves and
    /// throws.
    ///
    /// The same generator with the same seed plays the same games.
    ///
    /// Needs the feature `rand`.
    ///
    /// # Errors
    /// [`Error::Solve`] if `games` is 0, for a policy that makes no decision, and for a malformed
    /// place.
    ///
    /// # Complexity
    /// Less than a microsecond per move, fights included, plus the time of the policy.
    ///
    /// # Examples
    /// A book with a cycle that is left one time in three, and then won one time in two:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::AtRandom;
    /// use rand::SeedableRng;
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("left", 1), ("right", 1), ("straight on", 2)])
    ///     .chance(2, [(3, 1), (4, 1)])
    ///     .won(3)
    ///     .lost(4)
    ///     .build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let played = game.play(AtRandom, game.start(), 10_000, 1_000, &mut rng)?;
    /// let (least, most) = played.within(4.0);
    /// assert!(least < 0.5 && 0.5 < most && most - least < 0.05);
    /// assert_eq!(played.unended(), 0);
    /// let stopped = game.play(AtRandom, game.start(), 100, 1, &mut rng)?;
    /// assert_eq!((stopped.won(), stopped.unended()), (0, 100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play<R: Rng + ?Sized>(
        &self,
        policy: impl Policy<BookGame>,
        start: Place,
        games: u64,
        longest: u64,
        rng: &mut R,
    ) -> Result<Played, Error> {
        self.play_any(&policy, start, (games, longest), rng)
    }

    pub(crate) fn play_any<R: Rng + ?Sized>(
        &self,
        policy: &dyn Policy<BookGame>,
        start: Place,
        (games, longest): (u64, u64),
        rng: &mut R,
    ) -> Result<Played, Error> {
        if games == 0 {
            return Err(Error::Solve(oddsmith_mdp::Error::NoGames));
        }
        let mut played = Played {
            games,
            won: 0,
            unended: 0,
        };
        let mut weights = Vec::new();
        for _ in 0..games {
            let mut reader = Reader::at(self, start)?;
            for _ in 0..longest {
                if reader.outcome().is_some() {
                    break;
                }
                let moves = reader.moves();
                let mut taken = 0;
                if !moves.is_empty() {
                    weights.clear();
                    weights.resize(moves.len(), 0);
                    policy.weigh(reader.place(), moves, &mut weights);
                    let decided = drawn(&weights, rng);
                    taken = decided.ok_or_else(|| {
                        let state = self.describe(reader.place());
                        Error::Solve(oddsmith_mdp::Error::NoDecision { state })
                    })?;
                }
                reader.take(taken, rng)?;
            }
            match reader.outcome() {
                Some(won) => played.won += u64::from(won),
                None => played.unended += 1,
            }
        }
        Ok(played)
    }
}

/// Draws an index by weight. No number is drawn if only one is possible.
fn drawn<R: Rng + ?Sized>(weights: &[u64], rng: &mut R) -> Option<usize> {
    let weighed = || weights.iter().copied().enumerate();
    let mut possible = weighed().filter(|(_, weight)| *weight > 0);
    let only = possible.next()?.0;
    if possible.next().is_none() {
        return Some(only);
    }
    let total: u128 = weights.iter().copied().map(u128::from).sum();
    match u64::try_from(total) {
        Ok(total) => narrow(weighed(), total, rng.next_u64()),
        Err(_) => {
            let weights = weighed().map(|(number, weight)| (number, BigUint::from(weight)));
            wide(weights, &BigUint::from(total), rng.next_u64())
        }
    }
}
