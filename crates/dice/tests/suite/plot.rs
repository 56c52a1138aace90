//! Charts as SVG: what they show, and that they are well-formed.
#![cfg(feature = "plot")]
#![allow(clippy::panic, reason = "a failed check is a failed test")]

use oddsmith_dice::{Chart, Dist, Error};

/// Tags are closed in the order they were opened, text is escaped, and no line is blank.
#[track_caller]
fn check_well_formed(svg: &str) {
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
    assert!(svg.ends_with("</svg>\n"));
    assert!(svg.lines().all(|line| !line.trim().is_empty()));
    assert!(
        !svg.contains("#000000"),
        "black ink would vanish on a dark page"
    );
    let mut open = Vec::new();
    for chunk in svg.split('<').skip(1) {
        let (tag, text) = chunk.split_once('>').unwrap();
        assert!(!text.contains('>'), "{chunk}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

fn front() -> Chart {
    Chart::pmf()
        .title("Four ways to roll about eleven")
        .law("d20", &Dist::die(20).unwrap())
        .law("2d10", &Dist::ndice(2, 10).unwrap())
        .law("3d6", &Dist::ndice(3, 6).unwrap())
        .law("5d4 − 1", &Dist::ndice(5, 4).unwrap().shift(-1).unwrap())
}

#[test]
fn the_figure_in_the_documentation_is_up_to_date() {
    // If this fails on purpose: `cargo run -p oddsmith-dice --features plot --example dice_figures
    // -- crates/dice/docs`.
    assert!(front().svg().unwrap() == include_str!("../../docs/pmf.svg"));
}

/// The values of an attribute of all elements with this name.
fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
    svg.split(&format!("<{element} "))
        .skip(1)
        .map(|rest| {
            let (_, value) = rest.split_once(&format!(" {attribute}=\"")).unwrap();
            value.split('"').next().unwrap().parse().unwrap()
        })
        .collect()
}

#[test]
fn bars_are_as_high_as_the_probabilities() {
    let law = Dist::ndice(2, 6).unwrap();
    let svg = Chart::pmf().law("2d6", &law).svg().unwrap();
    check_well_formed(&svg);
    let heights = numbers(&svg, "rect", "height");
    let ways = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
    assert_eq!(heights.len(), ways.len());
    for (height, ways) in heights.iter().zip(ways) {
        assert!(
            (height / heights[5] - ways / 6.0).abs() < 0.01,
            "{heights:?}"
        );
    }
}

/// The points of the line of the last distribution.
fn last_line(svg: &str) -> Vec<(f64, f64)> {
    let lines = svg.split("<polyline ").skip(1);
    let thick = lines.filter(|line| line.contains("stroke-width=\"2\""));
    let (_, points) = thick.last().unwrap().split_once("points=\"").unwrap();
    let points = points.split('"').next().unwrap().trim();
    points
        .split(' ')
        .map(|point| {
            let (x, y) = point.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        })
        .collect()
}

#[test]
fn steps_go_up_or_down_through_every_level() {
    let die = Dist::die(4).unwrap();
    for (chart, sign) in [(Chart::cdf(), -1.0), (Chart::survival(), 1.0)] {
        let svg = chart.law("d4", &die).svg().unwrap();
        check_well_formed(&svg);
        let points = last_line(&svg);
        let mut levels: Vec<f64> = points.iter().map(|point| point.1).collect();
        levels.dedup();
        assert_eq!(levels.len(), 5, "{levels:?}");
        let steps: Vec<f64> = levels
            .windows(2)
            .map(|pair| sign * (pair[1] - pair[0]))
            .collect();
        assert!(
            steps
                .iter()
                .all(|step| (step - steps[0]).abs() <= 1.0 && *step > 0.0)
        );
        assert!(points.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }
}

#[test]
fn a_part_of_a_curve_enters_and_leaves_at_its_height() {
    let die = Dist::die(10).unwrap();
    for chart in [Chart::cdf(), Chart::survival()] {
        let svg = chart.law("d10", &die).between(4, 7).svg().unwrap();
        let points = last_line(&svg);
        let whole = points
            .iter()
            .map(|point| point.1)
            .fold((0.0_f64, 1e9_f64), |(low, high), y| {
                (low.max(y), high.min(y))
            });
        // From 30 % to 70 %, the axis being 312 pixels high.
        assert!((whole.0 - whole.1 - 0.4 * 312.0).abs() < 3.0, "{whole:?}");
    }
}

#[test]
fn long_laws_are_thinned_out_and_keep_their_peak() {
    let law = Dist::ndice(3000, 6).unwrap();
    let all = Chart::pmf()
        .law("3000d6", &law)
        .between(3000, 18_000)
        .svg()
        .unwrap();
    check_well_formed(&all);
    assert!(numbers(&all, "rect", "height").len() <= 612);
    let cut = Chart::pmf().law("3000d6", &law).svg().unwrap();
    let highest = |svg: &str| {
        numbers(svg, "rect", "height")
            .into_iter()
            .fold(0.0, f64::max)
    };
    assert_eq!(highest(&all), highest(&cut));
    let both = Chart::cdf()
        .law("a", &law)
        .law("b", &law.to_f64())
        .svg()
        .unwrap();
    check_well_formed(&both);
    assert!(both.len() < 60_000);
}

#[test]
fn text_is_escaped_and_kept_on_one_line() {
    let svg = front()
        .title("a < b\n& \"c\"")
        .law("x\n\n<y>", &Dist::die(2).unwrap())
        .svg()
        .unwrap();
    check_well_formed(&svg);
    assert!(svg.contains("<title>a &lt; b &amp; \"c\"</title>"));
    assert!(svg.contains("x  &lt;y&gt;"));
}

#[test]
fn every_law_can_be_drawn() {
    let far = Dist::uniform([i64::MIN, 0, i64::MAX]).unwrap();
    let rare = Dist::bernoulli("0.000000000001").unwrap();
    for chart in [Chart::pmf, Chart::cdf, Chart::survival] {
        for law in [
            &far,
            &Dist::certain(0),
            &Dist::certain(i64::MAX),
            &Dist::ndice(200, 6).unwrap(),
        ] {
            check_well_formed(&chart().law("one", law).svg().unwrap());
            check_well_formed(&chart().law("one", law).law("two", &far).svg().unwrap());
        }
        check_well_formed(&chart().law("rare", &rare).size(100, 100).svg().unwrap());
    }
    assert_eq!(front().svg(), front().svg());
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let reason = |chart: Chart| match chart.svg() {
        Err(Error::Plot { reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reason(Chart::cdf()),
        "the number of distributions must be between 1 and 20, got 0"
    );
    let die = Dist::die(6).unwrap();
    let many = (0..21).fold(Chart::pmf(), |chart, n| chart.law(n, &die));
    assert_eq!(
        reason(many),
        "the number of distributions must be between 1 and 20, got 21"
    );
    let chart = || Chart::pmf().law("d6", &die);
    assert_eq!(
        reason(chart().size(99, 400)),
        "width and height must be between 100 and 16384 pixels, got 99 x 400"
    );
    assert_eq!(
        reason(chart().between(7, 9)),
        "there is no outcome from 7 to 9"
    );
    assert_eq!(
        reason(chart().between(5, 2)),
        "there is no outcome from 5 to 2"
    );
}
