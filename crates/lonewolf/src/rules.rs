//! Which rules are kept, simplified, or left to the player.

use crate::CombatTable;

/// The printed rules and simplifications that are in force.
///
/// [`printed`](Rules::printed) leaves to the player every decision that the book leaves to him.
/// [`yardstick`](Rules::yardstick) is what the author of "Solving a gamebook" programmed, so that
/// it reproduces his figures. Every difference between the two is a switch.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::Rules;
///
/// let rules = Rules::yardstick().enforce_fares(true);
/// assert!(rules.fares() && !Rules::yardstick().fares());
/// assert_ne!(rules, Rules::printed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Rules {
    #[cfg_attr(feature = "serde", serde(rename = "take_freely"))]
    pub(crate) free_taking: bool,
    #[cfg_attr(feature = "serde", serde(rename = "trade_freely"))]
    pub(crate) free_trade: bool,
    #[cfg_attr(feature = "serde", serde(rename = "drink_freely"))]
    pub(crate) all_potions: bool,
    #[cfg_attr(feature = "serde", serde(rename = "gamble_freely"))]
    pub(crate) free_wheel: bool,
    #[cfg_attr(feature = "serde", serde(rename = "enforce_fares"))]
    pub(crate) fares: bool,
    #[cfg_attr(feature = "serde", serde(rename = "cut_purse"))]
    pub(crate) purse_cut: bool,
    #[cfg_attr(feature = "serde", serde(rename = "carry_several"))]
    pub(crate) several: bool,
    #[cfg_attr(feature = "serde", serde(rename = "drink_before_evasion"))]
    pub(crate) strength_before_evasion: bool,
    #[cfg_attr(feature = "serde", serde(rename = "evade_in_combat"))]
    pub(crate) evasion_in_combat: bool,
    #[cfg_attr(feature = "serde", serde(rename = "fight_by"))]
    pub(crate) table: CombatTable,
}

/// The default is [`Rules::printed`].
impl Default for Rules {
    fn default() -> Self {
        Rules::printed()
    }
}

impl Rules {
    /// Returns the rules of the program whose figures serve as the yardstick. Items found are taken
    /// if there is room, only weapons that raise COMBAT SKILL are bought, and only others are sold.
    /// A potion is drunk if it is the weakest or heals all that is missing. A target is chosen
    /// before the Cartwheel turns, and whether to evade is decided before the combat. Nobody asks
    /// for fares, and gold is cut to 12 Crowns in two sections.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{CombatTable, Rules};
    ///
    /// let rules = Rules::yardstick();
    /// assert!(rules.cuts_purse() && !rules.fares() && !rules.takes_freely());
    /// assert_eq!(rules.table(), &CombatTable::standard());
    /// ```
    #[must_use]
    pub fn yardstick() -> Self {
        Rules {
            free_taking: false,
            free_trade: false,
            all_potions: false,
            free_wheel: false,
            fares: false,
            purse_cut: true,
            several: false,
            strength_before_evasion: false,
            evasion_in_combat: false,
            table: CombatTable::standard(),
        }
    }

    /// Returns the rules of the book. The player takes, leaves, swaps, buys, sells, drinks and
    /// gambles as he likes, evades when he likes, and pays his fares. Before a combat he may drink
    /// one potion of strength.
    ///
    /// The exception is the Combat Results Table. The default is the [standard
    /// one](CombatTable::standard), on which all published figures are based; four of its cells
    /// differ from the book. To use the [printed one](CombatTable::printed), pass it to
    /// [`fight_by`](Rules::fight_by).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{CombatTable, Rules};
    ///
    /// let rules = Rules::printed();
    /// assert!(rules.fares() && rules.takes_freely() && !rules.cuts_purse());
    /// assert_eq!(rules.table(), &CombatTable::standard()); // not CombatTable::printed()
    /// ```
    #[must_use]
    pub fn printed() -> Self {
        Rules {
            free_taking: true,
            free_trade: true,
            all_potions: true,
            free_wheel: true,
            fares: true,
            purse_cut: false,
            several: true,
            strength_before_evasion: true,
            evasion_in_combat: true,
            table: CombatTable::standard(),
        }
    }

