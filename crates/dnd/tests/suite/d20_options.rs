//! Every option of the d20, compared with an enumeration of all rolls.

use num_rational::BigRational;
use oddsmith_dice::Dist;
use oddsmith_dnd::{Attack, AttackRoll, Cover, D20, Naturals, Outcome, SavingThrow, Target};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

const DICE: [D20; 4] = [
    D20::Plain,
    D20::Advantage,
    D20::Disadvantage,
    D20::ElvenAccuracy,
];

/// How often each number counts, among 20⁴ rolls of three dice and a fourth that a halfling rolls
/// instead of a 1.
fn naturals(die: D20, lucky: bool) -> [u64; 21] {
    let mut counts = [0; 21];
    for roll in 0..160_000_u32 {
        let mut shown = [0, 1, 2, 3].map(|place| roll / 20_u32.pow(place) % 20 + 1);
        let again = shown[3];
        let used = match die {
            D20::Plain => 1,
            D20::Advantage | D20::Disadvantage => 2,
            D20::ElvenAccuracy => 3,
        };
        let dice = &mut shown[..used];
        if lucky && let Some(one) = dice.iter_mut().find(|face| **face == 1) {
            *one = again;
        }
        let natural = match die {
            D20::Disadvantage => dice.iter().min(),
            _ => dice.iter().max(),
        };
        counts[*natural.unwrap() as usize] += 1;
    }
    counts
}

fn ratio(count: u64, of: u64) -> BigRational {
    BigRational::new(count.into(), of.into())
}

