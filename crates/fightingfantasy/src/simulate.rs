//! Simulation of fights with random dice.

use oddsmith_mdp::{Policy, Simulation, Simulator};
use rand::Rng;

use crate::{Duel, DuelGame, DuelState, Error, Melee, MeleeGame, MeleePhase, MeleeState, Phase};

impl Duel {
    /// Simulates the duel `games` times with dice from `rng`. LUCK is used as `policy` decides,
    /// which may be a closure, a solution or a heuristic.
    ///
    /// The rules are those of the exact solution ([`Duel::game`]), special ones included, and every
    /// throw has exactly its probability. The length of a game is its number of attack rounds,
    /// drawn ones included. The paper's Figs. 1, 2 and 7 rest on such simulations; here they only
    /// serve as a check.
    ///
    /// The length of a game is limited to 10 million throws. For another limit, use a [`Simulator`]
    /// on [`Duel::game`].
    ///
    /// # Errors
    /// Those of [`DuelGame::new`], and [`Error::Solve`] if `games` is 0, if the policy makes no
    /// decision, or if a game is too long.
    ///
    /// # Examples
    /// The Hell Demon (14/12), with the best use of LUCK and without LUCK:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, DuelAction, DuelState, Foe, Hero};
    /// use rand::SeedableRng;
    /// use rand_chacha::ChaCha8Rng;
    ///
    /// let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?);
    /// let mut rng = ChaCha8Rng::seed_from_u64(1);
    ///
    /// let plan = duel.best_luck()?;
    /// let fights = duel.simulate(plan.solution(), 10_000, &mut rng)?;
    /// let won = fights.count(|end| end.foe == 0);
    /// assert_eq!(fights.mean(), won as f64 / 10_000.0);
    /// assert!((fights.standard_error() - 0.0042).abs() < 0.0001);
    /// assert!(fights.z_score(plan.value()).abs() < 3.0); // 0.7764
    ///
    /// let never = |_: &DuelState, _: &[DuelAction]| 0;
    /// let without = duel.simulate(never, 10_000, &mut rng)?;
    /// assert!(without.z_score(duel.without_luck()?).abs() < 3.0); // 0.2815
    /// assert!(without.shortest() >= 6); // so many hits it takes
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn simulate<R: Rng + ?Sized>(
        &self,
        policy: impl Policy<DuelGame>,
        games: u64,
        rng: &mut R,
    ) -> Result<Simulation<DuelState>, Error> {
        let game = self.game()?;
        let rounds = |state: &DuelState| state.phase == Phase::Round;
        let simulator = Simulator::new(&game, policy).counting(rounds);
        Ok(simulator.run(&game.start(), games, rng)?)
    }
}

impl Melee {
    /// Simulates the melee `games` times with dice from `rng`. LUCK is used and targets are chosen
    /// as `policy` decides, which may be a closure or a solution.
    ///
    /// As in [`Duel::simulate`], the rules are those of [`Melee::game`], and the length of a game
    /// is its number of attack rounds, those without a blow included.
    ///
    /// # Errors
    /// Those of [`Melee::game`], and [`Error::Solve`] if `games` is 0, if the policy makes no
    /// decision, or if a game is too long.
    ///
    /// # Examples
    /// Two orcs at once, with the best play:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// use rand::SeedableRng;
    /// use rand_chacha::ChaCha8Rng;
    ///
    /// let orcs = [Foe::new(6, 5)?, Foe::new(7, 6)?];
    /// let melee = Melee::at_once(Hero::new(9, 12, 8)?, orcs)?;
    /// let plan = melee.best()?;
    /// let mut rng = ChaCha8Rng::seed_from_u64(1);
    /// let fights = melee.simulate(plan.solution(), 10_000, &mut rng)?;
    /// assert!((fights.standard_error() - 0.0017).abs() < 0.0001);
    /// assert!(fights.z_score(plan.value()).abs() < 3.0); // 0.9703
    /// let won = fights.count(|end| end.foes() == [0, 0]);
    /// assert_eq!(fights.mean(), won as f64 / 10_000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn simulate<R: Rng + ?Sized>(
        &self,
        policy: impl Policy<MeleeGame>,
        games: u64,
        rng: &mut R,
    ) -> Result<Simulation<MeleeState>, Error> {
        let game = self.game()?;
        let rounds = |state: &MeleeState| state.phase == MeleePhase::Round;
        let simulator = Simulator::new(&game, policy).counting(rounds);
        Ok(simulator.run(&game.start(), games, rng)?)
    }
}