    /// Sets whether what is found may be left, and swapped for anything of its kind. Otherwise it
    /// is taken if there is room. If there is no room, something is swapped for it if it is
    /// important. Everything is important except weapons that do not raise COMBAT SKILL.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::yardstick().take_freely(true).takes_freely());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn take_freely(mut self, free: bool) -> Self {
        self.free_taking = free;
        self
    }

    /// Sets whether anything on offer may be bought, and anything in demand sold. Otherwise only
    /// important items are bought and only unimportant ones are sold. A weapon for sale is judged
    /// while it is in hand: a hero with the weapon of his Weaponskill needs no weapon, so this very
    /// weapon, or his only one, may be sold.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::yardstick().trade_freely(true).trades_freely());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn trade_freely(mut self, free: bool) -> Self {
        self.free_trade = free;
        self
    }

    /// Sets whether any potion may be drunk after a combat, even if part of it is wasted. Otherwise
    /// only the weakest potion that is held may be drunk, or any that heals at least what is
    /// missing.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::yardstick().drink_freely(true).drinks_freely());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn drink_freely(mut self, free: bool) -> Self {
        self.all_potions = free;
        self
    }

    /// Sets whether the player may leave the Cartwheel after every spin, whatever he has. Otherwise
    /// he chooses a target of 20 to 30 Crowns before the first spin, and plays until he has reached
    /// it or has nothing left.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::yardstick().gamble_freely(true).gambles_freely());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn gamble_freely(mut self, free: bool) -> Self {
        self.free_wheel = free;
        self
    }

    /// Sets whether a hero who cannot pay a fare does not travel. This is the condition `fares` of
    /// a book.
    ///
    /// # Examples
    /// Where fares are enforced, the gatekeeper asks for a Crown, which this hero does not have:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver, Rules};
    /// # use oddsmith_lonewolf::{
    /// #     Book, Case, Condition, Decision, Item, Manuscript, Outcome, RuleName, Section,
    /// # };
    /// # let paid = Condition::Item { item: Item::Gold, count: 1 };
    /// # let free = Condition::Not(Box::new(Condition::Rule(RuleName::Fares)));
    /// # let cases = vec![
    /// #     Case { condition: Condition::Any(vec![paid, free]), then: Outcome::Goto(2) },
    /// #     Case { condition: Condition::Always, then: Outcome::Lost },
    /// # ];
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, Outcome::Branch(cases)), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("gate", 1, 2, sections))?;
    /// let hero = ActionChart::new(10, 20)?;
    /// let win = |enforced| {
    ///     let rules = Rules::yardstick().enforce_fares(enforced);
    ///     BookSolver::new(&book).rules(rules).win(&hero)
    /// };
    /// assert_eq!((win(false)?, win(true)?), (1.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn enforce_fares(mut self, enforced: bool) -> Self {
        self.fares = enforced;
        self
    }

    /// Sets whether gold is cut where a book says so under the condition `purse_cut`. This is a
    /// simplification, not a rule.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(!Rules::yardstick().cut_purse(false).cuts_purse());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cut_purse(mut self, cut: bool) -> Self {
        self.purse_cut = cut;
        self
    }

    /// Sets whether more than one weapon or potion of a kind can be gained: two weapons, and as many
    /// potions as there is room for. Otherwise only one can, except for laumspur. What a hero begins
    /// with is not limited.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::yardstick().carry_several(true).carries_several());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn carry_several(mut self, several: bool) -> Self {
        self.several = several;
        self
    }

    /// Sets whether a potion of strength may be drunk before a combat that can be evaded.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::yardstick().drink_before_evasion(true).drinks_before_evasion());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn drink_before_evasion(mut self, may: bool) -> Self {
        self.strength_before_evasion = may;
        self
    }

    /// Sets the Combat Results Table. The default is the [standard one](CombatTable::standard).
    ///
    /// # Examples
    /// Two evenly matched sides, by the table of the published figures and by the printed one:
    /// ```
    /// use oddsmith_lonewolf::{
    ///     ActionChart, Book, BookSolver, CombatTable, Decision, Foe, Item, Manuscript, Outcome,
    ///     Rules, Section,
    /// };
    ///
    /// let fight = Outcome::Fight { foe: Foe::new("Giak", 15, 20), won: Box::new(Outcome::Goto(2)) };
    /// let sections = vec![
    ///     Section { number: 1, decision: Decision::Then(fight) },
    ///     Section { number: 2, decision: Decision::Then(Outcome::Won) },
    /// ];
    /// let book = Book::new(Manuscript::new("ambush", 1, 2, sections))?;
    /// let hero = ActionChart::new(15, 12)?.item(Item::Axe)?;
    /// let win = |rules| BookSolver::new(&book).rules(rules).win(&hero);
    /// let printed = Rules::printed().fight_by(CombatTable::printed());
    /// assert_eq!(printed.table(), &CombatTable::printed());
    /// assert_eq!(format!("{:.4}", win(Rules::printed())?), "0.8421");
    /// assert_eq!(format!("{:.4}", win(printed)?), "0.8373");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fight_by(mut self, table: CombatTable) -> Self {
        self.table = table;
        self
    }

    /// Sets whether Lone Wolf decides before each round whether to evade, once the rounds that must
    /// be fought are over. Otherwise he decides before the combat whether to fight to the end or to
    /// evade as soon as he may. Either way, the round in which he evades is rolled, and he escapes
    /// if he is alive; what the foe loses in it changes nothing.
    ///
    /// # Examples
    /// It pays to see how the first rounds go:
    /// ```
    /// use oddsmith_lonewolf::{
    ///     ActionChart, Book, BookSolver, Decision, Foe, Manuscript, Outcome, Rules, Section,
    /// };
    ///
    /// // Who evades has seven chances of ten left.
    /// let chances = [(7, Outcome::Won), (3, Outcome::Lost)].map(|(numbers, then)| {
    ///     oddsmith_lonewolf::Chance { numbers, then }
    /// });
    /// let sections = vec![
    ///     Section {
    ///         number: 1,
    ///         decision: Decision::Evade {
    ///             after: 0,
    ///             to: 2,
    ///             foe: Foe::new("Giak", 10, 14),
    ///             won: Outcome::Goto(3),
    ///         },
    ///     },
    ///     Section { number: 2, decision: Decision::Then(Outcome::Random(chances.into())) },
    ///     Section { number: 3, decision: Decision::Then(Outcome::Won) },
    /// ];
    /// let book = Book::new(Manuscript::new("ambush", 1, 3, sections))?;
    /// let hero = ActionChart::new(14, 8)?;
    /// let win = |within| {
    ///     let rules = Rules::printed().evade_in_combat(within);
    ///     BookSolver::new(&book).rules(rules).win(&hero)
    /// };
    /// assert_eq!(format!("{:.4} {:.4}", win(false)?, win(true)?), "0.7520 0.7580");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn evade_in_combat(mut self, may: bool) -> Self {
        self.evasion_in_combat = may;
        self
    }

    /// Returns whether [`take_freely`](Rules::take_freely) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::printed().takes_freely());
    /// assert!(!Rules::yardstick().takes_freely());
    /// ```
    #[must_use]
    pub fn takes_freely(&self) -> bool {
        self.free_taking
    }

    /// Returns whether [`trade_freely`](Rules::trade_freely) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::printed().trades_freely());
    /// assert!(!Rules::yardstick().trades_freely());
    /// ```
    #[must_use]
    pub fn trades_freely(&self) -> bool {
        self.free_trade
    }

    /// Returns whether [`drink_freely`](Rules::drink_freely) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::printed().drinks_freely());
    /// assert!(!Rules::yardstick().drinks_freely());
    /// ```
    #[must_use]
    pub fn drinks_freely(&self) -> bool {
        self.all_potions
    }

    /// Returns whether [`gamble_freely`](Rules::gamble_freely) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::printed().gambles_freely());
    /// assert!(!Rules::yardstick().gambles_freely());
    /// ```
    #[must_use]
    pub fn gambles_freely(&self) -> bool {
        self.free_wheel
    }

    /// Returns whether [`enforce_fares`](Rules::enforce_fares) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::printed().fares());
    /// assert!(!Rules::yardstick().fares());
    /// ```
    #[must_use]
    pub fn fares(&self) -> bool {
        self.fares
    }

    /// Returns whether [`cut_purse`](Rules::cut_purse) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(!Rules::printed().cuts_purse());
    /// assert!(Rules::yardstick().cuts_purse());
    /// ```
    #[must_use]
    pub fn cuts_purse(&self) -> bool {
        self.purse_cut
    }

    /// Returns the Combat Results Table. See [`fight_by`](Rules::fight_by).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{CombatTable, Rules};
    ///
    /// let seven = |rules: Rules| rules.table().exchange(0, 7).map(|exchange| exchange.to_string());
    /// assert_eq!(seven(Rules::printed())?, "10/1");
    /// assert_eq!(seven(Rules::printed().fight_by(CombatTable::printed()))?, "9/1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn table(&self) -> &CombatTable {
        &self.table
    }

    /// Returns whether [`carry_several`](Rules::carry_several) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::printed().carries_several());
    /// assert!(!Rules::yardstick().carries_several());
    /// ```
    #[must_use]
    pub fn carries_several(&self) -> bool {
        self.several
    }

    /// Returns whether [`drink_before_evasion`](Rules::drink_before_evasion) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::printed().drinks_before_evasion());
    /// assert!(!Rules::yardstick().drinks_before_evasion());
    /// ```
    #[must_use]
    pub fn drinks_before_evasion(&self) -> bool {
        self.strength_before_evasion
    }

    /// Returns whether [`evade_in_combat`](Rules::evade_in_combat) is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Rules;
    /// assert!(Rules::printed().evades_in_combat());
    /// assert!(!Rules::yardstick().evades_in_combat());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn evades_in_combat(&self) -> bool {
        self.evasion_in_combat
    }
}
