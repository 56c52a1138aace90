//! Policies that never end somewhere: such play is lost, and everything else is reported as usual.

use num_rational::BigRational;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{Book, BookSolver, Error, Fate, FirstOption, Habit, Journey, Move, Place};
use oddsmith_mdp::{AtRandom, Solver};
use quickcheck::{Arbitrary, Gen};

use crate::properties::drawn;

fn hero() -> Hero {
    Hero::new(7, 14, 7).unwrap()
}

/// A quarter of all readers go round between 2 and 3, by way of 6, and never get out.
fn trap() -> Book {
    Book::builder()
        .chance(1, [(6, 1), (4, 3)])
        .choice(6, [("on", 2)])
        .choice(2, [("on", 3)])
        .choice(3, [("back", 2)])
        .chance(4, [(5, 2), (7, 1)])
        .won(5)
        .lost(7)
        .build()
        .unwrap()
}

#[test]
fn who_goes_round_for_ever_has_lost() {
    let book = trap();
    let game = book.game(hero()).unwrap();
    let solver = BookSolver::new(&game);
    assert_eq!(solver.solve_exact(game.start()).unwrap().to_string(), "1/2");
    let policy = solver.policy(game.start()).unwrap();
    let journeys: [Journey<BigRational>; 2] = [
        game.follow(&policy, game.start(), 100).unwrap(),
        book.follow_exact(hero(), FirstOption).unwrap(),
    ];
    for journey in journeys {
        assert_eq!(journey.value().to_string(), "1/2");
        let visits = [1, 2, 3, 4, 5, 6, 7].map(|at| journey.visits(at).unwrap().to_string());
        assert_eq!(visits, ["1", "1/4", "1/4", "3/4", "1/2", "1/4", "1/4"]);
        let endings: Vec<_> = (journey.endings().into_iter())
            .map(|(at, fate, p)| (at, fate, p.to_string()))
            .collect();
        let quarter = || "1/4".to_owned();
        let wanted = [
            (2, Fate::Endless, quarter()),
            (5, Fate::Won, "1/2".to_owned()),
            (7, Fate::Lost, quarter()),
        ];
        assert_eq!(endings, wanted);
        let walk = journey.walkthrough().steps().iter();
        let sections: Vec<u32> = walk.map(|step| step.place.section()).collect();
        assert_eq!(sections, [1, 4, 5]);
    }
    let best = book.evaluate(hero(), AtRandom).unwrap();
    let habits = book.difficulty(hero(), best).unwrap();
    for habit in [Habit::AtRandom, Habit::Avoiding, Habit::FirstOption] {
        assert_eq!(habits.chance(habit).unwrap().to_string(), "1/2");
    }
    // In the state-by-state plan, play that need not end has no best line.
    let plan = book.solve_with(hero(), Solver::exact().allow_cycles());
    assert!(matches!(plan.err(), Some(Error::Solve(_))));
}

/// A hero who is in a trap from the beginning, even in a single section, has lost.
#[test]
fn nothing_but_a_trap() {
    let there_and_back = Book::builder()
        .choice(1, [("on", 2)])
        .choice(2, [("back", 1), ("out", 3)])
        .won(3)
        .build()
        .unwrap();
    let journey = there_and_back.follow_exact(hero(), FirstOption).unwrap();
    assert_eq!(journey.value().to_string(), "0");
    assert_eq!(journey.endings().len(), 1);
    assert_eq!(journey.endings()[0].1, Fate::Endless);
    assert_eq!(journey.visits(2).unwrap().to_string(), "1");
    assert_eq!(journey.walkthrough().steps().len(), 1);
    let at_random = there_and_back.follow(hero(), AtRandom).unwrap();
    assert_eq!(at_random.value(), &1.0);
    let out = |_: &Place, options: &[Move]| options.len() - 1;
    assert_eq!(
        there_and_back.evaluate(hero(), out).unwrap().to_string(),
        "1"
    );
    let waiting = Book::builder()
        .choice(1, [("wait", 1), ("out", 3)])
        .won(3)
        .build()
        .unwrap();
    let journey = waiting.follow(hero(), FirstOption).unwrap();
    assert_eq!((*journey.value(), journey.visits(1).unwrap()), (0.0, 1.0));
    assert_eq!(journey.endings(), [(1, Fate::Endless, 1.0)]);
}

