//! Campaigns, assaults and reinforcements that are invalid or exceed the limits.

use num_rational::BigRational;
use num_traits::Zero;
use oddsmith_risk::{
    Assault, Battle, Campaign, Error, Measure, Rules, attackers_for_within, defenders_for_within,
    force_line_within, fortify, fortify_f64, matrix_f64_within, matrix_within,
};

#[test]
fn bad_input() {
    assert!(matches!(fortify(&[], 3), Err(Error::NoBorders)));
    assert!(matches!(fortify_f64(&[], 3), Err(Error::NoBorders)));
    let border = Battle::new(5, 5).unwrap();
    assert!(fortify(std::slice::from_ref(&border), u32::MAX).is_err());
    // Regression test: this was a work of 4294967296 steps, beyond a limit that was higher.
    let border = Battle::new(1, u32::MAX).unwrap().max_work(u64::MAX);
    let all = Error::TooManyDefenders {
        defenders: u32::MAX,
        reinforcements: 1,
    };
    assert_eq!(fortify_f64(&[border], 1).err(), Some(all));
    let border = Battle::new(3, 3).unwrap();
    assert!(fortify_f64(std::slice::from_ref(&border), u32::MAX).is_err());
    let few = [border.max_work(10)];
    assert!(fortify(&few, 3).is_err() && fortify_f64(&few, 3).is_err());
    assert!(Assault::new([3], 0).is_err());
    assert!(Assault::new([], 3).is_err());
    assert!(Assault::new([2, 0], 3).is_err());
    assert!(Assault::new([3], u32::MAX).unwrap().outlook().is_err());
    assert!(Assault::new([u32::MAX], 3).unwrap().outlook().is_err());
    assert!(Assault::new([3; 30], 100).unwrap().best_order().is_err());
    let nobody = Campaign::new(5, [2]).unwrap().leaving(0, 0);
    assert!(matches!(nobody, Err(Error::NobodyStays { territory: 0 })));
    // More units would stay than there are.
    let all = Campaign::new(5, [1, 1])
        .unwrap()
        .leaving(0, u32::MAX)
        .unwrap();
    assert!(all.outlook().unwrap().conquered()[1].is_zero());
}

#[test]
fn campaigns_that_cannot_be() {
    assert!(Campaign::new(1, [1]).is_err());
    assert!(Campaign::new(5, []).is_err());
    assert!(Campaign::new(5, [2, 0]).is_err());
    assert!(Campaign::new(u32::MAX, [5]).unwrap().outlook().is_err());
    assert!(Campaign::new(5, [u32::MAX]).unwrap().outlook().is_err());
    assert!(Campaign::new(100, [3; 30]).unwrap().best_order().is_err());
    // An army that is used up on the way.
    let outlook = Campaign::new(2, [1, 1, 1]).unwrap().outlook().unwrap();
    let zero = BigRational::zero();
    assert_eq!(
        outlook.conquered(),
        ["5/12".parse().unwrap(), zero.clone(), zero]
    );
}

/// Regression test: they took eight gigabytes within the limit on states, although a battle takes
/// one at most.
#[test]
fn marches_take_no_more_memory_than_a_battle() {
    let told = [
        Campaign::new(1 << 28, [1]).unwrap().win_f64().map(drop),
        Assault::new([1], 1 << 28).unwrap().win_f64().map(drop),
        (Assault::new([1], u32::MAX)
            .unwrap()
            .outlook_f64_within(u64::MAX))
        .map(drop),
        (Assault::new([1], u32::MAX)
            .unwrap()
            .outlook_within(u64::MAX))
        .map(drop),
    ];
    for told in told {
        assert!(
            matches!(told, Err(Error::RowsTooLarge { bytes, limit, .. }) if bytes > limit.into()),
            "{told:?}"
        );
    }
}

/// Regression test: the throws were computed first.
#[test]
fn marches_are_refused_before_their_throws() {
    let many = Rules::standard().max_dice(u32::MAX, u32::MAX).unwrap();
    let campaign = Campaign::new(1_000, [1_000]).unwrap().rules(many.clone());
    let assault = Assault::new([1_000], 1_000).unwrap().rules(many.clone());
    let told = [
        campaign.outlook_f64_within(1).map(drop),
        assault.outlook_f64_within(1).map(drop),
        campaign.outlook_within(1).map(drop),
        assault.outlook_within(1).map(drop),
        // Two words for each of 1000 · 1001 states and 1001 · 1001, and a sixteenth of the square
        // of the marching units, one of whom has stayed at home.
        campaign.outlook_within(2_064_374).map(drop),
        assault.outlook_within(2_066_501).map(drop),
    ];
    for told in told {
        assert!(
            matches!(told, Err(Error::BattleTooLarge { .. })),
            "{told:?}"
        );
    }
    for told in [
        campaign.outlook_f64().map(drop),
        campaign.outlook_within(2_064_375).map(drop),
        assault.outlook_within(2_066_502).map(drop),
    ] {
        assert!(
            matches!(told, Err(Error::ThrowsTooLarge { .. })),
            "{told:?}"
        );
    }
}

