//! Buying and selling.
//!
//! If a shop only buys, or only sells, the order makes no difference. So the deals are decided one
//! after another, and nobody needs the values for heroes who have already made any other set of
//! deals. There would be many such sets: two to the number of wares.

use std::sync::Arc;

use crate::compiled::{CompiledWare, Way};
use crate::solver::diagrams::gates::YES;
use crate::solver::limits::Halt;
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Interpreter, Region};
use crate::solver::walk::steps::Goal;

/// What is sold and bought, with prices and names, and what follows.
pub(crate) struct Shop<'b> {
    pub(crate) sells: &'b [(CompiledWare, i16, Arc<str>)],
    pub(crate) buys: &'b [(u128, i16, Arc<str>)],
    pub(crate) leave: Way,
}

impl Walk<'_> {
    pub(crate) fn shop<H: Interpreter>(
        &self,
        region: &Region,
        shop: &Shop<'_>,
        at: At,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        let Some(money) = self.game.compiled.money else {
            return self.go(shop.leave, at, h);
        };
        let scene = region.scene;
        let last = (shop.sells.len() + shop.buys.len()) as u32;
        let in_turn = self.in_turn[scene as usize];
        let (deals, next) = match in_turn {
            true => (region.step..region.step + 1, region.step + 1),
            false => (0..last, 0),
        };
        let on = &mut |h: &mut H, at: At| match next == last {
            true => self.go(shop.leave, at, h),
            false => self.reach(scene, next, at, h),
        };
        let open = h.open(region, 0);
        let none = self.either(
            open,
            at,
            h,
            &mut |at, h| match in_turn {
                true => on(h, at),
                false => self.go(shop.leave, at, h),
            },
            &mut |_, h| Ok(h.end(false)),
        )?;
        let mut parts = vec![(0, none)];
        for deal in deals.map(|deal| deal as usize) {
            if let Some(part) = self.deal(region, (shop, money), deal, at, h, on)? {
                parts.push((deal + 1, part));
            }
        }
        h.choose(&at, parts)
    }

    /// The value of one deal; `None` if nobody has the money. Sheets for which it is not possible
    /// are lost.
    fn deal<H: Interpreter>(
        &self,
        region: &Region,
        (shop, money): (&Shop<'_>, u8),
        deal: usize,
        at: At,
        h: &mut H,
        on: Goal<'_, H>,
    ) -> Result<Option<H::T>, Halt> {
        let open = h.open(region, deal + 1);
        let Some((ware, price, _)) = shop.sells.get(deal) else {
            let (bit, price, _) = shop.buys[deal - shop.sells.len()];
            let gate = h.gates().any(bit, at.known);
            let gate = h.gates().and(gate, open);
            return self
                .either(
                    gate,
                    at,
                    h,
                    &mut |mut at, h| {
                        at.known = h.gates().set(at.known, bit, false);
                        let after = self.add(at, money, price.into(), h, &mut |h, at| {
                            self.alive(at, h, &mut *on)
                        })?;
                        h.hold(after, bit, false)
                    },
                    &mut |_, h| Ok(h.end(false)),
                )
                .map(Some);
        };
        let purse = usize::from(money);
        let span = at.extent[purse];
        if span.hi < *price {
            return Ok(None);
        }
        let mut rich = at;
        rich.extent[purse].lo = span.lo.max(*price);
        let gate = match ware {
            CompiledWare::Bit(bit) => {
                let held = h.gates().any(*bit, at.known);
                h.gates().not(held)
            }
            CompiledWare::Stat(_) => YES,
        };
        let gate = h.gates().and(gate, open);
        let bought = self.either(
            gate,
            rich,
            h,
            &mut |at, h| {
                let paid = -i32::from(*price);
                self.add(at, money, paid, h, &mut |h, mut at| match *ware {
                    CompiledWare::Bit(bit) => {
                        at.known = h.gates().set(at.known, bit, true);
                        let after = self.alive(at, h, &mut *on)?;
                        h.hold(after, bit, true)
                    }
                    CompiledWare::Stat(stat) => {
                        self.add(at, stat, 1, h, &mut |h, at| self.alive(at, h, &mut *on))
                    }
                })
            },
            &mut |_, h| Ok(h.end(false)),
        )?;
        h.patch(purse, span, vec![(rich.extent[purse], bought)])
            .map(Some)
    }
}
