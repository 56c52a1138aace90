//! Simpler versions of a book, for shrinking.

use oddsmith_gamebook::{
    Effect, Enemy, Escape, FightCount, FightOrder, Item, Manuscript, Passage, Play, RefreshAt,
    RuleSet, Section,
};

use super::Rolled;

/// Replaces every link.
pub(crate) fn retarget(passage: &mut Passage, to: &impl Fn(u32) -> u32) {
    match &mut passage.play {
        Play::Turn(section) => *section = to(*section),
        play => inner(play)
            .into_iter()
            .for_each(|passage| retarget(passage, to)),
    }
}

/// The passages directly within this one.
pub(crate) fn inner(play: &mut Play) -> Vec<&mut Passage> {
    match play {
        Play::Choice(options) | Play::First(options) => options
            .iter_mut()
            .map(|option| &mut option.passage)
            .collect(),
        Play::Test(test) => vec![&mut test.success, &mut test.failure],
        Play::Fight(fight) => {
            let flee = fight.escape.as_mut().map(|escape| &mut escape.flee);
            std::iter::once(&mut fight.victory).chain(flee).collect()
        }
        Play::Shop(shop) => vec![&mut shop.leave],
        Play::Game(wager) => vec![&mut wager.after],
        Play::Random(branches) => {
            let branches = branches.iter_mut();
            branches.map(|branch| &mut branch.passage).collect()
        }
        _ => Vec::new(),
    }
}

/// Every copy with one entry removed, and with one simplified.
fn shorter<T: Clone>(list: &[T], least: usize, simpler: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    for (place, one) in list.iter().enumerate() {
        if list.len() > least {
            let mut without = list.to_vec();
            without.remove(place);
            all.push(without);
        }
        for simpler in simpler(one) {
            let mut with = list.to_vec();
            with[place] = simpler;
            all.push(with);
        }
    }
    all
}

fn leave<T>(_: &T) -> Vec<T> {
    Vec::new()
}

/// Effects with one removed, or replaced by one nested within it.
fn effects(list: &[Effect]) -> Vec<Vec<Effect>> {
    let mut all = shorter(list, 0, leave);
    for (place, effect) in list.iter().enumerate() {
        let within: Vec<&Vec<Effect>> = match effect {
            Effect::Random(branches) => branches.iter().map(|b| &b.effects).collect(),
            Effect::When(when) => vec![&when.then, &when.otherwise],
            Effect::Repeat(repeat) => vec![&repeat.effects],
            _ => Vec::new(),
        };
        for inner in within {
            let mut flat = list.to_vec();
            flat.splice(place..=place, inner.iter().cloned());
            all.push(flat);
        }
    }
    all
}

fn passages(passage: &Passage) -> Vec<Passage> {
    let mut all = Vec::new();
    if !matches!(passage.play, Play::Ending(_)) {
        all.extend([Passage::won(), Passage::lost()]);
    }
    // The nested effects, without the outer one.
    let mut copy = passage.clone();
    all.extend(inner(&mut copy.play).into_iter().map(|inner| inner.clone()));
    for effects in effects(&passage.effects) {
        all.push(Passage {
            effects,
            ..passage.clone()
        });
    }
    for play in plays(&passage.play) {
        all.push(Passage {
            play,
            ..passage.clone()
        });
    }
    let count = inner(&mut copy.play).len();
    for place in 0..count {
        let simpler = passages(inner(&mut copy.play)[place]);
        for simpler in simpler {
            let mut with = passage.clone();
            *inner(&mut with.play)[place] = simpler;
            all.push(with);
        }
    }
    all
}

