//! Switches for the reductions of the solver. Each reduction provably changes no value.

use crate::BookSolver;

impl BookSolver<'_> {
    /// Sets whether to forget what nothing reads any more: items, flags and stats, such as money
    /// that nobody can spend. The default is true. If false, stats are not
    /// [capped](BookSolver::cap_stats) either.
    ///
    /// # Examples
    /// It changes no value:
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

    /// Sets whether to merge values of a stat that are worth the same, since they lie above, or
    /// below, all that can still be asked for, spent or lost. The default is true. If false, a stat
    /// that may grow for ever has [too many values](BookSolver::max_values).
    ///
    /// # Examples
    /// One gold piece is asked for, so two or more are worth the same:
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

    /// Sets whether [`solve_exact`](BookSolver::solve_exact) contracts forced moves: what is the
    /// only thing to do, without chance, is done at once, so the places in between do not count.
    /// The default is true. [`solve`](BookSolver::solve) does not visit places and ignores it.
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

    /// Sets whether [`solve_exact`](BookSolver::solve_exact) leaves out moves that only use
    /// something up, such as a [meal at full STAMINA](crate::ReducedGame::leave_out_waste). The
    /// default is true. [`solve`](BookSolver::solve) does not visit places and ignores it.
    ///
    /// # Examples
    /// It changes no value:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let all = BookSolver::new(&game).leave_out_waste(false).solve_exact(game.start())?;
    /// assert_eq!(all.to_string(), "35/144");
    /// assert_eq!(all, BookSolver::new(&game).solve_exact(game.start())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn leave_out_waste(mut self, leave_out: bool) -> Self {
        self.settings.left_out.waste = leave_out;
        self
    }

    /// Sets whether [`solve_exact`](BookSolver::solve_exact) computes the [odds](BookSolver::odds)
    /// of all places in floats first, and [leaves out](oddsmith_mdp::Pruned) the moves that these
    /// prove to be worse than others. The default is true. Few places of a long book are left then.
    ///
    /// # Examples
    /// It changes no value:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().choice(1, [("luck", 2), ("skill", 3)]).luck(2, 4, 5).skill(3, 4, 5);
    /// let game = book.won(4).lost(5).build()?.game(&Hero::new(7, 14, 9)?)?;
    /// let all = BookSolver::new(&game).prune(false).solve_exact(game.start())?;
    /// assert_eq!(all.to_string(), "5/6"); // LUCK 9 passes 30 times in 36
    /// assert_eq!(all, BookSolver::new(&game).solve_exact(game.start())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn prune(mut self, prune: bool) -> Self {
        self.settings.prune = prune;
        self
    }

    /// Sets whether heroes who lack what every victory needs count as lost. The default is true.
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

    /// Sets whether to defer what follows random losses until it is known who may want to take the
    /// risk. The default is true.
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

    /// Sets whether to leave out dominated options. An option is dominated if another one also
    /// leads to where it leads, with nothing on the way but choices and shops that can be left. The
    /// default is true. [Policies](BookSolver::policy), [bounds](BookSolver::approximate) and
    /// [advice](BookSolver::advice) consider all options.
    ///
    /// # Examples
    /// At two choices in a row, a reader may go down to the harbour or on along the street. Going
    /// on is worth at least as much as the harbour:
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

    /// Sets whether to use that more STAMINA, money or provisions is never worse, where the book
    /// leaves no doubt of it: whoever has more can do whatever others can, and has no less
    /// afterwards. So two ways to one scene need not be compared if one of them leaves the hero
    /// with more of these and is the same otherwise. The default is true.
    ///
    /// It is in doubt where something happens only to heroes who have little of it, or where a case
    /// depends on it, and it is not used with [rules](crate::Rules) from outside.
    /// [Policies](BookSolver::policy), [odds](BookSolver::odds), [bounds](BookSolver::approximate)
    /// and [advice](BookSolver::advice) compare all ways.
    ///
    /// # Examples
    /// Here the strong are turned away, so it is not used for STAMINA, and it is best not to rest:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Choice, Condition, Effect, Manuscript};
    /// use oddsmith_gamebook::{Passage, Play, Section};
    ///
    /// let rested = Passage { effects: vec![Effect::change("stamina", 4)], ..Passage::to(2) };
    /// let inn = vec![Choice::new("rest", rested), Choice::new("go on", Passage::to(2))];
    /// let strong = Choice::new("", Passage::lost()).when(Condition::at_least("stamina", 15));
    /// let gate = vec![strong, Choice::new("", Passage::won())];
    /// let mut book = Manuscript::new("hospital");
    /// book.sections = vec![
    ///     Section::new(1, Play::Choice(inn).into()),
    ///     Section::new(2, Play::First(gate).into()),
    /// ];
    /// let game = Book::new(book)?.game(&Hero::new(7, 14, 7)?)?;
    /// let compared = BookSolver::new(&game).never_worse(false).solve(game.start())?;
    /// assert_eq!((compared.win(), BookSolver::new(&game).solve(game.start())?.win()), (1.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn never_worse(mut self, never_worse: bool) -> Self {
        self.settings.never_worse = never_worse;
        self
    }

    /// Sets whether to store the values of sheets that differ only in LUCK side by side, so that a
    /// test of LUCK is computed for all its values in one pass. It applies where life and
    /// provisions have few values (at most 128 pairs) and LUCK has at most 32. The default is true.
    ///
    /// LUCK that is spent in battle is always stored this way, as are life and provisions.
    /// [Bounds](BookSolver::approximate) never do it for the sake of tests.
    ///
    /// It usually saves time. Where [`max_bytes`](BookSolver::max_bytes) is short, it may take
    /// more.
    ///
    /// # Examples
    /// It changes no value:
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

    /// Sets whether to decide one deal after the other, in shops that nobody comes back to and that
    /// either sell several items and buy none, or the other way round. The default is true.
    /// [Policies](BookSolver::policy) and [bounds](BookSolver::approximate) consider all deals at
    /// once, for every set of deals already made.
    ///
    /// # Examples
    /// Whatever is bought first, a rope and a torch cost the same:
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

    /// Sets whether a [policy](BookSolver::policy) is decided on a walk through the book after all of
    /// it has been solved, only for the places that best play reaches. The default is true. If false,
    /// or if there is not enough memory for the values that this takes, it is decided while solving,
    /// for all places that anybody may reach from the start. This takes several times as long.
    ///
    /// # Examples
    /// Whoever strays from the best way may ask on only if that was decided, too:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().choice(1, [("hill", 2), ("dale", 3)]).luck(2, 4, 5).choice(3, [("on", 2), ("home", 5)]);
    /// let game = book.won(4).lost(5).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let (solver, dale) = (BookSolver::new(&game), game.start_at(3)?);
    /// assert!(solver.policy(game.start())?.decision(&dale).is_err());
    /// let policy = solver.decide_onwards(false).policy(game.start())?;
    /// let on = policy.decision(&dale)?.ok_or("a choice")?;
    /// assert_eq!(on.to_string(), "on: turn to 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decide_onwards(mut self, onwards: bool) -> Self {
        self.settings.onwards = onwards;
        self
    }

    /// Sets the gain for which routes are told apart that part at a choice which every victory
    /// passes, such as the streets of a city. They are told apart if this leaves at least `gain`
    /// times fewer sheets, in books where finding out is worth the time. The default is 1.5. With
    /// infinity or NaN the routes are never told apart; with 0 or less they always are.
    ///
    /// Such routes are solved one by one, the most promising first. A route is not solved if it
    /// cannot be worth more than another, by one of three upper bounds. The first assumes that
    /// everybody holds, wherever that is better, each thing that neither strengthens nor refreshes
    /// the hero and is not a [must-have](BookSolver::must_haves). The second assumes this only after
    /// [random losses](BookSolver::put_off), and the third does not assume it of things that make a
    /// difference in a sample of such losses.
    ///
    /// # Examples
    /// It changes no value:
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
