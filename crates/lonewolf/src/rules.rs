//! What of the rules is kept, simplified, or left to the player.

use crate::CombatTable;

/// Which of the printed rules hold, and which simplifications.
///
/// [`printed`](Rules::printed) leaves every decision to the player that the book
/// leaves to him; [`yardstick`](Rules::yardstick) is what the author of "Solving a
/// gamebook" programmed, so that his figures come out. Each difference is a switch.
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

/// As printed.
impl Default for Rules {
    fn default() -> Self {
        Rules::printed()
    }
}

impl Rules {
    /// As the program has them whose figures are the yardstick: what is found is
    /// taken if there is room, only weapons that raise COMBAT SKILL are bought and
    /// only others sold, a potion is drunk if it is the weakest or heals all that is missing, a target is
    /// chosen before the Cartwheel turns, whether to evade is decided before the
    /// combat, nobody asks for the fare, and gold is cut to 12 Crowns in two sections.
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

    /// As the book has them: the player takes, leaves, swaps, buys, sells, drinks and
    /// gambles as he likes, evades when he likes, and pays his fares. Before a combat he may
    /// drink one potion of strength.
    ///
    /// The table of combat is not that of the book but the
    /// [standard one](CombatTable::standard), by which all published numbers are: four of its
    /// cells differ. The [printed one](CombatTable::printed) must be
    /// [asked for](Rules::fight_by).
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

    /// Whether what is found may be left, and swapped for anything of its kind.
    /// Otherwise it is taken if there is room, and without room swapped if it is
    /// important: always, but for weapons that do not raise COMBAT SKILL.
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

    /// Whether all that is offered may be bought, and all that is asked for sold.
    /// Otherwise only what is important is bought, and only what is not is sold. A weapon for
    /// sale is judged while it is in hand: whoever has the weapon of his skill has no need of
    /// one, so that this very weapon, or the only one, may be sold.
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

    /// Whether any potion may be drunk after a combat, even if part of it is wasted.
    /// Otherwise the weakest that is held, or any that heals at least what is missing.
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

    /// Whether the player may leave the Cartwheel after every spin, whatever he has.
    /// Otherwise he chooses before the first what to reach, 20 to 30 Crowns, and plays
    /// until he has it or nothing.
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

    /// Whether who cannot pay a fare does not travel: the condition `fares` of a book.
    ///
    /// # Examples
    /// Where fares are enforced, the gatekeeper asks for a Crown, and this hero has none:
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

    /// Whether gold is cut where a book says so under the condition `purse_cut`: a
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

    /// Whether two weapons or potions of one kind can be carried; without it one, but for
    /// laumspur.
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

    /// Whether a potion of strength may be drunk before a combat that can be evaded.
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

    /// The table by which combats are fought: the [standard one](CombatTable::standard)
    /// unless said otherwise.
    ///
    /// # Examples
    /// Two evenly matched, by the table of the published numbers and by that in print:
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

    /// Whether Lone Wolf decides before each round whether to evade, once the rounds
    /// that must be fought are over. Otherwise he decides before the combat: to fight
    /// to the end, or to evade as soon as he may. Either way the round in which he
    /// evades is rolled, and he is away if he is alive; what the foe loses in it
    /// changes nothing.
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

    /// See [`take_freely`](Rules::take_freely).
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

    /// See [`trade_freely`](Rules::trade_freely).
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

    /// See [`drink_freely`](Rules::drink_freely).
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

    /// See [`gamble_freely`](Rules::gamble_freely).
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

    /// See [`enforce_fares`](Rules::enforce_fares).
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

    /// See [`cut_purse`](Rules::cut_purse).
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

    /// See [`fight_by`](Rules::fight_by).
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

    /// See [`carry_several`](Rules::carry_several).
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

    /// See [`drink_before_evasion`](Rules::drink_before_evasion).
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

    /// See [`evade_in_combat`](Rules::evade_in_combat).
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
