//! Fights that end before anybody has fallen, after a number of rounds, wounds or hits.

use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Condition, Enemy, Escape, Fight, FightCount, FightOrder,
    Manuscript, Passage, Place, Play, Section,
};
use oddsmith_mdp::{Node, Solver};

use crate::by_rounds::{ByRounds, Carried, Seed, foes};
use crate::pieces::random;
use crate::properties::drawn;

const COUNTS: [FightCount; 3] = [FightCount::Rounds, FightCount::Wounds, FightCount::Hits];

fn escape(count: FightCount, after: u16, cost: u16) -> Escape {
    Escape {
        count,
        forced: true,
        cost,
        ..Escape::new(after, Passage::to(3))
    }
}

/// A fight in section 1, won in 2; a hero who reaches 3 wins seven times in twelve.
fn manuscript(fight: Fight) -> Manuscript {
    let mut book = Manuscript::new("broken off");
    let fled = random(&[(7, Passage::won()), (5, Passage::lost())]);
    book.sections = vec![
        Section::new(1, Play::Fight(Box::new(fight)).into()),
        Section::new(2, Passage::won()),
        Section::new(3, fled.into()),
    ];
    book
}

fn game(fight: Fight, stamina: u16) -> BookGame {
    let book = Book::new(manuscript(fight)).unwrap();
    book.game(Hero::new(7, stamina.into(), 7).unwrap()).unwrap()
}

/// Against a foe with the same SKILL as the hero, who has STAMINA 4.
#[track_caller]
fn check(escape: Escape, foe: u16, expected: &str) {
    let fight = Fight {
        escape: Some(escape),
        ..Fight::new([Enemy::new(7, foe)], Passage::to(2))
    };
    let game = game(fight, 4);
    let value = Solver::exact().solve(&game, game.start()).unwrap();
    assert_eq!(value.value().to_string(), expected);
    let solved = BookSolver::new(&game).solve(game.start()).unwrap();
    assert!((solved.win() - value.value().to_f64().unwrap()).abs() < 1e-14);
}

#[test]
fn a_fight_is_over_at_the_first_wound() {
    // Unhurt one time in four; otherwise 7 / 12.
    check(escape(FightCount::Wounds, 1, 0), 4, "11/16");
    // With 2 of 4 left, nobody can pay 2.
    check(escape(FightCount::Wounds, 1, 2), 4, "1/4");
    check(escape(FightCount::Wounds, 1, 1), 4, "11/16");
    // The second wound is fatal.
    check(escape(FightCount::Wounds, 2, 0), 4, "1/2");
}

#[test]
fn a_fight_is_over_at_the_second_hit() {
    // It comes before the second wound one time in two.
    check(escape(FightCount::Hits, 2, 0), 6, "7/24");
    // The foe falls at the second hit.
    check(escape(FightCount::Hits, 2, 0), 4, "1/2");
}

#[test]
fn a_fight_is_over_after_two_rounds() {
    // Both won, both lost, or anything else, with 575, 146 and 575 of 1296 rolls.
    let (all, both) = (1296_u64 * 1296, 575 * 575);
    let value = num_rational::Ratio::new(12 * both + 7 * (all - 2 * both), 12 * all);
    check(escape(FightCount::Rounds, 2, 0), 4, &value.to_string());
}

/// Two foes at once who always hit make one wound per round, even if LUCK can be tested on both
/// blows: after three rounds at most 8 of 20 are left.
#[test]
fn two_blows_in_a_round_are_one_wound() {
    for luck_in_battle in [false, true] {
        let fight = Fight {
            order: FightOrder::AtOnce,
            escape: Some(escape(FightCount::Wounds, 3, 0)),
            ..Fight::new([Enemy::new(30, 9), Enemy::new(30, 9)], Passage::to(2))
        };
        let mut book = manuscript(fight);
        book.rules.luck_in_battle = luck_in_battle;
        let more = Choice::new("more", Passage::lost()).when(Condition::at_least("stamina", 9));
        let fled = Play::First(vec![more, Choice::new("less", Passage::won())]);
        book.sections[2] = Section::new(3, fled.into());
        let book = Book::new(book).unwrap();
        let game = book.game(Hero::new(7, 20, 7).unwrap()).unwrap();
        let exact = Solver::exact().solve(&game, game.start()).unwrap();
        assert_eq!(exact.value().to_string(), "1");
        let solved = BookSolver::new(&game).solve(game.start()).unwrap();
        assert!((solved.win() - 1.0).abs() < 1e-13);
    }
}

