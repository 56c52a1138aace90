//! LUCK in battle, compared with duels and melees, which share nothing with books, and by hand.

use num_rational::BigRational;
use oddsmith_fightingfantasy as ff;
use oddsmith_fightingfantasy::{AtOnce, Duel, Foe, Hero, LuckTest, Melee, Objective};
use oddsmith_gamebook::{
    Book, BookGame, Character, Enemy, Error, Escape, Fight, FightOrder, Hazard, Manuscript, Move,
    Passage, Place, Play, Section,
};
use oddsmith_mdp::{AtRandom, Node, Policy, Solver};

use crate::properties::drawn;

/// SKILL, STAMINA and LUCK.
type Trio = (u8, u8, u8);
/// SKILL and STAMINA.
type Pair = (u8, u8);

/// A fight in section 1, won in section 2, with LUCK.
fn manuscript(foes: Vec<Enemy>, order: FightOrder, escape: Option<Escape>) -> Manuscript {
    let mut manuscript = Manuscript::new("battle");
    manuscript.rules.luck_in_battle = true;
    let fight = Fight {
        order,
        escape,
        ..Fight::new(foes, Passage::to(2))
    };
    manuscript.sections = vec![
        Section::new(1, Play::Fight(Box::new(fight)).into()),
        Section::new(2, Passage::won()),
    ];
    manuscript
}

fn in_turn(foes: Vec<Enemy>) -> Manuscript {
    manuscript(foes, FightOrder::InTurn, None)
}

fn game(manuscript: Manuscript, hero: Hero) -> BookGame {
    Book::new(manuscript).unwrap().game(hero).unwrap()
}

fn best(manuscript: Manuscript, hero: Hero) -> BigRational {
    let game = game(manuscript, hero);
    Solver::exact().solve(&game, game.start()).unwrap().value()
}

fn played(game: &BookGame, policy: impl Policy<BookGame>) -> BigRational {
    let played = Solver::exact().evaluate(game, policy, game.start());
    played.unwrap().value()
}

fn hero((skill, stamina, luck): Trio, most: u8) -> Hero {
    let stamina = 1 + stamina % most;
    Hero::new((skill % 13).into(), stamina.into(), (luck % 14).into()).unwrap()
}

/// A foe for the book, and the same foe for the duel.
fn foe((skill, stamina): Pair, most: u8) -> (Enemy, Foe) {
    let (skill, stamina) = (skill % 13, 1 + stamina % most);
    let enemy = Enemy::new(skill.into(), stamina.into());
    (enemy, Foe::new(skill.into(), stamina.into()).unwrap())
}

#[test]
fn the_examples_of_duels() {
    let check = |hero: Hero, skill, stamina, expected: &str| {
        let value = best(in_turn(vec![Enemy::new(skill, stamina)]), hero);
        assert_eq!(value.to_string(), expected);
    };
    check(Hero::new(10, 2, 7).unwrap(), 10, 2, "31/48");
    // LUCK is used on every hit, and only then.
    let hits = |place: &Place, actions: &[Move]| {
        let won = actions.len() == 2 && format!("{place:?}").contains("step 0x9");
        usize::from(won)
    };
    let game = game(
        in_turn(vec![Enemy::new(12, 3)]),
        Hero::new(8, 2, 5).unwrap(),
    );
    assert_eq!(played(&game, hits).to_string(), "27640333/899022848");
    // The Hell Demon of the duels: 0.7764.
    let (hero, demon) = (Hero::new(12, 24, 12).unwrap(), Enemy::new(14, 12));
    let game = self::game(in_turn(vec![demon]), hero);
    let value = Solver::float().solve(&game, game.start()).unwrap().value();
    let duel = Duel::new(hero, Foe::new(14, 12).unwrap());
    assert!((value - duel.best_luck_f64().unwrap().value()).abs() < 1e-12);
    assert_eq!(format!("{value:.4}"), "0.7764");
}

