//! Books that would need more than any memory, or more than their own text: rejected before the
//! work is done.

use crate::words::hero;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Amount, Book, BookSolver, Cap, Character, Choice, Condition, Effect, Enemy, Error, Escape,
    Fight, FightOrder, FollowLimits, Hazard, Item, Manuscript, Passage, Play, RandomLoss,
    RepeatedEffects, RuleSet, Section, Shop, Stat, Wager, WeightedEffects,
};
use oddsmith_mdp::{AtRandom, Solver};

fn book(passage: Passage) -> Manuscript {
    let mut book = Manuscript::new("test");
    book.sections = vec![Section::new(1, passage), Section::new(2, Passage::won())];
    book
}

fn after(effects: Vec<Effect>) -> Passage {
    Passage {
        effects,
        ..Passage::to(2)
    }
}

#[track_caller]
fn refused(book: Manuscript, message: &str) {
    assert_eq!(Book::new(book).unwrap_err().to_string(), message);
}

/// Chance branches too far: the solver reports this with the place.
#[track_caller]
fn stopped(book: Manuscript) {
    let book = Book::new(book).unwrap();
    assert!(book.lint().can_be_won());
    let error = book.solve_with(hero(), Solver::float()).unwrap_err();
    let refused = matches!(error, Error::Solve(oddsmith_mdp::Error::Refused { .. }));
    let text = error.to_string();
    assert!(refused && text.contains("section 1"), "{text}");
    assert!(
        text.contains("too many outcomes are possible at once"),
        "{text}"
    );
}

fn repeated(effect: Effect, times: u16) -> Effect {
    Effect::Repeat(RepeatedEffects {
        times,
        condition: None,
        effects: vec![effect],
    })
}

/// 20 times 20 times 20 times an effect takes one line of text. Every repetition counts as an
/// effect too: (((1 + 1) · 20 + 1) · 20 + 1) · 20 are 16,420.
#[test]
fn repetitions_of_repetitions() {
    let twice = repeated(repeated(Effect::change("luck", 1), 20), 20);
    assert!(Book::new(book(after(vec![twice.clone()]))).is_ok());
    let most = repeated(twice.clone(), 12);
    assert!(Book::new(book(after(vec![most]))).is_ok());
    let problem = "there are more than 10,000 effects, counting repetitions";
    refused(
        book(after(vec![repeated(twice.clone(), 13)])),
        &format!("section 1: effects: {problem}"),
    );
    refused(
        book(after(vec![repeated(repeated(twice, 20), 20)])),
        &format!("section 1: effects[0].repeat.effects: {problem}"),
    );
}

/// What does not fit on a packed sheet is rejected when the book is read, and not when it is
/// played.
#[test]
fn more_than_a_sheet_holds() {
    let stat = |number: usize| Stat {
        cap: Some(Cap::At(9)),
        ..Stat::new(format!("stat{number}"), 0)
    };
    // SKILL, STAMINA and LUCK are three.
    let with = |count: usize| {
        let mut book = book(Passage::to(2));
        book.sheet.stats.extend((0..count).map(stat));
        book
    };
    assert!(Book::new(with(5)).is_ok());
    refused(
        with(6),
        "the sheet has 9 stats, which exceeds the limit of 8",
    );

    let raised = |stats: &[&str]| {
        let by = stats.iter().map(|stat| ((*stat).to_owned(), 1));
        let mut book = with(3);
        book.sections[0].leave = vec![Effect::RaiseCap(by.collect())];
        book
    };
    assert!(Book::new(raised(&["luck", "skill"])).is_ok());
    refused(
        raised(&["luck", "skill", "stat0"]),
        "the sheet has 9 stats and raised caps, which exceeds the limit of 8",
    );

    let mut much = book(Passage::to(2));
    much.sheet.items = (0..100).map(|n| Item::new(format!("item{n}"))).collect();
    much.sheet.flags = (0..28).map(|n| format!("flag{n}")).collect();
    assert!(Book::new(much.clone()).is_ok());
    much.sheet.flags.push("last".into());
    let message = "the sheet has 129 items and flags, which exceeds the limit of 128";
    refused(much, message);
}

