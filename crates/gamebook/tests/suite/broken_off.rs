//! Fights that are over before anybody has fallen: after so many rounds, wounds or hits.

use std::collections::HashMap;

use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Condition, Enemy, Escape, EscapeCount, Fight, FightOrder,
    Hazard, Manuscript, Passage, Place, Play, Section,
};
use oddsmith_mdp::{Node, Solver};
use quickcheck::QuickCheck;

use crate::pieces::random;

const COUNTS: [EscapeCount; 3] = [EscapeCount::Rounds, EscapeCount::Wounds, EscapeCount::Hits];

fn escape(count: EscapeCount, after: u16, cost: u16) -> Escape {
    Escape {
        count,
        forced: true,
        cost,
        ..Escape::new(after, Passage::to(3))
    }
}

/// A fight in section 1, won in 2; who comes to 3 wins seven times in twelve.
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

/// Against a foe as good as the hero, who has 4.
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
    // Unhurt one time in four; else 7 / 12.
    check(escape(EscapeCount::Wounds, 1, 0), 4, "11/16");
    // With 2 of 4 left, nobody can pay 2.
    check(escape(EscapeCount::Wounds, 1, 2), 4, "1/4");
    check(escape(EscapeCount::Wounds, 1, 1), 4, "11/16");
    // The second wound is fatal.
    check(escape(EscapeCount::Wounds, 2, 0), 4, "1/2");
}

#[test]
fn a_fight_is_over_at_the_second_hit() {
    // Which comes before the second wound one time in two.
    check(escape(EscapeCount::Hits, 2, 0), 6, "7/24");
    // The foe falls at the second.
    check(escape(EscapeCount::Hits, 2, 0), 4, "1/2");
}

#[test]
fn a_fight_is_over_after_two_rounds() {
    // Both won, both lost, or something else, with 575, 146 and 575 of 1296 rolls.
    let (all, both) = (1296_u64 * 1296, 575 * 575);
    let value = num_rational::Ratio::new(12 * both + 7 * (all - 2 * both), 12 * all);
    check(escape(EscapeCount::Rounds, 2, 0), 4, &value.to_string());
}

