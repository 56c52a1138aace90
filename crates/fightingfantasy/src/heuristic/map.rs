//! The best heuristics for every state.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::words::{Mean, Words, compare, fraction, to_words};
use super::{BestHeuristics, Heuristic, Strategy, Threshold};
use crate::duel_game::plain_round;
use crate::{Decision, Error, Extent, Rules};

/// The best of the paper's strategies and the best thresholds of each, for every state of the duels
/// at one SKILL difference: an exact version of Supplementary Figs. 7 and 8, without simulation.
///
/// All strategies are evaluated with all thresholds, and the values are compared as integers over
/// one denominator, so ties are recognised as ties. There are many: while the hero's STAMINA is
/// below 6, strategy 6 *is* strategy 1.
///
/// Thresholds are given as [`Threshold::Above`]. [`Threshold::AtLeast`] with a value one higher
/// means the same.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules};
///
/// let map = HeuristicMap::new(&Rules::standard(), -2, Extent::default())?;
/// // The Hell Demon: LUCK on hits, four times.
/// let best = map.best(24, 12, 12)?;
/// assert_eq!(best.labels(), "3");
/// assert_eq!(best.heuristics.len(), 1);
/// assert_eq!(best.heuristics[0].to_string(), "3: offensive, l > 8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HeuristicMap {
    extent: Extent,
    skill_difference: i64,
    denominator: BigUint,
    without: Words,
    optimal: Words,
    best: Words,
    /// The strategies that reach the best value, as a bit for each number.
    strategies: Vec<u16>,
    /// For each state, strategy (from 1) and lowest LUCK used (from 1), a bit: whether no other
    /// threshold does better with this strategy.
    thresholds: Bits,
}

/// One bit for each state, strategy and lowest LUCK used.
#[derive(Clone, Debug)]
struct Bits {
    luck: usize,
    words: Vec<u64>,
}

/// The number of strategies that use LUCK.
const USING: usize = Strategy::ALL.len() - 1;

/// The default limit on the number of steps, which take a few seconds.
const MAX_WORK: u64 = 1 << 35;