/// Fights and shops need stats that the rules name; the error says which rule.
#[test]
fn stats_that_the_rules_name() {
    let foes = vec![Enemy::new(7, 4)];
    let fight = Fight::new(foes, Passage::to(2));
    let mut fighting = book(Play::Fight(Box::new(fight)).into());
    fighting.sheet.stats.remove(0);
    let message = "section 1: fight (by rules.skill): there is no stat \"skill\" on the sheet";
    refused(fighting, message);
    // A name that is given explicitly must exist, even if nothing uses it.
    let misspelt = |rules| {
        let mut book = book(Passage::to(2));
        book.rules = rules;
        book
    };
    let (luck, money) = ("luk".to_owned(), "silver".to_owned());
    refused(
        misspelt(RuleSet {
            luck,
            ..RuleSet::default()
        }),
        "the sheet: rules.luck: there is no stat \"luk\" on the sheet: did you mean \"luck\"?",
    );
    refused(
        misspelt(RuleSet {
            money,
            ..RuleSet::default()
        }),
        "the sheet: rules.money: there is no stat \"silver\" on the sheet",
    );
    let shop = Shop {
        sells: vec![],
        buys: vec![],
        leave: Passage::to(2),
    };
    let trading = book(Play::Shop(Box::new(shop)).into());
    let message = "section 1: shop (by rules.money): there is no stat \"gold\" on the sheet";
    refused(trading, message);
}

#[test]
fn names_that_cannot_be_read() {
    let mut nameless = book(Passage::to(2));
    nameless.sheet.items.push(Item::new(" "));
    let message = "the sheet: id: the ids of stats, items and flags must not be blank";
    refused(nameless, message);
}

#[test]
fn conditions_in_conditions() {
    let deep = |depth| {
        let mut condition = Condition::at_least("luck", 1);
        for _ in 0..depth {
            condition = Condition::Not(Box::new(condition));
        }
        let option = Choice::new("on", Passage::to(2)).when(condition);
        book(Play::Choice(vec![option]).into())
    };
    // The option, its condition, and its comparisons are steps too.
    let book = Book::new(deep(27)).unwrap();
    assert_eq!(book.solve(hero()).unwrap().value().to_string(), "0");
    let error = Book::new(deep(28)).unwrap_err().to_string();
    let message = "passages, effects and conditions are nested more than 30 deep";
    assert!(error.ends_with(message), "{error}");
    assert!(Book::new(deep(2_000)).is_err());
}

/// Books nested as deeply as allowed can be written and read again.
#[test]
#[cfg(feature = "toml")]
fn the_deepest_book_in_both_formats() {
    let mut condition = Condition::Any(vec![Condition::Flag("f".into())]);
    for _ in 0..25 {
        condition = Condition::Any(vec![condition]);
    }
    let option = Choice::new("on", Passage::to(2)).when(condition.clone());
    let mut book = book(Play::Choice(vec![option]).into());
    book.sheet.flags.push("f".into());
    let deepest = Book::new(book.clone()).unwrap();
    let json = deepest.to_json().unwrap();
    assert_eq!(Book::from_json(&json, "json").unwrap(), deepest);
    let toml = deepest.to_toml().unwrap();
    assert_eq!(Book::from_toml(&toml, "toml").unwrap(), deepest);
    let deeper = Condition::Any(vec![Condition::Any(vec![Condition::Any(vec![condition])])]);
    let option = Choice::new("on", Passage::to(2)).when(deeper);
    book.sections[0].passage = Play::Choice(vec![option]).into();
    assert!(Book::new(book).is_err());
}

/// Four stats, six dice with a hundred sides each: 10¹¹ sheets.
#[test]
fn dice_on_many_stats() {
    let roll = |stat: &str| (stat.to_owned(), "6d100".parse().unwrap());
    let names = ["a", "b", "c", "d"];
    let mut book = book(after(vec![Effect::Change(names.map(roll).into())]));
    book.sheet.stats.extend(names.map(|id| Stat::new(id, 0)));
    stopped(book.clone());
    // On one stat, repeatedly: as many sheets as there are sums, from 10 to 1,000, on arrival and
    // after it.
    let roll = Effect::Change([("a".to_owned(), "1d100".parse().unwrap())].into());
    book.sections[0].passage = after(vec![repeated(roll, 10)]);
    let plan = Book::new(book).unwrap().solve_with(hero(), Solver::float());
    assert_eq!(plan.unwrap().solution().len(), 1 + 2 * 991);
}

