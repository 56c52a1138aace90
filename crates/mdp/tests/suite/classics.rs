//! Problems with known answers, each with its source.

use num_rational::BigRational;
use oddsmith_mdp::{Game, Node, Solver};

/// The exact value from the start, and the float within the stated bound.
#[track_caller]
fn check<G: Game>(game: &G, start: G::State, expected: &str) {
    let exact = Solver::exact().solve(game, start.clone()).unwrap();
    assert_eq!(exact.value().to_string(), expected);
    let float = Solver::float().solve(game, start.clone()).unwrap();
    let error = BigRational::from_float(float.value()).unwrap() - exact.value();
    let bound = BigRational::from_float(float.error(&start).unwrap()).unwrap();
    assert!(error <= bound && -error <= bound);
}

/// A die may be rolled a number of times; the last roll counts.
pub(crate) struct KeepOrRoll;

impl Game for KeepOrRoll {
    type State = (u8, u8);
    type Action = &'static str;

    fn expand(&self, &(left, pips): &(u8, u8), node: &mut Node<Self>) {
        if left == 0 {
            return node.end(pips);
        }
        if pips > 0 {
            node.choice("keep").to((0, pips), 1);
        }
        let mut roll = node.choice("roll");
        for face in 1..=6 {
            roll.to((left - 1, face), 1);
        }
    }
}

/// Three rolls are worth 14/3, a staple of puzzle collections; the others by
/// hand from v(n + 1) = E max(die, v(n)).
#[test]
fn keep_or_roll() {
    for (rolls, value) in [
        (1, "7/2"),
        (2, "17/4"),
        (3, "14/3"),
        (4, "89/18"),
        (6, "1709/324"),
    ] {
        check(&KeepOrRoll, (rolls, 0), value);
    }
}

/// Candidates appear in random order; `State` is the number seen so far and whether the last of
/// them is the best so far.
struct Secretary(u64);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Search {
    At(u64, bool),
    Over(bool),
}

impl Game for Secretary {
    type State = Search;
    type Action = &'static str;

    fn expand(&self, state: &Search, node: &mut Node<Self>) {
        let n = self.0;
        let (seen, record) = match *state {
            Search::Over(won) => return node.end(won),
            Search::At(seen, record) => (seen, record),
        };
        // The best of the first `seen` is the best of all with chance seen/n.
        if record {
            let mut take = node.choice("take");
            take.to(Search::Over(true), seen)
                .to(Search::Over(false), n - seen);
        }
        if seen == n {
            node.choice("end").to(Search::Over(false), 1);
        } else {
            let mut pass = node.choice("pass");
            pass.to(Search::At(seen + 1, true), 1);
            pass.to(Search::At(seen + 1, false), seen);
        }
    }
}

/// J. P. Gilbert and F. Mosteller, "Recognizing the maximum of a sequence",
/// Journal of the American Statistical Association 61 (1966), Table 2:
/// 0.500, 0.458, 0.433, …, 0.399 for n = 3, 4, 5, …, 10. The fractions are
/// their formula (r − 1)/n · Σ 1/(k − 1) over k = r, …, n at its best r.
#[test]
fn the_secretary_problem() {
    for (n, value) in [
        (1, "1"),
        (2, "1/2"),
        (3, "1/2"),
        (4, "11/24"),
        (5, "13/30"),
        (6, "77/180"),
        (10, "3349/8400"),
    ] {
        check(&Secretary(n), Search::At(0, false), value);
    }
    // Of ten, three are passed by.
    let solution = Solver::exact()
        .solve(&Secretary(10), Search::At(0, false))
        .unwrap();
    assert_eq!(
        solution.decision(&Search::At(3, true)).unwrap(),
        Some("pass")
    );
    assert_eq!(
        solution.decision(&Search::At(4, true)).unwrap(),
        Some("take")
    );
    let ends = solution
        .forecast()
        .unwrap()
        .ends_by(|end| *end == Search::Over(true))
        .unwrap();
    assert_eq!(ends.p(&true), solution.value());
}

