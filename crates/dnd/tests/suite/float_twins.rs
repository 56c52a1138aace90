//! Float results lie within their stated error of the exact ones.

use num_rational::BigRational;
use oddsmith_dice::Dist;
use oddsmith_dnd::{
    Ability, Attack, Combatant, D20, Encounter, Error, Focus, HitPoints, Recharge, RechargeTurn,
    SaveEffect, Target, Turn,
};
use quickcheck::{Arbitrary, Gen, QuickCheck};

type Checked = Result<(), Box<dyn std::error::Error>>;

#[derive(Clone, Debug)]
struct Fight {
    party: usize,
    /// Hit points, bonus to hit, side of the damage die, attacks, initiative.
    creatures: Vec<(i64, i64, u32, usize, i64)>,
    focus: [Focus; 2],
    order: Option<Vec<usize>>,
}

fn upto(g: &mut Gen, most: u32) -> u32 {
    u32::arbitrary(g) % most
}

impl Arbitrary for Fight {
    fn arbitrary(g: &mut Gen) -> Self {
        let party = 1 + upto(g, 2) as usize;
        let count = party + 1 + upto(g, 2) as usize;
        let creature = |_| {
            (
                1 + i64::from(upto(g, 4)),
                i64::from(upto(g, 30)) - 15,
                1 + upto(g, 4),
                1 + upto(g, 2) as usize,
                i64::from(upto(g, 5)),
            )
        };
        let creatures = (0..count).map(creature).collect();
        let mut focus = || match upto(g, 4) {
            0 => Focus::FirstListed,
            1 => Focus::Weakest,
            2 => Focus::Strongest,
            _ => Focus::Best,
        };
        let focus = [focus(), focus()];
        let order = bool::arbitrary(g).then(|| {
            let mut order: Vec<usize> = (0..count).collect();
            let by = upto(g, count as u32) as usize;
            order.rotate_left(by);
            order
        });
        Fight {
            party,
            creatures,
            focus,
            order,
        }
    }
}

impl Fight {
    fn encounter(&self) -> Result<Encounter, Error> {
        let creature = |&(points, bonus, sides, attacks, initiative)| {
            let claw = Attack::new("Claw")?.to_hit(bonus);
            Ok(Combatant::new("Beast", 11, HitPoints::fixed(points)?)?
                .attack(claw.damage(format!("1d{sides}").parse()?))
                .multiattack(vec!["Claw"; attacks])?
                .initiative(initiative))
        };
        let all: Result<Vec<Combatant>, Error> = self.creatures.iter().map(creature).collect();
        let mut party = all?;
        let foes = party.split_off(self.party);
        let [ours, theirs] = self.focus.clone();
        let encounter = Encounter::new(party, foes)?
            .party_focus(ours)?
            .foes_focus(theirs)?;
        match &self.order {
            Some(order) => encounter.order(order.clone()),
            None => Ok(encounter),
        }
    }
}

/// The float and the fraction lie between the bounds, which are close.
fn bounded(encounter: &Encounter, exact: &BigRational, float: f64) -> Result<bool, Error> {
    let (lower, upper) = encounter.win_bounds()?;
    let fraction = |bound| BigRational::from_float(bound);
    let (below, above) = (fraction(lower), fraction(upper));
    Ok(below.is_some_and(|below| below <= *exact)
        && above.is_some_and(|above| *exact <= above)
        && (lower..=upper).contains(&float)
        && upper - lower <= 1e-11)
}

/// Regression test: the probabilities of the orders sum to more than 1 in floats, and so did the
/// probability of winning.
#[test]
fn a_sure_win_is_no_more_than_certain() {
    let creature = |name, initiative| {
        let claw = Attack::new("Claw").unwrap();
        let creature = Combatant::new(name, 12, HitPoints::fixed(2).unwrap()).unwrap();
        creature.initiative(initiative).attack(claw)
    };
    let sword = Attack::new("Sword").unwrap().damage("1".parse().unwrap());
    let hero = Combatant::new("Hero", 12, HitPoints::fixed(2).unwrap()).unwrap();
    let hero = hero.initiative(3).attack(sword);
    let fight = Encounter::new([hero], [creature("Cat", 4), creature("Kitten", 0)]).unwrap();
    assert!(bounded(&fight, &fight.win().unwrap(), fight.win_f64().unwrap()).unwrap());
    assert_eq!(
        (fight.win().unwrap().to_string(), fight.win_f64().unwrap()),
        ("1".into(), 1.0)
    );
}