/// Three of 120 items can be lost in 280,840 ways.
#[test]
fn everything_is_lost_at_random() {
    let loss = |count| Effect::LoseRandom(RandomLoss { count, tag: None });
    let mut book = book(after(vec![loss(3)]));
    let names = (0..120).map(|item| format!("item_{item}"));
    book.sheet.initial_items = names.clone().collect();
    book.sheet.items = names.map(|name| Item::new(&name)).collect();
    stopped(book.clone());
    book.sections[0].passage = after(vec![loss(2)]);
    let plan = Book::new(book).unwrap().solve_with(hero(), Solver::float());
    assert_eq!(plan.unwrap().solution().len(), 1 + 2 * (120 * 119 / 2));
}

/// The distributions of such a fight, all in fractions, would fill a disk. It is fought round by
/// round instead.
#[test]
fn a_fight_of_hundreds_of_rounds() {
    let fight = Fight::new(
        [Enemy {
            damage: 1,
            ..Enemy::new(7, 400)
        }],
        Passage::to(2),
    );
    let book = Book::new(book(Play::Fight(Box::new(fight)).into())).unwrap();
    let hero = hero().stat("stamina", 240);
    let plan = book.solve_with(hero, Solver::float()).unwrap();
    // 200 heads of a coin before 240 tails: by the number of tails still to come, from one head to
    // the next.
    let mut wins = vec![1.0; 241];
    for _ in 0..200 {
        wins[0] = 0.0;
        for tails in 1..=240 {
            wins[tails] = (wins[tails] + wins[tails - 1]) / 2.0;
        }
    }
    assert!((plan.value() - wins[240]).abs() < 1e-12, "{}", plan.value());
    assert!(plan.solution().len() > 200 * 240);
}

/// The error for a limit says how to raise it.
#[test]
fn limits_name_the_method_that_raises_them() {
    let refused = |book: &Book, limited: fn(BookSolver<'_>) -> BookSolver<'_>| {
        let game = book.game(hero()).unwrap();
        let solver = BookSolver::new(&game).sheet_by_sheet(0);
        limited(solver).solve(game.start()).unwrap_err().to_string()
    };
    let toss = Book::builder().chance(1, [(2, 1), (3, 1), (1, 30)]);
    let toss = toss.won(2).lost(3).build().unwrap();
    for (error, said) in [
        (
            refused(&toss, |solver| solver.max_sweeps(10)),
            "sweeps through a ring of sections exceeds the limit of 10, at section 1, with 1 region found; raise it with `BookSolver::max_sweeps`",
        ),
        (
            refused(&toss, |solver| solver.max_regions(0)),
            "regions exceeds the limit of 0, at section 1, with 0 regions found; raise it with `BookSolver::max_regions`",
        ),
        (
            refused(&toss, |solver| solver.max_bytes(10)),
            "bytes exceeds the limit of 10, at section 1, with 1 region found; raise it with `BookSolver::max_bytes`",
        ),
    ] {
        assert_eq!(error, format!("the number of {said}"));
    }
    // One coin at a time, until there are 500 for a ship.
    let mut mint = Manuscript::new("mint");
    mint.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("gold", 0)
    });
    let minted = Passage {
        effects: vec![Effect::change("gold", 1)],
        play: Play::Turn(1),
    };
    let ship = Choice::new("buy", Passage::won()).when(Condition::at_least("gold", 500));
    let options = vec![Choice::new("mint", minted), ship];
    mint.sections = vec![Section::new(1, Play::Choice(options).into())];
    let error = refused(&Book::new(mint).unwrap(), |solver| solver.max_values(100));
    let said = "give gold a cap and a floor with fewer values between them, or raise the limit with `BookSolver::max_values`";
    assert!(error.ends_with(said), "{error}");
}