/// As before, but the aim is a low rank: `State` is the number seen and the rank of the last among
/// them.
struct ExpectedRank(i64);

impl Game for ExpectedRank {
    type State = (i64, i64);
    type Action = &'static str;

    fn expand(&self, &(seen, rank): &(i64, i64), node: &mut Node<Self>) {
        let n = self.0;
        if rank < 0 {
            // Taken: the expected rank among all, as a loss.
            return node.end((rank * (n + 1), seen + 1));
        }
        if rank > 0 {
            node.choice("take").to((seen, -rank), 1);
        }
        if seen < n {
            let mut pass = node.choice("pass");
            for rank in 1..=seen + 1 {
                pass.to((seen + 1, rank), 1);
            }
        }
    }
}

/// Y. S. Chow, S. Moriguti, H. Robbins and S. M. Samuels, "Optimal selection
/// based on relative rank", Israel Journal of Mathematics 2 (1964): 2.56 for
/// n = 10 and 3.60 for n = 100.
#[test]
fn the_lowest_expected_rank() {
    check(&ExpectedRank(4), (0, 0), "-15/8");
    check(&ExpectedRank(10), (0, 0), "-3223/1260");
    let hundred = Solver::float().solve(&ExpectedRank(100), (0, 0)).unwrap();
    assert_eq!(format!("{:.2}", -hundred.value()), "3.60");
}

/// Red cards win 1, black cards lose 1, and one may stop at any time.
struct RedBlack;

impl Game for RedBlack {
    /// The red and black cards left, and the gain if one stops.
    type State = (u64, u64, Option<i64>);
    type Action = &'static str;

    fn expand(&self, &(red, black, stopped): &Self::State, node: &mut Node<Self>) {
        if let Some(won) = stopped {
            return node.end(won);
        }
        let won = black as i64 - red as i64;
        node.choice("stop").to((0, 0, Some(won)), 1);
        if red + black > 0 {
            let mut draw = node.choice("draw");
            draw.to((red.saturating_sub(1), black, None), red);
            draw.to((red, black.saturating_sub(1), None), black);
        }
    }
}

/// The 52 cards are worth 2.624475548993925, as answers to this interview
/// question in quantitative finance compute it; four cards are worth 2/3.
#[test]
fn red_and_black_cards() {
    for (pairs, value) in [
        (1, "1/2"),
        (2, "2/3"),
        (3, "17/20"),
        (4, "1"),
        (26, "41984711742427/15997372030584"),
    ] {
        check(&RedBlack, (pairs, pairs, None), value);
    }
    let float = Solver::float().solve(&RedBlack, (26, 26, None)).unwrap();
    assert!((float.value() - 2.624_475_548_993_925).abs() < 1e-14);
    // With one red card left: against one black card draw (1/2 · 1 + 1/2 · 0),
    // against two it is a tie (1/3 · 1 + 2/3 · (1/2 − 1) = 0), against three stop.
    let deck = Solver::exact().solve(&RedBlack, (26, 26, None)).unwrap();
    assert_eq!(deck.best(&(1, 1, None)).unwrap(), ["draw"]);
    assert_eq!(deck.best(&(1, 2, None)).unwrap(), ["stop", "draw"]);
    assert_eq!(deck.best(&(1, 3, None)).unwrap(), ["stop"]);
}

/// A lottery without replacement: the tickets left as bits, the draws left, and the current ticket.
struct Cayley;

impl Game for Cayley {
    type State = (u32, u32, u32);
    type Action = &'static str;

    fn expand(&self, &(tickets, draws, hand): &Self::State, node: &mut Node<Self>) {
        if draws == 0 {
            return node.end(hand);
        }
        if hand > 0 {
            node.choice("keep").to((0, 0, hand), 1);
        }
        let mut draw = node.choice("draw");
        for ticket in (1..32).filter(|ticket| tickets >> ticket & 1 == 1) {
            draw.to((tickets & !(1 << ticket), draws - 1, ticket), 1);
        }
    }
}