/// A simpler play with the same inner passages.
fn plays(play: &Play) -> Vec<Play> {
    match play {
        Play::Choice(options) => {
            let mut lists = shorter(options, 1, leave);
            for place in (0..options.len()).filter(|&place| options[place].condition.is_some()) {
                let mut open = options.clone();
                open[place].condition = None;
                lists.push(open);
            }
            lists.into_iter().map(Play::Choice).collect()
        }
        Play::First(cases) => {
            let lists = shorter(cases, 1, leave).into_iter();
            lists.map(Play::First).collect()
        }
        Play::Random(branches) => {
            let lists = shorter(branches, 1, leave).into_iter();
            lists.map(Play::Random).collect()
        }
        Play::Fight(fight) => {
            let plain = |foe: &Enemy| match Enemy::new(foe.skill, foe.stamina) {
                plain if plain == *foe => Vec::new(),
                plain => vec![plain],
            };
            let mut all = Vec::new();
            for foes in shorter(&fight.foes, 1, plain) {
                all.push((**fight).clone());
                all.last_mut().unwrap().foes = foes;
            }
            if fight.escape.is_some() {
                all.push((**fight).clone());
                all.last_mut().unwrap().escape = None;
            }
            if let Some(escape) = &fight.escape
                && (escape.forced || escape.count != FightCount::Rounds)
            {
                all.push((**fight).clone());
                all.last_mut().unwrap().escape = Some(Escape {
                    count: FightCount::Rounds,
                    forced: false,
                    ..escape.clone()
                });
            }
            if fight.toll.is_some() {
                all.push((**fight).clone());
                all.last_mut().unwrap().toll = None;
            }
            if fight.order != FightOrder::InTurn {
                all.push((**fight).clone());
                all.last_mut().unwrap().order = FightOrder::InTurn;
            }
            all.into_iter()
                .map(|fight| Play::Fight(Box::new(fight)))
                .collect()
        }
        Play::Shop(shop) => {
            let mut all = Vec::new();
            for sells in shorter(&shop.sells, 0, leave) {
                all.push((**shop).clone());
                all.last_mut().unwrap().sells = sells;
            }
            for buys in shorter(&shop.buys, 0, leave) {
                all.push((**shop).clone());
                all.last_mut().unwrap().buys = buys;
            }
            all.into_iter()
                .map(|shop| Play::Shop(Box::new(shop)))
                .collect()
        }
        Play::Game(wager) => {
            let mut all = Vec::new();
            for round in shorter(&wager.round, 1, leave) {
                all.push((**wager).clone());
                all.last_mut().unwrap().round = round;
            }
            if wager.rounds > 1 {
                all.push((**wager).clone());
                all.last_mut().unwrap().rounds = 1;
            }
            if wager.condition.is_some() {
                all.push((**wager).clone());
                all.last_mut().unwrap().condition = None;
            }
            all.into_iter()
                .map(|wager| Play::Game(Box::new(wager)))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn sections(section: &Section) -> Vec<Section> {
    let mut all = Vec::new();
    for passage in passages(&section.passage) {
        all.push(Section {
            passage,
            ..section.clone()
        });
    }
    for leave in effects(&section.leave) {
        all.push(Section {
            leave,
            ..section.clone()
        });
    }
    if section.refresh.is_some() {
        all.push(Section {
            refresh: None,
            ..section.clone()
        });
    }
    all
}

/// Simpler books, and a few that are not valid.
pub(super) fn manuscripts(book: &Manuscript) -> Vec<Manuscript> {
    let mut all = Vec::new();
    let with = |change: &mut dyn FnMut(&mut Manuscript)| {
        let mut copy = book.clone();
        change(&mut copy);
        copy
    };
    // Without unreachable sections.
    let targets: Vec<u32> = book.sections.iter().flat_map(Section::targets).collect();
    let linked = |number: u32| number == book.start || targets.contains(&number);
    if book.sections.iter().any(|section| !linked(section.number)) {
        all.push(with(&mut |book| {
            book.sections.retain(|section| linked(section.number));
        }));
    }
    for sections in shorter(&book.sections, 1, sections) {
        all.push(with(&mut |book| book.sections.clone_from(&sections)));
    }
    for refreshments in shorter(&book.sheet.refreshments, 0, leave) {
        all.push(with(&mut |book| {
            book.sheet.refreshments.clone_from(&refreshments);
        }));
    }
    let plain = |item: &Item| {
        let plain = Item {
            tags: item.tags.clone(),
            ..Item::new(&item.id)
        };
        if plain == *item {
            Vec::new()
        } else {
            vec![plain]
        }
    };
    for items in shorter(&book.sheet.items, 0, plain) {
        all.push(with(&mut |book| book.sheet.items.clone_from(&items)));
    }
    all.push(with(&mut |book| book.sheet.initial_items.clear()));
    all.push(with(&mut |book| book.rules = RuleSet::default()));
    all.push(with(&mut |book| {
        book.rules = RuleSet {
            refresh: RefreshAt::Choices,
            luck_in_battle: false,
            hit: 2,
            ..book.rules.clone()
        };
    }));
    // Shrinking goes on as long as something changes.
    all.retain(|simpler| simpler != book);
    all
}

pub(super) fn heroes(hero: &Rolled) -> Vec<Rolled> {
    let mut all = Vec::new();
    if hero.wounds > 0 {
        all.push(Rolled {
            wounds: 0,
            ..hero.clone()
        });
    }
    if hero.stamina > hero.wounds + 1 {
        all.push(Rolled {
            stamina: hero.stamina - 1,
            ..hero.clone()
        });
    }
    if hero.gold > 0 {
        all.push(Rolled {
            gold: hero.gold - 1,
            ..hero.clone()
        });
    }
    if hero.lost.is_some() {
        all.push(Rolled {
            lost: None,
            ..hero.clone()
        });
    }
    all
}
