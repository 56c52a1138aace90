//! One pool during a scan: the places that can follow a place, and the number of ways to each.

use super::number::Number;
use super::plan::{GroupPlan, PoolPlan, Shown};
use super::table::{self, CardFace, DieFace, Rows, Table};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use std::ops::Range;

/// A transition at a face.
#[derive(Clone, Debug)]
pub(super) struct Move<V> {
    /// The place it leads to, times the radix of the pool.
    pub(super) to: u64,
    /// The index of the count that the evaluator gets, times the radix of the counts of the pool.
    pub(super) value: usize,
    pub(super) factor: V,
}

/// Equal dice or a deck during a scan.
#[derive(Debug)]
pub(super) struct Group<V> {
    dice: u64,
    /// The largest number of dice taken before the pool is closed.
    most: u64,
    /// A place of the pool is Σ taken × radix.
    radix: u64,
    laws: Laws<V>,
    pub(super) table: Table<V>,
}

#[derive(Debug)]
enum Laws<V> {
    /// By face, the weight of this face and of the later faces.
    Die {
        weights: Vec<(V, V)>,
        binomials: Rows<V>,
    },
    /// By face, the number of cards with this face and with later faces.
    Deck(Vec<(u64, u64)>),
}

/// A pool during a scan.
#[derive(Debug)]
pub(super) struct Side<V> {
    groups: Vec<Group<V>>,
    /// The number of positions up to the last that counts.
    active: u64,
    closes: bool,
    /// The sums of the multiplicities of the first positions.
    sums: Vec<i64>,
    /// Whether all positions have the same multiplicity. Counts are then numbered by the number of
    /// dice.
    uniform: bool,
    /// All counts that the evaluator may get.
    pub(super) values: IndexSet<i64, FxBuildHasher>,
    pub(super) places: u64,
    /// The place at which there is nothing left to decide.
    closed: u64,
    /// The number of ways before the first face.
    start: V,
    pub(super) radix: u64,
    pub(super) value_radix: usize,
    moves: Vec<Move<V>>,
    /// The ranges of the moves from the places that were requested at this face.
    known: IndexMap<u64, Range<usize>, FxBuildHasher>,
}

impl<V: Number> Side<V> {
    /// `None` if the places do not fit into 32 bits.
    pub(super) fn new(plan: &PoolPlan<V::Weight>, faces: usize, descending: bool) -> Option<Self> {
        let mut sums = vec![0_i64];
        sums.extend(plan.multiplicities.iter().scan(0_i64, |sum, multiplicity| {
            *sum += multiplicity;
            Some(*sum)
        }));
        let uniform = plan
            .multiplicities
            .windows(2)
            .all(|pair| pair[0] == pair[1]);
        let values = if uniform {
            sums.iter().copied().collect()
        } else {
            // 0 comes first, since it is the count of a closed pool.
            let sums = &sums;
            let spans = |from: usize| sums[from..].iter().map(move |to| to - sums[from]);
            (0..sums.len()).flat_map(spans).collect()
        };
        let active = plan.multiplicities.len() as u64;
        let mut start = V::one();
        let (mut places, mut closed) = (1_u64, 0);
        let mut groups = Vec::with_capacity(plan.groups.len());
        for group in &plan.groups {
            let group = Group::new(group, plan, faces, descending, places);
            if active == 0 {
                start = start.times(&group.all(faces, descending));
            }
            closed += group.most * places;
            places = places
                .checked_mul(group.most + 1)
                .filter(|&places| places >> 32 == 0)?;
            groups.push(group);
        }
        Some(Side {
            groups,
            active,
            closes: plan.closes,
            sums,
            uniform,
            values,
            places,
            closed,
            start,
            radix: 1,
            value_radix: 1,
            moves: Vec::new(),
            known: IndexMap::default(),
        })
    }

    /// The place before the first face, and the number of ways to be there.
    pub(super) fn start(&self) -> (u64, &V) {
        // The pool is closed if no position counts; this place is 0 only if there are no dice.
        let place = if self.active == 0 { self.closed } else { 0 };
        (place * self.radix, &self.start)
    }

    /// Proceeds to a face.
    pub(super) fn turn(&mut self, face: usize) {
        self.moves.clear();
        self.known.clear();
        for group in &mut self.groups {
            group.turn(face, self.active, self.closes);
        }
    }

    /// The moves from a place, which is given times the radix of the pool, as a range of
    /// [`all_moves`](Side::all_moves). `None` if there are more than `most`. With more than `kept`
    /// moves in memory, those from other places are dropped and computed again when needed.
    pub(super) fn moves_from(
        &mut self,
        place: u64,
        kept: usize,
        most: u128,
    ) -> Option<Range<usize>> {
        if let Some(range) = self.known.get(&place) {
            return Some(range.clone());
        }
        if self.moves.len() > kept {
            self.moves.clear();
            self.known.clear();
        }
        let first = self.moves.len();
        self.find(place, most)?;
        let range = first..self.moves.len();
        self.known.insert(place, range.clone());
        Some(range)
    }

    pub(super) fn all_moves(&self) -> &[Move<V>] {
        &self.moves
    }

    /// The index of the count of the dice at neighbouring positions.
    fn value(&self, from: u64, to: u64) -> usize {
        if self.uniform {
            return (to - from) as usize * self.value_radix;
        }
        let value = self.sums[to as usize] - self.sums[from as usize];
        self.values.get_index_of(&value).unwrap_or(0) * self.value_radix
    }