/// A. Cayley, Mathematical Questions with their Solutions from the Educational
/// Times 23 (1875): four tickets worth 1, 2, 3, 4 and up to k draws are worth
/// 10/4, 38/12, 85/24 and 4.
#[test]
fn the_lottery_of_cayley() {
    for (draws, value) in [(1, "5/2"), (2, "19/6"), (3, "85/24"), (4, "4")] {
        check(&Cayley, (0b11110, draws, 0), value);
    }
}

/// One turn of Pig: roll as often as you like, a 1 loses all of the turn.
struct PigTurn;

impl Game for PigTurn {
    /// The points so far, and whether the turn is over.
    type State = (u8, bool);
    type Action = &'static str;

    fn expand(&self, &(points, over): &(u8, bool), node: &mut Node<Self>) {
        if over {
            return node.end(points);
        }
        node.choice("hold").to((points, true), 1);
        if points < 60 {
            let mut roll = node.choice("roll");
            roll.to((0, true), 1);
            for face in 2..=6 {
                roll.to((points + face, false), 1);
            }
        }
    }
}

/// T. W. Neller and C. G. M. Presser, "Optimal play of the dice game Pig", The
/// UMAP Journal 25 (2004): holding at 20 is worth most (8.14 a turn), and at
/// exactly 20 it does not matter; such a turn scores 0 with chance 0.6245 and
/// 20, …, 25 with 0.0997, 0.0950, 0.0742, 0.0542, 0.0352, 0.0172.
#[test]
fn a_turn_of_pig() {
    check(&PigTurn, (0, false), "492303203/60466176");
    let solution = Solver::exact().solve(&PigTurn, (0, false)).unwrap();
    assert_eq!(solution.best(&(19, false)).unwrap(), ["roll"]);
    assert_eq!(solution.best(&(20, false)).unwrap(), ["hold", "roll"]);
    assert_eq!(solution.decision(&(20, false)).unwrap(), Some("hold"));
    assert_eq!(solution.best(&(21, false)).unwrap(), ["hold"]);
    let points = solution.forecast().unwrap().ends_by(|end| end.0).unwrap();
    let published = [0.6245, 0.0997, 0.0950, 0.0742, 0.0542, 0.0352, 0.0172];
    let law = points.to_f64();
    for (points, published) in [0, 20, 21, 22, 23, 24, 25].iter().zip(published) {
        assert_eq!((law.p(points) * 1e4).round() / 1e4, published, "{points}");
    }
    assert_eq!(points.p(&0).to_string(), "9440899/15116544");
}

/// Pig for two: whoever has the target in hand, with the points of the turn, wins. A 1 ends a turn
/// without points.
struct Pig {
    target: u8,
    /// Whether a player may hold before the first roll of a turn.
    passes: bool,
}

impl Game for Pig {
    /// The points of both, whether it is the opponent's turn, and the points of the turn.
    type State = ([u8; 2], bool, u8);
    type Action = &'static str;

    fn expand(&self, &(points, opponent, turn): &Self::State, node: &mut Node<Self>) {
        let own = usize::from(opponent);
        if points[own] + turn >= self.target {
            return node.end(!opponent);
        }
        if opponent {
            node.opponent();
        }
        let mut roll = node.choice("roll");
        roll.to((points, !opponent, 0), 1);
        for face in 2..=6 {
            roll.to((points, opponent, turn + face), 1);
        }
        if turn > 0 || self.passes {
            let mut held = points;
            held[own] += turn;
            node.choice("hold").to((held, !opponent, 0), 1);
        }
    }
}

