//! How long does a whole Lone Wolf book take, in floats and as a fraction?

use std::error::Error;
use std::hint::black_box;

use criterion::Criterion;
use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Discipline, Item, Rules};

/// Two heroes whose chances another program also computed: 0.8301728551808 and 0.2779732890045.
fn heroes() -> Result<[(&'static str, ActionChart); 2], Box<dyn Error>> {
    let first = ActionChart::new(10, 20)?
        .disciplines(&[
            Discipline::Weaponskill(Item::Sword),
            Discipline::Tracking,
            Discipline::Healing,
            Discipline::Mindshield,
            Discipline::Mindblast,
            Discipline::AnimalKinship,
        ])?
        .item(Item::Sword)?
        .item(Item::Shield)?
        .gold(15)?;
    let second = ActionChart::new(15, 25)?
        .disciplines(&[
            Discipline::Hunting,
            Discipline::Weaponskill(Item::ShortSword),
            Discipline::Mindblast,
            Discipline::SixthSense,
            Discipline::Mindshield,
        ])?
        .item(Item::ShortSword)?
        .items(Item::Meal, 2)?
        .gold(15)?;
    Ok([("10/20", first), ("15/25", second)])
}

fn whole_book(c: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let book = Book::fire_on_the_water()?;
    let mut group = c.benchmark_group("fire_on_the_water");
    group.sample_size(10);
    for (name, hero) in heroes()? {
        for (rules, rule_set) in [
            ("yardstick", Rules::yardstick()),
            ("printed", Rules::printed()),
        ] {
            group.bench_function(format!("{name}, {rules}, float"), |b| {
                b.iter(|| BookSolver::new(&book).rules(rule_set).win(black_box(&hero)));
            });
        }
        group.bench_function(format!("{name}, yardstick, exact"), |b| {
            b.iter(|| {
                let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
                solver
                    .solve(black_box(&hero))
                    .map(|mut solved| solved.exact())
            });
        });
    }
    group.finish();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = oddsmith_benches::criterion();
    whole_book(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}