#[test]
fn a_book_of_one_foe_is_a_duel() {
    fn agrees(hero: Trio, foe: Pair, below: bool) -> bool {
        let (hero, (enemy, foe)) = (self::hero(hero, 9), self::foe(foe, 9));
        let rule = [LuckTest::AtMost, LuckTest::Below][usize::from(below)];
        let mut manuscript = in_turn(vec![enemy]);
        manuscript.rules.test = rule;
        let rules = ff::Rules::standard().luck_test(rule);
        let duel = Duel::new(hero, foe).rules(rules);
        let game = game(manuscript.clone(), hero);
        best(manuscript, hero) == duel.best_luck().unwrap().value()
            && played(&game, |_: &Place, _: &[Move]| 0) == duel.without_luck().unwrap()
            && played(&game, AtRandom) == duel.with_policy(AtRandom).unwrap()
    }
    let agrees: fn(Trio, Pair, bool) -> bool = agrees;
    drawn(60).quickcheck(agrees);
}

#[test]
fn several_foes_are_a_melee() {
    fn agrees(hero: Trio, foes: (Pair, Pair), third: bool) -> bool {
        let hero = self::hero((hero.0, hero.1, hero.2 % 6), 6);
        let mut pairs = vec![foe(foes.0, 4), foe(foes.1, 4)];
        if third {
            pairs.push(foe((7, 1), 4));
        }
        let (enemies, foes): (Vec<Enemy>, Vec<Foe>) = pairs.into_iter().unzip();
        let turns = Melee::in_turn(hero, foes.clone()).unwrap();
        let order = AtOnce::standard().targets_in_order();
        let once = Melee::at_once(hero, foes).unwrap().manner(order);
        best(in_turn(enemies.clone()), hero) == turns.best().unwrap().value()
            && best(manuscript(enemies, FightOrder::AtOnce, None), hero)
                == once.best().unwrap().value()
    }
    let agrees: fn(Trio, (Pair, Pair), bool) -> bool = agrees;
    drawn(40).quickcheck(agrees);
}

#[test]
fn running_with_luck_is_that_of_duels() {
    fn agrees(hero: Trio, foe: Pair, after: u8) -> bool {
        let (hero, (enemy, foe)) = (self::hero(hero, 8), self::foe(foe, 8));
        let after = u16::from(1 + after % 4);
        let escape = Escape {
            cost: 2,
            ..Escape::new(after, Passage::won())
        };
        let manuscript = manuscript(vec![enemy], FightOrder::InTurn, Some(escape));
        let rules = ff::Rules::standard().escape(ff::Escape::after(after).cost(2));
        let duel = Duel::new(hero, foe).rules(rules);
        let duel = duel.objective(Objective::survival());
        best(manuscript, hero) == duel.best_luck().unwrap().value()
    }
    let agrees: fn(Trio, Pair, u8) -> bool = agrees;
    drawn(60).quickcheck(agrees);
}

/// LUCK softens blows, but not fire: one blow of 1 that LUCK turns into 0.
#[test]
fn hazards_cannot_be_softened() {
    let certain = Enemy {
        damage: 1,
        ..Enemy::new(30, 2)
    };
    let fire = Enemy {
        hazard: Some(Hazard {
            chance: 1,
            of: 1,
            damage: 1,
        }),
        ..certain.clone()
    };
    // LUCK 12 always succeeds: the first blow takes nothing, and the second is at LUCK 11, which
    // succeeds 35 times in 36, and so on; but no blow is ever won.
    let hero = |luck| Hero::new(7, 2, luck).unwrap();
    assert_eq!(best(in_turn(vec![certain]), hero(12)).to_string(), "0");
    let game = game(in_turn(vec![fire]), hero(12));
    let node = Node::of(&game, &game.start()).unwrap();
    let struck = node.outcomes(0)[0].0;
    let choice = Node::of(&game, &struck).unwrap();
    assert_eq!(choice.action(1), Some(&Move::TestLuck));
    // Saved by LUCK, but burnt: 1 left, LUCK 11.
    let (burnt, _) = choice.outcomes(1)[0];
    assert_eq!(choice.outcomes(1).len(), 1);
    assert_eq!(game.stat(&burnt, "stamina"), Some(1));
    assert_eq!(game.stat(&burnt, "luck"), Some(11));
    // Hit and burnt: dead.
    let (dead, _) = choice.outcomes(0)[0];
    assert_eq!(game.stat(&dead, "stamina"), Some(0));
}

