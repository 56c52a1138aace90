//! Garrisons, several armies and reinforcements, compared with simple recursion, enumeration and
//! reference values in `data/battles.json`; its `note` describes the fields.

use crate::reference;
use crate::reference::{entries, fraction};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_risk::{
    Assault, Battle, Campaign, Error, Rules, StopRule, Throw, fortify, fortify_f64,
};
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::Value;

fn data(field: &str) -> Value {
    reference::field(include_str!("../data/battles.json"), field)
}

/// After one throw with all dice: the probability of each pair of units left.
fn throws(attackers: u32, defenders: u32, rules: &Rules) -> Vec<(BigRational, u32, u32)> {
    let (attack, defence) = rules.dice(attackers, defenders);
    let throw = Throw::new(attack, defence).unwrap().rules(rules.clone());
    let law = throw.law().unwrap();
    law.support()
        .iter()
        .map(|&won| {
            let lost = throw.pairs() - won;
            (law.p(&won), attackers - lost, defenders - won)
        })
        .collect()
}

/// The probability of taking all these territories, each with its rules and the units that stay.
fn march(attackers: u32, defenders: u32, rest: &[(u32, Rules, u32)]) -> BigRational {
    let (_, rules, stay) = &rest[0];
    if defenders == 0 {
        return match rest.get(1) {
            None => BigRational::one(),
            Some(next) => march(attackers.saturating_sub(*stay), next.0, &rest[1..]),
        };
    }
    if attackers == 0 {
        return BigRational::zero();
    }
    let after = throws(attackers, defenders, rules).into_iter();
    after.map(|(p, a, d)| p * march(a, d, rest)).sum()
}

/// The probability that one of these armies takes the territory.
fn storm(attackers: u32, defenders: u32, rest: &[(u32, Rules)]) -> BigRational {
    if defenders == 0 {
        return BigRational::one();
    }
    if attackers == 0 {
        return match rest.get(1) {
            None => BigRational::zero(),
            Some(next) => storm(next.0, defenders, &rest[1..]),
        };
    }
    let after = throws(attackers, defenders, &rest[0].1).into_iter();
    after.map(|(p, a, d)| p * storm(a, d, rest)).sum()
}

fn orders(of: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..of {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..of)
                .filter(|next| !order.clone().contains(next))
                .map(|next| [&order[..], &[next]].concat())
                .collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

#[derive(Clone, Debug)]
struct Case {
    units: u32,
    /// Units, rules, and the units that stay.
    places: Vec<(u32, Rules, u32)>,
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let kinds = [
            Rules::standard(),
            Rules::georgiou(),
            Rules::standard().fortress(),
            Rules::standard().hero_attacks(),
        ];
        let mut number = |most: u32| 1 + u32::arbitrary(g) % most;
        let places = (0..number(3))
            .map(|_| (number(3), kinds[number(4) as usize - 1].clone(), number(3)))
            .collect();
        Case {
            units: number(5),
            places,
        }
    }
}

impl Case {
    fn campaign(&self) -> Campaign {
        let garrisons = self.places.iter().map(|place| place.0);
        let mut campaign = Campaign::new(self.units + 1, garrisons).unwrap();
        for (at, (_, rules, stay)) in self.places.iter().enumerate() {
            let ruled = campaign.rules_at(at, rules.clone()).unwrap();
            campaign = ruled.leaving(at, *stay).unwrap();
        }
        campaign
    }

    fn assault(&self) -> Assault {
        let armies = self.places.iter().map(|place| place.0);
        let mut assault = Assault::new(armies, self.units).unwrap();
        for (at, (_, rules, _)) in self.places.iter().enumerate() {
            assault = assault.rules_at(at, rules.clone()).unwrap();
        }
        assault
    }

    fn in_order<T: Clone>(list: &[T], order: &[usize]) -> Vec<T> {
        order.iter().map(|&at| list[at].clone()).collect()
    }
}