/// A walk that cannot be followed is reported with the last section before the problem that does
/// more than lead on, and not with the first section.
#[test]
fn what_is_not_followed_is_told_where_it_is() {
    let solved = |there: Passage| {
        let mut nine = book(Passage::to(4));
        nine.sheet.stats.push(Stat::new("gold", 0));
        let ways = [("north", 9), ("south", 12)].map(|(way, to)| Choice::new(way, Passage::to(to)));
        nine.sections
            .push(Section::new(4, Play::Choice(ways.to_vec()).into()));
        nine.sections.push(Section::new(9, there));
        nine.sections.push(Section::new(12, Passage::to(2)));
        let game = Book::new(nine).unwrap().game(hero()).unwrap();
        BookSolver::new(&game).solve(game.start()).unwrap_err()
    };
    let coins = repeated(Effect::change("gold", 10_000), 4);
    let stat = "gold".to_owned();
    assert_eq!(
        solved(after(vec![coins])),
        Error::StatOverflows { section: 4, stat }
    );
    let row = repeated(repeated(Effect::change("luck", -1), 20), 20);
    let error = solved(after(vec![row.clone(), row]));
    let branches = "from section 4 on, effects or conditions branch too widely or too deeply";
    assert!(error.to_string().starts_with(branches), "{error}");
}

/// A game of dice for gold within 1,000, four rounds; a hero with all of it has won.
fn rolls(effects: Vec<Effect>) -> Result<f64, Error> {
    let round = WeightedEffects { weight: 1, effects };
    let game = Wager {
        rounds: 4,
        condition: None,
        free: true,
        round: vec![round],
        after: Passage::to(2),
    };
    let mut rolls = book(Play::Game(Box::new(game)).into());
    for name in ["gold", "gems"] {
        rolls.sheet.stats.push(Stat {
            cap: Some(Cap::At(1_000)),
            floor: Some(0),
            ..Stat::new(name, 500)
        });
    }
    let rich = Choice::new("show it", Passage::won());
    let rich = rich.when(Condition::at_least("gold", 1_000));
    let gems = Choice::new("show them", Passage::won());
    let gems = gems.when(Condition::at_least("gems", 1_000));
    rolls.sections[1].passage = Play::Choice(vec![rich, gems]).into();
    let game = Book::new(rolls).unwrap().game(hero()).unwrap();
    Ok(BookSolver::new(&game).solve(game.start())?.win())
}

fn roll(stat: &str, dice: &str) -> Effect {
    Effect::change(stat, dice.parse::<Amount>().unwrap())
}

/// Regression: each roll was one step, and moved a thousand values: three million of them took
/// minutes.
#[test]
fn steps_cost_what_they_move() {
    let both = vec![roll("gold", "1d100-50"), roll("gems", "1d100-50")];
    let both = RepeatedEffects {
        times: 3,
        condition: None,
        effects: both,
    };
    let error = rolls(vec![Effect::Repeat(both)]).unwrap_err();
    let problem = "effects or conditions branch too widely or too deeply; solve the book state by \
                   state with `Book::solve_with` and a higher limit (`max_states`)"
        .to_owned();
    assert_eq!(
        error,
        Error::NotFollowed {
            section: 1,
            problem
        }
    );
    let twice = |dice| rolls(vec![repeated(roll("gold", dice), 2)]).unwrap();
    // Four rounds of two rolls add 400 at most.
    assert_eq!(twice("1d100-50"), 0.0);
    assert!(twice("1d100-20") > 0.0);
}

/// Regression: three rolls of a hundred sides were a million rows; they are three hundred sums.
#[test]
fn rows_of_throws_with_one_sum_are_followed_once() {
    let found = rolls(vec![repeated(roll("gold", "1d100-50"), 3)]).unwrap();
    let mut chances = vec![0.0; 1_001];
    chances[500] = 1.0;
    let mut won = 0.0;
    for _ in 0..4 {
        for _ in 0..3 {
            let before = std::mem::replace(&mut chances, vec![0.0; 1_001]);
            for (gold, chance) in before.into_iter().enumerate() {
                for side in 1..=100 {
                    let after = (gold as i32 + side - 50).clamp(0, 1_000);
                    chances[after as usize] += chance / 100.0;
                }
            }
        }
        won += std::mem::take(&mut chances[1_000]);
    }
    assert!(won > 4e-9);
    assert!((found / won - 1.0).abs() < 1e-12, "{found} for {won}");
}

