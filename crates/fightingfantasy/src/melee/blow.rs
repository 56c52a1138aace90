//! The consequences of a blow: the use of LUCK, and the rest of the round.

use oddsmith_mdp::{Choice, Node};

use super::game::MeleeGame;
use super::round::{Law, Next};
use super::state::{FoeSet, MeleeAction, MeleePhase, MeleeState};
use crate::Damage;

impl MeleeGame {
    /// Whether one more lost round kills, after a streak of this length.
    #[inline]
    pub(super) fn is_fatal(&self, streak: u8) -> bool {
        self.sudden_death
            .is_some_and(|rule| streak.saturating_add(1) >= rule.losses)
    }

    /// The state in which the next blow falls, or in which the next round begins.
    #[inline]
    pub(super) fn begin(&self, state: MeleeState, next: Next) -> MeleeState {
        match next {
            Next::Hit { target, roll } => MeleeState {
                streak: 0,
                ..state.at(MeleePhase::Hit { target, roll })
            },
            Next::Wound { .. } if self.is_fatal(state.streak) => self.over(MeleeState {
                hero: 0,
                streak: 0,
                ..state
            }),
            Next::Wound { by, waiting, roll } => state.at(MeleePhase::Wound {
                by: self.like(by),
                waiting,
                roll,
            }),
            Next::Quiet => self.over(state),
        }
    }

    /// The first foe whose blows have the same damage as this foe's.
    pub(super) fn like(&self, by: u8) -> u8 {
        let own = self.wounds[usize::from(by)];
        let first = self.wounds.iter().position(|wound| *wound == own);
        first.map_or(by, |first| first as u8)
    }

    /// The state after the round.
    #[inline]
    pub(super) fn over(&self, state: MeleeState) -> MeleeState {
        MeleeState {
            round: state.round.saturating_add(1).min(self.last_round),
            ..state.at(MeleePhase::Round)
        }
    }

    /// Adds the outcomes of a round, whose distribution is `law`, to a choice.
    pub(super) fn fight(&self, state: &MeleeState, law: &Law, choice: &mut Choice<'_, Self>) {
        let calm = MeleeState {
            streak: match self.sudden_death {
                Some(rule) if !rule.draws_reset => state.streak,
                _ => 0,
            },
            ..*state
        };
        for &(next, weight) in &law.next {
            let from = if next == Next::Quiet { calm } else { *state };
            choice.to(self.begin(from, next), weight);
        }
    }

    /// Adds the choice between saving and testing LUCK on a blow. `land` adds what follows, given
    /// the damage, the LUCK left and the weight.
    #[inline]
    pub(super) fn decide_luck(
        &self,
        luck: u16,
        damage: Damage,
        node: &mut Node<Self>,
        land: impl Fn(&mut Choice<'_, Self>, u16, u16, u64),
    ) {
        // Where LUCK must not be used, there are no counts for its test.
        let test = self.tests.get(usize::from(luck));
        if test.is_none() && !self.tests.is_empty() {
            // The state has more LUCK than the hero ever had. Give no answer rather than a wrong
            // one.
            return;
        }
        land(
            &mut node.choice(MeleeAction::SaveLuck),
            damage.plain,
            luck,
            1,
        );
        if let (Some(left), Some(&(lucky, unlucky))) = (luck.checked_sub(1), test) {
            let mut choice = node.choice(MeleeAction::TestLuck);
            land(&mut choice, damage.lucky, left, lucky);
            land(&mut choice, damage.unlucky, left, unlucky);
        }
    }

    /// Adds the rest of the round after a blow, unless the blow has ended the round.
    #[inline]
    pub(super) fn go_on(
        &self,
        choice: &mut Choice<'_, Self>,
        after: MeleeState,
        rest: &Law,
        settled: bool,
        weight: u64,
    ) {
        if settled || after.hero == 0 || after.living().is_empty() {
            // Multiply by the same total as below, since both weights belong to one choice.
            choice.to(self.over(after), weight * rest.total);
            return;
        }
        for &(next, ways) in &rest.next {
            choice.to(self.begin(after, next), weight * ways);
        }
    }

    pub(super) fn expand_hit(
        &self,
        state: &MeleeState,
        target: u8,
        roll: u8,
        node: &mut Node<Self>,
    ) {
        if state
            .foes()
            .get(usize::from(target))
            .is_none_or(|&s| s == 0)
        {
            // A foe that has fallen cannot be hit.
            return;
        }
        let others = self.others(state, target, roll);
        let Some(rest) = self.laws.rest(others, roll) else {
            return;
        };
        let fall_settles = self.at_once.is_some_and(|rule| rule.fall_ends_round);
        self.decide_luck(state.luck, self.hit, node, |choice, hit, luck, weight| {
            let mut after = MeleeState {
                luck,
                streak: 0,
                ..*state
            };
            let foe = &mut after.foes_mut()[usize::from(target)];
            *foe = foe.saturating_sub(hit);
            let fell = *foe == 0;
            if fell && self.restarts {
                after = after.at(MeleePhase::Round);
                after.round = 0;
                choice.to(after, weight * rest.total);
            } else {
                self.go_on(choice, after, rest, fell && fall_settles, weight);
            }
        });
    }

    pub(super) fn expand_wound(
        &self,
        state: &MeleeState,
        by: u8,
        waiting: FoeSet,
        roll: u8,
        node: &mut Node<Self>,
    ) {
        let waiting = waiting.and(state.living());
        let rest = self.laws.rest(waiting, roll);
        let (Some(rest), Some(&damage)) = (rest, self.wounds.get(usize::from(by))) else {
            return;
        };
        let streak = match self.sudden_death {
            Some(_) => state.streak.saturating_add(1),
            None => 0,
        };
        self.decide_luck(state.luck, damage, node, |choice, wound, luck, weight| {
            let after = MeleeState {
                hero: state.hero.saturating_sub(wound),
                luck,
                streak,
                ..*state
            };
            self.go_on(choice, after, rest, false, weight);
        });
    }

    /// The foes that can still win in the round in which this target is hit.
    #[inline]
    pub(super) fn others(&self, state: &MeleeState, target: u8, roll: u8) -> FoeSet {
        match self.at_once {
            Some(_) => self.laws.dangerous(state.living().without(target), roll),
            None => FoeSet::NONE,
        }
    }
}
