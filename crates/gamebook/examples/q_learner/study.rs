//! What is measured while a hero learns.

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

/// The game is mastered when both wrong choices at the end are thought to be worth less.
pub(crate) const MASTERED_BELOW: f64 = 0.01;

/// So many of the games won are remembered with their estimates; when there are more, every
/// other one is forgotten.
const REMEMBERED: usize = 20_000;

/// A game that takes more moves than that goes round and is not won.
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

/// The book's options that surely lose are dropped, but not at the last choice.
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

/// Estimates of the chance to win after one game and another.
#[derive(Debug, Default)]
pub(crate) struct History {
    kept: Vec<f64>,
    /// Every so many are kept.
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

/// What a way of playing is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Score {
    /// The chance to win, and how many places the way of playing can lead to.
    Exact(f64, usize),
    /// The share of games won, and its standard error.
    Played(f64, f64),
}

/// A hero who learns, and what is measured.
pub(crate) struct Study<'g> {
    game: &'g BookGame,
    pub(crate) learner: Learner<'g>,
    pub(crate) history: History,
    /// After which games the estimate is remembered: those won, as in the source, unless
    /// said otherwise.
    pub(crate) recording: Recording,
    /// After which game the game was mastered.
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

    /// What has been learned, played without exploring.
    ///
    /// Exact, unless it leads to more than so many places: then so many games are played.
    pub(crate) fn score<R: Rng + ?Sized>(
        &self,
        max_states: usize,
        games: u32,
        rng: &mut R,
    ) -> Result<Score, Box<dyn Error>> {
        // Who goes round for ever does not win.
        let limits = FollowLimits::default().max_places(max_states);
        match self.game.evaluate(&self.learner, self.game.start(), limits) {
            Ok(found) => Ok(Score::Exact(*found.value(), found.places())),
            Err(BookError::JourneyTooLarge { .. }) => self.played(games, rng),
            Err(error) => Err(error.into()),
        }
    }

    /// The share won of so many games.
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

    /// The head of a table of [rows](Study::row).
    pub(crate) fn head() -> String {
        let names = WATCHED.map(|(name, _, _)| name).join(",");
        format!("games,won,moves,states,estimate,late_mean,{names},score,places,standard_error")
    }

    /// The state of things, as a line of CSV; estimates to six digits.
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

/// When a line is written: after ten numbers of games a decade, from 10 on; and whether the
/// score is computed: three times a decade.
pub(crate) fn checkpoint(games: u64) -> Option<bool> {
    const STEPS: [u64; 10] = [100, 126, 158, 200, 251, 316, 398, 500, 631, 794];
    let mut decade = 10;
    while decade * 10 <= games {
        decade *= 10;
    }
    let step = STEPS.iter().find(|step| games * 100 == decade * **step)?;
    (games >= 10).then(|| [100, 200, 500].contains(step))
}
