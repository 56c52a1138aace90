//! What a solver leaves out or keeps together, since it provably makes no difference: each of it
//! can be switched off.

use crate::BookSolver;

impl BookSolver<'_> {
    /// Whether to forget what nothing reads any more: items, flags and stats, such as money that
    /// nobody can spend; true unless said otherwise. If not, no stat is
    /// [capped](BookSolver::cap_stats) either.
    ///
    /// # Examples
    /// It makes no difference to any value:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let all = BookSolver::new(&game).forget(false).solve(game.start())?;
    /// assert_eq!(all.win(), BookSolver::new(&game).solve(game.start())?.win());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forget(mut self, forget: bool) -> Self {
        self.settings.left_out.forget = forget;
        self
    }

    /// Whether to take values of a stat for one that are worth the same, as they lie above all that
    /// can still be asked for, spent or lost, or below; true unless said otherwise. If not,
    /// a stat that may grow for ever has [too many values](BookSolver::max_values).
    ///
    /// # Examples
    /// One gold piece is asked for, so that two or more are worth as much:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver, Character, Choice, Condition, Manuscript};
    /// use oddsmith_gamebook::{Branch, Effect, Passage, Play, Section, Stat};
    ///
    /// let mut book = Manuscript::new("alms");
    /// book.sheet.stats.push(Stat { floor: Some(0), ..Stat::new("gold", 0) });
    /// let found = |gold: i16, weight| {
    ///     let effects = vec![Effect::change("gold", gold)];
    ///     Branch { weight, passage: Passage { effects, ..Passage::to(2) } }
    /// };
    /// let pay = Choice::new("pay", Passage::won()).when(Condition::at_least("gold", 1));
    /// let options = vec![pay, Choice::new("beg", Passage::lost())];
    /// book.sections = vec![
    ///     Section::new(1, Play::Random((0..4_i16).map(|gold| found(gold, 1)).collect()).into()),
    ///     Section::new(2, Play::Choice(options).into()),
    /// ];
    /// let hero = Character::new().stat("skill", 7).stat("stamina", 9).stat("luck", 7);
    /// let game = Book::new(book)?.game(hero)?;
    /// let all = BookSolver::new(&game).cap_stats(false).solve(game.start())?;
    /// assert_eq!((all.win(), BookSolver::new(&game).solve(game.start())?.win()), (0.75, 0.75));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cap_stats(mut self, cap: bool) -> Self {
        self.settings.left_out.cap_stats = cap;
        self
    }

    /// Whether [`solve_exact`](BookSolver::solve_exact) does at once what is the only thing that
    /// can be done, if chance has no part in it, so that what lies between is no place of its own;
    /// true unless said otherwise. [`solve`](BookSolver::solve) looks at no places.
    ///
    /// # Examples
    /// Four sections in a row are one place, or [four](crate::ReducedGame::contract):
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let turns = (1..=4).fold(Book::builder(), |book, at| book.choice(at, [("on", at + 1)]));
    /// let game = turns.luck(5, 6, 7).won(6).lost(7).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let all = BookSolver::new(&game).contract(false).solve_exact(game.start())?;
    /// assert_eq!(all.to_string(), "7/12");
    /// assert_eq!(all, BookSolver::new(&game).solve_exact(game.start())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contract(mut self, contract: bool) -> Self {
        self.settings.left_out.contract = contract;
        self
    }

    /// Whether to give up those who lack what every victory needs; true unless said
    /// otherwise.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let all = BookSolver::new(&game).must_haves(false).solve(game.start())?;
    /// assert_eq!(all.win(), 21.0 / 36.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn must_haves(mut self, must_haves: bool) -> Self {
        self.settings.left_out.must_haves = must_haves;
        self
    }

    /// Whether to put off what follows losses at random until it is known who may want to
    /// take the risk; true unless said otherwise.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let all = BookSolver::new(&game).put_off(false).solve(game.start())?;
    /// assert_eq!(all.win(), 21.0 / 36.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn put_off(mut self, put_off: bool) -> Self {
        self.settings.put_off = put_off;
        self
    }

    /// Whether to leave out options that another one brings as well, since it leads to where
    /// they lead with nothing on the way but choices, and shops that can be left; true unless
    /// said otherwise. [Policies](BookSolver::policy), [bounds](BookSolver::solve_within) and
    /// [advice](BookSolver::advice) weigh all options.
    ///
    /// # Examples
    /// "Down to the harbour, or on along the street", and then again: to go on is worth as
    /// much, at least.
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().choice(1, [("harbour", 3), ("on", 2)]);
    /// let book = book.choice(2, [("harbour", 3), ("tavern", 4)]).luck(3, 5, 6).luck(4, 6, 5);
    /// let book = book.won(5).lost(6).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let all = BookSolver::new(&game).nested(false).solve(game.start())?;
    /// assert_eq!(all.win(), 21.0 / 36.0);
    /// assert_eq!(all.win(), BookSolver::new(&game).solve(game.start())?.win());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nested(mut self, nested: bool) -> Self {
        self.settings.nested = nested;
        self
    }

    /// Whether to keep what sheets are worth that differ by LUCK alone next to each other, so that
    /// a test of LUCK is worked out for all of its values at once, where life and what is eaten
    /// have few values (128 pairs at most, and LUCK 32); true unless said otherwise. LUCK that is
    /// spent in battle is always kept so, as are life and what is eaten, and
    /// [bounds](BookSolver::solve_within) never do it for the sake of tests.
    ///
    /// It takes less time, mostly; where [`max_bytes`](BookSolver::max_bytes) is short it may take
    /// more.
    ///
    /// # Examples
    /// It makes no difference to any value:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 4).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let alone = BookSolver::new(&game).luck_together(false).solve(game.start())?;
    /// let together = BookSolver::new(&game).solve(game.start())?;
    /// assert!((alone.win() - 21.0 / 36.0 * 15.0 / 36.0).abs() < 1e-15);
    /// assert!((alone.win() - together.win()).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn luck_together(mut self, together: bool) -> Self {
        self.settings.luck_together = together;
        self
    }

    /// Whether to ask of one deal after the other whether to make it, in shops that sell several
    /// items and buy none, or the other way round, and that nobody comes back to; true unless said
    /// otherwise. [Policies](BookSolver::policy) and [bounds](BookSolver::solve_within) weigh all
    /// deals at once, for whatever has been bought or sold by then.
    ///
    /// # Examples
    /// Whatever is bought first, a rope and a torch cost as much:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver, Character, Choice, Condition, Goods, Item};
    /// use oddsmith_gamebook::{Manuscript, Passage, Play, Section, Shop, Stat};
    ///
    /// let mut book = Manuscript::new("outfitter");
    /// book.sheet.stats.push(Stat { floor: Some(0), ..Stat::new("gold", 5) });
    /// book.sheet.items = vec![Item::new("rope"), Item::new("torch"), Item::new("map")];
    /// let sells = vec![Goods::item("rope", 2), Goods::item("torch", 3), Goods::item("map", 4)];
    /// let both = Condition::All(vec![Condition::Has("rope".into()), Condition::Has("torch".into())]);
    /// let down = Choice::new("climb down", Passage::won()).when(both);
    /// let leave = Play::Choice(vec![down, Choice::new("go home", Passage::lost())]).into();
    /// let shop = Shop { sells, buys: vec![], leave };
    /// book.sections = vec![Section::new(1, Play::Shop(Box::new(shop)).into())];
    /// let game = Book::new(book)?.game(Character::new().stat("skill", 7).stat("stamina", 9).stat("luck", 7))?;
    /// let in_turn = BookSolver::new(&game).solve(game.start())?;
    /// let at_once = BookSolver::new(&game).deal_by_deal(false).solve(game.start())?;
    /// assert_eq!((in_turn.win(), at_once.win()), (1.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn deal_by_deal(mut self, in_turn: bool) -> Self {
        self.settings.deal_by_deal = in_turn;
        self
    }

    /// Whether to tell ways apart that part at a choice which every victory passes, such as
    /// the streets of a city: if that leaves so many times fewer sheets to be looked at, in
    /// books where it is worth the time to find out; 1.5 unless said otherwise. With infinity
    /// they are never told apart, with 0 always: with less than 0, too, and with NaN never.
    ///
    /// Such ways are solved one by one, the most promising first. One that cannot be worth
    /// more is not solved: even if everybody held what does not strengthen or refresh him, and
    /// is no [must](BookSolver::must_haves), where that is better; or if [losses at
    /// random](BookSolver::put_off) were no worse than they are known to be at least.
    ///
    /// # Examples
    /// It makes no difference to any value:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder();
    /// let book = book.choice(1, [("left", 2), ("right", 3)]).luck(2, 4, 5).luck(3, 4, 5);
    /// let book = book.won(4).lost(5).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let solver = BookSolver::new(&game);
    /// let apart = solver.clone().tell_apart(0.0).solve(game.start())?;
    /// assert_eq!(apart.win(), solver.tell_apart(f64::INFINITY).solve(game.start())?.win());
    /// assert_eq!(apart.win(), 21.0 / 36.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tell_apart(mut self, gain: f64) -> Self {
        self.settings.apart = match gain.is_nan() {
            true => f64::INFINITY,
            false => gain.max(0.0),
        };
        self
    }
}