quickcheck! {
    fn campaigns_by_recursion(case: Case) -> bool {
        let outlook = case.campaign().outlook().unwrap();
        (1..=case.places.len()).all(|taken| {
            let first = &case.places[..taken];
            outlook.conquered()[taken - 1] == march(case.units, first[0].0, first)
        }) && outlook.left().iter().sum::<BigRational>() == outlook.conquered()[case.places.len() - 1]
    }

    fn best_campaigns_by_all_orders(case: Case) -> bool {
        let (order, chance) = case.campaign().best_order().unwrap();
        let value = |order: &[usize]| {
            let places = Case::in_order(&case.places, order);
            march(case.units, places[0].0, &places).to_f64().unwrap()
        };
        let best = orders(case.places.len()).iter().map(|order| value(order)).fold(0.0, f64::max);
        (chance - best).abs() <= 1e-13 * best && (value(&order) - best).abs() <= 1e-13 * best
    }

    fn assaults_by_recursion(case: Case) -> bool {
        let outlook = case.assault().outlook().unwrap();
        let armies: Vec<(u32, Rules)> =
            case.places.iter().map(|(units, rules, _)| (*units, rules.clone())).collect();
        (1..=armies.len()).all(|count| {
            outlook.taken()[count - 1] == storm(armies[0].0, case.units, &armies[..count])
        }) && outlook.defenders_left().iter().sum::<BigRational>()
            == BigRational::one() - outlook.taken()[armies.len() - 1].clone()
            && outlook.defenders_left()[0].is_zero()
    }

    fn floats_are_within_their_bounds(case: Case) -> bool {
        let near = |exact: &[BigRational], floats: &[f64], error: f64| {
            exact.len() == floats.len() && exact.iter().zip(floats).all(|(exact, float)| {
                let exact = exact.to_f64().unwrap();
                (exact - float).abs() <= (error + f64::EPSILON) * exact
            })
        };
        let (campaign, assault) = (case.campaign(), case.assault());
        let (exact, float) = (campaign.outlook().unwrap(), campaign.outlook_f64().unwrap());
        let error = float.relative_error();
        let marched = near(exact.conquered(), float.conquered(), error)
            && near(exact.left(), float.left(), error)
            && campaign.win_f64().ok() == float.conquered().last().copied();
        let (exact, float) = (assault.outlook().unwrap(), assault.outlook_f64().unwrap());
        let error = float.relative_error();
        marched
            && near(exact.taken(), float.taken(), error)
            && near(exact.defenders_left(), float.defenders_left(), error)
            && assault.win_f64().ok() == float.taken().last().copied()
    }

    fn best_assaults_by_all_orders(case: Case) -> bool {
        let (order, chance) = case.assault().best_order().unwrap();
        let armies: Vec<(u32, Rules)> =
            case.places.iter().map(|(units, rules, _)| (*units, rules.clone())).collect();
        let value = |order: &[usize]| {
            let armies = Case::in_order(&armies, order);
            storm(armies[0].0, case.units, &armies).to_f64().unwrap()
        };
        let best = orders(armies.len()).iter().map(|order| value(order)).fold(0.0, f64::max);
        (chance - best).abs() <= 1e-13 * best && (value(&order) - best).abs() <= 1e-13 * best
    }

    /// Every way to place at most the reinforcements, one by one.
    fn no_distribution_is_better(case: Case) -> bool {
        let reinforcements = case.units;
        let borders: Vec<Battle> = case
            .places
            .iter()
            .map(|(units, rules, attackers)| {
                Battle::new(attackers + 2, *units).unwrap().rules(rules.clone())
            })
            .collect();
        let fortified = fortify(&borders, reinforcements).unwrap();
        let with = |placed: &[u32]| -> BigRational {
            let each = borders.iter().zip(&case.places).zip(placed);
            each.map(|((border, (units, rules, _)), more)| {
                let attackers = border.forces().attackers;
                let battle = Battle::new(attackers, units + more).unwrap();
                battle.rules(rules.clone()).win().unwrap()
            })
            .max()
            .unwrap()
        };
        let mut least = with(&vec![0; borders.len()]);
        let mut all = vec![Vec::new()];
        for _ in &borders {
            let longer = |placed: &Vec<u32>| {
                let left = reinforcements - placed.iter().sum::<u32>();
                let placed = placed.clone();
                (0..=left).map(move |more| [&placed[..], &[more]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        for placed in &all {
            least = least.min(with(placed));
        }
        *fortified.greatest_chance() == least
            && with(fortified.placed()) == least
            && fortified.placed().iter().sum::<u32>() + fortified.spare() == reinforcements
    }

    /// The probabilities are within their stated error, and no placement is better by more than
    /// that.
    fn fortifying_in_floats_is_as_good(case: Case) -> bool {
        let borders: Vec<Battle> = (case.places.iter())
            .map(|(units, rules, attackers)| {
                Battle::new(attackers + 2, *units).unwrap().rules(rules.clone())
            })
            .collect();
        let exact = fortify(&borders, case.units).unwrap();
        let floats = fortify_f64(&borders, case.units).unwrap();
        let error = floats.relative_error();
        let near = |float: f64, exact: &BigRational| {
            let allowed = BigRational::from_float(error).unwrap() * exact;
            let off = BigRational::from_float(float).unwrap() - exact;
            off <= allowed && -off <= allowed
        };
        let each = (case.places.iter()).zip(floats.placed()).zip(floats.chances());
        let mut chances = each.map(|(((units, rules, attackers), more), &chance)| {
            let battle = Battle::new(attackers + 2, units + more).unwrap();
            near(chance, &battle.rules(rules.clone()).win().unwrap())
        });
        chances.all(|near| near)
            && near(*floats.greatest_chance(), exact.greatest_chance())
            && floats.placed().iter().sum::<u32>() + floats.spare() == case.units
            && error < 1e-13
    }

    /// Leaving more behind reduces the reach.
    fn garrisons_cost(case: Case) -> bool {
        let most = |campaign: Campaign| campaign.outlook().unwrap().conquered().last().cloned();
        let plain = |mut case: Case| {
            for place in &mut case.places {
                place.2 = 1;
            }
            most(case.campaign())
        };
        most(case.campaign()) <= plain(case)
    }
}

/// Neither sending the larger nor the smaller army first is always better, so the order has to be
/// searched.
#[test]
fn no_simple_rule_orders_two_armies() {
    let (mut larger_first, mut smaller_first) = (0, 0);
    for small in 1..=5 {
        for large in small + 1..=6 {
            for defenders in 1..=8 {
                let taken = |armies: [u32; 2]| {
                    let assault = Assault::new(armies, defenders).unwrap();
                    assault.outlook().unwrap().taken()[1].clone()
                };
                let (down, up) = (taken([large, small]), taken([small, large]));
                larger_first += u32::from(down > up);
                smaller_first += u32::from(up > down);
            }
        }
    }
    assert!(larger_first > 0 && smaller_first > 0);
}

/// A garrison protected by the border's own stop rule keeps the territory.
#[test]
fn borders_with_stop_rules() {
    let careful = Battle::new(6, 2).unwrap();
    let careful = careful.stop(StopRule::at_units(4)).unwrap();
    let bold = Battle::new(6, 2).unwrap();
    let fortified = fortify(&[careful, bold], 3).unwrap();
    assert_eq!(fortified.placed()[1], 3);
    assert_eq!(fortified.weakest(), 1);
}

#[test]
fn campaigns_by_reference() {
    let cases = data("campaign");
    for (name, expected) in entries(&cases) {
        let (troops, rest) = name.split_once(" total vs ").unwrap();
        let (garrisons, sides) = rest.split_once(" dsides ").unwrap();
        let list = |text: &str| -> Vec<u32> {
            let inner = text.trim_matches(['[', ']']).split(',');
            inner.map(|number| number.trim().parse().unwrap()).collect()
        };
        let garrisons = list(garrisons);
        let mut sides = list(sides);
        sides.resize(garrisons.len(), sides[0]);
        let mut campaign = Campaign::new(troops.parse().unwrap(), garrisons).unwrap();
        for (territory, &sides) in sides.iter().enumerate() {
            let rules = Rules::standard().sides(6, sides).unwrap();
            campaign = campaign.rules_at(territory, rules.clone()).unwrap();
        }
        let outlook = campaign.outlook().unwrap();
        let chances: Vec<BigRational> = expected["win_each"]
            .as_array()
            .unwrap()
            .iter()
            .map(fraction)
            .collect();
        assert_eq!(outlook.conquered(), chances, "{name}");
        for (left, chance) in entries(&expected["movable_left"]) {
            let left: usize = left.parse().unwrap();
            assert_eq!(outlook.left()[left], fraction(chance), "{name}: {left}");
        }
    }
}

#[test]
fn orders_by_reference() {
    let orders = data("order");
    let mut best = (0.0, Vec::new());
    for (name, chance) in entries(&orders) {
        let (troops, garrisons) = name.split_once(" total vs ").unwrap();
        let garrisons = garrisons.trim_matches(['(', ')']).split(", ");
        let garrisons: Vec<u32> = garrisons.map(|units| units.parse().unwrap()).collect();
        let campaign = Campaign::new(troops.parse().unwrap(), garrisons.clone()).unwrap();
        let chance = chance.as_f64().unwrap();
        let found = *campaign.outlook().unwrap().conquered_f64().last().unwrap();
        assert!((found - chance).abs() < 1e-14, "{name}");
        if chance > best.0 {
            best = (chance, garrisons);
        }
    }
    let garrisons = [1, 2, 5];
    let (order, chance) = Campaign::new(12, garrisons).unwrap().best_order().unwrap();
    let order: Vec<u32> = order
        .into_iter()
        .map(|territory| garrisons[territory])
        .collect();
    assert_eq!(order, best.1);
    assert!((chance - best.0).abs() < 1e-14);
}

/// Regression test: floats were computed as fractions and rounded at the end, so that large armies
/// were rejected or took minutes.
#[test]
fn large_armies_march_in_floats() {
    let campaign = Campaign::new(3_500, [2_000, 1_500, 600]).unwrap();
    assert!(matches!(campaign.win(), Err(Error::BattleTooLarge { .. })));
    let outlook = campaign.outlook_f64().unwrap();
    let [first, _, all] = outlook.conquered() else {
        panic!("{outlook:?}")
    };
    let battle = Battle::new(3_499, 2_000).unwrap();
    assert!((first - battle.win_f64().unwrap()).abs() < 1e-12);
    assert!(*all > 0.3 && *all < 0.7, "{all}");
    assert!(outlook.relative_error() < 1e-10);
    let assault = Assault::new([1_000, 1_500], 3_000).unwrap();
    assert!(matches!(assault.win(), Err(Error::BattleTooLarge { .. })));
    // The first army almost never wins, and this probability keeps its digits.
    let outlook = assault.outlook_f64().unwrap();
    let battle = Battle::new(1_000, 3_000).unwrap().win_f64().unwrap();
    assert!(battle > 0.0 && battle < 1e-100, "{battle}");
    assert!((outlook.taken()[0] - battle).abs() <= 1e-10 * battle);
    for far in [
        Campaign::new(u32::MAX, [5]).unwrap().win_f64(),
        Campaign::new(5, [u32::MAX]).unwrap().win_f64(),
        Assault::new([5], u32::MAX).unwrap().win_f64(),
        Assault::new([u32::MAX], 5).unwrap().win_f64(),
    ] {
        assert!(matches!(far, Err(Error::BattleTooLarge { .. })), "{far:?}");
    }
}

/// Regression test: each leg computed the throws again. Territories with the same rules share them,
/// others do not.
#[test]
fn legs_share_the_throws_of_their_own_rules_alone() {
    let wide = Rules::standard().max_dice(4, 3).unwrap();
    let held = wide.clone().fortress();
    let campaign = |legs: &[&Rules]| {
        let mut campaign = Campaign::new(12, vec![3; legs.len()]).unwrap();
        for (at, rules) in legs.iter().enumerate() {
            campaign = campaign.rules_at(at, (*rules).clone()).unwrap();
        }
        campaign.outlook().unwrap().left().to_vec()
    };
    let all = campaign(&[&wide, &held, &wide]);
    // Leg by leg, each in its own campaign: the survivors march on, and one more stays in each
    // territory.
    let mut by_hand = campaign(&[&wide]);
    for rules in [&held, &wide] {
        let none = vec![BigRational::zero(); by_hand.len()];
        let before = std::mem::replace(&mut by_hand, none);
        for (units, chance) in before.iter().enumerate().skip(1) {
            let leg = Campaign::new(units as u32 + 1, [3])
                .unwrap()
                .rules(rules.clone());
            for (sum, left) in by_hand.iter_mut().zip(leg.outlook().unwrap().left()) {
                *sum += chance * left;
            }
        }
    }
    assert_eq!(all, by_hand[..all.len()]);
    assert!(by_hand[all.len()..].iter().all(Zero::is_zero));
    assert_ne!(all, campaign(&[&wide, &wide, &wide]));
}

/// If floats are 0 or 1 for every placement, nothing is placed.
#[test]
fn floats_that_cannot_tell_place_nothing() {
    for border in [Battle::new(1, 1_000), Battle::new(1_000, 10)].map(Result::unwrap) {
        let floats = fortify_f64(std::slice::from_ref(&border), 5).unwrap();
        assert_eq!((floats.placed(), floats.spare()), (&[0][..], 5));
    }
    let weak = Battle::new(1_000, 10).unwrap();
    let exact = fortify(&[weak], 5).unwrap();
    assert_eq!((exact.placed(), exact.spare()), (&[5][..], 0));
}

/// Regression test: a tiny probability of taking was computed as 1 minus that of holding, and the
/// remaining digits chose the order.
#[test]
fn hopeless_assaults_have_a_best_order_too() {
    for (defenders, armies, best) in [
        (100, vec![6, 3, 5], vec![1, 2, 0]),
        (120, vec![8, 2, 3], vec![2, 0, 1]),
        (30, vec![1], vec![0]),
    ] {
        let assault = Assault::new(armies.clone(), defenders).unwrap();
        let (order, chance) = assault.best_order().unwrap();
        let ordered: Vec<u32> = order.iter().map(|at| armies[*at]).collect();
        let outlook = Assault::new(ordered, defenders).unwrap().outlook().unwrap();
        let exact = outlook.taken_f64()[armies.len() - 1];
        assert_eq!(order, best);
        assert!(
            exact > 0.0 && (chance - exact).abs() <= 1e-12 * exact,
            "{chance} {exact}"
        );
    }
}
