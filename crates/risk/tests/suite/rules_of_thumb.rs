//! Every number of the page "Attack or not? The rules of thumb, corrected": the page must contain
//! the values computed here, word by word.

use num_traits::ToPrimitive;
use oddsmith_mdp::Solver;
use oddsmith_risk::{
    Battle, BattleConfiguration, DiceGame, DicePlan, DicePolicy, Forces, Rules, Side, Table,
    Timing, attackers_for, critical_territory, win_matrix, win_matrix_f64,
};

const PAGE: &str = include_str!("../../../../docs/attack-or-not.md");

/// Line breaks on the page do not matter.
#[track_caller]
fn check(text: impl AsRef<str>) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = words(text.as_ref());
    assert!(words(PAGE).contains(&text), "missing on the page: {text}");
}

#[track_caller]
fn check_table(table: &Table) {
    let text = table.to_markdown();
    assert!(PAGE.contains(&text), "missing on the page:\n{text}");
}

fn percent(chance: f64) -> String {
    format!("{:.1} %", 100.0 * chance)
}

fn win(rules: &Rules, attackers: u32, defenders: u32) -> String {
    let battle = Battle::new(attackers, defenders).unwrap();
    percent(battle.rules(rules.clone()).win_f64().unwrap())
}

fn choice(rules: &Rules, timing: Timing) -> DiceGame {
    let game = DiceGame::new(10, 10).unwrap().timing(timing);
    game.rules(rules.clone())
}

/// The attacker's bonus on the highest die, and the board rules.
fn bonuses() -> [(&'static str, Rules); 4] {
    let rules = Rules::standard();
    [
        ("0/0", rules.clone()),
        ("+1/0", rules.clone().hero_attacks()),
        ("0/+1", rules.clone().fortress()),
        ("0/+2", rules.hero_defends().fortress()),
    ]
}

/// A hero and a fortress whose defender chooses the dice.
fn best_defence(attackers: u32, defenders: u32) -> DicePlan<f64> {
    let rules = bonuses()[3].1.clone();
    let game = DiceGame::new(attackers, defenders).unwrap().rules(rules);
    game.plan_with(Solver::float()).unwrap()
}

fn best(plan: &DicePlan<f64>, attackers: u32, defenders: u32) -> f64 {
    let forces = Forces {
        attackers,
        defenders,
    };
    plan.advice(forces).unwrap().value
}

/// The number of attackers that win with 50 % against the best defence.
fn half(plan: &DicePlan<f64>, defenders: u32) -> u32 {
    (1..)
        .find(|&attackers| best(plan, attackers, defenders) >= 0.5)
        .unwrap()
}

#[test]
fn the_guidelines() {
    let published = ["0.924", "0.7142", "1.12", "2.0"];
    let rows = bonuses()
        .into_iter()
        .zip(published)
        .map(|((name, rules), paper)| {
            let ratio = rules.equilibrium_ratio().unwrap().unwrap();
            let needed = [5, 10, 20, 50].map(|d| attackers_for(d, "0.5", &rules).unwrap());
            let mut row = vec![paper.to_owned(), format!("{:.3}", ratio.to_f64().unwrap())];
            row.extend(needed.map(|units| units.to_string()));
            (name, row)
        });
    let mut rows: Vec<_> = rows.collect();
    let one = bonuses()[3].1.clone().max_dice(3, 1).unwrap();
    let ratio = one.equilibrium_ratio().unwrap().unwrap();
    let mut last = vec!["2.0".to_owned(), format!("{:.3}", ratio.to_f64().unwrap())];
    let best = best_defence(110, 50);
    last.extend([5, 10, 20, 50].map(|d| half(&best, d).to_string()));
    rows.push(("0/+2, best defence", last));
    let columns = [
        "paper's ratio",
        "true ratio",
        "against 5",
        "against 10",
        "against 20",
        "against 50",
    ];
    check_table(&Table::new("bonus", columns, rows));
}

#[test]
fn the_lines_of_fifty_percent() {
    let defenders = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100];
    let plan = best_defence(210, 100);
    let [standard, hero, fortress, _] = bonuses().map(|(_, rules)| rules);
    let rows = defenders.map(|defenders| {
        let needed = |rules: &Rules, chance: &str| attackers_for(defenders, chance, rules).unwrap();
        let row = [
            needed(&standard, "0.5"),
            needed(&standard, "0.8"),
            needed(&hero, "0.5"),
            needed(&fortress, "0.5"),
            half(&plan, defenders),
        ];
        (defenders, row)
    });
    let columns = ["0/0", "0/0, for 80 %", "+1/0", "0/+1", "0/+2"];
    check_table(&Table::new("defenders", columns, rows));
}