/// Two foes at once who always hit are one wound a round, also where LUCK may be tested on both
/// blows: after three rounds no more than 8 of 20 can be left.
#[test]
fn two_blows_in_a_round_are_one_wound() {
    for luck_in_battle in [false, true] {
        let fight = Fight {
            order: FightOrder::AtOnce,
            escape: Some(escape(EscapeCount::Wounds, 3, 0)),
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

/// What has been counted is part of a place, and told in its words.
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

/// Who may run after one wound, and fights on, has one or more: it is counted no further.
#[test]
fn what_is_enough_is_counted_no_further() {
    let fight = Fight {
        escape: Some(Escape {
            forced: false,
            ..escape(EscapeCount::Wounds, 1, 0)
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

/// Nobody can be hurt: nothing but rounds can ever be over.
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

/// The hero's STAMINA, the first foe who stands, his, and what has been counted.
type State = (i32, usize, i32, u16);

/// The same fight, round by round, by the words of the book: drawn rounds that nobody counts are
/// left out by their share.
struct Slow<'f> {
    fight: &'f Fight,
    skill: i32,
    memo: HashMap<State, f64>,
}

impl Slow<'_> {
    fn worth(&mut self, state: State) -> f64 {
        if let Some(known) = self.memo.get(&state) {
            return *known;
        }
        let (hero, first, stamina, counted) = state;
        let escape = self.fight.escape.clone().unwrap();
        let due = counted >= escape.after;
        let left = hero - i32::from(escape.cost);
        let fled = if left > 0 { 7.0 / 12.0 } else { 0.0 };
        if due && escape.forced {
            return fled;
        }
        let (mut sum, mut same) = (0.0, 0.0);
        for (to, chance) in self.round(state) {
            if to == state {
                same += chance;
            } else if to.0 > 0 && to.1 < self.fight.foes.len() {
                sum += chance * self.worth(to);
            } else if to.0 > 0 {
                sum += chance;
            }
        }
        let on = if same < 1.0 - 1e-12 {
            sum / (1.0 - same)
        } else {
            0.0
        };
        let worth = if due { f64::max(on, fled) } else { on };
        self.memo.insert((hero, first, stamina, counted), worth);
        worth
    }

    /// All that a round may bring, by chance.
    fn round(&self, (hero, first, stamina, counted): State) -> Vec<(State, f64)> {
        let foes = &self.fight.foes;
        let at_once = self.fight.order == FightOrder::AtOnce;
        let last = if at_once { foes.len() } else { first + 1 };
        let mut all = vec![((hero, stamina), 1.0)];
        let wins = |foe: &Enemy| {
            let mut odds = [0.0; 3];
            for rolls in 0..1296 {
                let dice = |pair: i32| pair / 6 + pair % 6 + 2;
                let own = self.skill + dice(rolls / 36);
                let other = i32::from(foe.skill) + dice(rolls % 36);
                odds[(1 + (other - own).signum()) as usize] += 1.0 / 1296.0;
            }
            odds
        };
        let attackers = || (first..last).zip(&foes[first..last]);
        for (number, foe) in attackers() {
            let [won, drawn, lost] = wins(foe);
            let damage = i32::from(foe.damage);
            let mut next = Vec::new();
            for ((hero, stamina), chance) in all {
                if hero <= 0 {
                    next.push(((hero, stamina), chance));
                    continue;
                }
                let hit = if number == first {
                    stamina - 2
                } else {
                    stamina
                };
                next.push(((hero, hit), chance * won));
                next.push(((hero, stamina), chance * drawn));
                next.push(((hero - damage, stamina), chance * lost));
            }
            all = next;
        }
        for (number, foe) in attackers() {
            let Some(hazard) = foe.hazard else {
                continue;
            };
            let burns = f64::from(hazard.chance) / f64::from(hazard.of);
            let mut next = Vec::new();
            for ((hero, stamina), chance) in all {
                let fallen = number == first && stamina <= 0;
                let burns = if hero <= 0 || fallen { 0.0 } else { burns };
                next.push(((hero, stamina), chance * (1.0 - burns)));
                next.push(((hero - i32::from(hazard.damage), stamina), chance * burns));
            }
            all = next;
        }
        let escape = self.fight.escape.as_ref().unwrap();
        let after = all.into_iter().map(|((now, left), chance)| {
            let counts = match escape.count {
                EscapeCount::Rounds => true,
                EscapeCount::Wounds => now < hero,
                _ => left < stamina,
            };
            let counted = escape.after.min(counted + u16::from(counts));
            let to = match left > 0 {
                true => (now, first, left, counted),
                false => {
                    let next = foes.get(first + 1).map_or(0, |foe| foe.stamina.into());
                    (now, first + 1, next, if at_once { counted } else { 0 })
                }
            };
            (to, chance)
        });
        after.collect()
    }
}

#[test]
fn rounds_by_the_words_of_the_book_come_to_the_same() {
    type Seed = (u8, u8, u8, u8);
    type Terms = (u8, u8, u8, bool);
    fn agrees(hero: (u8, u8), foes: Vec<Seed>, terms: Terms, at_once: bool) -> bool {
        let enemy = |&(skill, stamina, damage, hazard): &Seed| Enemy {
            damage: (damage % 4).into(),
            hazard: (hazard % 3 == 0).then(|| Hazard {
                chance: 1 + u16::from(hazard % 2),
                of: 6,
                damage: 1 + u16::from(hazard % 4),
            }),
            ..Enemy::new((4 + skill % 7).into(), (1 + stamina % 7).into())
        };
        let mut all: Vec<Enemy> = foes.iter().take(3).map(enemy).collect();
        if all.is_empty() {
            all.push(Enemy::new(7, 5));
        }
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
            ..Fight::new(all, Passage::to(2))
        };
        let (skill, stamina) = (4 + hero.0 % 7, 1 + hero.1 % 12);
        let mut slow = Slow {
            fight: &fight,
            skill: skill.into(),
            memo: HashMap::new(),
        };
        let worth = slow.worth((stamina.into(), 0, fight.foes[0].stamina.into(), 0));
        let book = Book::new(manuscript(fight)).unwrap();
        let hero = Hero::new(skill.into(), stamina.into(), 7).unwrap();
        let game = book.game(hero).unwrap();
        let exact = Solver::exact().solve(&game, game.start()).unwrap();
        let solved = BookSolver::new(&game).solve(game.start()).unwrap();
        (exact.value().to_f64().unwrap() - worth).abs() < 1e-11
            && (solved.win() - worth).abs() < 1e-11
    }
    QuickCheck::new()
        .tests(300)
        .quickcheck(agrees as fn((u8, u8), Vec<Seed>, Terms, bool) -> bool);
}
