//! Regressions: faults that were found, each with the right result computed by hand.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_lonewolf::{
    Act, ActionChart, Adventure, Book, BookSolver, Branch, Case, Chance, Clash, Combat,
    CombatTable, Condition, Decision, Discipline, Effect, Error, Foe, Item, Manuscript, Outcome,
    Rules, Section,
};
use oddsmith_mdp::Node;

/// Sections from 1 on, the last of which wins.
fn book(decisions: Vec<Decision>) -> Result<Book, Error> {
    let won = decisions.len() as u16 + 1;
    let end = Decision::Then(Outcome::Won);
    let sections = (1..).zip(decisions.into_iter().chain([end]));
    let sections = sections.map(|(number, decision)| Section { number, decision });
    Book::new(Manuscript::new("case", 1, won, sections.collect()))
}

fn exact(decision: Decision, hero: &ActionChart) -> String {
    let book = book(vec![decision]).unwrap();
    let mut solver = BookSolver::new(&book);
    let mut solved = solver.solve(hero).unwrap();
    let exact = solved.exact().unwrap();
    let float = num_traits::ToPrimitive::to_f64(&exact).unwrap();
    assert!((solved.win() - float).abs() <= solved.error());
    exact.to_string()
}

fn chart(endurance: i64) -> ActionChart {
    ActionChart::new(10, endurance).unwrap()
}

/// The Sommerswerd did double damage to the undead even if it was not drawn.
#[test]
fn bare_hands_do_the_undead_no_double_damage() {
    let fight = |bare_handed| {
        Decision::Then(Outcome::Fight {
            foe: Foe {
                undead: true,
                bare_handed,
                ..Foe::new("Ghoul", 10, 20)
            },
            won: Box::new(Outcome::Goto(2)),
        })
    };
    for weapon in [Item::Sword, Item::Sommerswerd] {
        let hero = chart(10).item(weapon).unwrap();
        assert_eq!(exact(fight(true), &hero), "891/2500", "{weapon}");
    }
    let hero = chart(10).item(Item::Sommerswerd).unwrap();
    assert_ne!(exact(fight(false), &hero), "891/2500");
}

/// A hero who sold the helmet kept its ENDURANCE until the next healing.
#[test]
fn who_sells_his_armour_loses_its_endurance() {
    let wearing = Condition::Item {
        item: Item::Helmet,
        count: 1,
    };
    let then = |effects: Vec<Effect>| Outcome::Do {
        effects,
        then: Box::new(Outcome::Goto(2)),
    };
    let sell = |effects: Vec<Effect>| Decision::Sell {
        item: Item::Helmet,
        price: 1,
        next: Box::new(Decision::Then(Outcome::Branch(vec![
            Case {
                condition: wearing.clone(),
                then: Outcome::Lost,
            },
            Case {
                condition: Condition::Always,
                then: then(effects),
            },
        ]))),
    };
    let hero = || chart(10).item(Item::Helmet).unwrap();
    assert_eq!(exact(sell(vec![Effect::Damage(11)]), &hero()), "0");
    assert_eq!(exact(sell(vec![Effect::Damage(10)]), &hero()), "0");
    assert_eq!(exact(sell(vec![Effect::Damage(9)]), &hero()), "1");
    let healed = vec![Effect::Heal(1), Effect::Damage(9)];
    assert_eq!(exact(sell(healed), &hero()), "1");
    // A hero wounded below the maximum without the helmet loses nothing by selling it.
    let wounded = hero().wounded(5).unwrap();
    assert_eq!(exact(sell(vec![Effect::Damage(4)]), &wounded), "1");
    assert_eq!(exact(sell(vec![Effect::Damage(5)]), &wounded), "0");
}

fn chance(numbers: u8, to: u16) -> Decision {
    Decision::Then(Outcome::Random(vec![
        Chance {
            numbers,
            then: Outcome::Goto(to),
        },
        Chance {
            numbers: 10 - numbers,
            then: Outcome::Lost,
        },
    ]))
}