#[test]
fn natural_rolls() {
    for die in DICE {
        for lucky in [false, true] {
            let law = if lucky {
                die.halfling_luck()
            } else {
                die.law()
            }
            .unwrap();
            for (natural, count) in (0..).zip(naturals(die, lucky)) {
                assert_eq!(
                    law.p(&natural),
                    ratio(count, 160_000),
                    "{die:?} {lucky} {natural}"
                );
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Options {
    ac: i64,
    bonus: i64,
    die: D20,
    lucky: bool,
    critical_from: u32,
    naturals: Naturals,
    cover: Cover,
    /// A die that is added or, if negative, subtracted.
    extra: i64,
}

impl Arbitrary for Options {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut pick = |low: i64, high: i64| {
            let all: Vec<i64> = (low..=high).collect();
            *g.choose(&all).unwrap()
        };
        Options {
            ac: pick(-3, 35),
            bonus: pick(-4, 14),
            die: DICE[pick(0, 3) as usize],
            lucky: pick(0, 1) == 1,
            critical_from: pick(2, 20) as u32,
            naturals: [Naturals::Automatic, Naturals::Compared][pick(0, 1) as usize],
            cover: [Cover::None, Cover::Half, Cover::ThreeQuarters][pick(0, 2) as usize],
            extra: pick(-4, 4),
        }
    }
}

impl Options {
    fn extra(&self) -> Vec<i64> {
        match self.extra {
            0 => vec![0],
            sides => (1..=sides.abs())
                .map(|face| face * sides.signum())
                .collect(),
        }
    }

    fn roll(&self) -> AttackRoll {
        let mut roll = AttackRoll::new(self.ac, self.bonus).die(self.die);
        roll = roll.critical_from(self.critical_from).unwrap();
        roll = roll.naturals(self.naturals).cover(self.cover).unwrap();
        if self.lucky {
            roll = roll.halfling_luck();
        }
        roll.bonus_dice(&Dist::uniform(self.extra()).unwrap())
            .unwrap()
    }

    fn outcome(&self, natural: i64, extra: i64) -> Outcome {
        let cover = match self.cover {
            Cover::Half => 2,
            Cover::ThreeQuarters => 5,
            _ => 0,
        };
        let reached = natural + self.bonus + extra >= self.ac + cover;
        let automatic = self.naturals == Naturals::Automatic;
        if automatic && natural == 1 {
            Outcome::Miss
        } else if automatic && natural == 20 {
            Outcome::Critical
        } else if !reached {
            Outcome::Miss
        } else if natural >= i64::from(self.critical_from) {
            Outcome::Critical
        } else {
            Outcome::Hit
        }
    }
}

#[test]
fn outcomes_of_all_options() {
    fn property(options: Options) -> TestResult {
        let naturals = naturals(options.die, options.lucky);
        let mut counts = [0; 3];
        let extra = options.extra();
        for natural in 1..=20_i64 {
            for &extra in &extra {
                counts[options.outcome(natural, extra) as usize] += naturals[natural as usize];
            }
        }
        let of = 160_000 * extra.len() as u64;
        let expected = counts.map(|count| ratio(count, of));
        let roll = options.roll();
        TestResult::from_bool([roll.miss(), roll.hit(), roll.critical()] == expected)
    }
    QuickCheck::new()
        .tests(150)
        .quickcheck(property as fn(Options) -> TestResult);
}

/// A saving throw is a plain comparison, and cover is a bonus to it.
#[test]
fn saving_throws() {
    fn property(options: Options) -> TestResult {
        let naturals = naturals(options.die, options.lucky);
        let mut saved = 0;
        let extra = options.extra();
        let cover = options.cover.bonus().unwrap();
        for natural in 1..=20_i64 {
            for extra in &extra {
                if natural + options.bonus + extra + cover >= options.ac {
                    saved += naturals[natural as usize];
                }
            }
        }
        let mut save = SavingThrow::new(options.ac, options.bonus).die(options.die);
        if options.lucky {
            save = save.halfling_luck();
        }
        save = save.cover(options.cover).unwrap();
        save = save
            .bonus_dice(&Dist::uniform(extra.clone()).unwrap())
            .unwrap();
        let expected = ratio(saved, 160_000 * extra.len() as u64);
        let one = ratio(1, 1);
        TestResult::from_bool(save.failure() == &one - &expected && save.success() == expected)
    }
    QuickCheck::new()
        .tests(150)
        .quickcheck(property as fn(Options) -> TestResult);
}

/// The attack of a stat block makes the same roll.
#[test]
fn attacks_roll_as_their_rolls() {
    fn property(options: Options) -> TestResult {
        let mut attack = Attack::new("Any")
            .unwrap()
            .to_hit(options.bonus)
            .die(options.die);
        attack = attack.critical_from(options.critical_from).unwrap();
        attack = attack.naturals(options.naturals);
        if options.lucky {
            attack = attack.halfling_luck();
        }
        let dice = Dist::uniform(options.extra()).unwrap();
        attack = attack.bonus_dice(&dice).unwrap();
        let target = Target::new(options.ac).cover(options.cover);
        TestResult::from_bool(attack.roll(&target).unwrap() == options.roll())
    }
    QuickCheck::new()
        .tests(100)
        .quickcheck(property as fn(Options) -> TestResult);
}

/// More armour, more cover and a penalty never help; more dice to choose from do.
#[test]
fn monotone() {
    fn property(options: Options) -> TestResult {
        let miss = |change: fn(&mut Options)| {
            let mut changed = options.clone();
            change(&mut changed);
            changed.roll().miss()
        };
        let same = miss(|_| ());
        let by_die = DICE.map(|die| {
            let mut changed = options.clone();
            changed.die = die;
            changed.roll().miss()
        });
        let [plain, advantage, disadvantage, three] = by_die;
        TestResult::from_bool(
            miss(|options| options.ac += 1) >= same
                && miss(|options| options.bonus += 1) <= same
                && miss(|options| options.cover = Cover::ThreeQuarters) >= same
                && miss(|options| options.lucky = true) <= same
                && three <= advantage
                && advantage <= plain
                && plain <= disadvantage,
        )
    }
    QuickCheck::new()
        .tests(150)
        .quickcheck(property as fn(Options) -> TestResult);
}
