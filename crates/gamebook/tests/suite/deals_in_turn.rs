//! Shops whose deals are evaluated in turn, and all at once: the value is the same.

use crate::pieces::{random, rolled};
use crate::properties::drawn;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Cap, Choice, Condition, Effect, Error, Goods, Item, Manuscript,
    Passage, Play, RandomLoss, Section, Shop, Stat,
};
use quickcheck::{Arbitrary, Gen, TestResult};

const WARES: [&str; 5] = ["rope", "torch", "map", "knife", "charm"];

/// A market, and the uses of its wares.
#[derive(Clone, Debug)]
struct Market {
    /// By ware, beginning with those that the first of two shops trades in.
    prices: [u16; 5],
    first: usize,
    buys: [bool; 2],
    gold: i16,
    cap: Option<i16>,
    floor: Option<i16>,
    /// The items held before, as bits.
    held: u8,
    /// Wares are paid for with STAMINA.
    blood: bool,
    /// Something is lost at random between the shops, or after them.
    robbed: [bool; 2],
    /// What is required at the end: the items as bits, the gold, whether by choice, and how many
    /// eighths of those who meet it win.
    asked: Vec<(u8, i16, bool, u32)>,
    chosen: bool,
    /// The end may lead back.
    back: bool,
}

impl Arbitrary for Market {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, most: u8| u8::arbitrary(g) % most;
        let within = |g: &mut Gen, from: i16, most: u8| {
            bool::arbitrary(g).then(|| from + i16::from(below(g, most)))
        };
        let asked = (0..1 + below(g, 5)).map(|_| {
            let bits = u8::arbitrary(g) & u8::arbitrary(g);
            let gold = i16::from(below(g, 9));
            (bits, gold, bool::arbitrary(g), below(g, 8).into())
        });
        let asked = asked.collect();
        Market {
            prices: std::array::from_fn(|_| u16::from(below(g, 5))),
            first: usize::from(below(g, 4)) + 2,
            buys: [bool::arbitrary(g), bool::arbitrary(g)],
            gold: i16::from(below(g, 14)),
            cap: within(g, 3, 12),
            floor: within(g, -2, 5),
            held: u8::arbitrary(g),
            blood: below(g, 4) == 0,
            robbed: [below(g, 4) == 0, below(g, 4) == 0],
            asked,
            chosen: bool::arbitrary(g),
            back: below(g, 4) == 0,
        }
    }
}

impl Market {
    /// Two shops that give everything to a hero who has nothing, and a choice.
    fn plain() -> Self {
        Market {
            prices: [0; 5],
            first: 2,
            buys: [false, false],
            gold: 0,
            cap: None,
            floor: None,
            held: 0,
            blood: false,
            robbed: [false, false],
            asked: vec![],
            chosen: true,
            back: false,
        }
    }

    fn shop(&self, number: usize, leave: Passage) -> Play {
        let wares = match number {
            0 => 0..self.first,
            _ => self.first..WARES.len(),
        };
        let goods = wares.map(|ware| Goods::item(WARES[ware], self.prices[ware]));
        let (sells, buys) = match self.buys[number] {
            true => (vec![], goods.collect()),
            false => (goods.collect(), vec![]),
        };
        Play::Shop(Box::new(Shop { sells, buys, leave }))
    }

    fn robbed(&self, number: usize, to: u32) -> Passage {
        let lost = Effect::LoseRandom(RandomLoss {
            count: 1,
            tag: None,
        });
        Passage {
            effects: Vec::from_iter(self.robbed[number].then_some(lost)),
            ..Passage::to(to)
        }
    }

