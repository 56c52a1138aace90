//! Figures: their contents, and invalid input.

#![cfg(feature = "plot")]

use ndarray::Array2;
use oddsmith_risk::{ContourPlot, Error, Rules, SurfacePlot, ndarray, win_matrix_f64};

fn refused<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Plot { .. }))
}

/// Every element closed, no blank line, one root.
#[track_caller]
fn check_svg(svg: &str) {
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n")
    );
    assert!(svg.lines().all(|line| !line.trim().is_empty()));
    assert_eq!(svg.matches("<svg").count(), 1);
    let texts = svg.matches("<text").count();
    assert_eq!(texts, svg.matches("</text>").count());
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn all_shapes_are_drawn() {
    for (attackers, defenders) in [(2, 2), (3, 40), (40, 3), (170, 170)] {
        let win = win_matrix_f64(attackers, defenders, &Rules::standard()).unwrap();
        check_svg(&ContourPlot::of_matrix(&win).unwrap().svg());
        check_svg(&SurfacePlot::of_matrix(&win).unwrap().svg());
    }
    for rules in [
        Rules::standard(),
        Rules::georgiou().hero_attacks(),
        Rules::capital(),
    ] {
        check_svg(&ContourPlot::of_game_values(&rules).unwrap().svg());
    }
    // All values are equal. (Zeros are drawn as chances.)
    for value in [7.0, 0.0, -3.0] {
        let flat = Array2::from_elem((4, 4), value);
        check_svg(&ContourPlot::of_matrix(&flat).unwrap().svg());
        check_svg(&SurfacePlot::of_matrix(&flat).unwrap().svg());
    }
}

#[test]
fn titles_are_escaped() {
    let win = win_matrix_f64(3, 3, &Rules::standard()).unwrap();
    let plot = SurfacePlot::of_matrix(&win)
        .unwrap()
        .title("a < b & c\n\nd");
    assert!(plot.svg().contains("<title>a &lt; b &amp; c  d</title>"));
    check_svg(&plot.svg());
}

/// A line for each level that occurs in the table, and none for others.
#[test]
fn levels_that_do_not_occur() {
    let win = win_matrix_f64(5, 5, &Rules::standard()).unwrap();
    let lines = |levels: &[f64]| {
        let plot = ContourPlot::of_matrix(&win).unwrap();
        let svg = plot.levels(levels.iter().copied()).unwrap().svg();
        svg.matches("stroke=\"#fff\"").count()
    };
    assert_eq!(lines(&[0.5, 0.25]), 2);
    assert_eq!(lines(&[0.5, 2.0, -1.0]), 1);
    assert_eq!(lines(&[]), 0);
}

#[test]
fn bad_input() {
    let of = |shape: (usize, usize), value: f64| {
        let table = Array2::from_elem(shape, value);
        (
            ContourPlot::of_matrix(&table),
            SurfacePlot::of_matrix(&table),
        )
    };
    for (shape, value) in [
        ((0, 0), 0.5),
        ((2, 9), 0.5),
        ((9, 2), 0.5),
        ((200, 200), 0.5),
        ((5, 5), f64::NAN),
        ((5, 5), f64::INFINITY),
    ] {
        let (contour, surface) = of(shape, value);
        assert!(refused(contour) && refused(surface), "{shape:?} {value}");
    }
    let (contour, _) = of((5, 5), 0.5);
    let contour = contour.unwrap();
    assert!(refused(contour.clone().levels([f64::NAN])));
    assert!(refused(contour.levels((0..101).map(f64::from))));
    let many = Rules::standard().max_dice(33, 3).unwrap();
    assert!(refused(ContourPlot::of_game_values(&many)));
    let single = Rules::standard().max_dice(1, 1).unwrap();
    assert!(refused(ContourPlot::of_game_values(&single)));
}

/// Regression test: of a matrix of one's own with 2 x 2 entries, "1 x 1" was said to be too small.
#[test]
fn a_matrix_that_is_too_small_is_told_what_is_left_out() {
    let own = |rows, columns| ndarray::Array2::from_elem((rows, columns), 0.5);
    for (rows, columns) in [(2, 2), (0, 0), (3, 2), (2, 9)] {
        let expected = format!(
            "cannot draw the figure: row and column 0 of a matrix are left out, since battles are \
             over there, so it needs at least 3 x 3 entries; got {rows} x {columns}"
        );
        let matrix = own(rows, columns);
        let error = ContourPlot::of_matrix(&matrix).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let error = SurfacePlot::of_matrix(&matrix).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert!(ContourPlot::of_matrix(&own(3, 3)).is_ok());
    assert!(SurfacePlot::of_matrix(&own(3, 3)).is_ok());
}

/// Regression test: small values were labelled "−0" and "0", large ones "inf", and an axis between
/// the largest floats had none.
#[test]
fn numbers_of_any_size_are_told_apart() {
    let win = win_matrix_f64(6, 6, &Rules::standard()).unwrap();
    let svg = |factor: f64, levels: [f64; 3]| {
        let scaled = win.mapv(|chance| (chance - 0.5) * factor);
        let plot = ContourPlot::of_matrix(&scaled).unwrap();
        let contour = plot
            .levels(levels.map(|level| level * factor))
            .unwrap()
            .svg();
        let surface = SurfacePlot::of_matrix(&scaled).unwrap().svg();
        check_svg(&contour);
        check_svg(&surface);
        assert!(
            !contour.contains(">−0<") && !surface.contains(">−0<"),
            "{factor}"
        );
        contour
    };
    for (factor, labels) in [
        (1e-5, ["−2.0000e−6", "1.0000e−6", "0"]),
        (1.0, ["−0.2", "0.1", "0"]),
        (1e3, ["−200", "100", "0"]),
        (1e12, ["−2.0000e11", "1.0000e11", "0"]),
        (1.7e308, ["−3.4000e307", "1.7000e307", "0"]),
    ] {
        let contour = svg(factor, [-0.2, 0.1, 0.0]);
        for label in labels {
            assert!(contour.contains(&format!(">{label}<")), "{factor}: {label}");
        }
    }
    let mut widest = win.mapv(|chance| chance * 1.7e308);
    widest[[2, 2]] = -1.7e308;
    check_svg(&SurfacePlot::of_matrix(&widest).unwrap().svg());
}