/// Regression test: the error about throws advised raising `max_work`, which campaigns and tables
/// lack, and their own limit was not passed on.
#[test]
fn limits_are_those_of_the_throws_too() {
    let many = Rules::standard().max_dice(1_000, 1_000).unwrap();
    let campaign = Campaign::new(1_000, [1_000]).unwrap().rules(many.clone());
    let assault = Assault::new([1_000], 1_000).unwrap().rules(many.clone());
    // More than the total of states, orders and forces.
    for steps in [1 << 33, 1 << 34] {
        let told = [
            campaign.outlook_within(steps).map(drop),
            campaign.outlook_f64_within(steps).map(drop),
            campaign.best_order_within(steps).map(drop),
            assault.outlook_within(steps).map(drop),
            assault.outlook_f64_within(steps).map(drop),
            assault.best_order_within(steps).map(drop),
            matrix_f64_within(Measure::Win, 1_000, 1_000, &many, steps).map(drop),
            matrix_within(Measure::Win, 1_000, 1_000, &many, steps).map(drop),
            attackers_for_within(1_000, "0.5", &many, steps).map(drop),
            defenders_for_within(1_000, "0.5", &many, steps).map(drop),
            force_line_within(1_000, "0.5", &many, steps).map(drop),
        ];
        for told in told {
            assert!(
                matches!(told, Err(Error::ThrowsTooLarge { limit, .. }) if limit == steps),
                "{told:?}"
            );
        }
    }
    let told = campaign.outlook().unwrap_err().to_string();
    let advice = "lower `max_dice` or the sides of the rules, or raise it where there is `max_work` or \
                  a `_within` twin";
    assert!(told.ends_with(advice), "{told}");
}

/// Regression test: they were silently ignored.
#[test]
fn territories_and_armies_that_are_not_there_are_refused() {
    // One beyond the last, and the largest number.
    let fortress = Rules::standard().fortress();
    let not_there = |what, number| {
        Some(Error::NotThere {
            what,
            number,
            count: 2,
        })
    };
    for beyond in [2, usize::MAX] {
        let campaign = Campaign::new(9, [4, 3]).unwrap();
        let ruled = campaign.clone().rules_at(beyond, fortress.clone());
        assert_eq!(ruled.err(), not_there("territory", beyond));
        let left = campaign.leaving(beyond, 2);
        assert_eq!(left.err(), not_there("territory", beyond));
        let assault = Assault::new([4, 3], 9).unwrap();
        let ruled = assault.rules_at(beyond, fortress.clone());
        assert_eq!(ruled.err(), not_there("army", beyond));
    }
}

/// Regression test: assaults are followed from the other side, and the error exchanged the sides.
#[test]
fn assaults_are_refused_with_their_own_forces() {
    let assault = Assault::new([7_000_000, 3], 500).unwrap();
    let told = [
        assault.outlook().map(drop),
        assault.outlook_f64().map(drop),
        assault.best_order().map(drop),
    ];
    for error in told.map(Result::unwrap_err) {
        let forces = match error {
            Error::BattleTooLarge {
                attackers,
                defenders,
                ..
            } => (attackers, defenders),
            other => panic!("{other:?}"),
        };
        assert_eq!(forces, (7_000_000, 500));
    }
    let long = Assault::new([(1 << 29) - 1], 1).unwrap();
    let error = long.win_f64().unwrap_err();
    assert!(
        matches!(error, Error::RowsTooLarge { defenders: 1, .. }),
        "{error:?}"
    );
}

/// Regression test: eight armies were documented to fit but were rejected, since too many products
/// were counted; and the error named a limit that could not be set.
#[test]
fn as_many_orders_fit_as_are_said_to() {
    let (order, chance) = Campaign::new(100, 1..=8).unwrap().best_order().unwrap();
    assert_eq!(order.len(), 8);
    assert!(chance > 0.99, "{chance}");
    let (order, _) = Assault::new([5; 8], 100).unwrap().best_order().unwrap();
    assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(Campaign::new(139, 1..=8).unwrap().best_order().is_ok());
    let large = |found: Result<(Vec<usize>, f64), Error>| match found {
        Err(Error::BattleTooLarge { work, .. }) => work,
        other => panic!("{other:?}"),
    };
    let more = Campaign::new(140, 1..=8).unwrap();
    let work = large(more.best_order());
    assert!(more.best_order_within(u64::try_from(work).unwrap()).is_ok());
    large(Campaign::new(47, 1..=9).unwrap().best_order());
    large(Assault::new([5; 8], 139).unwrap().best_order());
    large(Assault::new([5; 9], 46).unwrap().best_order());
    assert!(Assault::new([5; 9], 45).unwrap().best_order().is_ok());
}