/// The count so far is part of a place and of its description.
#[test]
fn what_has_been_counted_is_told() {
    for (count, words) in COUNTS.into_iter().zip(["round 2", "1 wound", "1 hit"]) {
        let fight = Fight {
            escape: Some(escape(count, 3, 0)),
            ..Fight::new([Enemy::new(7, 9)], Passage::to(2))
        };
        let game = game(fight, 9);
        let node = Node::of(&game, &game.start()).unwrap();
        let mut places = node.outcomes(0).iter().map(|(place, _)| place);
        let told = format!(", {words})");
        assert!(places.any(|place| game.describe(place).ends_with(&told)));
    }
}

/// A hero who may run after one wound and fights on has "1 wound or more": counting stops there.
#[test]
fn what_is_enough_is_counted_no_further() {
    let fight = Fight {
        escape: Some(Escape {
            forced: false,
            ..escape(FightCount::Wounds, 1, 0)
        }),
        ..Fight::new([Enemy::new(7, 9)], Passage::to(2))
    };
    let game = game(fight, 9);
    let node = Node::of(&game, &game.start()).unwrap();
    let wounded = node.outcomes(0).iter().map(|(place, _)| place);
    let told = |place: &&Place| game.describe(place).ends_with(", 1 wound or more)");
    let wounded = wounded.filter(told).count();
    assert_eq!(wounded, 1);
}

/// If nobody can be hurt, only rounds can end the fight.
#[test]
fn a_fight_that_changes_nothing_is_left_after_rounds_alone() {
    for (count, expected) in COUNTS.into_iter().zip(["7/12", "0", "0"]) {
        let harmless = Enemy {
            damage: 0,
            ..Enemy::new(30, 4)
        };
        let fight = Fight {
            escape: Some(escape(count, 3, 1)),
            ..Fight::new([harmless], Passage::to(2))
        };
        let game = game(fight, 4);
        let exact = Solver::exact().solve(&game, game.start()).unwrap();
        assert_eq!(exact.value().to_string(), expected);
        let solved = BookSolver::new(&game).solve(game.start()).unwrap();
        assert!((solved.win() - exact.value().to_f64().unwrap()).abs() < 1e-14);
    }
}

#[test]
fn rounds_by_the_words_of_the_book_come_to_the_same() {
    type Terms = (u8, u8, u8, bool);
    fn agrees(hero: (u8, u8), seeds: Vec<Seed>, terms: Terms, at_once: bool) -> bool {
        let (count, after, cost, forced) = terms;
        let order = if at_once {
            FightOrder::AtOnce
        } else {
            FightOrder::InTurn
        };
        let fight = Fight {
            order,
            escape: Some(Escape {
                forced,
                ..escape(
                    COUNTS[usize::from(count % 3)],
                    1 + u16::from(after % 4),
                    (cost % 4).into(),
                )
            }),
            ..Fight::new(foes(&seeds), Passage::to(2))
        };
        let (skill, stamina) = (4 + hero.0 % 7, 1 + hero.1 % 12);
        let carried = Carried {
            skill: skill.into(),
            gold: 0,
            charm: false,
        };
        let mut rounds = ByRounds::new(&fight, |_| 1.0, |_| 7.0 / 12.0);
        let worth = rounds.against(0, stamina.into(), carried);
        let book = Book::new(manuscript(fight)).unwrap();
        let hero = Hero::new(skill.into(), stamina.into(), 7).unwrap();
        let game = book.game(hero).unwrap();
        let exact = Solver::exact().solve(&game, game.start()).unwrap();
        let solved = BookSolver::new(&game).solve(game.start()).unwrap();
        (exact.value().to_f64().unwrap() - worth).abs() < 1e-11
            && (solved.win() - worth).abs() < 1e-11
    }
    drawn(300).quickcheck(agrees as fn((u8, u8), Vec<Seed>, Terms, bool) -> bool);
}
