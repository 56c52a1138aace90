//! Distributions as text: tables and comma-separated values.

use num_bigint::BigUint;
use oddsmith_dice::{Dist, IntoRatio};
use quickcheck::quickcheck;

#[track_caller]
fn check(text: impl ToString, expected: &[&str]) {
    assert_eq!(text.to_string().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_table_has_the_columns_asked_for() {
    let roll = Dist::ndice(2, 2).unwrap();
    let table = roll.table().header().at_most().at_least().bars(4);
    check(
        &table,
        &[
            "x  P(X = x)           P(X ≤ x)  P(X ≥ x)",
            "2       1/4  25.00 %   25.00 %  100.00 %  ██",
            "3       1/2  50.00 %   75.00 %   75.00 %  ████",
            "4       1/4  25.00 %  100.00 %   25.00 %  ██",
        ],
    );
    check(
        table.ascii().fractions(false).decimals(0),
        &[
            "x  P(X = x)  P(X <= x)  P(X >= x)",
            "2      25 %       25 %      100 %  ##",
            "3      50 %       75 %       75 %  ####",
            "4      25 %      100 %       25 %  ##",
        ],
    );
}

#[test]
fn ascii_is_ascii() {
    let rare = Dist::bernoulli((1, 2))
        .unwrap()
        .map(|&x| i64::from(x))
        .repeat(1200)
        .unwrap();
    for text in [
        format!("{rare:#}"),
        format!("{:#}", rare.table().header().at_most().at_least()),
    ] {
        assert!(text.is_ascii());
        assert!(text.contains("~ 0 %"));
    }
    assert_eq!(format!("{rare:#}"), rare.table().ascii().to_string());
    assert_eq!(format!("{rare}"), rare.table().to_string());
}

#[test]
fn no_line_ends_in_blanks() {
    let law = Dist::from_weights([("", 1), ("long", 999)]).unwrap();
    for table in [
        law.table(),
        law.table().bars(0),
        law.table().header().bars(0),
    ] {
        assert!(
            table
                .to_string()
                .lines()
                .all(|line| line.trim_end() == line)
        );
    }
}

#[test]
fn the_extremes_of_a_table_do_not_panic() {
    let roll = Dist::ndice(2, 6).unwrap();
    let table = roll.table().bars(u16::MAX).decimals(u8::MAX).to_string();
    assert_eq!(table.lines().nth(5).unwrap().matches('█').count(), 65_535);
    assert_eq!(
        roll.to_f64().table().bars(1).to_string().lines().count(),
        11
    );
}

#[test]
fn csv_of_one_law() {
    let law = Dist::from_weights([("a,b", 1), ("say \"c\"", 2)]).unwrap();
    let expected = "outcome,weight,fraction,probability,cdf\r\n\
                    \"a,b\",1,1/3,0.3333333333333333,0.3333333333333333\r\n\
                    \"say \"\"c\"\"\",2,2/3,0.6666666666666666,1\r\n";
    assert_eq!(law.to_csv(), expected);
    let float = Dist::from_float_weights([(0, 1e-300), (1, 0.5)]).unwrap();
    check(
        float.to_csv(),
        &[
            "outcome,weight,fraction,probability,cdf",
            "0,1e-300,,2e-300,2e-300",
            "1,0.5,,1,1",
        ],
    );
}

#[test]
fn csv_of_several_laws() {
    let (a, b) = (Dist::die(2).unwrap(), Dist::uniform([2, 5]).unwrap());
    check(
        Dist::csv_of([("one, two", &a), ("b", &b)]),
        &["outcome,\"one, two\",b", "1,0.5,0", "2,0.5,0.5", "5,0,0.5"],
    );
    check(Dist::<i64>::csv_of([("", &a); 0]), &["outcome"]);
    let names: Vec<(String, Dist<i64>)> = (1..4)
        .map(|n| (format!("{n}d6"), Dist::ndice(n, 6).unwrap()))
        .collect();
    let text = Dist::csv_of(
        names
            .iter()
            .map(|(name, law)| (name, law))
            .collect::<Vec<_>>(),
    );
    assert_eq!(text.lines().count(), 1 + 18);
    assert!(text.lines().all(|line| line.split(',').count() == 4));
}

quickcheck! {
    /// Outcome fields that need no quotation marks.
    fn a_csv_is_the_law(weights: Vec<u16>) -> bool {
        let Ok(law) = Dist::from_weights((-5_i64..).zip(weights)) else { return true };
        let text = law.to_csv();
        let mut cdf = BigUint::ZERO;
        let mut lines = text.split("\r\n").skip(1);
        let matches = law.iter().all(|(outcome, weight)| {
            cdf += weight;
            let fields: Vec<&str> = lines.next().unwrap().split(',').collect();
            let sum = (cdf.clone(), law.total().clone()).into_ratio().unwrap();
            fields.len() == 5
                && fields[0].parse() == Ok(*outcome)
                && fields[1].parse() == Ok(weight.clone())
                && fields[2].into_ratio() == Ok(law.p(outcome))
                && fields[3].parse() == Ok(num_traits::ToPrimitive::to_f64(&law.p(outcome)).unwrap())
                && fields[4].parse() == Ok(num_traits::ToPrimitive::to_f64(&sum).unwrap())
        });
        matches && lines.eq([""])
    }
}
