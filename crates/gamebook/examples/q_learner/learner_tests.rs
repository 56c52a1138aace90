use oddsmith_gamebook::{Book, Choice, Condition, Effect, Manuscript, Passage, Play, Section};
use oddsmith_mdp::Solver;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::study::{self, Study, WATCHED};

fn patient(seen: Seen) -> Parameters {
    Parameters {
        rate: Rate::Decaying(4),
        exploration: Exploration::Random(0.5),
        ..Parameters::table_1(seen)
    }
}

fn learn<'g>(game: &'g BookGame, parameters: Parameters, games: u32, seed: u64) -> Learner<'g> {
    let mut learner = Learner::new(game, parameters).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..games {
        learner.play(&mut rng).unwrap();
    }
    learner
}

fn hero() -> oddsmith_gamebook::Character {
    let hero = oddsmith_gamebook::Character::new();
    hero.stat("skill", 7).stat("stamina", 14).stat("luck", 7)
}

/// The source's example adventure: 0.8 immediately, or 0.9 · 0.9 one move later.
fn example_adventure() -> Book {
    let builder = Book::builder().choice(1, [("avoid", 2), ("fight", 3)]);
    let builder = builder
        .chance(2, [(5, 8), (6, 2)])
        .chance(3, [(4, 9), (6, 1)]);
    builder
        .chance(4, [(5, 9), (6, 1)])
        .won(5)
        .lost(6)
        .build()
        .unwrap()
}

/// By hand: γ · 0.8 = 0.72 against γ² · 0.81 = 0.6561 with the source's γ = 0.9, and 0.8 against
/// 0.81 without discount. So the source's learner learns to avoid the monster.
#[test]
fn estimates_converge_to_the_discounted_chance() {
    let game = example_adventure().game(hero()).unwrap();
    for seen in [Seen::Section, Seen::Place] {
        for (discount, expected) in [
            (0.9, [0.72, 0.6561, 0.9 * 0.81 / 0.81 * 0.9]),
            (1.0, [0.8, 0.81, 0.9]),
        ] {
            let parameters = Parameters {
                discount,
                ..patient(seen)
            };
            let learner = learn(&game, parameters, 200_000, 1);
            let slots = &learner.table[&seen.view(&game.start())];
            for (slot, expected) in slots.iter().zip(expected) {
                assert!((slot.estimate - expected).abs() < 0.01, "{slots:?}");
            }
            let last = &learner.table[&seen.view(&game.start_at(4).unwrap())];
            assert!((last[0].estimate - 0.9).abs() < 0.01, "{last:?}");
            let score = Solver::exact()
                .evaluate(&game, &learner, game.start())
                .unwrap();
            let best = if discount < 1.0 { "4/5" } else { "81/100" };
            assert_eq!(score.value().to_string(), best);
        }
    }
}

/// Half of the readers find a torch. The path without one kills, and the other path is lost for
/// readers with a torch.
fn torch() -> Book {
    let mut book = Manuscript::new("torch");
    book.sheet.flags.push("torch".into());
    let lit = || Some(Condition::Flag("torch".into()));
    let case = |condition, passage| Choice {
        label: None,
        condition,
        passage,
    };
    let found = Passage {
        effects: vec![Effect::SetFlag("torch".into())],
        ..Passage::to(2)
    };
    let branch = |passage| oddsmith_gamebook::Branch { weight: 1, passage };
    let dark = Play::First(vec![
        case(lit(), Passage::won()),
        case(None, Passage::lost()),
    ]);
    let bright = Play::First(vec![
        case(lit(), Passage::lost()),
        case(None, Passage::won()),
    ]);
    book.sections = vec![
        Section::new(
            1,
            Play::Random(vec![branch(found), branch(Passage::to(2))]).into(),
        ),
        Section::new(
            2,
            Play::Choice(vec![
                Choice::new("dark", Passage::to(3)),
                Choice::new("bright", Passage::to(4)),
            ])
            .into(),
        ),
        Section::new(3, dark.into()),
        Section::new(4, bright.into()),
    ];
    Book::new(book).unwrap()
}

/// A learner that sees only the section wins half of the time, one that sees the sheet always.
#[test]
fn what_is_not_seen_cannot_be_learned() {
    let game = torch().game(hero()).unwrap();
    let score = |seen| {
        let learner = learn(&game, patient(seen), 5_000, 2);
        let score = Solver::exact()
            .evaluate(&game, &learner, game.start())
            .unwrap();
        (learner.states(), score.value().to_string())
    };
    // The choice is one section but two places, and so are both of its targets.
    assert_eq!(score(Seen::Section), (4, "1/2".into()));
    assert_eq!(score(Seen::Place), (7, "1".into()));
}

#[test]
fn the_same_seed_learns_the_same() {
    let game = example_adventure().game(hero()).unwrap();
    let seen = |seed| {
        let learner = learn(&game, patient(Seen::Place), 500, seed);
        let estimates = learner.table.values().flatten().map(|slot| slot.estimate);
        (
            learner.won(),
            learner.moves(),
            estimates.collect::<Vec<_>>(),
        )
    };
    assert_eq!(seen(3), seen(3));
    assert_ne!(seen(3), seen(4));
}

