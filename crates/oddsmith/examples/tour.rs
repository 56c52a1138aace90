//! A tour of Oddsmith: one stanza a model, each from real input.
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

/// What is rolled for a character, what a pool shows, and how long it takes.
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

/// The foes the paper on LUCK ends on, and the map of what to do against the
/// first.
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

fn the_risk_of_war(out: &mut impl Write) -> Stanza {
    use risk::{Battle, Rules, Throw};

    let open = Battle::new(10, 10)?;
    let fortress = open.clone().rules(Rules::standard().defence_bonus([1]));
    let cost = Throw::new(3, 2)?.expected_losses()?;
    let (plain, walled) = (percent(open.win_f64()?), percent(fortress.win_f64()?));
    writeln!(
        out,
        "\nRISK: three dice against two cost the defender {} units",
        cost.defender()
    )?;
    writeln!(
        out,
        "  10 attackers beat 10 with {plain}, behind a fortress with {walled}"
    )?;
    writeln!(out, "  exactly {}", open.win()?)?;
    Ok(())
}

fn dungeons_and_dragons(out: &mut impl Write) -> Stanza {
    use dnd::{AttackRoll, D20, Damage, attack_damage};

    let (roll, greatsword) = (AttackRoll::new(18, 7), Damage::dice(2, 6)?.flat(5));
    let plain = attack_damage(&roll, &greatsword)?;
    let flanking = attack_damage(&roll.die(D20::Advantage), &greatsword)?;
    let (low, high) = (plain.mean(), flanking.mean());
    writeln!(
        out,
        "\nD&D: 2d6 + 5 at +7 against AC 18 does {low} a swing, with advantage {high}"
    )?;
    let twelve = |law: &oddsmith::dice::Dist<i64>| percent(law.to_f64().at_least(&12));
    writeln!(
        out,
        "  12 or more: {} and {}",
        twelve(&plain),
        twelve(&flanking)
    )?;
    Ok(())
}

/// The example adventure of "City of Thieves solved".
fn a_gamebook(out: &mut impl Write) -> Stanza {
    use fightingfantasy::Hero;
    use gamebook::Book;

    let book = Book::builder()
        .choice(1, [("avoid the monster", 2), ("fight the monster", 3)])
        .chance(2, [(5, 8), (6, 2)])
        .chance(3, [(4, 9), (6, 1)])
        .chance(4, [(5, 9), (6, 1)])
        .won(5)
        .lost(6)
        .build()?;
    let plan = book.solve(&Hero::new(7, 14, 7)?)?;
    writeln!(
        out,
        "\nGAMEBOOK: the example adventure, won {} at best",
        plan.value()
    )?;
    if let Some(advice) = plan.first_choice()? {
        write!(out, "{advice}")?;
    }
    Ok(())
}

/// The first fight of "Solving a gamebook: a smarter solver".
fn lone_wolf(out: &mut impl Write) -> Stanza {
    let odds = lonewolf::Combat::new(17, 25, 16, 25)?.odds()?;
    let (won, rounds) = (odds.victory(), odds.expected_rounds()?);
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
    Ok(())
}

/// A chance as percent, with three digits that matter.
fn percent(chance: f64) -> String {
    let before = (100.0 * chance).log10().floor();
    let after = (2.0 - before).clamp(0.0, 12.0) as usize;
    format!("{:.after$} %", 100.0 * chance)
}