/// Regression test: no bound was given at all.
#[test]
fn chances_of_encounters_lie_between_their_bounds() {
    fn property(fight: Fight) -> bool {
        let holds = || -> Result<bool, Error> {
            let encounter = fight.encounter()?;
            bounded(&encounter, &encounter.win()?, encounter.win_f64()?)
        };
        holds().unwrap()
    }
    QuickCheck::new()
        .tests(150)
        .quickcheck(property as fn(Fight) -> bool);
}

#[test]
fn chances_of_kill_orders_lie_between_theirs() {
    fn property(fight: Fight) -> bool {
        let holds = || -> Result<bool, Error> {
            let encounter = fight.encounter()?;
            let (exact, floats) = (encounter.kill_orders()?, encounter.kill_orders_f64()?);
            for (order, float) in &floats {
                let same = exact.iter().find(|(other, _)| other == order);
                let ordered = encounter.clone().party_focus(Focus::Order(order.clone()))?;
                let Some((_, chance)) = same else {
                    return Ok(false);
                };
                if !bounded(&ordered, chance, *float)? {
                    return Ok(false);
                }
            }
            Ok(floats.len() == exact.len() && floats.is_sorted_by(|a, b| a.1 >= b.1))
        };
        holds().unwrap()
    }
    QuickCheck::new()
        .tests(50)
        .quickcheck(property as fn(Fight) -> bool);
}

/// A fighter who hits once in 400 attacks: the duel takes thousands of attacks, and the bounds are
/// wider accordingly.
#[test]
fn long_encounters_are_bounded_too() -> Checked {
    let claw = Attack::new("Claw")?.to_hit(-20).die(D20::Disadvantage);
    let beast = Combatant::new("Beast", 11, HitPoints::fixed(6)?)?
        .attack(claw.damage("1".parse()?))
        .initiative(2);
    let encounter = Encounter::new([beast.clone()], [beast.clone(), beast])?;
    let exact = encounter.win()?;
    assert!(bounded(&encounter, &exact, encounter.win_f64()?)?);
    Ok(())
}

#[track_caller]
fn near(exact: &Dist<i64>, float: &Dist<i64, f64>) {
    assert_eq!(exact.support(), float.support());
    let error = float.relative_error();
    assert!(error < 1e-12, "{error}");
    for damage in exact.support() {
        let chance = exact.p(damage);
        let off = BigRational::from_float(float.p(damage)).unwrap_or_default() - &chance;
        let allowed = BigRational::from_float(error).unwrap_or_default() * chance;
        assert!(off <= allowed && -off <= allowed, "{damage}");
    }
}

#[test]
fn turns_that_recharge_are_as_near_in_floats_as_they_say() -> Checked {
    let bite = Attack::new("Bite")?
        .to_hit(7)
        .damage("1d10 + 4 piercing".parse()?);
    let breath = SaveEffect::new("Fire Breath", Ability::Dexterity, 13)?;
    let breath = Turn::from(breath.damage("7d6 fire".parse()?));
    let knight = Combatant::new("Knight", 18, HitPoints::fixed(52)?)?
        .attack(bite.clone())
        .multiattack(["Bite", "Bite", "Bite"])?;
    for from in 1..=6 {
        let recharge = Recharge::on(from)?;
        let turn = RechargeTurn::new(recharge, breath.clone(), bite.clone().into());
        let wyrm = Combatant::new("Wyrm", 17, HitPoints::fixed(75)?)?
            .attack(bite.clone())
            .multiattack(["Bite", "Bite"])?
            .recharging(recharge, breath.clone());
        let waiting =
            Combatant::new("Wisp", 17, HitPoints::fixed(9)?)?.recharging(recharge, breath.clone());
        for number in 0..=3 {
            let target = Target::new(18);
            near(&turn.law(&target, number)?, &turn.law_f64(&target, number)?);
            for one in [&wyrm, &waiting, &knight] {
                near(
                    &one.turn_number(number, &knight)?,
                    &one.turn_number_f64(number, &knight)?,
                );
            }
        }
        near(
            &wyrm.turn_against(&knight)?,
            &wyrm.turn_against_f64(&knight)?,
        );
    }
    Ok(())
}