/// LUCK at its floor is not spent, and a sheet without LUCK has none.
#[test]
fn luck_must_be_there() {
    let mut floored = in_turn(vec![Enemy::new(7, 2)]);
    let hero = Hero::new(7, 2, 9).unwrap();
    let with = best(floored.clone(), hero);
    let luck = floored
        .sheet
        .stats
        .iter_mut()
        .find(|stat| stat.id == "luck");
    luck.unwrap().floor = Some(9);
    assert_eq!(best(floored.clone(), hero).to_string(), "1/2");
    assert!(with > BigRational::new(1.into(), 2.into()));
    floored.sheet.stats.retain(|stat| stat.id != "luck");
    let error = Book::new(floored).unwrap_err();
    assert!(matches!(error, Error::Unknown { kind: "stat", .. }));
    let message = "the sheet: rules.luck";
    assert!(error.to_string().starts_with(message), "{error}");
}

/// The linter assumes that LUCK can be used up in a fight.
#[test]
fn the_linter_knows_that_luck_is_spent() {
    use oddsmith_gamebook::{Choice, Condition, Finding};
    let mut manuscript = in_turn(vec![Enemy::new(7, 2)]);
    let spent = Condition::Not(Box::new(Condition::at_least("luck", 7)));
    let weary = Choice::new("weary", Passage::lost()).when(spent);
    let fresh = Choice::new("fresh", Passage::won());
    manuscript.sections[1] = Section::new(2, Play::Choice(vec![weary, fresh]).into());
    let never = |manuscript: Manuscript| {
        let lint = Book::new(manuscript).unwrap().lint();
        let findings = lint.findings().iter();
        findings
            .filter(|f| matches!(f, Finding::NeverOpen { .. }))
            .count()
    };
    assert_eq!(never(manuscript.clone()), 0);
    manuscript.rules.luck_in_battle = false;
    assert_eq!(never(manuscript), 1);
}

/// A value above a lowered cap is cut, and one below a floor is lifted, only by a test of LUCK; and
/// a test may be left out.
#[test]
fn the_linter_knows_that_luck_need_not_be_spent() {
    use oddsmith_gamebook::{Choice, Condition, Effect};
    let lint = |hero: Character, before: Vec<Effect>, wanted: Condition| {
        let mut manuscript = in_turn(vec![Enemy::new(7, 2)]);
        let mut stats = manuscript.sheet.stats.iter_mut();
        stats.find(|stat| stat.id == "luck").unwrap().floor = Some(0);
        manuscript.sections[0].passage.effects = before;
        let wanted = Choice::new("as before", Passage::won()).when(wanted);
        let other = Choice::new("otherwise", Passage::lost());
        manuscript.sections[1] = Section::new(2, Play::Choice(vec![wanted, other]).into());
        let book = Book::new(manuscript).unwrap();
        let value = book.solve(hero.clone()).unwrap().value().clone();
        assert!(value > BigRational::from_integer(0.into()));
        book.lint_up_to(hero, 1_000).unwrap()
    };
    let hero = |luck: i16| {
        let hero = Character::new().stat("skill", 9).stat("stamina", 9);
        hero.stat("luck", 7).now("luck", luck)
    };
    let cap = vec![Effect::RaiseCap([("luck".to_owned(), -2)].into())];
    let lowered = lint(hero(7), cap, Condition::at_least("luck", 7));
    let mut findings = lowered.findings().iter();
    let never = findings.any(|finding| finding.kind() == "never-open");
    assert!(lowered.can_be_won() && !never, "{lowered:?}");
    let sunk = Condition::Not(Box::new(Condition::at_least("luck", 0)));
    let below = lint(hero(-1), Vec::new(), sunk);
    assert!(below.can_be_won(), "{below:?}");
}
