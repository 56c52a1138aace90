//! Exact odds for fifth-edition Dungeons & Dragons combat: attacks, turns, duels and fights of more
//! than two, with the best decisions.
//!
//! Who wins, a knight or an ogre, when, and with how many hit points left?
//! ```
//! use oddsmith_dnd::{Attack, Combatant, HitPoints, Winner};
//!
//! let ogre = Combatant::new("Ogre", 11, HitPoints::rolled("7d10 + 21")?)?
//!     .attack(Attack::new("Greatclub")?.to_hit(6).damage("2d8 + 4 bludgeoning".parse()?))
//!     .initiative(-1);
//! let knight = Combatant::new("Knight", 18, HitPoints::fixed(52)?)?
//!     .attack(Attack::new("Greatsword")?.to_hit(5).damage("2d6 + 3 slashing".parse()?))
//!     .multiattack(["Greatsword", "Greatsword"])?;
//!
//! let initiative = knight.initiative_against(&ogre);
//! let ending = knight.duel(&ogre)?.ending_by(&initiative)?.to_f64(); // exact until here
//! assert_eq!(format!("{:.4}", ending.chance(Winner::First)), "0.9367");
//! assert_eq!(format!("{:.2}", ending.expected_rounds()), "4.31");
//! assert_eq!(format!("{:.1}", ending.left(Winner::First)?.mean()), "30.6");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An attack is a d20 plus a bonus against an armour class. A hit rolls damage dice and adds a flat
//! number, and a critical hit rolls the dice twice. The functions follow F. M. Jørgensen, "How the
//! probability code works" (2019), whose `activate` is included under its own name. They also cover
//! what the rules of 2014 and 2024 add: rerolled dice, types of damage, saving throws, riders that
//! apply once a turn, and actions that recharge.
//!
//! # Overview
//!
//! - [`Attack`]: a line of a stat block; [`SaveEffect`]: the same with a saving throw.
//! - [`Target`]: what they meet, an armour class with cover, [`Defenses`] and saving throws.
//! - [`Turn`]: attacks and effects one after another, with [`Rider`]s; its distribution is a
//!   [`Dist<i64>`](oddsmith_dice::Dist).
//! - [`Combatant`]: a whole stat block.
//! - [`AttackRoll`], [`Damage`] and [`attack_damage`]: the pieces, if you have numbers and no stat
//!   block.
//! - [`Duel`] of two [`Fighter`]s: round by round, or to the [`Ending`].
//! - [`TacticalDuel`]: the best use of [`Tactics`], and what habits cost.
//! - [`Encounter`]: a party against its foes.
//! - [`Belief`]: what the fight tells about a foe.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | compute the chance to hit | [`AttackRoll::miss`], [`AttackRoll::hit`], [`AttackRoll::critical`], [`AttackRoll::law`], [`AttackRoll::counts`], [`Outcome`] |
//! | roll with advantage, three dice, a halfling's luck | [`D20`], [`D20::halfling_luck`], [`AttackRoll::die`], [`AttackRoll::halfling_luck`] |
//! | score critical hits below 20 | [`AttackRoll::critical_from`] |
//! | turn off automatic results of 1 and 20 | [`Naturals`] |
//! | add bless and bane | [`AttackRoll::bonus_dice`], [`Attack::bonus_dice`] |
//! | take cover | [`Cover`] |
//! | trade −5 to hit for +10 damage | [`Attack::power_attack`], [`PowerAttack`], [`break_even`] |
//! | describe a weapon | [`Damage::dice`], [`Damage::new`], [`Damage::flat`], [`Damage::of`], [`DamageType`], [`Damage::plus`] |
//! | read `2d6 + 3 slashing plus 1d6 fire` | [`Damage::from_str`](Damage#method.from_str) |
//! | choose what a critical hit does | [`CriticalRule`], [`Damage::undoubled`], [`Damage::on_critical`], [`Damage::brutal`] |
//! | do damage on a miss | [`Damage::graze`], [`Damage::on_miss`] |
//! | reroll weapon dice | [`GreatWeaponFighting`], [`Rider::savage_attacker`] |
//! | add Sneak Attack once a turn | [`Rider`], [`RiderUse`] |
//! | resist | [`Defenses`] |
//! | make saving throws | [`SavingThrow`], [`SaveEffect`], [`OnSuccess`], [`Target::evasion`], [`SaveEffect::against_legendary_resistance`], [`Turn::against_legendary_resistance`] |
//! | add a saving throw to a hit | [`Attack::save_on_hit`] |
//! | use a cantrip every turn | [`Combatant::effect`] |
//! | compute the damage of a turn | [`Turn::law`], [`Turn::law_f64`], [`Turn::mean`] |
//! | recharge on 5–6 | [`Recharge`], [`RechargeTurn`] |
//! | compare builds by armour class | [`dpr_table`], [`dpr_table_f64`], [`dpr_table_against`], [`crossover`], [`break_even`] |
//! | write a stat block | [`Combatant`], [`HitPoints`], [`Ability`] |
//! | use the words of the source | [`activate`], [`attack_damage`]; `Ndice`, `shift`, `matfold` are [`ndice`](oddsmith_dice::Dist::ndice), [`shift`](oddsmith_dice::Dist::shift), [`matfold`](oddsmith_dice::Dist::matfold) |
//! | draw curves (feature `plot`) | `DprChart`, `DuelChart`; damage distributions are drawn by `Chart` in `oddsmith-dice` |
//! | let two fight | [`Combatant::duel`], [`Duel`], [`Fighter`], [`Winner`] |
//! | read it as a text | [`Duel::report`], [`DuelReport`] |
//! | follow a duel round by round (W, C, L) | [`Duel::rounds`], [`Rounds`], [`Round`], [`first_attack_matrix`], [`second_attack_matrix`] |
//! | find what a target has taken if it stands | [`partdist`], [`lumped`], [`Duel::rounds_without_partdist`] |
//! | fight to the end: who wins, with what left, and when | [`Duel::ending`], [`Ending`], [`Duel::lengths`] |
//! | compute a duel in floats | [`Duel::to_f64`], [`Fighter::to_f64`], [`Number`] |
//! | heal, regenerate, shield | [`Fighter::heals`], [`Fighter::maximum`], [`Fighter::temporary`] |
//! | change from turn to turn, recharge | [`Fighter::opening`], [`Fighter::in_phases`], [`Fighter::begins`], [`Phase`] |
//! | roll initiative | [`Initiative`], [`InitiativeTie`], [`Duel::ending_by`], [`Duel::table_by`] |
//! | roll hit points | [`HitPoints::rolled`], [`Fighter::rolled`] |
//! | decide on power attacks, smites and healing | [`Tactics`], [`Smite`], [`Healing`], [`TacticalDuel`], [`BattlePlan`] |
//! | query a plan | [`Situation`], [`Stage`], [`Act`] |
//! | compute what a fixed choice costs, by armour class | [`Habit`], [`SmiteWhen`], [`HealWhen`], [`TacticalDuel::by_ac`], [`AcOdds`] |
//! | let a party fight | [`Encounter`], [`Focus`], [`Encounter::kill_orders`], [`Encounter::hit_points_left`] |
//! | infer hit points and armour class | [`Belief`] |
//! | handle errors | [`Error`] |
//!
//! # Cookbook
//!
//! **A turn of two attacks** against an ogre with 59 hit points: is it down after four turns?
//! ```
//! use oddsmith_dnd::{Attack, Target, Turn};
//!
//! let longsword = Attack::new("Longsword")?.to_hit(7).damage("1d8 + 6 slashing".parse()?);
//! let turn = Turn::new().attacks(2, longsword).law(&Target::new(11))?;
//! assert_eq!(turn.mean().to_string(), "183/10");
//! let four = turn.repeat(4)?;
//! assert_eq!(format!("{:.4}", four.to_f64().at_least(&59)), "0.8704"); // four.at_least(&59) exactly
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Is −5 to hit for +10 damage worth it?** Up to AC 17, and again where only a
//! natural 20 hits:
//! ```
//! use oddsmith_dnd::{Attack, Turn, break_even};
//!
//! let plain = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
//! let power = Turn::from(plain.clone().power_attack());
//! assert_eq!(break_even(5..=30, &power, &plain.into())?, [18, 27]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **A rogue's Sneak Attack**, once a turn, on the first hit of two:
//! ```
//! use oddsmith_dnd::{Attack, Damage, Rider, Target, Turn};
//!
//! let dagger = Attack::new("Dagger")?.to_hit(7).damage("1d4 + 4 piercing".parse()?);
//! let sneak = Rider::new("Sneak Attack", Damage::dice(3, 6)?)?;
//! let turn = Turn::new().attacks(2, dagger).rider(sneak);
//! assert_eq!(turn.mean(&Target::new(15))?.to_string(), "7449/400");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **When is a slot worth a smite?** A plan takes both hit points into account; a habit does not:
//! ```
//! use oddsmith_dnd::{Attack, Fighter, Habit, Smite, SmiteWhen, TacticalDuel, Tactics, Target};
//!
//! let sword = Attack::new("Longsword")?.to_hit(5).damage("1d8 + 3 slashing".parse()?);
//! let smite = Smite::new("Divine Smite", 1, "2d8 radiant".parse()?)?;
//! let claw = Attack::new("Claw")?.to_hit(4).damage("1d6 + 2 slashing".parse()?);
//! let ghoul = Fighter::new(22, claw.law(&Target::new(16))?)?;
//! let duel = TacticalDuel::new(12, Tactics::new().attacks(1, [sword]).smite(smite), ghoul, Target::new(12))?;
//! let waiting = Habit { smite: SmiteWhen::OnCritical, ..Habit::default() };
//! assert!(duel.best_f64()?.value() > duel.fixed_f64(&waiting)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Whom to kill first?** All orders of killing, the best first:
//! ```
//! use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
//!
//! let sword = Attack::new("Longsword")?.to_hit(5).damage("1d8 + 3 slashing".parse()?);
//! let hero = Combatant::new("Hero", 16, HitPoints::fixed(24)?)?.attack(sword);
//! let bite = Attack::new("Bite")?.to_hit(4).damage("2d4 + 2 piercing".parse()?);
//! let wolf = Combatant::new("Wolf", 13, HitPoints::fixed(11)?)?.attack(bite);
//! let slash = Attack::new("Scimitar")?.to_hit(4).damage("1d6 + 2 slashing".parse()?);
//! let goblin = Combatant::new("Goblin", 15, HitPoints::fixed(7)?)?.attack(slash);
//! let fight = Encounter::new([hero], [wolf, goblin])?.order([0, 1, 2])?;
//! assert_eq!(fight.kill_orders()?[0].0, [0, 1]); // the wolf, who bites harder
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Should I use this crate?
//!
//! Yes, for the damage of attacks and turns, for duels of any length, for decisions in a duel and
//! for small fights. Not, or not yet, if
//!
//! - an attack changes what the next one meets, for example by knocking the target prone: build
//!   both turns and mix the distributions;
//! - conditions, reactions, concentration, movement, areas of effect or death saving throws matter:
//!   a creature with 0 hit points is out, and an effect hits one target;
//! - the fight is too large: an [`Encounter`] has one state for every combination of hit points.
//!   [`Encounter::states`] tells how many. If there are too many, simulate;
//! - creatures of an encounter regenerate, recharge or have legendary resistance: these are
//!   supported in duels only. Regeneration makes a duel slow beyond about 40 hit points, and random
//!   phases beyond about 60 exactly and 100 in floats. Computations that would take more than about
//!   a minute return an error, though not always at once.
//!
//! For dice of other shapes, build the distribution with `oddsmith-dice` and pass it to
//! [`Damage::new`].
//!
//! The crate prints nothing, reads no files, starts no threads and uses no random numbers. The same
//! input gives the same output, bit for bit.
//!
//! # Features
//!
//! - `serde`: serializes and deserializes stat blocks, tactics, fighters, duels, rolls, initiative
//!   and habits, and also situations and decisions. Damage is written in words if words can express
//!   all of it. Unknown fields are rejected, and numbers are checked. Results are only written, with
//!   fractions as text: [`Ending`], [`Rounds`], [`AcOdds`], [`Crossover`] and [`Belief`].
//! - `plot`: `DprChart`, curves of mean damage by armour class, and `DuelChart`, those of a duel
//!   round by round, as SVG.
//!
//! # Minimum supported Rust version
//!
//! 1.88; raising it is a minor release.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod activate;
mod attack;
mod combatant;
mod cover;
mod critical;
mod d20;
mod damage;
mod damage_type;
mod defenses;
mod dpr;
mod duel;
mod encounter;
mod error;
mod hit_points;
mod infer;
mod initiative;
mod listed;
#[cfg(feature = "plot")]
mod plot;
mod recharge;
mod rider;
mod roll;
mod save;
mod save_effect;
#[cfg(feature = "serde")]
mod serde;
mod tactics;
mod target;
mod text;
mod turn;
mod weapon_dice;

