//! A tour of Oddsmith: one section per model, each with real input.
//!
//! ```sh
//! cargo run --release --example tour
//! ```

use std::error::Error;
use std::io::{IsTerminal, Write, stdout};

use oddsmith::{dice, dnd, fightingfantasy, gamebook, lonewolf, risk};

type Stanza = Result<(), Box<dyn Error>>;

fn main() -> Stanza {
    let colour = stdout().is_terminal();
    let out = &mut stdout().lock();
    dice_as_players_write_them(out)?;
    fighting_fantasy(out, colour)?;
    the_risk_of_war(out)?;
    dungeons_and_dragons(out)?;
    a_gamebook(out)?;
    lone_wolf(out)
}

/// What is rolled for a character, what a pool shows, and how many rolls it takes.
fn dice_as_players_write_them(out: &mut impl Write) -> Stanza {
    use dice::{Dist, Pool};

    writeln!(out, "DICE: odds of what players write")?;
    for text in [
        "4d6kh3",
        "2d20kh1 + 5",
        "8d10>=7",
        "4d6kh3!2",
        "max(2d6, 1d12)",
    ] {
        let law = Dist::parse(text)?;
        writeln!(
            out,
            "  {text:<15} mean {:<14} median {}",
            law.mean(),
            law.median()
        )?;
    }
    let five = Pool::dice(5, 6)?;
    writeln!(
        out,
        "  5d6 show a straight of five: {}",
        five.has_straight(5)?.p(&true)
    )?;
    writeln!(
        out,
        "  1d6 adds up to 20 within five rolls: {}\n",
        Dist::die(6)?.rolls_to_reach(20)?.at_most(&5)
    )?;
    writeln!(out, "{}", Dist::parse("4d6kh3")?)?;
    writeln!(out)?;
    Ok(())
}

/// The foes at the end of the paper on LUCK, and the map of decisions against the first.
fn fighting_fantasy(out: &mut impl Write, colour: bool) -> Stanza {
    use fightingfantasy::{Advantage, Duel, Extent, Foe, HeatMap, Hero, LuckMap, Rules};

    writeln!(out, "FIGHTING FANTASY: the best use of LUCK, hero 12/24/12")?;
    for (name, foe) in [
        ("White Dragon", Foe::new(15, 22)?),
        ("Hell Demon", Foe::new(14, 12)?),
    ] {
        let duel = Duel::new(Hero::new(12, 24, 12)?, foe);
        let plan = duel.best_luck()?;
        let (skill, stamina) = (foe.skill(), foe.stamina());
        let without = percent(duel.without_luck_f64()?);
        let best = percent(plan.value_f64());
        writeln!(
            out,
            "\n{name} ({skill}/{stamina}): victory {without} without LUCK, {best} with its best use"
        )?;
        writeln!(out, "  exactly {}", duel.without_luck()?)?;
        writeln!(out, "  and     {}", plan.value())?;
        let first = match plan.decision().label() {
            '1' => "test LUCK after every blow (1)",
            '2' => "test LUCK after a lost round (2)",
            '3' => "test LUCK after a won round (3)",
            _ => "save LUCK",
        };
        writeln!(out, "  first decision: {first}")?;
    }
    let dragon = LuckMap::exact(&Rules::standard(), -3, Extent::default(), Advantage::Strict)?;
    let map = HeatMap::of_map(&dragon, 12)?.title("against the White Dragon, LUCK 12");
    writeln!(out, "\n{}", map.colour(colour))?;
    Ok(())
}

/// A battle, the armies needed to win it, and the number of dice to defend with.
fn the_risk_of_war(out: &mut impl Write) -> Stanza {
    use risk::{Battle, DiceGame, DicePolicy, Rules, Side, Throw, attackers_for};

    writeln!(out, "\nRISK: ten attackers against eight")?;
    write!(out, "{}", Throw::new(3, 2)?.report()?)?;
    write!(out, "{}", Battle::new(10, 8)?.report()?)?;
    writeln!(out, "  exactly {}", Battle::new(10, 8)?.win()?)?;
    let standard = Rules::standard();
    let [even, sure] = ["0.5", "0.9"].map(|chance| attackers_for(8, chance, &standard));
    writeln!(out, "  it takes {} for 50 %, {} for 90 %", even?, sure?)?;
    let walled = Rules::standard().hero_defends().fortress();
    let walled = DiceGame::new(10, 8)?.rules(walled);
    let two = walled.win_against_f64(Side::Defender, DicePolicy::Most)?;
    writeln!(
        out,
        "  behind a hero and a fortress {} if the defender throws one die, {} if two",
        percent(walled.win_f64()?),
        percent(two)
    )?;
    Ok(())
}

