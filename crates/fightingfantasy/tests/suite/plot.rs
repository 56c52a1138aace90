//! Figures as SVG: their contents and well-formedness.
#![cfg(feature = "plot")]
#![allow(clippy::panic, reason = "a failed check is a failed test")]

use oddsmith_fightingfantasy::{
    Advantage, Decision, Error, Extent, HeatMap, LuckTable, Objective, Rules, StaminaCurves, Use,
    VictoryMap,
};

const PAPER: Extent = Extent {
    hero: 24,
    foe: 24,
    luck: 12,
};

fn paper_map() -> VictoryMap {
    VictoryMap::optimal(&Rules::standard(), [-3, 0], [12, 6], PAPER).unwrap()
}

/// Tags are closed in the order they were opened, text is escaped, and no line
/// is blank.
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

#[test]
fn the_figure_in_the_documentation_is_up_to_date() {
    // If this fails on purpose: `cargo run -p oddsmith-fightingfantasy
    // --features plot --example fightingfantasy_figures -- crates/fightingfantasy/docs`.
    assert!(paper_map().svg().unwrap() == include_str!("../../docs/victory_map.svg"));
}

#[test]
fn a_map_has_every_number_of_its_tables() {
    let svg = paper_map().svg().unwrap();
    check_well_formed(&svg);
    let mut expected = [0; 3];
    for difference in [-3, 0] {
        let rules = Rules::standard();
        let table = LuckTable::optimal(&rules, difference, PAPER, Advantage::Strict).unwrap();
        for (hero, foe, luck) in PAPER.states().filter(|state| [6, 12].contains(&state.2)) {
            match table.decision(hero, foe, luck).unwrap().label() {
                ' ' => {}
                label => expected[label as usize - '1' as usize] += 1,
            }
        }
    }
    // Letters are 10.2 pixels high, the numbers of the axes 10.8; only even
    // ones of those have a mark, so that "1" and "3" are never among them.
    let letters: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<g font-size=\"10.2\""))
        .collect();
    let drawn = ["1", "2", "3"].map(|label| {
        let inside = |end: &str| format!(">{label}</{end}>");
        let count = |end| {
            letters
                .iter()
                .map(|line| line.matches(&inside(end)).count())
                .sum::<usize>()
        };
        count("tspan") + count("text")
    });
    assert_eq!(drawn, expected);
}

#[test]
fn the_cells_of_a_panel_cover_it_once() {
    let decide = |hero, foe| Ok((f64::from(hero * foe) / 35.0, Decision::default()));
    let panel = HeatMap::from_fn(7, 5, decide).unwrap();
    let svg = VictoryMap::new().row([panel]).cell(10).svg().unwrap();
    check_well_formed(&svg);
    let mut covered = 0;
    for line in svg
        .lines()
        .filter(|line| line.contains("stroke-width=\"10\""))
    {
        let data = line
            .split(" d=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        for stroke in data.split('M').skip(1) {
            covered += stroke.split_once('h').unwrap().1.parse::<u32>().unwrap();
        }
    }
    assert_eq!(covered * 10, 7 * 5 * 10 * 10);
}

#[test]
fn panels_may_differ_in_size_and_scale() {
    let panel = |hero, foe, highest: f64| {
        let decide = |h, _| {
            Ok((
                highest * f64::from(h) / f64::from(hero),
                Decision::default(),
            ))
        };
        HeatMap::from_fn(hero, foe, decide)
            .unwrap()
            .title("<a> & b")
    };
    let map = VictoryMap::new()
        .row([panel(3, 9, 1.0), panel(20, 2, 24.0)])
        .row([panel(5, 5, 2.0)]);
    let svg = map.svg().unwrap();
    check_well_formed(&svg);
    assert_eq!(svg.matches("&lt;a&gt; &amp; b</").count(), 3);
    // None of these values is a probability.
    assert!(svg.contains(">worth<") && svg.contains(">24<") && !svg.contains("100 %"));
}

/// Regression test: they were written with 300 zeros.
#[test]
fn large_and_small_values_have_exponents() {
    let scale = |highest: f64| {
        let decide = |h, _| Ok((highest * f64::from(h) / 9.0, Decision::default()));
        let panel = HeatMap::from_fn(9, 9, decide).unwrap();
        let panel = panel.objective(&Objective::stamina_kept());
        VictoryMap::new().row([panel]).svg().unwrap()
    };
    let huge = scale(1e300);
    assert!(huge.contains(">1e300<") && huge.contains(">2.5e299<"));
    assert!(scale(3_000_000.0).contains(">2.25e6<"));
    assert!(scale(24.0).contains(">24<"));
    assert!(scale(999.5).contains(">999.5<"));
}

