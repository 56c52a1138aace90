//! Battles in fractions, row by row of attackers; see [`rows`](crate::rows).

use num_bigint::BigUint;

use crate::Error;
use crate::chain::Chain;
use crate::radix::{Exact, Radix};
use crate::rows::{Size, rolling};
use crate::stop_rule::Frontier;

/// Returns the value at the end of a battle if only victory counts.
pub(crate) fn won(_: u32, defenders: u32) -> u32 {
    u32::from(defenders == 0)
}

/// # Errors
/// [`Error::BattleTooLarge`] if all numbers together have more words than allowed.
pub(crate) fn check(
    chain: &Chain,
    radix: &Radix,
    size: Size,
    what: &'static str,
    limit: u64,
) -> Result<(), Error> {
    let work = work(chain, radix, size, size.work(), 0);
    size.check_work(what, work, limit)
}

/// Returns the words of `numbers` numbers together, if each has `words` words at the start.
pub(crate) fn work(chain: &Chain, radix: &Radix, size: Size, numbers: u128, words: u128) -> u128 {
    // On average half as long as the longest, and once for each outcome.
    let words = words + 1 + grown(chain, radix, size) / 2;
    let outcomes = chain.reach() as u128 + 1;
    numbers.saturating_mul(words).saturating_mul(outcomes)
}

/// Returns by how many words numbers grow until the battle is over.
pub(crate) fn grown(chain: &Chain, radix: &Radix, size: Size) -> u128 {
    let units = u128::from(size.attackers) + u128::from(size.defenders);
    units * u128::from(radix.bits_a_unit(chain)) / 64
}

/// Passes each row of numbers to `each`, from zero attackers upwards, until it has seen enough. A
/// number is the value of a battle if its end is worth `end`, plus one for every throw before the
/// end if those are `counted`.
pub(crate) fn sweep(
    chain: &Chain,
    radix: &Radix,
    frontier: &Frontier,
    size: Size,
    end: impl Fn(u32, u32) -> u32,
    counted: bool,
    mut each: impl FnMut(u32, &[Exact]) -> bool,
) -> Result<(), Error> {
    let mut rows = rolling(chain, size, Exact::default())?;
    let whole = |number: u32| Exact {
        count: BigUint::from(number),
        ..Exact::default()
    };
    for attackers in 0..=size.attackers {
        rows.rotate_right(1);
        let Some((row, below)) = rows.split_first_mut() else {
            break;
        };
        row[0] = whole(end(attackers, 0));
        for defenders in 1..=size.defenders {
            let cell = defenders as usize;
            if attackers == 0 || frontier.stops(attackers, defenders) {
                row[cell] = whole(end(attackers, defenders));
                continue;
            }
            let throw = chain.number(attackers, defenders);
            let mut sum = Exact::default();
            for (number, outcome) in chain.throws()[throw].list.iter().enumerate() {
                let left = cell - outcome.defenders as usize;
                let value = match outcome.attackers as usize {
                    0 => &row[left],
                    lost => &below[lost - 1][left],
                };
                radix.add_product(&mut sum, throw, number, value);
            }
            if counted {
                radix.add(&mut sum, &whole(1));
            }
            row[cell] = sum;
        }
        if !each(attackers, row) {
            break;
        }
    }
    Ok(())
}
