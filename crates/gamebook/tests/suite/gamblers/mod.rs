//! Gamblers, who play for one gold piece at a time until they are rich or ruined.

use oddsmith_gamebook::{Choice, Condition, Effect, Manuscript, Passage, Play};

use crate::pieces::{after, random, with_gold};

/// From some gold up to more, with given odds of winning and losing.
pub(crate) fn gambler(gold: i16, most: i16, (win, lose): (u32, u32)) -> Manuscript {
    let wheel = random(&[(win, paid(1)), (lose, paid(-1))]);
    with_gold("table", (gold, most), vec![(1, goal(most)), (2, wheel)])
}

/// As [`gambler`], with odds of 18 to 19, except that in 4 of 41 rounds a point of STAMINA is won
/// or lost instead of gold.
#[allow(dead_code, reason = "measured by a bench only")]
pub(crate) fn brawler(gold: i16, most: i16) -> Manuscript {
    let hurt = |by| after(vec![Effect::change("stamina", by)], 1);
    let wheel = random(&[(18, paid(1)), (19, paid(-1)), (2, hurt(1)), (2, hurt(-1))]);
    with_gold("brawl", (gold, most), vec![(1, goal(most)), (2, wheel)])
}

/// From some gold up to more, with given odds of winning and losing, and stakes to choose from.
pub(crate) fn player(gold: i16, most: i16, (win, lose): (u32, u32), stakes: &[i16]) -> Manuscript {
    let bet = |stake: &i16, number| {
        let condition = Condition::at_least("gold", *stake);
        Choice::new(format!("bet {stake}"), Passage::to(number)).when(condition)
    };
    let bets = stakes.iter().zip(3..);
    let bets = bets.map(|(stake, number)| bet(stake, number)).collect();
    let wheels = stakes.iter().zip(3..).map(|(stake, number)| {
        let wheel = random(&[(win, paid(*stake)), (lose, paid(-stake))]);
        (number, wheel)
    });
    let mut sections = vec![(1, goal(most)), (2, Play::Choice(bets))];
    sections.extend(wheels);
    with_gold("stakes", (gold, most), sections)
}

pub(crate) fn paid(by: i16) -> Passage {
    after(vec![Effect::change("gold", by)], 1)
}

/// A hero with the full amount has won, and one with nothing has lost; all others continue in
/// section 2.
fn goal(most: i16) -> Play {
    let rich = Choice::new("rich", Passage::won()).when(Condition::at_least("gold", most));
    let poor = Choice::new("poor", Passage::to(2)).when(Condition::at_least("gold", 1));
    let ruined = Choice::new("ruined", Passage::lost());
    Play::First(vec![rich, poor, ruined])
}