/// The chance of whoever is about to roll, by value iteration as of Neller and Presser.
fn chance_in_pig(target: usize) -> f64 {
    let mut wins = vec![vec![vec![0.0; target]; target]; target];
    let points = |of: usize| (of / target, of % target);
    for (own, other) in (0..400 * target * target).map(|step| points(step % (target * target))) {
        for turn in 0..target - own {
            let mut roll = 1.0 - wins[other][own][0];
            for face in 2..=6 {
                roll += match turn + face {
                    won if own + won >= target => 1.0,
                    points => wins[own][other][points],
                };
            }
            let hold = 1.0 - wins[other][own + turn][0];
            wins[own][other][turn] = match turn {
                0 => roll / 6.0,
                _ => f64::max(roll / 6.0, hold),
            };
        }
    }
    wins[0][0][0]
}

/// Where a turn begins with a roll, one of two who never hold will win, so every cycle ends.
#[test]
fn pig_for_two() {
    let pig = |target, passes| Pig { target, passes };
    for target in [6, 10] {
        let game = pig(target, false);
        let start = ([0, 0], false, 0);
        let exact = Solver::exact().allow_cycles().solve(&game, start).unwrap();
        let float = Solver::float().allow_cycles().solve(&game, start).unwrap();
        let value = num_traits::ToPrimitive::to_f64(&exact.value()).unwrap();
        assert!(
            (value - chance_in_pig(usize::from(target))).abs() < 1e-12,
            "{value}"
        );
        assert!((value - float.value()).abs() <= float.error(&start).unwrap() + 1e-16);
    }
    // Two who never roll would play for ever.
    let game = pig(10, true);
    let error = Solver::float()
        .allow_cycles()
        .solve(&game, ([0, 0], false, 0))
        .err();
    assert!(
        matches!(error, Some(oddsmith_mdp::Error::CycleOfBoth { .. })),
        "{error:?}"
    );
}

/// Five dice, three rolls, any dice may be kept: five of a kind wins. The state is the number of
/// rolls left and the number of dice for each face.
struct Yahtzee;

/// All ways to pick or roll dice up to `at_most` of each face, with the number
/// of orders in which the dice can fall; `exactly` counts dice in all.
fn dice(at_most: [u8; 6], exactly: Option<u8>) -> Vec<([u8; 6], u64)> {
    let factorial = |n: u8| (1..=u64::from(n)).product::<u64>();
    let mut all = vec![([0; 6], 1)];
    for face in 0..6 {
        all = all
            .into_iter()
            .flat_map(|(dice, _)| {
                (0..=at_most[face]).map(move |count| {
                    let mut dice: [u8; 6] = dice;
                    dice[face] = count;
                    (dice, 1)
                })
            })
            .filter(|(dice, _)| exactly.is_none_or(|n| dice.iter().sum::<u8>() <= n))
            .collect();
    }
    all.retain(|(dice, _)| exactly.is_none_or(|n| dice.iter().sum::<u8>() == n));
    for (dice, orders) in &mut all {
        let same: u64 = dice.iter().map(|&count| factorial(count)).product();
        *orders = factorial(dice.iter().sum()) / same;
    }
    all
}

impl Game for Yahtzee {
    type State = (u8, [u8; 6]);
    type Action = [u8; 6];

    fn expand(&self, &(left, shown): &Self::State, node: &mut Node<Self>) {
        if left == 0 {
            return node.end(shown.contains(&5));
        }
        for (kept, _) in dice(shown, None) {
            let rolled = 5 - kept.iter().sum::<u8>();
            let mut keep = node.choice(kept);
            for (fallen, orders) in dice([rolled; 6], Some(rolled)) {
                let mut shown = kept;
                for (count, more) in shown.iter_mut().zip(fallen) {
                    *count += more;
                }
                keep.to((left - 1, shown), orders);
            }
        }
    }
}

/// 4.603 %: the well-known chance of a Yahtzee within three rolls, as a
/// fraction 347897/7558272.
#[test]
fn a_yahtzee_in_three_rolls() {
    check(&Yahtzee, (3, [0; 6]), "347897/7558272");
    // With 2 + 2 + 1 either pair is equally good.
    let solution = Solver::exact().solve(&Yahtzee, (3, [0; 6])).unwrap();
    let best = solution.best(&(1, [2, 2, 1, 0, 0, 0])).unwrap();
    assert_eq!(best, [[0, 2, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0]]);
}