/// Errors were stated as relative even for numbers too small for full precision: the less likely
/// option was taken, and 0 was reported as correct to all digits.
#[test]
fn what_is_nearly_impossible_is_told_within_its_error() {
    // A chance of 1 in 10, 324 times in a row.
    let steps: Vec<Decision> = (1..=324).map(|at| chance(1, at + 1)).collect();
    let long = book(steps).unwrap();
    let mut solver = BookSolver::new(&long);
    let mut solved = solver.solve(&chart(10)).unwrap();
    let exact = solved.exact().unwrap();
    assert_eq!(
        exact,
        BigRational::new(BigInt::from(1), BigInt::from(10).pow(324))
    );
    assert!(solved.win() <= solved.error() && solved.error() < 1e-300);

    // Nine tenths, twenty times in a row, is less than four tenths once.
    let mut decisions = vec![Decision::Choose(vec![
        Branch::to(Decision::Then(Outcome::Goto(2))),
        Branch::to(chance(4, 22)),
    ])];
    decisions.extend((2..22).map(|at| chance(9, at + 1)));
    decisions.push(chance(5, 23));
    decisions.extend((23..346).map(|at| chance(1, at + 1)));
    let both = book(decisions).unwrap();
    let mut solver = BookSolver::new(&both);
    let exact = solver.solve(&chart(10)).unwrap().exact().unwrap();
    assert_eq!(
        exact,
        BigRational::new(BigInt::from(1), BigInt::from(5) * BigInt::from(10).pow(323))
    );
}

/// The number of rounds overflowed.
#[test]
fn rounds_without_end_are_counted_as_far_as_they_matter() {
    for after in [0, 1, u16::MAX] {
        let skirmish = Combat::new(10, 5, 10, 5).unwrap().evade_after(after);
        let clash = Clash {
            hero: 5,
            foe: 5,
            rounds: u16::MAX,
            away: false,
        };
        let node = Node::of(&skirmish, &clash).unwrap();
        assert_eq!(node.len(), 2, "{after}");
    }
}

/// Sums of chances were rounded to 1.0000000000000002.
#[test]
fn no_chance_is_above_one() {
    for foe in 10..24 {
        let sure = Decision::Then(Outcome::Fight {
            foe: Foe::new("Giak", 10, foe),
            won: Box::new(Outcome::Goto(2)),
        });
        let book = book(vec![sure]).unwrap();
        let hero = ActionChart::new(40, 10).unwrap().item(Item::Sword).unwrap();
        let mut solver = BookSolver::new(&book);
        let mut solved = solver.solve(&hero).unwrap();
        let start = solved.start();
        let advice = solved.advice(&start).unwrap();
        let journey = solved.journey().unwrap();
        let told = [solved.win(), journey.won(), advice[0].win];
        assert!(
            told.iter().all(|win| (1.0 - 1e-12..=1.0).contains(win)),
            "{told:?}"
        );
    }
}

fn acts(book: &Book, hero: &ActionChart) -> Vec<Act> {
    let mut solver = BookSolver::new(book).rules(Rules::printed());
    let mut solved = solver.solve(hero).unwrap();
    let start = solved.start();
    let mut advice = solved.advice(&start).unwrap();
    advice.sort_by(|one, other| one.act.cmp(&other.act));
    advice.into_iter().map(|one| one.act).collect()
}