/// "In one minute": each is enough for 50 %, and necessary against some forces.
#[test]
fn the_short_rules() {
    let plan = best_defence(210, 100);
    let [standard, hero, fortress, two_dice] = bonuses().map(|(_, rules)| rules);
    let (mut half_is_tight, mut quarter_is_tight) = (false, false);
    for d in 1..=100 {
        // Halves and quarters are rounded up.
        let needed = |rules: &Rules| attackers_for(d, "0.5", rules).unwrap();
        assert!(needed(&standard) <= if d < 5 { d + 1 } else { d });
        assert!(d > 4 || needed(&standard) == d + 1);
        assert!(needed(&hero) <= d.div_ceil(2) + 2, "{d} {}", needed(&hero));
        half_is_tight |= needed(&hero) == d.div_ceil(2) + 2;
        assert!(
            needed(&fortress) <= d + d.div_ceil(4) + 2,
            "{d} {}",
            needed(&fortress)
        );
        quarter_is_tight |= needed(&fortress) == d + d.div_ceil(4) + 2;
        assert!(
            needed(&two_dice) <= d + (2 * d).div_ceil(3) + 2,
            "{d} {}",
            needed(&two_dice)
        );
        assert_eq!(half(&plan, d), 2 * d + 1, "{d}");
    }
    assert!(half_is_tight && quarter_is_tight);
}

/// The table of larger battles on the page: where three short rules first fail, with how many units
/// and what probability, and from where on they always do.
#[test]
fn where_the_short_rules_end() {
    let [standard, hero, fortress, two_dice] = bonuses().map(|(_, rules)| rules);
    // The others have a margin.
    let wins = win_matrix_f64(1000, 1000, &standard).unwrap();
    assert!((5..=1000).all(|d| wins[[d, d]] >= 0.5));
    let plan = best_defence(402, 200);
    assert!((1..=200).all(|d| best(&plan, 2 * d + 1, d) >= 0.5));
    let half = |d: u32| d.div_ceil(2) + 2;
    let quarter = |d: u32| d + d.div_ceil(4) + 2;
    let two_thirds = |d: u32| d + (2 * d).div_ceil(3) + 2;
    check_end(&hero, half, [140, 72, 208], "49.93 %");
    check_end(&fortress, quarter, [272, 342, 410], "49.96 %");
    check_end(&two_dice, two_thirds, [285, 477, 465], "49.99 %");
}

#[track_caller]
fn check_end(rules: &Rules, rule: impl Fn(u32) -> u32, ends: [u32; 3], chance: &str) {
    let [first, attackers, always] = ends;
    let wins = win_matrix_f64(rule(1000), 1000, rules).unwrap();
    let win = |d: u32| wins[[rule(d) as usize, d as usize]];
    let fails: Vec<u32> = (1..=1000).filter(|d| win(*d) < 0.5).collect();
    assert_eq!((fails[0], rule(first)), (first, attackers));
    assert_eq!(format!("{:.2} %", 100.0 * win(first)), chance);
    assert!(win(always - 1) >= 0.5 && fails.ends_with(&(always..=1000).collect::<Vec<_>>()));
}

#[test]
fn what_heroes_and_fortresses_are_worth() {
    let sizes = [1, 2, 3, 5, 10, 20, 50];
    let [standard, hero, fortress, _] = bonuses().map(|(_, rules)| rules);
    let rules = [standard, hero, fortress];
    let plan = best_defence(50, 50);
    let rows = sizes.map(|size| {
        let mut row: Vec<String> = rules.iter().map(|rules| win(rules, size, size)).collect();
        row.push(percent(best(&plan, size, size)));
        (format!("{size} against {size}"), row)
    });
    let columns = ["0/0", "+1/0", "0/+1", "0/+2"];
    check_table(&Table::new("forces", columns, rows));
}

#[test]
fn what_the_paper_says_of_single_battles() {
    let standard = Rules::standard();
    let chances = [(3, 2), (5, 5), (10, 10), (15, 15)].map(|(a, d)| win(&standard, a, d));
    let [three, five, ten, fifteen] = chances;
    check(format!(
        "3 against 2 wins {three}, 5 against 5 {five}, 10 against 10 {ten}, 15 against 15 {fifteen}"
    ));
    check(format!(
        "two against two wins {}, one against one {}",
        win(&standard, 2, 2),
        win(&standard, 1, 1)
    ));
    let table = win_matrix_f64(100, 100, &standard).unwrap();
    let first = (1..=100).find(|&n| table[[n, n]] > 0.5).unwrap();
    assert!((first..=100).all(|n| table[[n, n]] > 0.5));
    check(format!("from {first} against {first} on"));
    let worst = BattleConfiguration::HeroAttacks.winning().unwrap();
    assert_eq!(worst.table, 5);
    let hero = bonuses()[1].1.clone();
    let single = hero.clone().max_dice(1, 1).unwrap();
    check(format!(
        "10 against 15 it says {}; with all dice it is {}",
        win(&single, 10, 15),
        win(&hero, 10, 15)
    ));
}