    fn game(&self) -> Result<BookGame, Error> {
        let mut book = Manuscript::new("market");
        let purse = if self.blood { "stamina" } else { "gold" };
        book.rules.money = purse.to_owned();
        let stat = Stat {
            cap: self.cap.map(Cap::At),
            floor: self.floor,
            ..Stat::new("gold", self.gold)
        };
        book.sheet.stats.push(stat);
        let held = |bits: u8| {
            let wares = WARES.iter().enumerate();
            let wares = wares.filter(move |(ware, _)| bits >> ware & 1 == 1);
            wares.map(|(_, ware)| (*ware).to_owned())
        };
        book.sheet.items = WARES.map(Item::new).into();
        book.sheet.initial_items = held(self.held).collect();
        let mut ends: Vec<Choice> = Vec::new();
        for (number, (bits, gold, not, _)) in (10..).zip(&self.asked) {
            let mut all: Vec<Condition> = held(*bits).map(Condition::Has).collect();
            all.push(Condition::at_least(purse, *gold));
            let all = Condition::All(all);
            let asked = if *not {
                Condition::Not(Box::new(all))
            } else {
                all
            };
            ends.push(Choice::new("on", Passage::to(number)).when(asked));
        }
        if self.back && self.chosen {
            ends.push(Choice::new("back", Passage::to(1)));
        }
        ends.push(Choice::otherwise(Passage::lost()));
        let end = match self.chosen {
            true => Play::Choice(ends),
            false => Play::First(ends),
        };
        // With or without a ware; the two cases may be distinguished.
        let found = Passage {
            effects: vec![Effect::Gain(WARES[0].to_owned())],
            ..Passage::to(1)
        };
        let ways = ["find", "pass"].into_iter().zip([found, Passage::to(1)]);
        let plays = [
            Play::Choice(ways.map(|(label, way)| Choice::new(label, way)).collect()),
            self.shop(0, self.robbed(0, 2)),
            self.shop(1, self.robbed(1, 3)),
            end,
        ];
        for (number, play) in (0..).zip(plays) {
            book.sections.push(Section::new(number, play.into()));
        }
        book.start = 0;
        for (number, (.., eighths)) in (10..).zip(&self.asked) {
            let ends = [(8 - eighths, Passage::lost()), (*eighths, Passage::won())];
            let ends: Vec<_> = ends.into_iter().filter(|end| end.0 > 0).collect();
            book.sections
                .push(Section::new(number, random(&ends).into()));
        }
        Book::new(book)?.game(rolled(7, self.gold.max(1), 7))
    }
}

#[test]
fn in_turn_or_at_once() {
    fn same(market: Market, put_off: bool, forget: bool, apart: bool) -> TestResult {
        let Ok(game) = market.game() else {
            return TestResult::discard();
        };
        let solver = BookSolver::new(&game).put_off(put_off).forget(forget);
        let solver = solver.tell_apart(if apart { 0.0 } else { 1.5 });
        let boundless = |error: &Error| matches!(error, Error::BookTooLarge { stat: Some(_), .. });
        let win = |solver: &BookSolver<'_>| match solver.solve(game.start()) {
            Ok(valuation) => Some((valuation.win(), valuation.error().unwrap())),
            // If all heroes are treated as one, a ware may seem to be sold forever.
            Err(error) if boundless(&error) => None,
            Err(error) => panic!("{error}"),
        };
        let at_once = win(&solver.clone().deal_by_deal(false));
        let Some((in_turn, error)) = win(&solver) else {
            return TestResult::from_bool(at_once.is_none());
        };
        let exact = solver.solve_exact(game.start()).unwrap().to_f64().unwrap();
        // Mixtures of parts with equal values may be summed in another order.
        let alike = at_once.is_none_or(|(at_once, off)| match market.robbed {
            [false, false] => at_once.to_bits() == in_turn.to_bits(),
            _ => (at_once - in_turn).abs() <= off + error,
        });
        let right = (in_turn - exact).abs() <= error + f64::EPSILON;
        // From several places at once, some of them in shops.
        let places = [0, 2, 1].map(|section| game.start_at(section).unwrap());
        let all = solver.solve_all(&places).unwrap();
        let each = places.iter().zip(all).all(|(place, together)| {
            let alone = solver.solve(*place).unwrap();
            let off = alone.error().unwrap() + together.error().unwrap();
            (alone.win() - together.win()).abs() <= off
        });
        TestResult::from_bool(alike && right && each)
    }
    drawn(1_500).quickcheck(same as fn(Market, bool, bool, bool) -> TestResult);
}