/// Regression: a hero dies of nested repetitions on arrival, of nine throws of two dice each: 387
/// million rows, but few sheets. They were rejected.
#[test]
fn nested_repetitions_of_throws_are_followed() {
    let mut nested = Manuscript::new("test");
    for (name, initial) in [("honour", 3), ("meals", 2)] {
        nested.sheet.stats.push(Stat {
            floor: Some(0),
            ..Stat::new(name, initial)
        });
    }
    nested
        .sheet
        .items
        .extend(["axe", "bow", "cup"].map(Item::new));
    let steal = Effect::LoseRandom(RandomLoss {
        count: 1,
        tag: None,
    });
    let harm = RepeatedEffects {
        times: 2,
        condition: None,
        effects: vec![steal, Effect::change("stamina", -1)],
    };
    let throws = RepeatedEffects {
        times: 3,
        condition: None,
        effects: vec![
            Effect::change("meals", -2),
            roll("honour", "1d3-2"),
            roll("luck", "2d2-3"),
        ],
    };
    let both = RepeatedEffects {
        times: 3,
        condition: None,
        effects: vec![Effect::Repeat(harm), Effect::Repeat(throws)],
    };
    let lucky = Choice::new("", Passage::won()).when(Condition::at_least("luck", 9));
    let proud = Choice::new("", Passage::won()).when(Condition::at_least("honour", 6));
    nested.sections = vec![
        Section::new(1, after(vec![Effect::Repeat(both)])),
        Section::new(2, Play::Choice(vec![lucky, proud]).into()),
    ];
    let book = Book::new(nested).unwrap();
    for stamina in [1, 7] {
        let hero = hero().stat("stamina", stamina).item("axe").item("cup");
        let game = book.game(hero).unwrap();
        let solver = BookSolver::new(&game);
        let found = solver.solve(game.start()).unwrap();
        let exact = solver.solve_exact(game.start()).unwrap().to_f64().unwrap();
        assert!((found.win() - exact).abs() <= found.error().unwrap());
        assert_eq!(exact > 0.0, stamina > 6);
    }
}

/// Regression: the rounds of a fight were counted only after all were computed: fifty times the
/// limit, after minutes.
#[test]
fn a_fight_keeps_to_the_memory_while_it_is_worked_out() {
    let mut long = long_fight();
    long.rules.luck_in_battle = true;
    let book = Book::new(long).unwrap();
    let hero = Character::new().stat("skill", 9).stat("luck", 12);
    let game = book.game(hero.stat("stamina", 100)).unwrap();
    let solver = BookSolver::new(&game).max_bytes(10 << 20);
    let refused = solver.solve(game.start()).unwrap_err();
    let said = "the number of bytes exceeds the limit of 10485760";
    assert!(refused.to_string().starts_with(said), "{refused}");
    // With this little STAMINA it is enough.
    let hero = Character::new().stat("skill", 9).stat("luck", 0);
    let game = book.game(hero.stat("stamina", 4)).unwrap();
    let solver = BookSolver::new(&game).max_bytes(10 << 20);
    assert!(solver.solve(game.start()).is_ok());
}