impl HeuristicMap {
    /// Evaluates all strategies with all thresholds.
    ///
    /// # Errors
    /// [`Error::TooManyHeuristics`] beyond 2³⁵ steps (see
    /// [`with_max_work`](HeuristicMap::with_max_work)), and those of
    /// [`LuckTable::optimal`](crate::LuckTable::optimal).
    ///
    /// # Examples
    /// While STAMINA is below 6, strategy 4 is the same as strategy 2:
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules, Strategy};
    /// let small = Extent { hero: 2, foe: 2, luck: 7 };
    /// let map = HeuristicMap::new(&Rules::standard(), 0, small)?;
    /// assert_eq!(map.strategies(2, 2, 7)?, [Strategy::Defensive, Strategy::DefensiveIfWeak]);
    /// assert!(map.strategies(3, 2, 7).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rules: &Rules, skill_difference: i64, extent: Extent) -> Result<Self, Error> {
        Self::with_max_work(rules, skill_difference, extent, MAX_WORK)
    }

    /// Like [`new`](HeuristicMap::new), with a given limit on the work: states times layers of LUCK
    /// times bits of a value.
    ///
    /// # Errors
    /// The same as for [`new`](HeuristicMap::new).
    ///
    /// # Complexity
    /// 4 · luck² · hero · foe values, of about ten bits for each round that a fight can last. The
    /// paper's 7,488 states take 36 ms. In comparison, 97 evaluations by the general solver take
    /// 0.7 s, and their fractions would still have to be compared.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Error, Extent, HeuristicMap, Rules};
    /// let long = Extent { hero: 24, foe: 24, luck: 65_535 };
    /// let error = HeuristicMap::with_max_work(&Rules::standard(), 0, long, 1 << 40).err();
    /// assert!(matches!(error, Some(Error::TooManyHeuristics { heuristics: 524_281, .. })));
    /// ```
    pub fn with_max_work(
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        max_work: u64,
    ) -> Result<Self, Error> {
        let kernel = Kernel::new(rules, skill_difference, extent, max_work)?;
        Ok(kernel.map(skill_difference))
    }

    /// Returns the best heuristics in a state, with ties, and their value.
    ///
    /// A heuristic whose threshold does not allow the LUCK of this state is strategy 0, and is not
    /// listed under another name. One whose threshold allows it is, even if its condition is never
    /// met, or if LUCK changes nothing.
    ///
    /// # Errors
    /// [`Error::OutsideTable`] for STAMINA 0 and for states beyond the extent.
    ///
    /// # Examples
    /// LUCK 7 saves the hero once, in 7 cases of 12:
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules};
    /// let map = HeuristicMap::new(&Rules::standard(), 0, Extent::default())?;
    /// let best = map.best(2, 2, 7)?;
    /// assert_eq!(best.heuristics.len(), 14); // strategies 2 and 4, each with l > 0 to l > 6
    /// assert_eq!(best.value.to_string(), "31/48"); // 1/2 + 1/2 · 7/12 · 1/2
    /// assert_eq!(best.optimal, best.value);
    /// // LUCK does not help: strategy 5 ties, which waits for a foe with STAMINA above 6.
    /// let tied = map.best(9, 2, 1)?;
    /// let tied: Vec<String> = tied.heuristics.iter().map(|h| h.to_string()).collect();
    /// assert_eq!(tied, ["0: never", "5: offensive while the foe's STAMINA is above 6, l > 0"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best(&self, hero: u16, foe: u16, luck: u16) -> Result<BestHeuristics, Error> {
        let place = self.extent.place(hero, foe, luck)?;
        let mut heuristics = Vec::new();
        for strategy in Strategy::ALL {
            if self.strategies[place] >> strategy.number() & 1 == 0 {
                continue;
            }
            if strategy == Strategy::Never {
                heuristics.push(Heuristic::new(strategy, Threshold::Above(0)));
            } else {
                let best = self.best_thresholds(place, strategy, luck);
                heuristics.extend(best.map(|threshold| Heuristic::new(strategy, threshold)));
            }
        }
        let value = |words: &Words| fraction(words.get(place), &self.denominator);
        // The layer without LUCK also has cells for dead fighters.
        let cell = usize::from(foe) * (usize::from(self.extent.hero) + 1) + usize::from(hero);
        Ok(BestHeuristics {
            heuristics,
            value: value(&self.best),
            without_luck: fraction(self.without.get(cell), &self.denominator),
            optimal: value(&self.optimal),
        })
    }

    /// Returns the numbers of the best strategies in a state in ascending order: the labels of
    /// Supplementary Fig. 7, with all ties. If 0 is among them, no strategy helps, and the others
    /// are as good as never using LUCK.
    ///
    /// # Errors
    /// The same as for [`best`](HeuristicMap::best).
    ///
    /// # Examples
    /// At STAMINA 2, strategies 6 and 7 are the same as strategy 1:
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules, Strategy};
    /// let map = HeuristicMap::new(&Rules::standard(), -4, Extent::default())?;
    /// let best: Vec<u8> = map.strategies(2, 3, 12)?.iter().map(|s| s.number()).collect();
    /// assert_eq!(best, [1, 6, 7, 8]);
    /// // Any blow is the last one, so LUCK changes nothing.
    /// assert_eq!(map.strategies(1, 1, 7)?, Strategy::ALL);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn strategies(&self, hero: u16, foe: u16, luck: u16) -> Result<Vec<Strategy>, Error> {
        let bits = self.strategies[self.extent.place(hero, foe, luck)?];
        let best = |strategy: &Strategy| bits >> strategy.number() & 1 == 1;
        Ok(Strategy::ALL.into_iter().filter(best).collect())
    }

    /// Returns the thresholds with which a strategy does best in a state in ascending order,
    /// whether or not another strategy does better. The result is empty for strategy 0, for LUCK 0,
    /// and where every threshold makes the strategy worse than strategy 0.
    ///
    /// # Errors
    /// The same as for [`best`](HeuristicMap::best).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules, Strategy, Threshold};
    /// let map = HeuristicMap::new(&Rules::standard(), 0, Extent::default())?;
    /// assert_eq!(map.thresholds(Strategy::Offensive, 24, 24, 12)?, [Threshold::Above(5)]);
    /// assert_eq!(map.thresholds(Strategy::Offensive, 24, 24, 5)?, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thresholds(
        &self,
        strategy: Strategy,
        hero: u16,
        foe: u16,
        luck: u16,
    ) -> Result<Vec<Threshold>, Error> {
        let place = self.extent.place(hero, foe, luck)?;
        Ok(self.best_thresholds(place, strategy, luck).collect())
    }

    /// Returns the number of states in which each threshold makes a strategy one of the best:
    /// Supplementary Fig. 8 for one SKILL difference. States in which several thresholds tie count
    /// for each of them, and states in which no strategy helps for none.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules, Strategy, Threshold};
    /// let map = HeuristicMap::new(&Rules::standard(), -2, Extent::default())?;
    /// let counts = map.threshold_counts(Strategy::Offensive);
    /// let most = counts.iter().max_by_key(|(_, count)| **count).map(|(tau, _)| *tau);
    /// assert_eq!(most, Some(Threshold::Above(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn threshold_counts(&self, strategy: Strategy) -> BTreeMap<Threshold, usize> {
        let mut counts = BTreeMap::new();
        for (place, (_, _, luck)) in self.extent.states().enumerate() {
            let best = self.strategies[place];
            // The lowest bit is that of strategy 0.
            if best & 1 == 0 && best >> strategy.number() & 1 == 1 {
                for threshold in self.best_thresholds(place, strategy, luck) {
                    *counts.entry(threshold).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Returns the extent of the map.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules};
    /// let map = HeuristicMap::new(&Rules::standard(), -2, Extent::default())?;
    /// assert_eq!(map.extent().states().count(), 7_488);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns the SKILL difference of this map, the hero's minus the foe's.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules};
    /// let map = HeuristicMap::new(&Rules::standard(), -2, Extent::default())?;
    /// assert_eq!(map.skill_difference(), -2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skill_difference(&self) -> i64 {
        self.skill_difference
    }

    fn best_thresholds(
        &self,
        place: usize,
        strategy: Strategy,
        luck: u16,
    ) -> impl Iterator<Item = Threshold> + '_ {
        let lowest = if strategy == Strategy::Never { 0 } else { luck };
        (0..lowest)
            .filter(move |&above| self.thresholds.get(place, strategy, above))
            .map(Threshold::Above)
    }
}

