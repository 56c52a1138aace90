//! Measurements while a hero learns.

use std::error::Error;
use std::fmt::Write;

use oddsmith_gamebook::{Book, BookGame, Character, Error as BookError, Finding, FollowLimits};
use oddsmith_mdp::Recording;
use rand::Rng;

use crate::learner::{Learner, Parameters, surely_lost};

/// The section of the last choice, whose wrong options are kept as a control.
pub(crate) const LAST_CHOICE: u32 = 244;

/// The nine estimates of the source, `p_…` there: name, section, option.
pub(crate) const WATCHED: [(&str, u32, &str); 9] = [
    ("start_1", 1, "ask for nicodemus"),
    ("start_2", 1, "claim stolen goods"),
    ("start_3", 1, "attack"),
    ("clock_street", 74, "clock street"),
    ("key_street", 74, "key street"),
    ("market_street", 74, "market street"),
    ("correct_final_choice", LAST_CHOICE, "lotus and hair"),
    ("wrong_final_choice_1", LAST_CHOICE, "hair and pearls"),
    ("wrong_final_choice_2", LAST_CHOICE, "pearls and lotus"),
];

/// The game is mastered when the estimates of both wrong choices at the end are below this.
pub(crate) const MASTERED_BELOW: f64 = 0.01;

/// The highest number of won games that are kept with their estimates; beyond it, every other one
/// is dropped.
const REMEMBERED: usize = 20_000;

/// A game that takes more moves counts as endless and not won.
const LONGEST_GAME: u64 = 1_000;

/// The book of the source.
pub(crate) fn city_of_thieves() -> Result<Book, Box<dyn Error>> {
    let text = include_str!("../../books/city_of_thieves.json");
    Ok(Book::from_json(text, "city_of_thieves.json")?)
}

/// A hero as "9/12/12/luck": SKILL (before the equipment), STAMINA and LUCK as rolled, and
/// the potion, by its stat.
pub(crate) fn hero(text: &str) -> Result<Character, Box<dyn Error>> {
    let wrong = || "expected SKILL/STAMINA/LUCK/POTION, such as 9/12/12/luck";
    let parts: Vec<&str> = text.split('/').collect();
    let [skill, stamina, luck, potion] = parts[..] else {
        return Err(wrong().into());
    };
    let potion = match potion {
        "skill" => "dexterity_potion",
        "stamina" => "stamina_potion",
        "luck" => "luck_potion",
        _ => return Err(wrong().into()),
    };
    let hero = Character::new()
        .stat("skill", skill.parse()?)
        .stat("stamina", stamina.parse()?)
        .stat("luck", luck.parse()?);
    Ok(hero.item(potion))
}

/// Drops the options of the book that always lose, except at the last choice.
pub(crate) fn simplified(
    book: &Book,
    parameters: Parameters,
) -> Result<Parameters, Box<dyn Error>> {
    let lint = book.lint();
    let findings: Vec<&Finding> = lint.findings().iter().collect();
    Ok(Parameters {
        dropped: surely_lost(findings, &[LAST_CHOICE]),
        ..parameters
    })
}

/// Estimates of the chance to win, in the order of the games.
#[derive(Debug, Default)]
pub(crate) struct History {
    kept: Vec<f64>,
    /// One of this many is kept.
    stride: usize,
    skipped: usize,
}

impl History {
    fn push(&mut self, estimate: f64) {
        self.skipped += 1;
        if self.skipped < self.stride {
            return;
        }
        self.skipped = 0;
        self.kept.push(estimate);
        if self.kept.len() >= REMEMBERED {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.stride = self.stride.max(1) * 2;
        }
    }

    /// "The last ten percent of estimated chances to win the game".
    pub(crate) fn last_tenth(&self) -> &[f64] {
        &self.kept[self.kept.len() - self.kept.len().div_ceil(10)..]
    }

    pub(crate) fn late_mean(&self) -> Option<f64> {
        let last = self.last_tenth();
        (!last.is_empty()).then(|| last.iter().sum::<f64>() / last.len() as f64)
    }
}

/// The value of a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Score {
    /// The chance to win, and the number of places that the policy can reach.
    Exact(f64, usize),
    /// The share of games won, and its standard error.
    Played(f64, f64),
}