#[test]
fn how_many_dice() {
    let [standard, hero, fortress, both] = bonuses().map(|(_, rules)| rules);
    let timing = Timing::AttackerFirst;
    let game = choice(&standard, timing);
    let against = |game: &DiceGame, side, policy| {
        percent(game.win_against(side, policy).unwrap().to_f64().unwrap())
    };
    let value = |game: &DiceGame| percent(game.win().unwrap().to_f64().unwrap());
    check(format!(
        "10 against 10 falls with {}, and with {} if the defender always throws one die; an attacker who always throws one wins {}",
        value(&game),
        against(&game, Side::Defender, DicePolicy::One),
        against(&game, Side::Attacker, DicePolicy::One),
    ));
    for rules in [&standard, &hero, &fortress] {
        let plan = DiceGame::new(15, 15).unwrap().rules(rules.clone());
        let plan = plan.plan().unwrap();
        for side in [Side::Attacker, Side::Defender] {
            assert!(plan.where_max_is_not_optimal(side).is_empty());
        }
    }
    // The order of declaring does not matter, and no mixed strategy is needed.
    for (_, rules) in bonuses() {
        for rules in [rules.clone(), rules.defence_may_outnumber(false)] {
            let at_once = choice(&rules, Timing::AtOnce);
            assert!(at_once.plan().unwrap().pure_everywhere());
            for timing in [Timing::AttackerFirst, Timing::DefenderFirst] {
                assert_eq!(
                    choice(&rules, timing).win().unwrap(),
                    at_once.win().unwrap()
                );
            }
        }
    }
    let walled = choice(&both, timing);
    check(format!(
        "holds 10 against 10 with {} if he throws one die, {} if he throws two",
        percent(1.0 - walled.win_f64().unwrap()),
        percent(
            1.0 - walled
                .win_against(Side::Defender, DicePolicy::Most)
                .unwrap()
                .to_f64()
                .unwrap()
        ),
    ));
    let plan = walled.plan().unwrap();
    let fewer = plan.where_max_is_not_optimal(Side::Defender);
    assert_eq!(fewer.len(), 81);
    assert!(plan.where_max_is_not_optimal(Side::Attacker).is_empty());
    // The paper's rules.
    let paper = DiceGame::new(2, 2).unwrap().rules(Rules::georgiou());
    check(format!(
        "two against two: one die, {} instead of {}",
        value(&paper),
        win(&Rules::georgiou(), 2, 2)
    ));
    let hero = Rules::georgiou().hero_attacks();
    let plan = DiceGame::new(15, 15).unwrap().rules(hero.clone());
    let plan = plan.plan().unwrap();
    let fewer = plan.where_max_is_not_optimal(Side::Attacker);
    check(format!(
        "{} of the 225 battles of up to 15 against 15",
        fewer.len()
    ));
    for advice in &fewer {
        let (a, d) = (advice.forces.attackers, advice.forces.defenders);
        assert!(
            a == 2 && d >= 2 || d == 2 || d == 3 && a >= 6 && a % 2 == 0,
            "{a} {d}"
        );
    }
    let pair = DiceGame::new(2, 2).unwrap().rules(hero.clone());
    check(format!(
        "two against two with {} instead of {}",
        value(&pair),
        win(&hero, 2, 2)
    ));
    // After the throw.
    let seeing = choice(&standard, Timing::AfterTheThrow);
    check(format!("{} instead of {}", value(&seeing), value(&game)));
    let plan = seeing.plan_with(Solver::float()).unwrap();
    let start = plan.iter().last().unwrap();
    let one = start.replies.iter().filter(|reply| reply.dice == [1]);
    let one: Vec<String> = one
        .map(|reply| format!("{}-{}", reply.faces[0], reply.faces[1]))
        .collect();
    check(format!("one die against {}", one.join(", ")));
}

#[test]
fn when_to_stop() {
    let critical = critical_territory(30, 30, &Rules::standard()).unwrap();
    for attackers in 3..=30 {
        for defenders in 1..=30 {
            assert!(critical[[attackers, defenders]] < 0.0);
        }
    }
    let few = ndarray::Array2::from_shape_fn((3, 7), |(a, d)| critical[[a, d]]);
    check_table(&Table::decimals(&few, 2));
}

/// Does one attacker more ever hurt?
#[test]
fn the_theorem() {
    let clumsy = Rules::georgiou().attack_bonus([0, -9]);
    let alone = Battle::new(1, 2).unwrap().rules(clumsy.clone());
    let two = Battle::new(2, 2).unwrap().rules(clumsy.clone());
    check(format!(
        "one attacker beats two defenders with {} = {}, two attackers with {} = {}",
        alone.win().unwrap(),
        percent(alone.win_f64().unwrap()),
        two.win().unwrap(),
        percent(two.win_f64().unwrap()),
    ));
    let chosen = DiceGame::new(2, 2).unwrap().rules(clumsy);
    assert!(chosen.win().unwrap() >= alone.win().unwrap());
    // By the board rules, whatever the bonus.
    for bonus in -6..=6 {
        for rules in [Rules::standard(), Rules::georgiou()] {
            let table = win_matrix(20, 20, &rules.attack_bonus([bonus])).unwrap();
            for a in 1..20 {
                for d in 1..=20 {
                    assert!(table[[a + 1, d]] >= table[[a, d]]);
                }
            }
        }
    }
}
