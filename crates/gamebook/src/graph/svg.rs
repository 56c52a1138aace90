//! The graph as an SVG picture.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::layout::{Spacing, Way, layout};
use super::{BookGraph, SectionKind, colour, wins};
use crate::{Error, Section};

/// The default limit on the number of points.
pub(super) const MOST_POINTS: usize = 200_000;

const SPACING: Spacing = Spacing {
    node: 58.0,
    line: 9.0,
    rank: 84.0,
};
/// With room for labels at the arrows.
const WIDE: Spacing = Spacing {
    node: 120.0,
    line: 12.0,
    rank: 104.0,
};
/// Half the height of a node.
const HALF: f64 = 17.0;
/// The margin around the picture.
const MARGIN: f64 = 40.0;
/// The space above it for the legend.
const LEGEND: f64 = 62.0;

impl BookGraph<'_> {
    /// Limits the number of points: sections, and bends of arrows that pass several rows. The
    /// default is 200,000.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Error};
    /// let book = Book::builder().choice(1, [("on", 2)]).won(2).build()?;
    /// let error = book.graph().max_points(1).to_svg().unwrap_err();
    /// assert_eq!(error, Error::PictureTooLarge { limit: 1 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_points(mut self, limit: usize) -> Self {
        self.max_points = limit;
        self
    }

    /// Returns the graph as SVG, in rows from the start downwards. Arrows that lead back are
    /// dashed.
    ///
    /// # Errors
    /// [`Error::PictureTooLarge`] beyond [`max_points`](BookGraph::max_points).
    ///
    /// # Complexity
    /// With p points, some sixty passes of about p log p.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().choice(1, [("<on> & \"off\"", 2)]).won(2).build()?;
    /// let svg = book.graph().edge_labels().to_svg()?;
    /// assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
    /// assert_eq!(svg.matches("class=\"section\"").count(), 2);
    /// assert!(svg.contains("&lt;on&gt; &amp; &quot;off&quot;"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_svg(&self) -> Result<String, Error> {
        let sections: Vec<(u32, &Section)> = self.book.sections().collect();
        let index: BTreeMap<u32, usize> = sections
            .iter()
            .enumerate()
            .map(|(place, (number, _))| (*number, place))
            .collect();
        let place = |number: u32| index.get(&number).copied().unwrap_or(0);
        let links = self.links();
        let arrows: Vec<(usize, usize)> = links
            .iter()
            .map(|(from, to, _)| (place(*from), place(*to)))
            .collect();
        let start = place(self.book.start());
        let spacing = if self.edge_labels { WIDE } else { SPACING };
        let laid = layout(sections.len(), &arrows, start, spacing, self.max_points);
        let laid = laid.ok_or(Error::PictureTooLarge {
            limit: self.max_points,
        })?;
        let [width, height] = [
            (laid.size[0] + 2.0 * MARGIN).max(520.0),
            laid.size[1] + 2.0 * MARGIN + LEGEND,
        ];
        let mut svg = Svg::default();
        svg.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" \
             font-size=\"13\" text-anchor=\"middle\" stroke=\"currentColor\" fill=\"none\">"
        ));
        let manuscript = self.book.manuscript();
        let title = manuscript.title.as_deref().unwrap_or(self.book.id());
        svg.line(format_args!("<title>{}</title>", escaped(title)));
        svg.line(format_args!(
            "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\">\
             <path d=\"M0 0 8 4 0 8Z\" fill=\"currentColor\" stroke=\"none\"/></marker></defs>"
        ));
        self.legend(&mut svg);
        svg.line(format_args!(
            "<g transform=\"translate({MARGIN} {})\">",
            MARGIN + LEGEND
        ));
        for ((_, _, label), way) in links.iter().zip(&laid.ways) {
            arrow(&mut svg, way, if self.edge_labels { label } else { "" });
        }
        for (&(number, section), &at) in sections.iter().zip(&laid.at) {
            self.node(&mut svg, number, section, at);
        }
        svg.line(format_args!("</g>"));
        svg.line(format_args!("</svg>"));
        Ok(svg.text)
    }

    fn node(&self, svg: &mut Svg, number: u32, section: &Section, [x, y]: [f64; 2]) {
        let kind = self.book.kind_of(section);
        let words = escaped(&self.words(number, section));
        let (fill, ink) = match self.shade(number) {
            Some(probability) => {
                let (fill, dark) = colour::shade(probability);
                (fill, if dark { "#ffffff" } else { "#1a1a1a" })
            }
            None => ("none".to_owned(), "currentColor"),
        };
        let outline = colour::outline(kind).unwrap_or("currentColor");
        let broad = if colour::outline(kind).is_some() {
            3
        } else {
            1
        };
        svg.line(format_args!(
            "<g class=\"section\" transform=\"translate({x:.1} {y:.1})\" stroke=\"{outline}\" \
             stroke-width=\"{broad}\"><title>{words}</title>"
        ));
        shape(svg, kind, &fill, HALF);
        if wins(section) {
            shape(svg, kind, "none", HALF + 4.0);
        }
        svg.line(format_args!(
            "<text y=\"4.5\" fill=\"{ink}\" stroke=\"none\">{number}</text>"
        ));
        svg.line(format_args!("</g>"));
    }

    /// Draws the legend for outlines and colours.
    fn legend(&self, svg: &mut Svg) {
        let mut x = MARGIN;
        for kind in [
            SectionKind::Fight,
            SectionKind::Luck,
            SectionKind::Skill,
            SectionKind::Won,
            SectionKind::Lost,
        ] {
            let outline = colour::outline(kind).unwrap_or("currentColor");
            svg.line(format_args!(
                "<g transform=\"translate({x} 24)\" stroke=\"{outline}\" stroke-width=\"2\">"
            ));
            shape(svg, kind, "none", 7.0);
            if kind == SectionKind::Won {
                shape(svg, kind, "none", 10.0);
            }
            svg.line(format_args!("</g>"));
            svg.line(format_args!(
                "<text x=\"{}\" y=\"28\" text-anchor=\"start\" fill=\"currentColor\" \
                 stroke=\"none\">{kind}</text>",
                x + 14.0
            ));
            x += 40.0 + 7.0 * kind.to_string().len() as f64;
        }
        if self.visits.is_none() {
            return;
        }
        for step in 0..20 {
            let (fill, _) = colour::shade((f64::from(step) + 0.5) / 20.0);
            svg.line(format_args!(
                "<rect x=\"{}\" y=\"44\" width=\"12\" height=\"12\" fill=\"{fill}\" stroke=\"none\"/>",
                MARGIN + 24.0 + 12.0 * f64::from(step)
            ));
        }
        for (x, words) in [(MARGIN - 10.0, "0 %"), (MARGIN + 270.0, "100 % come here")] {
            svg.line(format_args!(
                "<text x=\"{x}\" y=\"55\" text-anchor=\"start\" fill=\"currentColor\" \
                 stroke=\"none\">{words}</text>"
            ));
        }
    }
}

