//! Our side of the comparison with other libraries: solves each problem until the median of
//! its time is steady, and prints time and answer as a line of JSON. Called by `run`.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use oddsmith_dice::{Dist, Error, Pairing, Pool};

/// The median time of `solve` in seconds.
fn median(solve: impl Fn() -> Result<Dist<i64>, Error>) -> Result<f64, Error> {
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 15 || (start.elapsed() < Duration::from_millis(500) && times.len() < 5000) {
        let begin = Instant::now();
        black_box(solve()?);
        times.push(begin.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

#[expect(clippy::print_stdout, reason = "the table reads it from there")]
fn report(problem: &str, solve: impl Fn() -> Result<Dist<i64>, Error>) -> Result<(), Error> {
    let mut law = String::new();
    for (outcome, weight) in &solve()? {
        let comma = if law.is_empty() { "" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(law, "{comma}[{outcome},\"{weight}\"]");
    }
    let seconds = median(solve)?;
    println!("{{\"problem\":\"{problem}\",\"seconds\":{seconds:e},\"law\":[{law}]}}");
    Ok(())
}

fn keep_highest(count: u32, sides: u32, kept: u32) -> Result<Dist<i64>, Error> {
    Pool::dice(black_box(count), sides)?.highest(kept)?.sum()
}

fn mixed() -> Result<Dist<i64>, Error> {
    let mut pool = Pool::dice(3, 4)?;
    for sides in [6, 8, 10, 12] {
        pool = pool.with(3, &Dist::die(black_box(sides))?)?;
    }
    pool.highest(5)?.sum()
}

/// Ties go to the defender; the result is the number of pairs that the attacker wins.
fn pairwise(attackers: u32, defenders: u32) -> Result<Dist<i64>, Error> {
    let attack = Pool::dice(black_box(attackers), 6)?;
    let defence = Pool::dice(black_box(defenders), 6)?;
    let throw = attack.pairwise(&defence, &Pairing::new())?;
    Ok(throw.map(|pairs| i64::from(pairs.won)))
}

fn main() -> Result<(), Error> {
    report("100d6", || Dist::ndice(black_box(100), 6))?;
    report("1000d6", || Dist::ndice(black_box(1000), 6))?;
    report("20d10, keep highest 7", || keep_highest(20, 10, 7))?;
    report("100d20, keep highest 50", || keep_highest(100, 20, 50))?;
    report("15 mixed dice, keep highest 5", mixed)?;
    report("10d10, largest set", || {
        Pool::dice(black_box(10), 10)?.largest_set()
    })?;
    report("20d6, longest run", || {
        Pool::dice(black_box(20), 6)?.longest_run()
    })?;
    report("12d6 against 11d6, pairwise", || pairwise(12, 11))?;
    report("RISK throw, 3 against 2", || pairwise(3, 2))?;
    report("10d6, exploding 10 deep", || {
        Dist::die(6)?
            .explode(10, |&face| face == 6)?
            .repeat(black_box(10))
    })?;
    report("30d20, at least 350", || {
        let tail = Dist::ndice(black_box(30), 20)?.at_least(&350);
        Ok(Dist::bernoulli(tail)?.map(|&reached| i64::from(reached)))
    })
}
