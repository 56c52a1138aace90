//! A family of models with layers, known numbers and known values; the benchmarks use the same.

use oddsmith_mdp::{Error, Game, Generated, Node, Table, TableRow};

/// The layered model of some states in some layers.
///
/// With W = states / layers states a layer, state s = t·W + i has three actions
/// of six outcomes each; outcome k of action a has the weight (11, 9, 7, 5, 3,
/// 1)[k] of 36 and is found by mixing (s·3 + a)·6 + k with the seed: one time in
/// eight the game is lost, one time in 64 it is won, else it goes on in the next
/// layer, near i; after the last layer a coin decides. Two states follow the
/// layers: lost and won.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layered {
    states: u64,
    width: u64,
    seed: u64,
}

const WEIGHTS: [u64; 6] = [11, 9, 7, 5, 3, 1];

/// The finaliser of splitmix64.
#[inline]
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Layered {
    /// Both are positive, and the division is exact.
    #[must_use]
    pub(crate) fn new(states: u64, layers: u64, seed: u64) -> Self {
        Layered {
            states,
            width: states / layers,
            seed,
        }
    }

    /// The number of the state that an outcome is: the two ends come last.
    #[inline]
    fn next(&self, key: u64, layer: u64, place: u64) -> u64 {
        let (lost, won) = (self.states, self.states + 1);
        let x = mix(self.seed ^ mix(key));
        let step = match self.width {
            0..64 => (x >> 32) % self.width,
            _ => (x >> 32) % 64,
        };
        // It wraps around the layer at most once, so no division is needed.
        let near = place + step;
        let near = near - if near >= self.width { self.width } else { 0 };
        let next = (layer + 1) * self.width;
        // Selected without a branch: a random branch costs more than all of this.
        let goes_on = if next >= self.states {
            lost + (x >> 32 & 1)
        } else {
            next + near
        };
        let ends = if x % 64 < 8 { lost } else { won };
        if x % 64 <= 8 { ends } else { goes_on }
    }

    #[inline]
    fn write(&self, state: usize, row: &mut TableRow<'_>) {
        let s = state as u64;
        if s >= self.states {
            return row.end(s > self.states);
        }
        let (layer, place) = (s / self.width, s % self.width);
        for action in 0..3 {
            let mut targets = [0; 6];
            for (target, key) in targets.iter_mut().zip((s * 3 + action) * 6..) {
                *target = self.next(key, layer, place) as u32;
            }
            row.choice_of(&targets, &WEIGHTS);
        }
    }

    pub(crate) fn start(self) -> Standing {
        Standing::At { layer: 0, place: 0 }
    }

    /// The model in memory.
    ///
    /// # Errors
    /// None for a model of less than 2³² states.
    pub(crate) fn table(self) -> Result<Table, Error> {
        Table::from_fn(self.states as usize + 2, |state, row| {
            self.write(state, row)
        })
    }

    /// The model, with its rows generated when they are read.
    ///
    /// # Errors
    /// None for a model of less than 2³² states.
    pub(crate) fn generated(self) -> Result<Generated<impl Fn(usize, &mut TableRow<'_>)>, Error> {
        Generated::rising(
            self.states as usize + 2,
            move |state, row: &mut TableRow<'_>| self.write(state, row),
        )
    }
}

/// The position in the model: a state with fields, as usual in games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Standing {
    /// In a layer.
    At {
        /// Which layer, from 0.
        layer: u32,
        /// Which state of it.
        place: u32,
    },
    /// At the end.
    Over {
        /// Whether the game is won.
        won: bool,
    },
}

/// The model by states without numbers.
impl Game for Layered {
    type State = Standing;
    type Action = u8;

    #[inline]
    fn expand(&self, state: &Standing, node: &mut Node<Self>) {
        let (layer, place) = match *state {
            Standing::Over { won } => return node.end(won),
            Standing::At { layer, place } => (u64::from(layer), u64::from(place)),
        };
        let s = layer * self.width + place;
        for action in 0..3_u8 {
            let mut choice = node.choice(action);
            for (k, weight) in (0..).zip(WEIGHTS) {
                let key = (s * 3 + u64::from(action)) * 6 + k;
                let next = match self.next(key, layer, place) {
                    next if next < self.states => Standing::At {
                        layer: (next / self.width) as u32,
                        place: (next % self.width) as u32,
                    },
                    next => Standing::Over {
                        won: next > self.states,
                    },
                };
                choice.to(next, weight);
            }
        }
    }
}