/// Draws the outline of a section around the origin.
fn shape(svg: &mut Svg, kind: SectionKind, fill: &str, half: f64) {
    let side = 0.414 * half;
    let points = match kind {
        SectionKind::Fight | SectionKind::Luck | SectionKind::Skill | SectionKind::Test => {
            return svg.line(format_args!("<circle r=\"{half}\" fill=\"{fill}\"/>"));
        }
        SectionKind::Choice | SectionKind::Plain => {
            let (left, wide) = (-1.2 * half, 2.4 * half);
            return svg.line(format_args!(
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" \
                 rx=\"4\" fill=\"{fill}\"/>",
                -half,
                2.0 * half
            ));
        }
        SectionKind::Random => vec![
            (0.0, -1.2 * half),
            (1.4 * half, 0.0),
            (0.0, 1.2 * half),
            (-1.4 * half, 0.0),
        ],
        SectionKind::Shop | SectionKind::Game => vec![
            (0.0, -1.2 * half),
            (1.2 * half, -0.3 * half),
            (1.2 * half, half),
            (-1.2 * half, half),
            (-1.2 * half, -0.3 * half),
        ],
        SectionKind::Won | SectionKind::Lost => vec![
            (-side, -half),
            (side, -half),
            (half, -side),
            (half, side),
            (side, half),
            (-side, half),
            (-half, side),
            (-half, -side),
        ],
    };
    let points: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    svg.line(format_args!(
        "<polygon points=\"{}\" fill=\"{fill}\"/>",
        points.join(" ")
    ));
}

/// Draws an arrow; one that joins another has no end of its own.
fn arrow(svg: &mut Svg, way: &Way, label: &str) {
    let mut points = way.points.clone();
    let (Some(&[x, from]), Some(&[_, to])) = (points.first(), points.last()) else {
        return;
    };
    let gap = HALF + 5.0;
    let (up, last) = (to < from, points.len() - 1);
    let mut path = String::new();
    let mut middle = [x + 2.0 * gap, from];
    if from == to {
        // A loop at a section.
        let right = x + 1.2 * HALF;
        let _ = write!(path, "M{right:.1} {:.1}c16 -6 16 18 0 12", from - 6.0);
    } else {
        let sign = if up { -1.0 } else { 1.0 };
        if !(way.joined && up) {
            points[0][1] += sign * gap;
        }
        if !way.joined || up {
            points[last][1] -= sign * gap;
        }
        let _ = write!(path, "M{x:.1} {:.1}", points[0][1]);
        for pair in points.windows(2) {
            let ([x0, y0], [x1, y1]) = (pair[0], pair[1]);
            let half = f64::midpoint(y0, y1);
            let _ = write!(path, "C{x0:.1} {half:.1} {x1:.1} {half:.1} {x1:.1} {y1:.1}");
        }
        // The label goes beside the end that the arrow does not share.
        let own = if up { last - 1 } else { 0 };
        middle = [0, 1].map(|axis| f64::midpoint(points[own][axis], points[own + 1][axis]));
    }
    let dashes = if up { " stroke-dasharray=\"5 4\"" } else { "" };
    let head = match way.joined && !up {
        true => "",
        false => " marker-end=\"url(#head)\"",
    };
    svg.line(format_args!(
        "<path class=\"link\" d=\"{path}\" opacity=\"0.55\"{head}{dashes}/>"
    ));
    if !label.is_empty() {
        svg.line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"8\" fill=\"currentColor\" \
             stroke=\"none\">{}</text>",
            middle[0],
            middle[1],
            escaped(label)
        ));
    }
}

#[derive(Default)]
struct Svg {
    text: String,
}

impl Svg {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }
}

/// Escapes a text for XML, and replaces the characters that XML cannot hold.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
