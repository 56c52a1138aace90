//! LUCK in battle: blows that have been struck and are still to be felt.

use oddsmith_fightingfantasy::Damage;
use oddsmith_mdp::Node;

use crate::apply::Overflow;
use crate::battle::{Fighting, Progress, Struck};
use crate::book_game::BookGame;
use crate::bout::{Bout, Standing};
use crate::place::Held;
use crate::play::{Places, Played, write};
use crate::spread::Spread;
use crate::{Hazard, Move, Place};

/// What a blow of the hero takes: 2 more if lucky, 1 less if not.
pub(crate) fn hit(plain: u16) -> Damage {
    Damage::new(plain, plain.saturating_add(2), plain.saturating_sub(1))
}

/// What a blow of a foe takes: 1 less if the hero is lucky, 1 more if not.
pub(crate) fn wound(plain: u16) -> Damage {
    Damage::new(plain, plain.saturating_sub(1), plain.saturating_add(1))
}

impl Bout {
    /// Those who attack besides the first.
    fn others(&self, first: u16) -> &[crate::bout::BoutFoe] {
        match self.at_once {
            true => self.foes.get(usize::from(first) + 1..).unwrap_or(&[]),
            false => &[],
        }
    }

    /// What a blow takes.
    pub(crate) fn damage(&self, first: u16, struck: Struck) -> Damage {
        match struck {
            Struck::Foe => hit(self.hit),
            Struck::Hero(behind) => {
                let foe = self.foes.get(usize::from(first) + usize::from(behind));
                wound(foe.map_or(0, |foe| foe.damage))
            }
        }
    }

    /// The hazards after a round in which the first foe has so much STAMINA left.
    fn hazards(&self, first: u16, stamina: u16) -> impl Iterator<Item = Hazard> {
        let own = self.foes.get(usize::from(first));
        let own = own.filter(|_| stamina > 0);
        let foes = own.into_iter().chain(self.others(first));
        foes.filter_map(|foe| foe.hazard)
    }
}

/// A round under way: who stands, the first possibly at 0, and the sheet but for STAMINA.
#[derive(Clone, Copy)]
struct Under {
    standing: Standing,
    held: Held,
}

impl BookGame {
    /// Whether there is LUCK to be spent: more than 0, and more than its floor, so that a
    /// test costs a point.
    fn may_test(&self, luck: u8, held: &Held) -> bool {
        let floor = self.compiled.stats[usize::from(luck)].floor.unwrap_or(0);
        held.stats[usize::from(luck)] > floor.max(0)
    }

    /// The places after one round, or within it, where a blow has been struck on which
    /// LUCK may be tested.
    pub(crate) fn round_with_luck(
        &self,
        fighting: Fighting<'_>,
        luck: u8,
    ) -> Result<Places, Overflow> {
        let standing = self.standing(fighting);
        let counts = fighting.progress.rounds < fighting.counted();
        if !counts && fighting.bout.round(standing).is_none() {
            // A fight without end is lost.
            return self.decided(fighting.place, 0, |_| fighting.victory);
        }
        let held = fighting.place.held;
        let under = Under { standing, held };
        let foe = &fighting.bout.foes[usize::from(standing.foe)];
        let (win, draw, lose) = foe.odds.counts();
        let blows = [
            (Some(Struck::Foe), win),
            (None, draw),
            (Some(Struck::Hero(0)), lose),
        ];
        let law = Spread::weighted(blows).then(|struck| match struck {
            Some(struck) => self.strike(fighting, under, struck, luck),
            None => self.others(fighting, under, 1, luck),
        })?;
        Ok(law)
    }

    /// A blow: the reader thinks about LUCK, or there is nothing to think about.
    fn strike(
        &self,
        fighting: Fighting<'_>,
        under: Under,
        struck: Struck,
        luck: u8,
    ) -> Result<Places, Overflow> {
        let damage = fighting.bout.damage(under.standing.foe, struck);
        if damage.plain == 0 || !self.may_test(luck, &under.held) {
            return self.felt(fighting, under, struck, damage.plain, luck);
        }
        let mut held = under.held;
        held.stats[usize::from(self.compiled.life)] = under.standing.hero as i16;
        let step = Progress {
            stamina: under.standing.stamina,
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

    /// The choice at a place where a blow has been struck.
    pub(crate) fn feel(
        &self,
        fighting: Fighting<'_>,
        struck: Struck,
        luck: u8,
        node: &mut Node<Self>,
    ) -> Played {
        let standing = self.standing(fighting);
        let held = fighting.place.held;
        let under = Under { standing, held };
        let damage = fighting.bout.damage(standing.foe, struck);
        let felt = |under, taken| self.felt(fighting, under, struck, taken, luck);
        write(node.choice(Move::SaveLuck), felt(under, damage.plain)?);
        let value = self.compiled.effective(luck, &held);
        let (lucky, unlucky) = self.rules.test(2, value);
        let mut after = under;
        self.effects().add(&mut after.held, luck, -1)?;
        let taken = Spread::weighted([(damage.lucky, lucky), (damage.unlucky, unlucky)]);
        let tested = taken.then(|taken| felt(after, taken))?;
        write(node.choice(Move::TestLuck), tested);
        Ok(())
    }

    /// After a blow that takes so much.
    fn felt(
        &self,
        fighting: Fighting<'_>,
        mut under: Under,
        struck: Struck,
        taken: u16,
        luck: u8,
    ) -> Result<Places, Overflow> {
        let standing = &mut under.standing;
        let next = match struck {
            Struck::Foe => {
                standing.stamina = standing.stamina.saturating_sub(taken);
                1
            }
            Struck::Hero(behind) => {
                standing.hero = standing.hero.saturating_sub(taken);
                behind + 1
            }
        };
        self.others(fighting, under, next, luck)
    }

    /// The attacks of those behind the first, from this one on; then the end of the round.
    fn others(
        &self,
        fighting: Fighting<'_>,
        under: Under,
        behind: u8,
        luck: u8,
    ) -> Result<Places, Overflow> {
        let others = fighting.bout.others(under.standing.foe);
        let Some(other) = others.get(usize::from(behind) - 1) else {
            return self.end_of_round(fighting, under);
        };
        if under.standing.hero == 0 {
            return self.end_of_round(fighting, under);
        }
        let (win, draw, lose) = other.odds.counts();
        Spread::weighted([(false, win + draw), (true, lose)]).then(|hurt| match hurt {
            true => self.strike(fighting, under, Struck::Hero(behind), luck),
            false => self.others(fighting, under, behind + 1, luck),
        })
    }

    fn end_of_round(&self, fighting: Fighting<'_>, under: Under) -> Result<Places, Overflow> {
        let Under { standing, held } = under;
        let mut left = Spread::certain(standing.hero);
        for hazard in fighting.bout.hazards(standing.foe, standing.stamina) {
            let (hits, of) = (u64::from(hazard.chance), u64::from(hazard.of));
            left = left.then(|hero| {
                let hurt = hero.saturating_sub(hazard.damage);
                Ok(Spread::weighted([(hurt, hits), (hero, of - hits)]))
            })?;
        }
        left.then(|hero| {
            let mut to = Standing { hero, ..standing };
            if hero > 0 && to.stamina == 0 {
                to.foe += 1;
                let next = fighting.bout.foes.get(usize::from(to.foe));
                to.stamina = next.map_or(0, |foe| foe.stamina);
            }
            self.after_round(fighting, to, held)
        })
    }
}