/// Dice on two stats at once: one place with a thousand outcomes, which no limit on places counts.
#[test]
fn few_places_of_many_outcomes() {
    let rolled = |stat: &str| Effect::Change([(stat.to_owned(), "6d6".parse().unwrap())].into());
    let mut dice = book(after(vec![rolled("gold"), rolled("silver")]));
    for stat in ["gold", "silver"] {
        dice.sheet.stats.push(Stat {
            floor: Some(0),
            ..Stat::new(stat, 0)
        });
    }
    let dice = Book::new(dice).unwrap();
    let solve = |most| dice.solve_with(hero(), Solver::float().max_outcomes(most));
    // Each of the sheets leads on to the end.
    let all = 2 * 31 * 31;
    let plan = solve(all).unwrap();
    assert_eq!((plan.value(), plan.solution().len()), (1.0, 1 + all));
    assert!(solve(all - 1).is_err());
    let most = 31 * 31 - 1;
    let outgrown = |error: Error, wanted: usize| {
        let told = error.to_string();
        let told = told.contains("of state section 1 (") && told.contains("`max_outcomes`");
        let Error::Solve(oddsmith_mdp::Error::OutcomesOutgrow { done, limit, .. }) = error else {
            unreachable!("{error}")
        };
        assert!(told && done == 0 && limit == wanted, "{done} {limit}");
    };
    outgrown(solve(most).unwrap_err(), most);
    let limits = FollowLimits::default();
    let follow = |limits| dice.follow_within::<f64>(hero(), AtRandom, limits);
    let journey = follow(limits.max_outcomes(all)).unwrap();
    assert_eq!(journey.value(), &1.0);
    outgrown(follow(limits.max_outcomes(most)).unwrap_err(), most);
    outgrown(follow(limits.max_outcomes(0)).unwrap_err(), 0);
    let error = follow(limits.max_places(100)).unwrap_err();
    assert_eq!(error, Error::JourneyTooLarge { limit: 100 });
    // The advice must be a method that the caller has.
    assert!(
        error
            .to_string()
            .ends_with("raise it with `FollowLimits::max_places`"),
        "{error}"
    );
}

/// What is held first has to go with what is held last, and so on inwards: a condition with as many
/// parts as there are sets of the first half of the items.
#[test]
fn a_condition_keeps_to_the_memory_while_it_is_worked_out() {
    const THINGS: usize = 40;
    let thing = |number: usize| format!("thing {number}");
    let mut manuscript = Manuscript::new("pairs");
    manuscript.sheet.items = (0..THINGS).map(|number| Item::new(thing(number))).collect();
    let gain = |number: usize| vec![Effect::Gain(thing(number))];
    for (number, section) in (0..THINGS).zip(1..) {
        let on = |effects: Vec<Effect>| Passage {
            effects,
            ..Passage::to(section + 1)
        };
        let options = vec![
            Choice::new("take it", on(gain(number))),
            Choice::new("leave it", on(Vec::new())),
        ];
        let section = Section::new(section, Play::Choice(options).into());
        manuscript.sections.push(section);
    }
    let has = |number: usize| Condition::Has(thing(number));
    let pair = |number: usize| {
        let other = Condition::Not(Box::new(has(THINGS - 1 - number)));
        Condition::Any(vec![has(number), other])
    };
    let all = Condition::All((0..THINGS).map(pair).collect());
    let options = vec![
        Choice::new("in", Passage::won()).when(all),
        Choice::new("by", Passage::lost()),
    ];
    let last = Section::new(THINGS as u32 + 1, Play::Choice(options).into());
    manuscript.sections.push(last);
    let game = Book::new(manuscript).unwrap().game(hero()).unwrap();
    let solver = BookSolver::new(&game).max_bytes(1 << 22);
    let error = solver.solve(game.start()).unwrap_err();
    let refused = matches!(
        error,
        Error::BookTooLarge {
            what: "bytes",
            limit: 0x40_0000,
            ..
        }
    );
    assert!(refused, "{error}");
}

/// Two foes at once, with hazards, and running is possible after the hundredth round.
fn long_fight() -> Manuscript {
    let foe = Enemy {
        damage: 1,
        hazard: Some(Hazard {
            chance: 1,
            of: 6,
            damage: 1,
        }),
        ..Enemy::new(9, 20)
    };
    let fight = Fight {
        order: FightOrder::AtOnce,
        escape: Some(Escape {
            cost: 1,
            ..Escape::new(100, Passage::to(2))
        }),
        ..Fight::new([foe.clone(), foe], Passage::to(2))
    };
    let mut long = book(Play::Fight(Box::new(fight)).into());
    long.rules.hit = 1;
    long
}