/// Regression test: all of them were titled "victory".
#[test]
fn figures_name_what_is_fought_for() {
    let half = |objective| {
        let panel = HeatMap::from_fn(9, 9, |_, _| Ok((0.5, Decision::default())));
        panel.unwrap().objective(&objective)
    };
    let drawn = |panels: [HeatMap; 2]| {
        let svg = VictoryMap::new().row(panels).svg().unwrap();
        check_well_formed(&svg);
        svg
    };
    let alive = drawn([half(Objective::survival()), half(Objective::survival())]);
    assert!(alive.contains(">Chance of survival and when to use LUCK, by"));
    assert!(alive.contains(">survival<") && alive.contains(">50 %<"));
    let kept = || half(Objective::stamina_kept());
    let both = drawn([kept(), kept()]);
    assert!(both.contains(">STAMINA kept in victory and when to use LUCK, by"));
    assert!(both.contains(">STAMINA kept in victory<") && both.contains(">0.5<"));
    let mixed = drawn([kept(), half(Objective::victory())]);
    assert!(mixed.contains(">Worth and when to use LUCK, by"));
    assert!(mixed.contains(">worth<") && !mixed.contains("victory"));
    // There is room for the longest name to the right of the panels.
    let width = |svg: &str| {
        let (_, from) = svg.split_once("width=\"").unwrap();
        let (number, _) = from.split_once('"').unwrap();
        number.parse::<u32>().unwrap()
    };
    assert!(width(&both) > width(&mixed) + 80);
}

#[test]
fn the_whole_map_of_the_paper_can_be_drawn() {
    let all = VictoryMap::optimal(&Rules::standard(), -10..=10, 0..=12, PAPER).unwrap();
    let svg = all.clone().cell(4).svg().unwrap();
    check_well_formed(&svg);
    assert!(svg.contains(">SKILL difference −10, LUCK 12</"));
    // Too small for numbers.
    assert!(all.cell(2).svg().unwrap().len() < svg.len() / 2);
}

#[test]
fn curves_go_through_their_values() {
    let svg = StaminaCurves::new(5)
        .curve("half", |_| Ok(0.5))
        .unwrap()
        .curve("grows", |hero| Ok(f64::from(hero) / 5.0))
        .unwrap()
        .beside(|hero| Ok(f64::from(hero) / 10.0))
        .unwrap()
        .svg()
        .unwrap();
    check_well_formed(&svg);
    let dots: Vec<(f64, f64)> = svg
        .split("<circle cx=\"")
        .skip(1)
        .map(|dot| {
            let (x, rest) = dot.split_once("\" cy=\"").unwrap();
            (
                x.parse().unwrap(),
                rest.split('"').next().unwrap().parse().unwrap(),
            )
        })
        .collect();
    assert_eq!(dots.len(), 10);
    let (half, grows) = dots.split_at(5);
    assert!(
        half.windows(2)
            .all(|pair| pair[0].1 == pair[1].1 && pair[0].0 < pair[1].0)
    );
    // A straight line, to a pixel, that meets the double of the other one at the end.
    let steps: Vec<f64> = grows.windows(2).map(|pair| pair[0].1 - pair[1].1).collect();
    assert!(
        steps.iter().all(|step| (step - steps[0]).abs() <= 1.0),
        "{steps:?}"
    );
    assert!((grows[4].1 - half[0].1 + 2.5 * steps[0]).abs() <= 3.0);
}

#[test]
fn the_curves_of_the_paper_can_be_drawn() {
    let rules = Rules::standard();
    let optimal = StaminaCurves::optimal(&rules, -6..=6, PAPER).unwrap();
    check_well_formed(&optimal.svg().unwrap());
    let constant =
        StaminaCurves::constant_luck(&rules, Use::Offensive, [(0, 12), (0, 2)], 24, 20).unwrap();
    let svg = constant.svg().unwrap();
    check_well_formed(&svg);
    assert!(svg.contains(">SKILL 0, LUCK 2</text>"));
    // The output is deterministic.
    assert_eq!(svg, constant.svg().unwrap());
}