/// A hero who learns, and the measurements.
pub(crate) struct Study<'g> {
    game: &'g BookGame,
    pub(crate) learner: Learner<'g>,
    pub(crate) history: History,
    /// The games after which the estimate is recorded: by default those won, as in the source.
    pub(crate) recording: Recording,
    /// The number of games after which the game was mastered.
    pub(crate) mastered: Option<u64>,
}

impl<'g> Study<'g> {
    pub(crate) fn new(game: &'g BookGame, parameters: Parameters) -> Result<Self, Box<dyn Error>> {
        let mut learner = Learner::new(game, parameters)?;
        for (_, section, label) in WATCHED {
            learner.watch(section, label);
        }
        Ok(Study {
            game,
            learner,
            history: History::default(),
            recording: Recording::Won,
            mastered: None,
        })
    }

    /// Plays one game.
    pub(crate) fn play<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<(), Box<dyn Error>> {
        let won = self.learner.play(rng)?;
        let recorded = match self.recording {
            Recording::Won => won,
            Recording::Every(games) => self.learner.games().is_multiple_of(games),
        };
        if recorded {
            self.history.push(self.learner.estimate());
        }
        let wrong = self.learner.watched().skip(WATCHED.len() - 2);
        if self.mastered.is_none() && wrong.into_iter().all(|estimate| estimate < MASTERED_BELOW) {
            self.mastered = Some(self.learner.games());
        }
        Ok(())
    }

    /// The learned policy, without exploration.
    ///
    /// Exact, unless it reaches more than `max_states` places: then `games` games are played.
    pub(crate) fn score<R: Rng + ?Sized>(
        &self,
        max_states: usize,
        games: u32,
        rng: &mut R,
    ) -> Result<Score, Box<dyn Error>> {
        // Endless play does not win.
        let limits = FollowLimits::default().max_places(max_states);
        match self.game.evaluate(&self.learner, self.game.start(), limits) {
            Ok(found) => Ok(Score::Exact(*found.value(), found.places())),
            Err(BookError::JourneyTooLarge { .. }) => self.played(games, rng),
            Err(error) => Err(error.into()),
        }
    }

    /// The share won of this many games.
    fn played<R: Rng + ?Sized>(&self, games: u32, rng: &mut R) -> Result<Score, Box<dyn Error>> {
        let start = self.game.start();
        let games = u64::from(games);
        let played = self
            .game
            .play(&self.learner, start, games, LONGEST_GAME, rng)?;
        let mean = played.share();
        let error = (mean * (1.0 - mean) / games as f64).sqrt();
        Ok(Score::Played(mean, error))
    }

    /// The header of a table of [rows](Study::row).
    pub(crate) fn head() -> String {
        let names = WATCHED.map(|(name, _, _)| name).join(",");
        format!("games,won,moves,states,estimate,late_mean,{names},score,places,standard_error")
    }

    /// The current state as a line of CSV, with estimates to six digits.
    pub(crate) fn row(&self, score: Option<Score>) -> String {
        let learner = &self.learner;
        let mut row = format!(
            "{},{},{},{},{}",
            learner.games(),
            learner.won(),
            learner.moves(),
            learner.states(),
            digits(learner.estimate())
        );
        let late = self.history.late_mean().map(digits).unwrap_or_default();
        let _ = write!(row, ",{late}");
        for estimate in learner.watched() {
            let _ = write!(row, ",{}", digits(estimate));
        }
        let _ = match score {
            Some(Score::Exact(value, places)) => write!(row, ",{},{places},", digits(value)),
            Some(Score::Played(mean, error)) => {
                write!(row, ",{},,{}", digits(mean), digits(error))
            }
            None => write!(row, ",,,"),
        };
        row
    }
}

/// Six significant digits.
pub(crate) fn digits(number: f64) -> String {
    let text = format!("{number:.5e}");
    let short: Result<f64, _> = text.parse();
    short.map_or(text, |short| {
        if short == 0.0 || short.abs() >= 1e-4 {
            short.to_string()
        } else {
            format!("{short:e}")
        }
    })
}

/// Whether a line is written: after ten numbers of games per decade, from 10 on; and whether the
/// score is computed: three times per decade.
pub(crate) fn checkpoint(games: u64) -> Option<bool> {
    const STEPS: [u64; 10] = [100, 126, 158, 200, 251, 316, 398, 500, 631, 794];
    let mut decade = 10;
    while decade * 10 <= games {
        decade *= 10;
    }
    let step = STEPS.iter().find(|step| games * 100 == decade * **step)?;
    (games >= 10).then(|| [100, 200, 500].contains(step))
}