/// One stat block against another, and when a paladin should smite.
fn dungeons_and_dragons(out: &mut impl Write) -> Stanza {
    use dnd::{Attack, Combatant, HitPoints, Smite, Tactics};

    let greatclub = Attack::new("Greatclub")?.to_hit(6);
    let ogre = Combatant::new("Ogre", 11, HitPoints::rolled("7d10 + 21")?)?
        .attack(greatclub.damage("2d8 + 4 bludgeoning".parse()?))
        .initiative(-1);
    let greatsword = Attack::new("Greatsword")?.to_hit(5);
    let greatsword = greatsword.damage("2d6 + 3 slashing".parse()?);
    let knight = Combatant::new("Knight", 18, HitPoints::fixed(52)?)?
        .attack(greatsword.clone())
        .multiattack(["Greatsword", "Greatsword"])?;
    let duel = knight.duel(&ogre)?;
    let report = duel.report_by(&knight.initiative_against(&ogre), 5)?;
    writeln!(out, "\nD&D: a knight meets an ogre")?;
    for line in report.names("The knight", "The ogre").to_string().lines() {
        writeln!(out, "  {line}")?;
    }
    let tactics = Tactics::new()
        .attacks(2, [greatsword.clone(), greatsword.power_attack()])
        .smite(Smite::new("Divine Smite", 2, "2d8 radiant".parse()?)?);
    let armed = knight.with_tactics(tactics, &ogre)?;
    let (best, habit) = (armed.best_f64()?, armed.best_habit_f64()?);
    writeln!(
        out,
        "  with −5/+10 and two smites: {} at best, {} by the best habit",
        percent(best.value()),
        percent(habit.1)
    )?;
    Ok(())
}

/// The example adventure of "City of Thieves solved", and the second half of that book.
fn a_gamebook(out: &mut impl Write) -> Stanza {
    use fightingfantasy::Hero;
    use gamebook::{Book, BookSolver, Character, Journey};

    let book = Book::builder()
        .choice(1, [("avoid the monster", 2), ("fight the monster", 3)])
        .chance(2, [(5, 8), (6, 2)])
        .chance(3, [(4, 9), (6, 1)])
        .chance(4, [(5, 9), (6, 1)])
        .won(5)
        .lost(6)
        .build()?;
    let plan = book.solve(Hero::new(7, 14, 7)?)?;
    writeln!(
        out,
        "\nGAMEBOOK: the example adventure, won {} at best",
        plan.value()
    )?;
    if let Some(advice) = plan.first_choice()? {
        write!(out, "{advice}")?;
    }
    let book = Book::city_of_thieves()?;
    let hero = Character::new().stat("skill", 9).stat("stamina", 16);
    let game = book.game(hero.stat("luck", 9).item("dexterity_potion"))?;
    let start = game.start_at(20)?;
    let policy = BookSolver::new(&game).policy(start)?;
    writeln!(
        out,
        "City of Thieves: {} sections, {} findings; from section 20 on won {} at best",
        book.len(),
        book.lint().findings().len(),
        policy.valuation()
    )?;
    let journey: Journey = game.follow(&policy, start, 100_000)?;
    for (section, chance) in journey.deaths().iter().take(2) {
        writeln!(out, "  {:.2} % fail in section {section}", 100.0 * chance)?;
    }
    Ok(())
}

/// The first fight of "Solving a gamebook: a smarter solver", and the whole of its book.
fn lone_wolf(out: &mut impl Write) -> Stanza {
    use lonewolf::Discipline::{
        AnimalKinship, Healing, Mindblast, Mindshield, Tracking, Weaponskill,
    };
    use lonewolf::Item::{Shield, Sword};
    use lonewolf::{ActionChart, Book, BookSolver, Rules};

    let odds = lonewolf::Combat::new(17, 25, 16, 25)?.odds()?;
    let (won, rounds) = (odds.win(), odds.expected_rounds()?);
    writeln!(
        out,
        "\nLONE WOLF: 17/25 against 16/25, won {won} in {rounds} rounds on average"
    )?;
    for line in odds.by_likelihood()?.iter().take(3) {
        let (left, chance) = (line.endurance, &line.probability);
        writeln!(
            out,
            "  ENDURANCE {left} left: {chance}, together {}",
            line.cumulated
        )?;
    }
    let book = Book::fire_on_the_water()?;
    let disciplines = [
        Weaponskill(Sword),
        Tracking,
        Healing,
        Mindshield,
        Mindblast,
        AnimalKinship,
    ];
    let hero = ActionChart::new(10, 20)?
        .disciplines(&disciplines)?
        .item(Sword)?
        .item(Shield)?
        .gold(15)?;
    let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    let solved = solver.solve(&hero)?;
    writeln!(
        out,
        "  \"Fire on the Water\", {} sections, by 10/20 with {} disciplines:\n  won {:.13} at best, error at most {:.0e}",
        book.len(),
        disciplines.len(),
        solved.win(),
        solved.error()
    )?;
    for worth in solver.worth(&hero)?.iter().take(3) {
        let (lost, without) = (&worth.possession, percent(worth.without));
        writeln!(out, "  without {lost}: {without}")?;
    }
    Ok(())
}

/// A chance as percent, with three significant digits.
fn percent(chance: f64) -> String {
    let before = (100.0 * chance).log10().floor();
    let after = (2.0 - before).clamp(0.0, 12.0) as usize;
    format!("{:.after$} %", 100.0 * chance)
}