/// Two options with the same target had the same name, and so had the first options of two nested
/// choices.
#[test]
fn options_are_told_apart() {
    let pay = |count| Decision::When {
        condition: Condition::Item {
            item: Item::Gold,
            count,
        },
        decision: Box::new(Decision::Then(Outcome::Do {
            effects: vec![Effect::Lose {
                item: Item::Gold,
                count,
            }],
            then: Box::new(Outcome::Goto(2)),
        })),
    };
    let nested = Decision::Choose(vec![
        Branch::to(Decision::Choose(vec![
            Branch::to(chance(1, 2)),
            Branch::to(pay(2)),
        ])),
        Branch::to(Decision::When {
            condition: Condition::Discipline(Discipline::Tracking),
            decision: Box::new(chance(2, 2)),
        }),
        Branch::to(pay(1)),
        Branch {
            label: Some("shout".into()),
            decision: chance(3, 2),
        },
        Branch::to(chance(4, 2)),
    ]);
    let book = book(vec![nested]).unwrap();
    let shout = || Act::Named("shout".into());
    let rich = acts(&book, &chart(10).gold(2).unwrap());
    let expected = [1, 2, 4, 6].map(Act::Option).into_iter().chain([shout()]);
    assert_eq!(rich, expected.collect::<Vec<_>>());
    // The section alone is a sufficient name if only one option leads to it.
    let poor = acts(&book, &chart(10).gold(1).unwrap());
    assert_eq!(
        poor,
        [Act::Turn(2), Act::Option(1), Act::Option(6), shout()]
    );
}

/// Weaponskill in the Sommerswerd was accepted, but had no effect.
#[test]
fn nobody_is_trained_with_what_there_is_one_of() {
    for item in [Item::Sommerswerd, Item::MagicSpear, Item::Meal] {
        let skill = Discipline::Weaponskill(item);
        let learnt = chart(10).discipline(skill);
        assert!(matches!(learnt, Err(Error::NoWeapon { given }) if given == item));
        let word = item.to_string();
        assert!(word.parse::<Discipline>().is_err(), "{word}");
        let asked = Decision::When {
            condition: Condition::Discipline(skill),
            decision: Box::new(Decision::Then(Outcome::Goto(2))),
        };
        let error = book(vec![asked]).unwrap_err().to_string();
        assert!(
            error.contains(&format!("Weaponskill cannot be learnt for {item}")),
            "{error}"
        );
    }
}

/// A byte order mark, which some editors write, was rejected as invalid JSON.
#[cfg(feature = "serde")]
#[test]
fn books_with_a_mark_of_the_order_of_bytes_are_read() {
    let text = book(vec![chance(5, 2)]).unwrap().to_json().unwrap();
    let read = Book::from_json(&format!("\u{feff}{text}"), "marked.json");
    assert_eq!(read.unwrap().to_json().unwrap(), text);
}

fn last_at(won: u16) -> Decision {
    Decision::Then(Outcome::Fight {
        foe: Foe::new("Giak", 10, 10),
        won: Box::new(Outcome::Goto(won)),
    })
}