    fn find(&mut self, place: u64, most: u128) -> Option<()> {
        let place = place / self.radix;
        if place == self.closed {
            self.moves.push(Move {
                to: place * self.radix,
                value: 0,
                factor: V::one(),
            });
            return Some(());
        }
        let taken_of = |group: &Group<V>| place / group.radix % (group.most + 1);
        let taken: u64 = self.groups.iter().map(taken_of).sum();
        let room = if self.closes {
            self.active - taken
        } else {
            u64::MAX
        };
        // Group by group: the new place, the number of dice that show the face, and the number of
        // ways.
        let mut ways: Vec<(u64, u64, V)> = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let open = (0..).zip(group.table.open.row(taken_of(group) as usize));
            let open = open.filter(|(_, factor)| !factor.is_zero());
            if index == 0 {
                let first = open.take_while(|&(c, _)| c < room);
                ways.extend(first.map(|(c, factor)| (place + c * group.radix, c, factor.clone())));
                continue;
            }
            let mut next = Vec::with_capacity(ways.len());
            for (to, count, before) in &ways {
                for (c, factor) in open.clone().take_while(|&(c, _)| count + c < room) {
                    next.push((to + c * group.radix, count + c, before.times(factor)));
                }
                // Groups multiply, so an excess must be detected before it fills the memory.
                if next.len() as u128 > most {
                    return None;
                }
            }
            ways = next;
        }
        for (to, count, factor) in ways {
            let value = self.value(taken, taken + count);
            self.moves.push(Move {
                to: to * self.radix,
                value,
                factor,
            });
        }
        if self.closes {
            let factor = self.closing(place, taken);
            if !factor.is_zero() {
                let value = self.value(taken, self.active);
                self.moves.push(Move {
                    to: self.closed * self.radix,
                    value,
                    factor,
                });
            }
        }
        Some(())
    }

    /// The number of ways in which the dice at the face fill all remaining positions, whatever the
    /// others show later.
    fn closing(&self, place: u64, taken: u64) -> V {
        let needed = (self.active - taken) as usize;
        // Ways by the number of dice at the face; the last entry stands for all sufficient numbers.
        let mut ways = vec![V::zero(); needed + 1];
        ways[0] = V::one();
        for group in &self.groups {
            let d = (place / group.radix % (group.most + 1)) as usize;
            let (done, at_least) = (group.table.done.row(d), group.table.at_least.row(d));
            let mut next = vec![V::zero(); needed + 1];
            for (count, before) in ways.iter().enumerate() {
                if before.is_zero() {
                    continue;
                }
                let missing = needed - count;
                for (c, factor) in done.iter().enumerate().take(missing) {
                    next[count + c].add_product(before, factor);
                }
                if let Some(factor) = at_least.get(missing) {
                    next[needed].add_product(before, factor);
                }
            }
            ways = next;
        }
        ways.swap_remove(needed)
    }
}

impl<V: Number> Group<V> {
    pub(super) fn new(
        plan: &GroupPlan<V::Weight>,
        pool: &PoolPlan<V::Weight>,
        faces: usize,
        descending: bool,
        radix: u64,
    ) -> Self {
        Group {
            dice: plan.dice,
            most: plan.dice.min(pool.multiplicities.len() as u64),
            radix,
            laws: Laws::new(plan, pool, faces, descending),
            table: Table::new(),
        }
    }

    /// Whether dice of this group can show the face.
    pub(super) fn shows(&self, face: usize) -> bool {
        match &self.laws {
            Laws::Die { weights, .. } => !weights[face].0.is_zero(),
            Laws::Deck(cards) => cards[face].0 > 0,
        }
    }

    /// The number of all rolls, for a pool in which no position counts.
    pub(super) fn all(&self, faces: usize, descending: bool) -> V {
        let first = if descending { faces.wrapping_sub(1) } else { 0 };
        match &self.laws {
            Laws::Die { weights, .. } => {
                let mut all = weights[first].0.clone();
                all.add(&weights[first].1);
                V::all(&all, self.dice)
            }
            Laws::Deck(cards) => V::all_cards(cards[first].0 + cards[first].1, self.dice),
        }
    }

    pub(super) fn turn(&mut self, face: usize, active: u64, closes: bool) {
        // Two tables at a time would take twice the memory.
        self.table = Table::new();
        self.table = match &self.laws {
            Laws::Die { weights, binomials } => V::dice(&DieFace {
                dice: self.dice,
                active,
                closes,
                binomials,
                here: &weights[face].0,
                later: &weights[face].1,
            }),
            Laws::Deck(cards) => V::cards(&CardFace {
                drawn: self.dice,
                active,
                closes,
                here: cards[face].0,
                later: cards[face].1,
            }),
        };
    }
}

impl<V: Number> Laws<V> {
    fn new(
        group: &GroupPlan<V::Weight>,
        pool: &PoolPlan<V::Weight>,
        faces: usize,
        descending: bool,
    ) -> Self {
        let scan = |step: usize| if descending { faces - 1 - step } else { step };
        match &group.shown {
            Shown::Weights { weights, roundings } => {
                let mut both = vec![(V::zero(), V::zero()); faces];
                for (face, weight) in weights {
                    both[*face].0 = V::from_weight(weight, *roundings);
                }
                let mut later = V::zero();
                for step in (0..faces).rev() {
                    let at = &mut both[scan(step)];
                    at.1 = later.clone();
                    later.add(&at.0);
                }
                let active = pool.multiplicities.len() as u64;
                Laws::Die {
                    weights: both,
                    binomials: table::binomials(group.dice, active, pool.closes),
                }
            }
            Shown::Cards(cards) => {
                let mut both = vec![(0, 0); faces];
                for &(face, cards) in cards {
                    both[face].0 = cards;
                }
                let mut later = 0;
                for step in (0..faces).rev() {
                    let at = &mut both[scan(step)];
                    at.1 = later;
                    later += at.0;
                }
                Laws::Deck(both)
            }
        }
    }
}