/// Sections of chance that lead anywhere.
#[derive(Clone, Debug)]
struct Maze(Vec<Vec<(usize, u64)>>);

impl Arbitrary for Maze {
    fn arbitrary(g: &mut Gen) -> Self {
        let size = 1 + usize::arbitrary(g) % 8;
        let way = |g: &mut Gen| {
            let to = usize::arbitrary(g) % (size + 2);
            (to, 1 + u64::arbitrary(g) % 3)
        };
        let section = |g: &mut Gen| (0..1 + usize::arbitrary(g) % 3).map(|_| way(g)).collect();
        Maze((0..size).map(|_| section(g)).collect())
    }
}

impl Maze {
    fn book(&self) -> Book {
        let size = self.0.len() as u32;
        let mut book = Book::builder().start(0).won(size).lost(size + 1);
        for (number, ways) in (0..).zip(&self.0) {
            book = book.chance(
                number,
                ways.iter().map(|(to, weight)| (*to as u32, *weight as u32)),
            );
        }
        book.build().unwrap()
    }

    /// The probability of ever reaching a section: far more steps than needed, doubled at a time.
    fn ever(&self, target: usize) -> f64 {
        let count = self.0.len() + 2;
        let mut steps = vec![vec![0.0; count]; count];
        for (from, row) in steps.iter_mut().enumerate() {
            match self.0.get(from).filter(|_| from != target) {
                None => row[from] = 1.0,
                Some(ways) => {
                    let total: u64 = ways.iter().map(|way| way.1).sum();
                    for (to, weight) in ways {
                        row[*to] += *weight as f64 / total as f64;
                    }
                }
            }
        }
        for _ in 0..40 {
            let twice = |from: usize, to: usize| -> f64 {
                (0..count).map(|by| steps[from][by] * steps[by][to]).sum()
            };
            let rows = (0..count).map(|from| (0..count).map(|to| twice(from, to)).collect());
            let mut next: Vec<Vec<f64>> = rows.collect();
            // Rounding errors would double as well.
            for row in &mut next {
                let sum: f64 = row.iter().sum();
                row.iter_mut().for_each(|p| *p /= sum);
            }
            steps = next;
        }
        steps[0][target]
    }
}

#[test]
fn mazes_agree_with_powers_of_their_matrices() {
    fn holds(maze: Maze) -> bool {
        let book = maze.book();
        let exact: Journey<BigRational> = book.follow_exact(hero(), AtRandom).unwrap();
        let float = book.follow(hero(), AtRandom).unwrap();
        let sections = 0..maze.0.len() as u32 + 2;
        let mut visits = sections.map(|section| {
            let (known, ever) = (exact.visits(section).unwrap(), maze.ever(section as usize));
            let known = num_traits::ToPrimitive::to_f64(&known).unwrap();
            // A ring that is almost never left takes many moves, each of which may round.
            let off = (float.visits(section).unwrap() - known).abs();
            let near = off <= known * float.relative_error() + 1e-12;
            near && (known - ever).abs() < 1e-9
        });
        let sum: BigRational = exact.ends().map(|(_, _, p)| p).sum();
        let won = *exact.value() == exact.visits(maze.0.len() as u32).unwrap();
        let game = book.game(hero()).unwrap();
        let solved = BookSolver::new(&game).solve_exact(game.start()).unwrap();
        visits.all(|fits| fits) && num_traits::One::is_one(&sum) && won && solved == *exact.value()
    }
    drawn(500).quickcheck(holds as fn(Maze) -> bool);
}
