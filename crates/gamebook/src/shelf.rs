//! The books that come with the crate.

use crate::{Book, Error};

impl Book {
    /// Returns City of Thieves (Fighting Fantasy 5) as facts, without prose: 424 sections, as coded
    /// by the author of "City of Thieves solved".
    ///
    /// The hero rolls SKILL, STAMINA and LUCK and takes one of three potions:
    /// `dexterity_potion`, `stamina_potion`, `luck_potion`.
    ///
    /// # Errors
    /// None in practice.
    ///
    /// # Examples
    /// The value of a hero who stands in section 21, whatever was missed on the way there:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver, Character};
    ///
    /// let book = Book::city_of_thieves()?;
    /// assert_eq!((book.len(), book.start()), (424, 1));
    /// let hero = Character::new().stat("skill", 9).stat("stamina", 16).stat("luck", 9);
    /// let game = book.game(hero.item("dexterity_potion"))?;
    /// let valuation = BookSolver::new(&game).solve(game.start_at(21)?)?;
    /// assert!((valuation.win() - 0.7222189461500204).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn city_of_thieves() -> Result<Self, Error> {
        let text = include_str!("../books/city_of_thieves.json");
        Book::from_json(text, "city_of_thieves.json")
    }

    /// Returns [`city_of_thieves`](Book::city_of_thieves) with apparent mistakes in the code
    /// corrected: the rule for tests, which now succeed at a roll of at most the value, and seven
    /// sections.
    ///
    /// # Errors
    /// None in practice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::LuckTest;
    /// use oddsmith_gamebook::Book;
    ///
    /// let tests = |book: Book| book.rules().test;
    /// assert_eq!(tests(Book::city_of_thieves()?), LuckTest::Below);
    /// assert_eq!(tests(Book::city_of_thieves_corrected()?), LuckTest::AtMost);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn city_of_thieves_corrected() -> Result<Self, Error> {
        let text = include_str!("../books/city_of_thieves_corrected.json");
        Book::city_of_thieves()?.variant_from_json(text, "city_of_thieves_corrected.json")
    }

    /// Returns City of Thieves as coded, but with LUCK in battle, which its author's program leaves
    /// out: LUCK may be tested on every blow, as in the printed rules.
    ///
    /// # Errors
    /// None in practice.
    ///
    /// # Examples
    /// The value of LUCK in battle for the hero of [`city_of_thieves`](Book::city_of_thieves):
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver, Character};
    ///
    /// let book = Book::city_of_thieves_luck_in_battle()?;
    /// let hero = Character::new().stat("skill", 9).stat("stamina", 16).stat("luck", 9);
    /// let game = book.game(hero.item("dexterity_potion"))?;
    /// let valuation = BookSolver::new(&game).solve(game.start_at(21)?)?;
    /// assert!((valuation.win() - 0.722220632932099).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn city_of_thieves_luck_in_battle() -> Result<Self, Error> {
        let text = include_str!("../books/city_of_thieves_luck_in_battle.json");
        Book::city_of_thieves()?.variant_from_json(text, "city_of_thieves_luck_in_battle.json")
    }

    /// Returns "The Salt Lantern", a short book written for this crate that uses every feature of
    /// the format once.
    ///
    /// # Errors
    /// None in practice.
    ///
    /// # Examples
    /// Solved for a weak hero:
    /// ```
    /// use oddsmith_gamebook::{Book, Character};
    ///
    /// let book = Book::salt_lantern()?;
    /// let hero = Character::new().stat("skill", 8).stat("stamina", 2).stat("luck", 7).item("tonic");
    /// let plan = book.solve(&hero)?;
    /// assert_eq!(plan.value().to_string(), "250700775043680937/515877314289435648");
    /// assert_eq!(plan.first_choice()?.ok_or("a choice")?.label(), "call the ferry");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "toml")]
    #[cfg_attr(docsrs, doc(cfg(feature = "toml")))]
    pub fn salt_lantern() -> Result<Self, Error> {
        let text = include_str!("../books/salt_lantern.toml");
        Book::from_toml(text, "salt_lantern.toml")
    }
}