/// The number of bets left and a fortune in quarters of the goal; any part of the fortune may be
/// staked and wins with probability 2/5.
struct BoldPlay;

impl Game for BoldPlay {
    type State = (u8, u8);
    type Action = u8;

    fn expand(&self, &(bets, fortune): &(u8, u8), node: &mut Node<Self>) {
        if bets == 0 || fortune == 0 || fortune == 4 {
            return node.end(fortune == 4);
        }
        for stake in 1..=fortune.min(4 - fortune) {
            let mut bet = node.choice(stake);
            bet.to((bets - 1, fortune + stake), 2);
            bet.to((bets - 1, fortune - stake), 3);
        }
    }
}

/// L. E. Dubins and L. J. Savage, *How to Gamble If You Must* (1965): in a
/// subfair game bold play is optimal, here p² from a quarter, p from a half
/// and p + (1 − p)p from three quarters, however many bets are left.
#[test]
fn bold_play() {
    for bets in [2, 3, 10, 30] {
        check(&BoldPlay, (bets, 1), "4/25");
        check(&BoldPlay, (bets, 2), "2/5");
        check(&BoldPlay, (bets, 3), "16/25");
        let solution = Solver::exact().solve(&BoldPlay, (bets, 2)).unwrap();
        assert!(solution.best(&(bets, 2)).unwrap().contains(&2));
    }
}

/// Driving towards a theatre past parking places that are free with probability 1/100; the state is
/// the distance left, whether this place is free, and whether the car is parked.
struct Parking;

impl Game for Parking {
    type State = (i64, bool, bool);
    type Action = &'static str;

    fn expand(&self, &(distance, free, parked): &Self::State, node: &mut Node<Self>) {
        if parked {
            return node.end(-distance);
        }
        if free {
            node.choice("park").to((distance, true, true), 1);
        }
        if distance > 0 {
            let mut on = node.choice("drive on");
            on.to((distance - 1, true, false), 1);
            on.to((distance - 1, false, false), 99);
        } else if !free {
            // Beyond the theatre the first free place is taken: 1/p on average.
            node.end(-100);
        }
    }
}

/// J. MacQueen and R. G. Miller, "Optimal persistence policies", Operations
/// Research 8 (1960), as told by T. S. Ferguson, *Optimal Stopping and
/// Applications*, section 2.11: with p = 1/100 take the first free place from
/// 68 places before the destination.
#[test]
fn the_parking_problem() {
    let solution = Solver::exact().solve(&Parking, (90, false, false)).unwrap();
    assert_eq!(solution.best(&(69, true, false)).unwrap(), ["drive on"]);
    assert_eq!(solution.best(&(68, true, false)).unwrap(), ["park"]);
}

/// Three doors: one hides a car, the host opens another.
struct MontyHall;

impl Game for MontyHall {
    type State = &'static str;
    type Action = &'static str;

    fn expand(&self, state: &&'static str, node: &mut Node<Self>) {
        match *state {
            "three doors" => {
                node.chance()
                    .to("car behind mine", 1)
                    .to("goat behind mine", 2);
            }
            // The player knows neither, so both states have the same decision: only the odds are
            // needed here.
            "stay or switch" => {
                node.choice("stay").to("car", 1).to("goat", 2);
                node.choice("switch").to("car", 2).to("goat", 1);
            }
            "car" => node.end(true),
            "goat" => node.end(false),
            _ => {
                node.chance().to("stay or switch", 1);
            }
        }
    }
}

/// S. Selvin, "A problem in probability", The American Statistician 29 (1975).
#[test]
fn monty_hall() {
    check(&MontyHall, "three doors", "2/3");
    let solution = Solver::exact().solve(&MontyHall, "three doors").unwrap();
    assert_eq!(solution.best(&"stay or switch").unwrap(), ["switch"]);
}