/// A potion of strength drunk before a combat that never took place had an effect in the next
/// combat, any number of sections later.
#[test]
fn potions_of_strength_do_not_wait_for_another_combat() {
    let fight = |continued| Outcome::Fight {
        foe: Foe {
            continued,
            ..Foe::new("Giak", 10, 10)
        },
        won: Box::new(Outcome::Goto(2)),
    };
    // With probability 1/2 there is no combat in the first section; there is always one in the
    // third.
    let line = |numbers, then| Chance { numbers, then };
    let lines = vec![line(5, fight(false)), line(5, Outcome::Goto(2))];
    let perhaps = || Decision::Then(Outcome::Random(lines.clone()));
    let pass = || Decision::Then(Outcome::Goto(3));
    let win = |decisions: Vec<Decision>, potions| {
        let book = book(decisions).unwrap();
        let mut solver = BookSolver::new(&book).rules(Rules::printed());
        let hero = ActionChart::new(10, 12).unwrap().item(Item::Sword).unwrap();
        let hero = (0..potions).fold(hero, |hero, _| hero.item(Item::StrengthPotion).unwrap());
        solver.solve(&hero).unwrap().exact().unwrap()
    };
    // By hand: two combats with the given bonuses, the second of them with the remaining ENDURANCE;
    // or the second combat alone.
    let once = |bonus, endurance| {
        let combat = Combat::new(10 + bonus, endurance, 10, 10).unwrap();
        combat.win().unwrap()
    };
    let both = |before, after| {
        let combat = Combat::new(10 + before, 12, 10, 10).unwrap();
        let left = combat.odds().unwrap().endurance_left().unwrap();
        let worth = (1..=12).map(|endurance| left.p(&endurance) * once(after, endurance));
        worth.sum::<BigRational>()
    };
    let two = BigRational::from_integer(2.into());
    let mean = |before, after, alone| (both(before, after) + once(alone, 12)) / &two;

    let three = |potions| win(vec![perhaps(), pass(), last_at(4)], potions);
    assert_eq!(three(0), mean(0, 0, 0));
    // A potion drunk before the first section is used up, with or without a combat.
    assert_eq!(three(1), mean(2, 0, 0).max(mean(0, 2, 2)));
    assert_eq!(three(2), mean(2, 2, 2));
    // It continues to work if another foe follows immediately, and nowhere else.
    let first = || Decision::Then(fight(true));
    assert_eq!(win(vec![first(), last_at(3)], 1), both(2, 2));
    let apart = win(vec![first(), pass(), last_at(4)], 1);
    assert_eq!(apart, both(2, 0).max(both(0, 2)));
}

/// A potion of strength continued to work after the hero had evaded a foe who is followed by
/// another, or had lost a trial of strength against one.
#[test]
fn potions_of_strength_end_where_a_combat_is_evaded_or_a_trial_is_lost() {
    let foe = |contest| Foe {
        continued: true,
        contest,
        ..Foe::new("Giak", 10, 10)
    };
    let hero = ActionChart::new(10, 12).unwrap().item(Item::Sword).unwrap();
    let strong = hero.clone().item(Item::StrengthPotion).unwrap();
    let once = |bonus, endurance| {
        let combat = Combat::new(10 + bonus, endurance, 10, 10).unwrap();
        combat.win().unwrap()
    };
    let win = |decision: Decision, hero: &ActionChart, rules| {
        let book = book(vec![decision, last_at(3)]).unwrap();
        let mut solver = BookSolver::new(&book).rules(rules);
        solver.solve(hero).unwrap().exact().unwrap()
    };
    // Only a hero who evades immediately reaches the second foe, and may be wounded in that round.
    let evade = || Decision::Evade {
        after: 0,
        to: 2,
        foe: foe(None),
        won: Outcome::Lost,
    };
    let fled = |before, after| {
        let table = CombatTable::standard();
        let left = table.round(before).map(|exchange| exchange.hero.leaves(12));
        let worth = left.map(|endurance| match endurance {
            0 => BigRational::zero(),
            _ => once(after, endurance.into()),
        });
        worth.into_iter().sum::<BigRational>() / BigRational::from_integer(10.into())
    };
    for rules in [Rules::printed(), Rules::printed().evade_in_combat(false)] {
        assert_eq!(win(evade(), &hero, rules), fled(0, 0));
        // It is best drunk before the second combat.
        assert_eq!(win(evade(), &strong, rules), fled(2, 0).max(fled(0, 2)));
    }
    // A hero who loses the trial reaches the second foe unhurt.
    let trial = || {
        Decision::Then(Outcome::Fight {
            foe: foe(Some(2)),
            won: Box::new(Outcome::Lost),
        })
    };
    let lost = |before, after| (BigRational::one() - once(before, 12)) * once(after, 12);
    assert_eq!(win(trial(), &hero, Rules::printed()), lost(0, 0));
    assert_eq!(
        win(trial(), &strong, Rules::printed()),
        lost(2, 0).max(lost(0, 2))
    );
}

