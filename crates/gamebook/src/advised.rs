//! Advice for one place of a long book.

use oddsmith_mdp::Node;

use crate::book_solver::BookSolver;
use crate::comes_back::onwards;
use crate::explanation::{Explanation, Outcome};
use crate::solver::reach::circle;
use crate::sought::brought;
use crate::{Advice, Error, Move, Place, Valuation};

impl BookSolver<'_> {
    /// Returns what to do at a place: its options, with their values and their gaps to the best
    /// one, or `None` if there is nothing to choose.
    ///
    /// Moves that follow for certain are made first, since the start of a book is rarely a choice.
    /// Options that the [errors](crate::Valuation::error) cannot tell apart are all best; if no
    /// error is proven, values that differ only by rounding count as equal.
    ///
    /// The decision is for the first of the best options. On a cycle it is that of a
    /// [policy](BookSolver::policy), which does not go round for ever. (Different sheets may yield
    /// different policies, so use one policy to play through a book with cycles.)
    ///
    /// # Errors
    /// The same as for [`solve`](BookSolver::solve).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("bridge", 2), ("ford", 3)])
    ///     .fight(2, Foe::new(7, 2)?, 4)
    ///     .luck(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let game = book.game(&Hero::new(7, 2, 8)?)?;
    /// let advice = BookSolver::new(&game).advice(game.start())?.ok_or("a choice")?;
    /// assert_eq!((advice.label(), advice.target()), ("ford", Some(3)));
    /// assert!((advice.lead() - (13.0 / 18.0 - 0.5)).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A fight that may be left after a round, by a leap that costs 1 STAMINA. A hero who has been
    /// wounded by then does better to leap:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Enemy, Escape, Fight, Manuscript};
    /// use oddsmith_gamebook::{Passage, Play, Section, Trial};
    /// use oddsmith_mdp::Node;
    ///
    /// let escape = Escape { cost: 1, ..Escape::new(1, Passage::to(2)) };
    /// let fight = Fight { escape: Some(escape), ..Fight::new([Enemy::new(7, 4)], Passage::won()) };
    /// let leap = Trial::new("luck", Passage::won(), Passage::lost());
    /// let mut book = Manuscript::new("bridge");
    /// book.sections = vec![
    ///     Section::new(1, Play::Fight(fight.into()).into()),
    ///     Section::new(2, Play::Test(leap.into()).into()),
    /// ];
    /// let game = Book::new(book)?.game(&Hero::new(7, 4, 8)?)?;
    /// let solver = BookSolver::new(&game);
    /// let mut advised = Vec::new();
    /// for (place, _) in Node::of(&game, &game.start())?.outcomes(0) {
    ///     let advice = solver.advice(*place)?.ok_or("a choice")?;
    ///     let left = game.stat(place, "stamina").ok_or("on the sheet")?;
    ///     advised.push((left, advice.label().to_owned()));
    /// }
    /// advised.sort();
    /// advised.dedup();
    /// assert_eq!(advised, [(2, "run".to_owned()), (4, "fight on".to_owned())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advice(&self, place: Place) -> Result<Option<Advice<f64>>, Error> {
        let explained = self.explain(place)?;
        Ok(explained.map(|explained| explained.advice))
    }

    /// Returns the same as [`advice`](BookSolver::advice), and the places that every option may
    /// lead to, with their probabilities and values. If an option leads back to its own place by
    /// chance, it is then taken again, as in [`BookPlan::explain`](crate::BookPlan::explain).
    ///
    /// # Errors
    /// The same as for [`solve`](BookSolver::solve).
    ///
    /// # Examples
    /// City of Thieves, near its end: three doors, one of which does not go on.
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_gamebook::{Book, BookSolver, Character};
    ///
    /// let hero = Character::new().stat("skill", 9).stat("stamina", 12).stat("luck", 9);
    /// let game = Book::city_of_thieves()?.game(hero.item("luck_potion"))?;
    /// let why = BookSolver::new(&game).explain(game.start_at(244)?)?.ok_or("a choice")?;
    /// let worth: Vec<f64> = (0..3).map(|option| why.outcomes(option)[0].value).collect();
    /// assert_eq!(worth.iter().filter(|worth| **worth == 1.0).count(), 1);
    /// assert_eq!(worth.iter().filter(|worth| **worth == 0.0).count(), 2);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, place: Place) -> Result<Option<Explanation<f64>>, Error> {
        let decided = |advice: &Advice<f64>, place| {
            let decided = self.way_out(place)?;
            Ok(decided.and_then(|decided| advice.number(&decided)))
        };
        self.explained(place, |places| self.solve_all(places), decided)
    }

    /// Does the same, given the values of places (`worth`) and the number of the option to take
    /// where several tie at a place that play may come back to (`decided`).
    pub(crate) fn explained(
        &self,
        place: Place,
        worth: impl FnOnce(&[Place]) -> Result<Vec<Valuation>, Error>,
        decided: impl FnOnce(&Advice<f64>, Place) -> Result<Option<usize>, Error>,
    ) -> Result<Option<Explanation<f64>>, Error> {
        let Some((place, options)) = self.options(place)? else {
            return Ok(None);
        };
        let outcomes = options.iter().flat_map(|option| &option.1);
        let places: Vec<Place> = outcomes.map(|(place, _)| *place).collect();
        let mut valuations = worth(&places)?.into_iter();
        let (mut appraised, mut brought) = (Vec::new(), Vec::new());
        for (action, outcomes) in options {
            // Products and sums round, as in a valuation.
            let (mut value, mut error) = (0.0, 4.0 * f64::EPSILON * outcomes.len() as f64);
            let mut brings = Vec::new();
            for ((to, chance), valuation) in outcomes.iter().zip(&mut valuations) {
                value += chance * valuation.win;
                error += chance * valuation.error.unwrap_or(0.0);
                brings.push(Outcome {
                    place: *to,
                    words: self.game.describe(to),
                    chance: *chance,
                    value: valuation.win,
                });
            }
            match away(&brings, &place) {
                // As in plans of short books, staying at the place leads nowhere.
                None => brings.clear(),
                // The remainder is divided by its probability, which loses nothing to what comes
                // back.
                Some((chance, win)) if brings.iter().any(|outcome| outcome.place == place) => {
                    (value, error) = (win / chance, error / chance);
                    let back = brings.iter_mut().filter(|outcome| outcome.place == place);
                    back.for_each(|outcome| outcome.value = value);
                }
                Some(_) => {}
            }
            // A sum of rounded parts may exceed 1, which no chance does.
            let value = value.min(1.0);
            brings.sort_by(|one, other| other.chance.total_cmp(&one.chance));
            brought.push(brings);
            appraised.push((action, value, error));
        }
        let mut advice = Advice::of(self.game, place, appraised);
        // Among tied options, one may go round a cycle for ever.
        if advice.is_tie() {
            let options = advice.options().iter().zip(&brought).enumerate();
            let best = options.filter(|(_, (option, _))| option.optimal);
            let best = best.map(|(number, (_, brings))| {
                let to = brings.iter().map(|outcome| outcome.place);
                (number, to.collect())
            });
            let number = match onwards(self.game, &place, best)? {
                None => decided(&advice, place)?,
                onwards => onwards,
            };
            if let Some(number) = number {
                advice.decide(number);
            }
        }
        Ok(Some(Explanation {
            advice,
            outcomes: brought,
        }))
    }

    /// What to do on a cycle. Policies from different places may break ties differently, so if
    /// possible, the policy from one fixed scene of the cycle decides at all of them, wherever it
    /// leads itself.
    pub(crate) fn way_out(&self, place: Place) -> Result<Option<Move>, Error> {
        let scene = circle(&self.game.compiled, place.scene).unwrap_or(place.scene);
        let first = Place {
            scene,
            section: self.game.compiled.numbers[scene as usize],
            step: if scene == place.scene { place.step } else { 0 },
            ..place
        };
        let solver = self.clone().decide_onwards(false);
        let decided = solver.policy(first).and_then(|from| from.decision(&place));
        match decided {
            Ok(Some(decided)) => Ok(Some(decided)),
            _ => solver.policy(place)?.decision(&place),
        }
    }

    /// The first choice from a place that can be reached without chance, and its options with the
    /// places they lead to.
    fn options(&self, mut place: Place) -> Result<Option<(Place, Options)>, Error> {
        // Bounded, since certain moves may come back without reaching a choice.
        for _ in 0..=self.game.compiled.scenes.len() {
            let node = Node::of(self.game, &place)?;
            if node.len() > 1 {
                let option =
                    |choice: usize| Some((node.action(choice)?.clone(), brought(&node, choice)));
                let options = (0..node.len()).filter_map(option).collect();
                return Ok(Some((place, options)));
            }
            let mut next = match node.is_empty() {
                true => return Ok(None),
                false => node.wide_outcomes(0).map(|(to, _)| *to),
            };
            match (next.next(), next.next()) {
                (Some(only), None) => place = only,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// The probability of leaving a place, and what is won then; `None` if nothing leads away.
fn away(brings: &[Outcome<f64>], place: &Place) -> Option<(f64, f64)> {
    let away = brings.iter().filter(|outcome| outcome.place != *place);
    away.map(|outcome| (outcome.chance, outcome.chance * outcome.value))
        .reduce(|(chance, win), (more, wins)| (chance + more, win + wins))
}

/// The moves at a place, each with the places it leads to and their probabilities.
type Options = Vec<(Move, Vec<(Place, f64)>)>;
