//! LUCK in battle: blows that have been struck but not yet taken effect.

use oddsmith_fightingfantasy::Damage;
use oddsmith_mdp::Node;

use crate::apply::Overflow;
use crate::battle::{Fighting, Progress, Struck};
use crate::book_game::BookGame;
use crate::bout::{Bout, Standing};
use crate::compiled::Compiled;
use crate::place::Held;
use crate::play::{Places, Written};
use crate::spread::Spread;
use crate::{Hazard, Move, Place};

/// The STAMINA that a blow of the hero takes: 2 more if lucky, 1 less if not.
pub(crate) fn hit(plain: u16) -> Damage {
    Damage::new(plain, plain.saturating_add(2), plain.saturating_sub(1))
}

/// The STAMINA that a blow of a foe takes: 1 less if the hero is lucky, 1 more if not.
pub(crate) fn wound(plain: u16) -> Damage {
    Damage::new(plain, plain.saturating_sub(1), plain.saturating_add(1))
}

impl Bout {
    /// The foes who attack besides the first.
    fn others_of(&self, first: u16) -> &[crate::bout::BoutFoe] {
        match self.at_once {
            true => self.foes.get(usize::from(first) + 1..).unwrap_or(&[]),
            false => &[],
        }
    }

    /// The STAMINA that a blow takes.
    pub(crate) fn damage(&self, first: u16, struck: Struck) -> Damage {
        match struck {
            Struck::Foe => hit(self.hit),
            Struck::Hero(behind) => {
                let foe = self.foes.get(usize::from(first) + usize::from(behind));
                wound(foe.map_or(0, |foe| foe.damage))
            }
        }
    }

    /// The hazards after a round in which the first foe has this much STAMINA left.
    fn hazards(&self, first: u16, stamina: u16) -> impl Iterator<Item = Hazard> {
        let own = self.foes.get(usize::from(first));
        let own = own.filter(|_| stamina > 0);
        let foes = own.into_iter().chain(self.others_of(first));
        foes.filter_map(|foe| foe.hazard)
    }
}

/// A stage of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// A blow has been struck, on which LUCK may be tested. The first foe may have no STAMINA left.
    Struck(Standing, Struck),
    /// The round is over.
    Over(Standing),
}

impl Bout {
    /// A round up to its first blow on which LUCK may be tested, if there is LUCK to spend, or else
    /// to its end.
    pub(crate) fn begun(&self, now: Standing, luck: bool) -> Spread<Stage> {
        let odds = self.foes.get(usize::from(now.foe)).map(|foe| foe.odds);
        let (win, draw, lose) = odds.map_or((0, 1, 0), |odds| odds.counts());
        let blows = [
            (Some(Struck::Foe), win),
            (None, draw),
            (Some(Struck::Hero(0)), lose),
        ];
        Spread::weighted(blows).followed(|struck| match struck {
            Some(struck) => self.strike(now, struck, luck),
            None => self.others(now, 1, luck),
        })
    }

    /// A blow: either the reader decides about LUCK, or it takes effect at once.
    fn strike(&self, now: Standing, struck: Struck, luck: bool) -> Spread<Stage> {
        let damage = self.damage(now.foe, struck);
        match damage.plain == 0 || !luck {
            true => self.felt(now, struck, damage.plain, luck),
            false => Spread::certain(Stage::Struck(now, struck)),
        }
    }

    /// The stages after a blow that takes this much; `luck` is whether there is LUCK left to spend.
    pub(crate) fn felt(
        &self,
        mut now: Standing,
        struck: Struck,
        taken: u16,
        luck: bool,
    ) -> Spread<Stage> {
        let next = match struck {
            Struck::Foe => {
                now.stamina = now.stamina.saturating_sub(taken);
                1
            }
            Struck::Hero(behind) => {
                now.hero = now.hero.saturating_sub(taken);
                behind + 1
            }
        };
        self.others(now, next, luck)
    }

    /// The attacks of the foes behind the first, from this one on, and the end of the round.
    fn others(&self, now: Standing, behind: u8, luck: bool) -> Spread<Stage> {
        let others = self.others_of(now.foe);
        let other = others.get(usize::from(behind) - 1);
        let Some(other) = other.filter(|_| now.hero > 0) else {
            return self.end_of_round(now);
        };
        let (win, draw, lose) = other.odds.counts();
        Spread::weighted([(false, win + draw), (true, lose)]).followed(|hurt| match hurt {
            true => self.strike(now, Struck::Hero(behind), luck),
            false => self.others(now, behind + 1, luck),
        })
    }