impl Bits {
    fn new(states: usize, luck: u16) -> Self {
        let luck = usize::from(luck);
        Self {
            luck,
            words: vec![0; (states * USING * luck).div_ceil(64)],
        }
    }

    fn place(&self, state: usize, strategy: Strategy, above: u16) -> usize {
        let row = state * USING + usize::from(strategy.number()) - 1;
        row * self.luck + usize::from(above)
    }

    fn get(&self, state: usize, strategy: Strategy, above: u16) -> bool {
        let place = self.place(state, strategy, above);
        self.words[place / 64] >> (place % 64) & 1 == 1
    }

    fn set(&mut self, state: usize, strategy: Strategy, above: u16) {
        let place = self.place(state, strategy, above);
        self.words[place / 64] |= 1 << (place % 64);
    }

    /// Clears the bits of all thresholds below this one.
    fn clear(&mut self, state: usize, strategy: Strategy, above: u16) {
        let first = self.place(state, strategy, 0);
        for place in first..first + usize::from(above) {
            self.words[place / 64] &= !(1 << (place % 64));
        }
    }

    fn any(&self, state: usize, strategy: Strategy) -> bool {
        let first = self.place(state, strategy, 0);
        (first..first + self.luck).any(|place| self.words[place / 64] >> (place % 64) & 1 == 1)
    }
}

/// The data that do not depend on the policy.
struct Kernel {
    extent: Extent,
    round: Mean,
    /// The test at each LUCK.
    tests: Vec<Mean>,
    /// The STAMINA taken by a plain, a lucky and an unlucky blow.
    hit: [u16; 3],
    wound: [u16; 3],
    denominator: BigUint,
    width: usize,
}