/// Four wares, with a region for each that is asked about; at once, one region for all heroes who
/// have bought any.
#[test]
fn wares_that_are_asked_about_one_by_one() {
    let market = Market {
        prices: [1, 2, 3, 4, 0],
        first: 4,
        gold: 9,
        asked: vec![(15, 0, false, 8), (14, 0, false, 5), (1, 8, false, 1)],
        ..Market::plain()
    };
    let solve = |market: &Market, in_turn: bool| {
        let game = market.game().unwrap();
        let solver = BookSolver::new(&game).deal_by_deal(in_turn);
        let start = game.start_at(1).unwrap();
        let valuation = solver.solve(start).unwrap();
        (valuation.win(), valuation.regions())
    };
    // Nine gold pieces pay for three of the wares, and all of them cost ten.
    let (in_turn, at_once) = (solve(&market, true), solve(&market, false));
    assert_eq!((in_turn.0, at_once.0), (0.625, 0.625));
    assert_eq!(in_turn.1 - at_once.1, 3);
    // If a hero may arrive with more than the cap, all deals are evaluated at once.
    let full = Market {
        cap: Some(8),
        ..market
    };
    assert_eq!(solve(&full, true), solve(&full, false));
}

/// Where money is cut at a cap, the order of deals matters, and the best one is found.
#[test]
fn where_money_is_cut() {
    let market = Market {
        gold: 4,
        asked: vec![(3, 0, false, 8)],
        ..Market::plain()
    };
    let best = |market: Market| {
        let game = market.game().unwrap();
        let (solver, shop) = (BookSolver::new(&game), game.start_at(1).unwrap());
        let win = solver.solve(shop).unwrap().win();
        let exact = solver.solve_exact(shop).unwrap();
        assert_eq!(win, exact.to_f64().unwrap());
        win
    };
    // A floor above 0 pays: with the expensive ware first, 3 are left for the cheap one.
    let with_floor = |first, second| Market {
        prices: [first, second, 9, 9, 9],
        floor: Some(3),
        ..market.clone()
    };
    assert_eq!((best(with_floor(2, 4)), best(with_floor(4, 2))), (1.0, 1.0));
    // A full purse takes only 8: with the expensive ware first, 7 are left instead of 6.
    let rich = |first, second, left| Market {
        prices: [first, second, 9, 9, 9],
        gold: 10,
        cap: Some(8),
        asked: vec![(3, left, false, 8)],
        ..market.clone()
    };
    assert_eq!((best(rich(1, 2, 7)), best(rich(2, 1, 7))), (1.0, 1.0));
    assert_eq!(best(rich(2, 1, 8)), 0.0);
    // Debts are cut: if the cheap ware is sold first, 4 remain for the expensive one.
    let in_debt = |first, second, had| Market {
        prices: [first, second, 0, 0, 0],
        buys: [true, true],
        gold: -3,
        floor: Some(0),
        held: 3,
        asked: vec![(0, had, false, 8)],
        ..market.clone()
    };
    assert_eq!((best(in_debt(4, 1, 4)), best(in_debt(1, 4, 4))), (1.0, 1.0));
    assert_eq!(best(in_debt(4, 1, 5)), 0.0);
}

/// A pawn shop, and a purse without bounds: a ware that is sold is gone.
#[test]
fn what_is_sold_is_sold_once() {
    let market = Market {
        prices: [2, 3, 0, 0, 0],
        buys: [true, false],
        gold: 1,
        held: 3,
        asked: vec![(0, 6, false, 8)],
        ..Market::plain()
    };
    let game = market.game().unwrap();
    let solver = BookSolver::new(&game).forget(false);
    assert_eq!(solver.solve(game.start()).unwrap().win(), 1.0);
    let at_once = solver.deal_by_deal(false).solve(game.start());
    assert!(matches!(at_once, Err(Error::BookTooLarge { .. })));
}
