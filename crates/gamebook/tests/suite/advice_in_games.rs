//! Advice in the middle of a game that can be left before every round.

use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookSolver, Cap, Character, Choice, Condition, Effect, Manuscript, Passage, Play,
    Section, Stat, Wager, WeightedEffects,
};
use oddsmith_mdp::Solver;

/// Six gold pieces buy the way out; before it there is a game for two of them per round.
fn casino() -> Book {
    let mut book = Manuscript::new("casino");
    book.sheet.stats.push(Stat {
        cap: Some(Cap::At(9)),
        floor: Some(0),
        ..Stat::new("gold", 4)
    });
    let outcome = |weight, by| WeightedEffects {
        weight,
        effects: vec![Effect::change("gold", by)],
    };
    let game = Wager {
        rounds: 3,
        condition: Some(Condition::at_least("gold", 2)),
        free: true,
        round: vec![outcome(1, 2), outcome(1, -2), outcome(1, 0)],
        after: Passage::to(2),
    };
    let pay = Choice::new("pay", Passage::to(3)).when(Condition::at_least("gold", 6));
    let run = Choice::new("run", Passage::to(4));
    book.sections = vec![
        Section::new(1, Play::Game(Box::new(game)).into()),
        Section::new(2, Play::Choice(vec![pay, run]).into()),
        Section::new(3, Passage::won()),
        Section::new(
            4,
            Play::Test(Box::new(oddsmith_gamebook::Trial::new(
                "luck",
                Passage::won(),
                Passage::lost(),
            )))
            .into(),
        ),
    ];
    Book::new(book).unwrap()
}

#[test]
fn before_every_round() {
    let hero = Character::new().stat("skill", 7).stat("stamina", 9);
    let hero = hero.stat("luck", 5);
    let game = casino().game(hero).unwrap();
    let solution = Solver::exact().solve(&game, game.start()).unwrap();
    let solver = BookSolver::new(&game);
    let mut rounds = [0; 2];
    for (place, _) in solution.states() {
        let direct = solution.choices(&place).unwrap();
        let valuation = solver.solve(place).unwrap();
        let value = solution.value_of(&place).unwrap().to_f64().unwrap();
        assert!((valuation.win() - value).abs() <= valuation.error().unwrap() + 1e-15);
        let Some(advice) = solver.advice(place).unwrap() else {
            assert!(direct.len() <= 1);
            continue;
        };
        if advice.place() != place {
            continue;
        }
        assert_eq!(advice.options().len(), direct.len());
        for (mine, theirs) in advice.options().iter().zip(&direct) {
            let value = theirs.value.to_f64().unwrap();
            assert_eq!(mine.action, theirs.action);
            assert_eq!(mine.optimal, theirs.optimal);
            assert!((mine.value - value).abs() < 1e-14);
        }
        if place.section() == 1 {
            rounds[usize::from(place.is_inside())] += 1;
        }
    }
    // With 4 at first; with 2, 4 or 6 after the first round, and also 8 after the second.
    assert_eq!(rounds, [1, 7]);
}

/// With 4 of 6 pieces it is worth playing, with 6 one stops, and with 1 there is no choice.
#[test]
fn what_to_do() {
    let hero = Character::new().stat("skill", 7).stat("stamina", 9);
    let mut advised = Vec::new();
    for gold in [1, 4, 6] {
        let game = casino()
            .game(hero.clone().stat("luck", 5).now("gold", gold))
            .unwrap();
        let advice = BookSolver::new(&game).advice(game.start()).unwrap();
        advised.push(advice.map(|advice| advice.label().to_owned()));
    }
    let label = |label: &str| Some(label.to_owned());
    assert_eq!(advised, [None, label("play"), label("stop")]);
}