/// The decisions by the yardstick rules, and the chance, for a hero who must leave the item.
fn bound(item: Item, then: Vec<Case>, hero: &ActionChart) -> (String, Vec<Act>) {
    let decision = Decision::Take {
        item,
        count: 1,
        next: Box::new(Decision::Then(Outcome::Branch(then))),
    };
    let book = book(vec![decision]).unwrap();
    let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    let mut solved = solver.solve(hero).unwrap();
    let start = Adventure::new(&book, hero, Rules::yardstick()).start();
    let advice = solved.advice(&start).unwrap();
    let acts = advice.iter().map(|line| line.act.clone()).collect();
    (solved.exact().unwrap().to_string(), acts)
}

/// Wins with at least `count` of an item, and loses with fewer.
fn with(item: Item, count: u8) -> Vec<Case> {
    let condition = Condition::Item { item, count };
    let case = |condition, then| Case { condition, then };
    vec![
        case(condition, Outcome::Goto(2)),
        case(Condition::Always, Outcome::Lost),
    ]
}

/// A Magic Spear did not count as a weapon of Weaponskill in spears, although it fights as one: a
/// Spear had to be taken in exchange for something, and the Magic Spear could be given away for it.
#[test]
fn a_magic_spear_is_the_weapon_of_a_skill_in_spears() {
    let hero = |weapon| {
        let skill = Discipline::Weaponskill(weapon);
        let hero = chart(10).discipline(skill).unwrap();
        let hero = hero.item(Item::MagicSpear).unwrap();
        hero.item(Item::Axe).unwrap()
    };
    let spearman = hero(Item::Spear);
    for kept in [Item::MagicSpear, Item::Axe] {
        let left = ("1".to_owned(), vec![Act::Leave(Item::Spear)]);
        assert_eq!(bound(Item::Spear, with(kept, 1), &spearman), left);
    }
    let for_axe = Act::Swap {
        take: Item::Sommerswerd,
        drop: Item::Axe,
    };
    let spear = with(Item::MagicSpear, 1);
    let kept = ("1".to_owned(), vec![for_axe]);
    assert_eq!(bound(Item::Sommerswerd, spear, &spearman), kept);
    // For a hero without that skill it is like any other weapon.
    let (_, acts) = bound(Item::Sommerswerd, with(Item::Axe, 1), &hero(Item::Sword));
    assert_eq!(acts.len(), 2);
}

/// With no room, an item already held that cannot be held twice was taken in exchange for another
/// one, which was lost for nothing.
#[test]
fn what_cannot_be_held_twice_takes_no_place() {
    let held = ("1".to_owned(), vec![Act::Go]);
    let hero = chart(10).item(Item::Sommerswerd).unwrap();
    let hero = hero.item(Item::Axe).unwrap();
    assert_eq!(bound(Item::Sommerswerd, with(Item::Axe, 1), &hero), held);
    let hero = chart(10).items(Item::Meal, 7).unwrap();
    let hero = hero.item(Item::PotionOf4).unwrap();
    assert_eq!(bound(Item::PotionOf4, with(Item::Meal, 7), &hero), held);
    // Another Meal can be held, so it is taken in exchange for something.
    let (_, acts) = bound(Item::Meal, with(Item::Meal, 7), &hero);
    assert_eq!(acts.len(), 2);
}

/// Regression test: the sum of rounded probabilities went above 1.
#[test]
fn cumulated_probabilities_are_at_most_one() {
    let mut above = 0;
    for endurance in 10..30 {
        let odds = Combat::new(15, endurance, 16, 25)
            .unwrap()
            .odds_f64()
            .unwrap();
        let lines = odds.by_likelihood().unwrap();
        let sum: f64 = lines.iter().map(|line| line.probability).sum();
        above += u32::from(sum > 1.0);
        assert!(lines.iter().all(|line| line.cumulated <= 1.0));
        assert!(
            lines
                .windows(2)
                .all(|pair| pair[0].cumulated <= pair[1].cumulated)
        );
    }
    assert!(above > 0);
}