/// A losing option is never taken, not even if nothing else is left.
#[test]
fn dropped_options_are_never_taken() {
    let builder = Book::builder().choice(1, [("pit", 2), ("door", 3)]).lost(2);
    let book = builder.choice(3, [("abyss", 2)]).build();
    let book = book.or_else(|_| {
        let builder = Book::builder().choice(1, [("pit", 2), ("door", 3)]).lost(2);
        builder.choice(3, [("abyss", 2)]).won(4).build()
    });
    let game = book.unwrap().game(hero()).unwrap();
    let dropped = BTreeSet::from([(1, "pit".to_owned()), (3, "abyss".to_owned())]);
    let learner = learn(
        &game,
        Parameters {
            dropped,
            ..patient(Seen::Section)
        },
        50,
        1,
    );
    // Each game is one move, and ends where only the abyss is left.
    assert_eq!(
        (learner.moves(), learner.won(), learner.states()),
        (50, 0, 2)
    );
    let mut weights = [0, 0];
    let pit = |label: &str| label == "pit";
    let node = oddsmith_mdp::Node::of(&game, &game.start()).unwrap();
    let moves: Vec<Move> = (0..2).filter_map(|n| node.action(n).cloned()).collect();
    (&learner).weigh(&game.start(), &moves, &mut weights);
    assert_eq!(moves.iter().position(|made| pit(made.label())), Some(0));
    assert_eq!(weights, [0, 1]);
}

/// Leaving the garden at 370 is dropped, as in the source; the last choice keeps all options.
#[test]
fn the_linter_drops_what_the_source_drops() {
    let book = study::city_of_thieves().unwrap();
    let parameters = study::simplified(&book, Parameters::table_1(Seen::Section)).unwrap();
    let of = |section| {
        let dropped = parameters
            .dropped
            .iter()
            .filter(|(from, _)| *from == section);
        dropped.map(|(_, label)| &label[..]).collect::<Vec<_>>()
    };
    assert_eq!(of(370), ["turn to 133"]);
    assert!(of(study::LAST_CHOICE).is_empty());
    assert_eq!(parameters.dropped.len(), 25);
    for (_, section, label) in WATCHED {
        let play = &book.section(section).unwrap().passage.play;
        let Play::Choice(options) = play else {
            panic!("{section} is not a choice")
        };
        let labelled = options
            .iter()
            .filter(|option| option.label.as_deref() == Some(label));
        assert_eq!(labelled.count(), 1, "{label}");
    }
}

/// With the source's parameters, a wrong last choice is taken once and never again, since half of 1
/// is less than the right option keeps. So this game is never mastered.
#[test]
fn the_stopping_rule_needs_exploration() {
    let labels = [
        ("hair and pearls", 9),
        ("pearls and lotus", 9),
        ("lotus and hair", 400),
    ];
    let builder = Book::builder().choice(study::LAST_CHOICE, labels);
    let book = builder
        .start(study::LAST_CHOICE)
        .lost(9)
        .won(400)
        .build()
        .unwrap();
    let game = book.game(hero()).unwrap();
    for (exploration, mastered) in [
        (Exploration::Greedy, false),
        (Exploration::Random(0.1), true),
    ] {
        let parameters = Parameters {
            exploration,
            ..Parameters::table_1(Seen::Section)
        };
        let mut study = Study::new(&game, parameters).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..2_000 {
            study.play(&mut rng).unwrap();
        }
        assert_eq!(study.mastered.is_some(), mastered);
        let estimates: Vec<f64> = study.learner.watched().skip(6).collect();
        if mastered {
            assert!(estimates[0] == 1.0 && estimates[1] < 0.01 && estimates[2] < 0.01);
        } else {
            assert_eq!(estimates, [1.0, 0.5, 0.5]);
        }
        assert_eq!(study.history.late_mean(), Some(1.0));
        let score = study.score(100, 10, &mut rng).unwrap();
        assert_eq!(score, study::Score::Exact(1.0, 2));
    }
}

/// A full table keeps what it has learned.
#[test]
fn states_beyond_the_limit_are_not_learned() {
    let game = example_adventure().game(hero()).unwrap();
    let parameters = Parameters {
        max_states: 1,
        ..patient(Seen::Place)
    };
    let learner = learn(&game, parameters, 100, 6);
    assert_eq!((learner.states(), learner.games()), (1, 100));
}

/// Endless play does not win.
#[test]
fn an_endless_policy_scores_nothing() {
    let builder = Book::builder().choice(1, [("wait", 1), ("go", 2)]).won(2);
    let game = builder.build().unwrap().game(hero()).unwrap();
    // Nothing was tried, so the first option is taken.
    let study = Study::new(&game, Parameters::table_1(Seen::Section)).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    assert_eq!(
        study.score(100, 10, &mut rng).unwrap(),
        study::Score::Exact(0.0, 1)
    );
    assert_eq!(
        study.score(0, 10, &mut rng).unwrap(),
        study::Score::Played(0.0, 0.0)
    );
}

#[test]
fn checkpoints() {
    let lines = (1..=1_000).filter(|games| study::checkpoint(*games).is_some());
    assert_eq!(lines.clone().take(4).collect::<Vec<_>>(), [10, 20, 50, 100]);
    assert_eq!(lines.filter(|games| *games >= 100).count(), 11);
    assert_eq!(
        (study::checkpoint(200), study::checkpoint(251)),
        (Some(true), Some(false))
    );
    assert_eq!(study::checkpoint(0), None);
}