#[test]
fn bad_input_is_refused() {
    let plot = |result: Result<String, Error>| match result {
        Err(Error::Plot { reason }) => reason,
        other => panic!("{other:?}"),
    };
    let reason = "a map needs at least 1 panel, and its cells at least 1 pixel";
    assert_eq!(plot(VictoryMap::new().svg()), reason);
    assert_eq!(plot(VictoryMap::new().row([]).svg()), reason);
    assert_eq!(plot(paper_map().cell(0).svg()), reason);
    let extent = Extent {
        hero: 1000,
        foe: 10,
        luck: 0,
    };
    let wide = VictoryMap::optimal(&Rules::standard(), [0], [0], extent).unwrap();
    let reason = plot(wide.cell(100).svg());
    let expected = "width and height must be at most 16384 pixels, got 100122 x 1090; \
                    use smaller or fewer panels";
    assert_eq!(reason, expected);

    assert!(plot(StaminaCurves::new(4).svg()).contains("got 0 over STAMINA 1 to 4"));
    // Regression test: this never came back.
    let huge = |hero: u16| Ok(if hero == 1 { -1e308 } else { 1e308 });
    let far = StaminaCurves::new(2).curve("far", huge).unwrap();
    assert!(plot(far.svg()).contains("the values are too far apart"));
    let none = StaminaCurves::new(0).curve("", |_| Ok(0.0)).unwrap();
    assert!(plot(none.svg()).contains("STAMINA 1 to 0"));
    let error = StaminaCurves::new(4)
        .curve("", |_| Ok(f64::NAN))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot draw the figure: values must be finite, got NaN at STAMINA 1"
    );
    let many = StaminaCurves::optimal(&Rules::standard(), -10..=10, PAPER).unwrap();
    assert!(plot(many.svg()).contains("got 21 over"));
    let even = |luck| VictoryMap::optimal(&Rules::standard(), [0], [luck], PAPER);
    assert!(matches!(
        even(13),
        Err(Error::OutsideTable { luck: 13, .. })
    ));
}

/// Regression test: a control character was written as it is, which is no XML.
#[test]
fn characters_that_svg_cannot_hold_are_blanks() {
    let coin = || HeatMap::from_fn(2, 2, |_, _| Ok((0.5, Decision::default()))).unwrap();
    let map = |title: &str| VictoryMap::new().row([coin().title(title)]).svg().unwrap();
    let curves = StaminaCurves::new(3)
        .curve("a\u{1b}\n\nb", |_| Ok(0.5))
        .unwrap();
    let curves = curves.title("c\n\nd\u{ffff}\0").svg().unwrap();
    assert!(curves.contains(">a   b</") && curves.contains("<title>c  d  </title>"));
    let bold = map("\u{1b}[1mbold");
    assert!(bold.contains("> [1mbold</"));
    let folded = map("Half-orc\n\n-3");
    assert!(folded.contains(">Half-orc  −3</"));
    for svg in [curves, bold, folded] {
        check_well_formed(&svg);
        let unfit = |letter: char| letter != '\n' && letter.is_control();
        assert!(!svg.contains(unfit) && !svg.contains('\u{ffff}'));
    }
}

/// Regression test: these lists were read to their end.
#[test]
fn endless_lists_are_refused() {
    let rules = Rules::standard();
    let extent = Extent {
        hero: 4,
        foe: 2,
        luck: 1,
    };
    let reason = |svg: Result<String, Error>| svg.unwrap_err().to_string();
    let optimal = StaminaCurves::optimal(&rules, 0.., extent).unwrap();
    assert!(reason(optimal.svg()).contains("got 21 over"));
    let cases = std::iter::repeat((0, 1));
    let constant = StaminaCurves::constant_luck(&rules, Use::Both, cases, 4, 2).unwrap();
    assert!(reason(constant.svg()).contains("got 21 over"));
    let long = VictoryMap::optimal(&rules, 0.., [1], extent).unwrap_err();
    assert!(
        long.to_string()
            .contains("more than 1638 SKILL differences do not fit")
    );
    let wide = VictoryMap::optimal(&rules, [0], std::iter::repeat(0), extent).unwrap_err();
    assert!(wide.to_string().contains("more than 1365 LUCKs do not fit"));
    let dot = HeatMap::from_fn(1, 1, |_, _| Ok((0.5, Decision::default()))).unwrap();
    let row = VictoryMap::new().row(std::iter::repeat(dot)).cell(1);
    assert!(reason(row.svg()).contains("width and height must be at most 16384 pixels"));
}