    fn end_of_round(&self, now: Standing) -> Spread<Stage> {
        let mut left = Spread::certain(now.hero);
        for hazard in self.hazards(now.foe, now.stamina) {
            let (hits, of) = (u64::from(hazard.chance), u64::from(hazard.of));
            left = left.followed(|hero| {
                let hurt = hero.saturating_sub(hazard.damage);
                Spread::weighted([(hurt, hits), (hero, of - hits)])
            });
        }
        left.followed(|hero| {
            let mut to = Standing { hero, ..now };
            if hero > 0 && to.stamina == 0 {
                to.foe += 1;
                let next = self.foes.get(usize::from(to.foe));
                to.stamina = next.map_or(0, |foe| foe.stamina);
            }
            Spread::certain(Stage::Over(to))
        })
    }
}

impl BookGame {
    /// Whether there is LUCK to spend: it is above 0 and above its floor, so a test costs a point.
    fn may_test(&self, luck: u8, held: &Held) -> bool {
        held.stats[usize::from(luck)] > self.compiled.spent(luck)
    }

    /// The places after one round, or within it if a blow has been struck on which LUCK may be
    /// tested.
    pub(crate) fn round_with_luck(
        &self,
        fighting: Fighting<'_>,
        luck: u8,
    ) -> Result<Places, Overflow> {
        let standing = self.standing(fighting);
        if !fighting.tells_draws(false) && fighting.bout.round(standing).is_none() {
            // A fight that cannot end is lost.
            return self.decided(fighting.place, 0, |_| fighting.victory);
        }
        let held = fighting.place.held;
        let law = fighting.bout.begun(standing, self.may_test(luck, &held));
        law.then(|stage| self.staged(fighting, stage, held))
    }

    /// Writes the choice at a place where a blow has been struck.
    pub(crate) fn feel(
        &self,
        fighting: Fighting<'_>,
        struck: Struck,
        luck: u8,
        node: &mut Node<Self>,
    ) -> Written {
        let standing = self.standing(fighting);
        let held = fighting.place.held;
        let damage = fighting.bout.damage(standing.foe, struck);
        let felt = |held: Held, taken| {
            let left = self.may_test(luck, &held);
            let law = fighting.bout.felt(standing, struck, taken, left);
            law.then(|stage| self.staged(fighting, stage, held))
        };
        self.write(node.choice(Move::SaveLuck), felt(held, damage.plain)?);
        let value = self.compiled.effective(luck, &held);
        let (lucky, unlucky) = self.rules.test(2, value);
        let mut after = held;
        self.effects().add(&mut after, luck, -1)?;
        let taken = Spread::weighted([(damage.lucky, lucky), (damage.unlucky, unlucky)]);
        let tested = taken.then(|taken| felt(after, taken))?;
        self.write(node.choice(Move::TestLuck), tested);
        Ok(())
    }

    /// Where a stage of a round leads. `held` is the sheet, except for STAMINA and marks.
    fn staged(
        &self,
        fighting: Fighting<'_>,
        stage: Stage,
        mut held: Held,
    ) -> Result<Places, Overflow> {
        let (standing, struck) = match stage {
            Stage::Over(to) => return self.after_round(fighting, to, held),
            Stage::Struck(standing, struck) => (standing, struck),
        };
        held.stats[usize::from(self.compiled.life)] = standing.hero as i16;
        let (terms, counted) = (fighting.fight.terms, fighting.progress.counted);
        let counted = terms.within(counted, self.standing(fighting), standing);
        let step = Progress {
            stamina: standing.stamina,
            counted,
            struck: Some(struck),
            ..fighting.progress
        };
        let step = step.pack();
        Ok(Spread::certain(Place {
            step,
            held,
            ..*fighting.place
        }))
    }
}

impl Compiled {
    /// The LUCK that is left when no more of it can be spent.
    pub(crate) fn spent(&self, luck: u8) -> i16 {
        let floor = self.stats[usize::from(luck)].floor;
        floor.unwrap_or(0).max(0)
    }
}