pub use activate::{activate, attack_damage};
pub use attack::{Attack, PowerAttack};
pub use combatant::Combatant;
pub use cover::Cover;
pub use critical::CriticalRule;
pub use d20::D20;
pub use damage::Damage;
pub use damage_type::DamageType;
pub use defenses::Defenses;
pub use dpr::{Crossover, break_even, crossover, dpr_table, dpr_table_against, dpr_table_f64};
pub use duel::{
    Duel, DuelReport, Ending, Fighter, Number, Phase, Round, Rounds, Winner, first_attack_matrix,
    lumped, partdist, second_attack_matrix,
};
pub use encounter::{Encounter, Focus};
pub use error::Error;
pub use hit_points::HitPoints;
pub use infer::Belief;
pub use initiative::{Initiative, InitiativeTie};
#[doc(no_inline)]
pub use ndarray;
#[cfg(feature = "plot")]
pub use plot::{DprChart, DuelChart};
pub use recharge::{Recharge, RechargeTurn};
pub use rider::{Rider, RiderUse};
pub use roll::{AttackRoll, Naturals, Outcome};
pub use save::{Ability, SavingThrow};
pub use save_effect::{OnSuccess, SaveEffect};
pub use tactics::{
    AcOdds, Act, BattlePlan, Habit, HealWhen, Healing, Situation, Smite, SmiteWhen, Stage,
    TacticalDuel, Tactics,
};
pub use target::Target;
pub use turn::Turn;
pub use weapon_dice::GreatWeaponFighting;

/// The fractions in answers, and the trait whose `to_f64` rounds them.
#[doc(no_inline)]
pub use num_rational::BigRational;
#[doc(no_inline)]
pub use num_traits::ToPrimitive;

/// The README's example, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