/// The values of all pairs of STAMINAs from 0 up, at one LUCK.
type Layer = Words;

/// The use of LUCK in a layer.
#[derive(Clone, Copy)]
enum Plan {
    Never,
    Use(Strategy),
    Optimal,
}

impl Kernel {
    fn new(
        rules: &Rules,
        skill_difference: i64,
        extent: Extent,
        max_work: u64,
    ) -> Result<Self, Error> {
        let (win, lose) = plain_round(rules, skill_difference, extent)?;
        let tests = rules.luck_table(extent.luck)?;
        let faces = tests.first().map_or(1, |(lucky, unlucky)| lucky + unlucky);
        let (hit, wound) = (rules.hit_damage(), rules.wound_damage());
        // Every path divides by the round's total once per round, and by the test's total once per
        // point of LUCK. A round in which LUCK is not used takes the plain damage, so the number of
        // such rounds is bounded.
        let luck = u32::from(extent.luck);
        let plain = u32::from(extent.foe).div_ceil(u32::from(hit.plain))
            + u32::from(extent.hero).div_ceil(u32::from(wound.plain));
        let rounds = plain - 1 + luck;
        let bits = f64::from(rounds) * ((win + lose) as f64).log2()
            + f64::from(luck) * (faces as f64).log2();
        let cells = u128::from(extent.hero) * u128::from(extent.foe);
        // There is a layer for each strategy and each threshold below the layer's LUCK. The
        // constant makes the limit bound memory as well.
        let layers = 4 * u128::from(luck) * u128::from(luck + 1) + 8;
        let bits = bits as u128 + 64;
        if cells * layers * bits > u128::from(max_work) {
            return Err(Error::TooManyHeuristics {
                heuristics: 8 * u64::from(luck) + 1,
                states: cells * u128::from(luck + 1),
                bits,
                limit: max_work,
            });
        }
        let denominator = BigUint::from(win + lose).pow(rounds) * BigUint::from(faces).pow(luck);
        let width = denominator.to_u64_digits().len();
        let all = |damage: crate::Damage| [damage.plain, damage.lucky, damage.unlucky];
        Ok(Self {
            extent,
            round: Mean::new(win, lose),
            tests: tests
                .iter()
                .map(|&(lucky, unlucky)| Mean::new(lucky, unlucky))
                .collect(),
            hit: all(hit),
            wound: all(wound),
            denominator,
            width,
        })
    }

    fn cells(&self) -> usize {
        usize::from(self.extent.hero) * usize::from(self.extent.foe)
    }

    /// The cell of these STAMINAs in a layer.
    #[inline]
    fn cell(&self, hero: u16, foe: u16) -> usize {
        usize::from(foe) * (usize::from(self.extent.hero) + 1) + usize::from(hero)
    }

    /// An empty layer: defeat where the hero has no STAMINA, and otherwise victory where the foe
    /// has none.
    fn empty_layer(&self) -> Layer {
        let (heroes, foes) = (
            usize::from(self.extent.hero) + 1,
            usize::from(self.extent.foe) + 1,
        );
        let mut layer = Words::zeros(heroes * foes, self.width);
        let one = to_words(&self.denominator, self.width);
        for hero in 1..=self.extent.hero {
            layer.set(self.cell(hero, 0), &one);
        }
        layer
    }

    /// Computes the layer of this LUCK; `below` is the layer with one point less.
    fn fill(&self, plan: Plan, luck: u16, below: &Layer, layer: &mut Layer) {
        let [mut won, mut lost, mut mean] = [(); 3].map(|()| vec![0; self.width + 1]);
        let test = self.tests[usize::from(luck)];
        for (hero, foe) in staminas(self.extent) {
            let uses = match plan {
                Plan::Never => Some(Decision::default()),
                Plan::Use(strategy) => Some(strategy.decides_if_allowed(hero, foe)),
                Plan::Optimal if luck == 0 => Some(Decision::default()),
                Plan::Optimal => None,
            };
            let hit = self.hit.map(|d| self.cell(hero, foe.saturating_sub(d)));
            let wound = self.wound.map(|d| self.cell(hero.saturating_sub(d), foe));
            let blow = |cells: [usize; 3], uses: Option<bool>, value: &mut Vec<u64>| {
                let plain = layer.get(cells[0]);
                if uses != Some(false) {
                    test.of(below.get(cells[1]), below.get(cells[2]), value);
                }
                let saves = uses.map_or_else(
                    || compare(plain, &value[..self.width]).is_ge(),
                    |uses| !uses,
                );
                if saves {
                    value[..self.width].copy_from_slice(plain);
                }
            };
            blow(hit, uses.map(|decision| decision.after_win), &mut won);
            blow(wound, uses.map(|decision| decision.after_loss), &mut lost);
            let (won, lost) = (&won[..self.width], &lost[..self.width]);
            self.round.of(won, lost, &mut mean);
            layer.set(self.cell(hero, foe), &mean);
        }
    }

