//! Moves: what the reader may decide on.

use std::fmt;
use std::sync::Arc;

/// One option of a choice: "if you …, turn to …".
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder().choice(1, [("open the door", 9)]).won(9).build()?;
/// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
/// let walk = plan.walkthrough()?;
/// assert_eq!(walk.steps()[0].deed.to_string(), "open the door");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Turn {
    label: Arc<str>,
    target: Option<u32>,
}

impl Turn {
    pub(crate) fn new(label: &Arc<str>, target: Option<u32>) -> Self {
        Turn {
            label: Arc::clone(label),
            target,
        }
    }

    /// Returns the label of the option.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Move};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("climb", 2), ("swim", 3)]).won(2).lost(3).build()?;
    /// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
    /// let advice = plan.first_choice()?.ok_or("a choice")?;
    /// let Move::Turn(turn) = &advice.options()[1].action else { return Err("an option".into()) };
    /// assert_eq!(turn.label(), "swim");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the section to turn to, or `None` if the section goes on first or the adventure ends
    /// there.
    ///
    /// # Examples
    /// Climbing turns to 2; waiting loses in this very section:
    /// ```
    /// use oddsmith_gamebook::{Choice, Move, Passage, Play, Section};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_gamebook::{Book, Manuscript};
    ///
    /// let options = vec![Choice::new("climb", Passage::to(2)), Choice::new("wait", Passage::lost())];
    /// let cliff = Section::new(1, Play::Choice(options).into());
    /// # let mut book = Manuscript::new("cliff");
    /// # book.sections = vec![cliff, Section::new(2, Passage::won())];
    /// # let plan = Book::new(book)?.solve(&Hero::new(7, 14, 7)?)?;
    /// # let advice = plan.first_choice()?.ok_or("a choice")?;
    /// let targets = advice.options().iter().map(|option| match &option.action {
    ///     Move::Turn(turn) => turn.target(),
    ///     _ => None,
    /// });
    /// assert_eq!(targets.collect::<Vec<_>>(), [Some(2), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn target(&self) -> Option<u32> {
        self.target
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.target {
            // The label of an option without one already says where it leads.
            Some(target) if *self.label != *format!("turn to {target}") => {
                write!(f, "{}: turn to {target}", self.label)
            }
            _ => f.write_str(&self.label),
        }
    }
}

/// Writes the same as `Display`, so that explanations of a solver read well.
impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A decision of the reader.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Move};
/// use oddsmith_mdp::Node;
///
/// let book = Book::builder().choice(1, [("open the door", 9)]).won(9).build()?;
/// let game = book.game(&Hero::new(7, 14, 7)?)?;
/// let node = Node::of(&game, &game.start())?;
/// let Some(Move::Turn(turn)) = node.action(0) else { return Err("no option".into()) };
/// assert_eq!((turn.label(), turn.target()), ("open the door", Some(9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Move {
    /// Take an option of a choice.
    Turn(Turn),
    /// Take a refreshment.
    Refresh(Arc<str>),
    /// Buy this item or stat.
    Buy(Arc<str>),
    /// Sell this item.
    Sell(Arc<str>),
    /// Leave the shop.
    Leave,
    /// Play another round of a game.
    Play,
    /// Play no more rounds of a game.
    Stop,
    /// Fight another round.
    FightOn,
    /// Run from a fight.
    Run,
    /// Do not test LUCK on a blow, where that is possible.
    SaveLuck,
    /// Test LUCK on a blow, the hero's or a foe's; see
    /// [`RuleSet::luck_in_battle`](crate::RuleSet::luck_in_battle).
    ///
    /// # Examples
    /// One blow decides for either side. A hero who loses the round lives if LUCK reduces the blow
    /// to 1:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, Move};
    ///
    /// let book = Book::builder().fight(1, Foe::new(10, 2)?, 2).won(2).luck_in_battle().build()?;
    /// let plan = book.solve(&Hero::new(10, 2, 7)?)?;
    /// assert_eq!(plan.value().to_string(), "31/48");
    /// // The hero's blow comes first among the places that a round leads to.
    /// let solution = plan.solution();
    /// let node = oddsmith_mdp::Node::of(solution.game(), &plan.start())?;
    /// let [(hit, _), _, (wound, _)] = node.outcomes(0) else { return Err("a round".into()) };
    /// assert_eq!(solution.decision(hit)?, Some(Move::SaveLuck));
    /// assert_eq!(solution.decision(wound)?, Some(Move::TestLuck));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    TestLuck,
}

impl Move {
    /// Returns the label of the move.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_gamebook::Move::FightOn.label(), "fight on");
    /// ```
    #[must_use]
    pub fn label(&self) -> &str {
        match self {
            Move::Turn(turn) => turn.label(),
            Move::Refresh(what) | Move::Buy(what) | Move::Sell(what) => what,
            Move::Leave => "leave",
            Move::Play => "play",
            Move::Stop => "stop",
            Move::FightOn => "fight on",
            Move::Run => "run",
            Move::SaveLuck => "save LUCK",
            Move::TestLuck => "test LUCK",
        }
    }

    /// Returns the kind of move, in one word.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_gamebook::Move::FightOn.kind(), "fight-on");
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Move::Turn(_) => "turn",
            Move::Refresh(_) => "refresh",
            Move::Buy(_) => "buy",
            Move::Sell(_) => "sell",
            Move::Leave => "leave",
            Move::Play => "play",
            Move::Stop => "stop",
            Move::FightOn => "fight-on",
            Move::Run => "run",
            Move::SaveLuck => "save-luck",
            Move::TestLuck => "test-luck",
        }
    }

    /// Returns the section to turn to, if it is a plain option.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_gamebook::Move::Run.target(), None);
    /// ```
    #[must_use]
    pub fn target(&self) -> Option<u32> {
        match self {
            Move::Turn(turn) => turn.target(),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Turn(turn) => turn.fmt(f),
            Move::Buy(what) => write!(f, "buy {what}"),
            Move::Sell(what) => write!(f, "sell {what}"),
            _ => f.write_str(self.label()),
        }
    }
}

/// Writes the same as `Display`, so that explanations of a solver read well.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