    fn map(self, skill_difference: i64) -> HeuristicMap {
        let luck = self.extent.luck;
        let layers = usize::from(luck) + 1;
        let states = layers * self.cells();
        let mut without = self.empty_layer();
        self.fill(Plan::Never, 0, &self.empty_layer(), &mut without);
        let mut map = HeuristicMap {
            extent: self.extent,
            skill_difference,
            optimal: Words::zeros(states, self.width),
            best: Words::zeros(states, self.width),
            strategies: vec![1; states],
            thresholds: Bits::new(states, luck),
            denominator: self.denominator.clone(),
            without,
        };
        let [mut below, mut layer] = [self.empty_layer(), self.empty_layer()];
        for luck in 0..=luck {
            self.fill(Plan::Optimal, luck, &below, &mut layer);
            for (place, cell) in self.places(luck) {
                map.optimal.set(place, layer.get(cell));
                map.best.set(place, map.without.get(cell));
            }
            std::mem::swap(&mut below, &mut layer);
        }
        for strategy in Strategy::ALL.into_iter().skip(1) {
            self.try_strategy(strategy, &mut map);
        }
        map
    }

    /// Finds the best thresholds of a strategy in every state.
    fn try_strategy(&self, strategy: Strategy, map: &mut HeuristicMap) {
        let most = self.extent.luck;
        let mut own = Words::zeros(map.strategies.len(), self.width);
        // Where LUCK is at most the threshold, it is not used.
        for luck in 0..=most {
            for (place, cell) in self.places(luck) {
                own.set(place, map.without.get(cell));
            }
        }
        let [mut below, mut layer] = [self.empty_layer(), self.empty_layer()];
        for above in 0..most {
            below.clone_from(&map.without);
            for luck in above + 1..=most {
                self.fill(Plan::Use(strategy), luck, &below, &mut layer);
                for (place, cell) in self.places(luck) {
                    let order = compare(layer.get(cell), own.get(place));
                    if order == Ordering::Greater {
                        own.set(place, layer.get(cell));
                        map.thresholds.clear(place, strategy, above);
                    }
                    if order != Ordering::Less {
                        map.thresholds.set(place, strategy, above);
                    }
                }
                std::mem::swap(&mut below, &mut layer);
            }
        }
        for place in 0..map.strategies.len() {
            // If no threshold allows a use of LUCK that is as good, the strategy is strategy 0.
            if !map.thresholds.any(place, strategy) {
                continue;
            }
            let order = compare(own.get(place), map.best.get(place));
            if order == Ordering::Greater {
                map.best.set(place, own.get(place));
                map.strategies[place] = 0;
            }
            if order != Ordering::Less {
                map.strategies[place] |= 1 << strategy.number();
            }
        }
    }

    /// The indices in the map of the states with this LUCK, and their cells.
    fn places(&self, luck: u16) -> impl Iterator<Item = (usize, usize)> + '_ {
        let first = usize::from(luck) * self.cells();
        (first..).zip(staminas(self.extent).map(|(hero, foe)| self.cell(hero, foe)))
    }
}

/// All (hero, foe), in the order of [`Extent::states`].
fn staminas(extent: Extent) -> impl Iterator<Item = (u16, u16)> {
    (1..=extent.foe).flat_map(move |foe| (1..=extent.hero).map(move |hero| (hero, foe)))
}
