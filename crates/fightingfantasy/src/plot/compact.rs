//! Compaction of SVG: the same drawing in fewer bytes.
//!
//! The backend of plotters uses 200 bytes for each number in a cell, and a map has thousands of
//! them. Here, the attributes that successive elements share are written once: rectangles and lines
//! of the same style become one path, and texts of the same style become a group. Black becomes
//! `currentColor`.

use std::collections::HashMap;
use std::fmt::Write;

use super::refused;
use crate::Error;

/// The content of a tag written by the backend, whose values are only numbers, names of colours and
/// short texts.
struct Element<'s> {
    name: &'s str,
    attributes: HashMap<&'s str, &'s str>,
    text: &'s str,
}

impl<'s> Element<'s> {
    /// Parses the text between one `<` and the next.
    fn read(chunk: &'s str) -> Option<Self> {
        let (tag, text) = chunk.split_once('>')?;
        let tag = tag.trim_end_matches('/');
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = HashMap::new();
        while let Some((key, more)) = rest.split_once("=\"") {
            let (value, next) = more.split_once('"')?;
            attributes.insert(key.trim(), value);
            rest = next;
        }
        Some(Element {
            name,
            attributes,
            text: text.trim(),
        })
    }

    fn get(&self, key: &str) -> Result<&'s str, Error> {
        let value = self.attributes.get(key).copied();
        value.ok_or_else(|| refused(format!("an element {} without {key}", self.name)))
    }

    fn number(&self, key: &str) -> Result<f64, Error> {
        self.get(key)?.parse().map_err(refused)
    }

    /// `fill` or `stroke` with its opacity, as attributes.
    fn paint(&self, key: &str) -> Result<String, Error> {
        let colour = match self.get(key)? {
            "#000000" => "currentColor",
            colour => colour,
        };
        Ok(match self.get("opacity")? {
            "1" => format!("{key}=\"{colour}\""),
            opacity => format!("{key}=\"{colour}\" opacity=\"{opacity}\""),
        })
    }
}

/// Rounds to a tenth of a pixel, which is finer than any screen.
fn short(number: f64) -> String {
    format!("{}", (number * 10.0).round() / 10.0)
}

/// A converted element. Successive ones with the same `open` are joined.
struct Part {
    open: String,
    inside: Inside,
}

enum Inside {
    /// The data of a path.
    Path(String),
    Circles(String),
    Words(Vec<Word>),
}

struct Word {
    x: String,
    /// The attributes that determine its line.
    line: String,
    text: String,
}

impl Part {
    fn of(element: &Element<'_>) -> Result<Self, Error> {
        match element.name {
            "rect" => Self::rectangle(element),
            "line" => {
                let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(|key| element.get(key));
                let path = format!("M{} {}L{} {}", x1?, y1?, x2?, y2?);
                Self::stroke(element, path)
            }
            "polyline" => {
                let points = element.get("points")?.trim().replace(' ', "L");
                Self::stroke(element, format!("M{}", points.replace(',', " ")))
            }
            "circle" => {
                let (x, y, r) = (element.get("cx")?, element.get("cy")?, element.get("r")?);
                Ok(Part {
                    open: format!("<g {}>", element.paint("fill")?),
                    inside: Inside::Circles(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>")),
                })
            }
            "text" => Self::text(element),
            name => Err(refused(format!("unexpected element {name}"))),
        }
    }

    fn rectangle(element: &Element<'_>) -> Result<Self, Error> {
        let (x, y) = (element.get("x")?, element.get("y")?);
        let (width, height) = (element.get("width")?, element.get("height")?);
        if element.get("fill")? == "none" {
            return Self::stroke(element, format!("M{x} {y}h{width}v{height}H{x}z"));
        }
        // A wide stroke takes half the bytes of an outline. Without crisp edges there would be
        // seams between neighbours on a scaled page.
        let middle = short(element.number("y")? + element.number("height")? / 2.0);
        Ok(Part {
            open: format!(
                "<path shape-rendering=\"crispEdges\" {} stroke-width=\"{height}\" d=\"",
                element.paint("fill")?.replacen("fill", "stroke", 1)
            ),
            inside: Inside::Path(format!("M{x} {middle}h{width}")),
        })
    }

    fn stroke(element: &Element<'_>, path: String) -> Result<Self, Error> {
        let width = match element.attributes.get("stroke-width") {
            None | Some(&"1") => String::new(),
            Some(width) => format!(" stroke-width=\"{width}\""),
        };
        Ok(Part {
            open: format!(
                "<path fill=\"none\" {}{width} d=\"",
                element.paint("stroke")?
            ),
            inside: Inside::Path(path),
        })
    }

    fn text(element: &Element<'_>) -> Result<Self, Error> {
        let size = element.number("font-size")?;
        let anchor = match element.get("text-anchor")? {
            "start" => String::new(),
            anchor => format!(" text-anchor=\"{anchor}\""),
        };
        // The distance from the middle or an edge of the letters to their baseline, as a fraction
        // of the size. It is exact for no font, close enough for all, and the same in every
        // browser, unlike `ex`.
        let drop = match element.get("dy")? {
            "0.76em" => 0.76,
            "0.5ex" => 0.36,
            _ => -0.2,
        };
        let y = element.number("y")?;
        let line = match element.attributes.get("transform") {
            Some(turn) => {
                let dy = short(drop * size);
                format!("y=\"{y}\" dy=\"{dy}\" transform=\"{turn}\"")
            }
            None => format!("y=\"{}\"", short(y + drop * size)),
        };
        let word = Word {
            x: element.get("x")?.to_owned(),
            line,
            text: element.text.replace(is_unfit, " "),
        };
        Ok(Part {
            open: format!(
                "<g font-size=\"{}\"{anchor} {}>",
                short(size),
                element.paint("fill")?
            ),
            inside: Inside::Words(vec![word]),
        })
    }

    /// Appends `next`, or returns it if its style differs.
    fn join(&mut self, next: Part) -> Option<Part> {
        if self.open != next.open {
            return Some(next);
        }
        match (&mut self.inside, next.inside) {
            (Inside::Path(all), Inside::Path(more)) => all.push_str(&more),
            (Inside::Circles(all), Inside::Circles(more)) => all.push_str(&more),
            (Inside::Words(all), Inside::Words(more)) => all.extend(more),
            (_, inside) => {
                let open = next.open;
                return Some(Part { open, inside });
            }
        }
        None
    }

    fn push_to(&self, out: &mut String) {
        out.push_str(&self.open);
        match &self.inside {
            Inside::Path(data) => out.extend([data, "\"/>"]),
            Inside::Circles(circles) => out.extend([circles, "</g>"]),
            Inside::Words(words) => {
                for line in words.chunk_by(|a, b| a.line == b.line) {
                    push_line(out, line);
                }
                out.push_str("</g>");
            }
        }
        out.push('\n');
    }
}

/// Words on one line, such as the numbers of a row of cells, share a text element.
fn push_line(out: &mut String, words: &[Word]) {
    if let [Word { x, line, text }] = words {
        return out.extend(["<text x=\"", x, "\" ", line, ">", text, "</text>"]);
    }
    let line = words.first().map_or("", |word| &word.line);
    out.extend(["<text ", line, ">"]);
    for Word { x, text, .. } in words {
        out.extend(["<tspan x=\"", x, "\">", text, "</tspan>"]);
    }
    out.push_str("</text>");
}

/// Compacts the drawing in `svg`, as written by the backend of plotters, and adds a title.
pub(super) fn compact(svg: &str, title: &str) -> Result<String, Error> {
    let mut out = String::new();
    let mut last: Option<Part> = None;
    for chunk in svg
        .split('<')
        .skip(1)
        .filter(|chunk| !chunk.starts_with('/'))
    {
        let unread = || refused("a tag without end");
        let element = Element::read(chunk).ok_or_else(unread)?;
        if element.name == "svg" {
            let (width, height) = (element.get("width")?, element.get("height")?);
            let written = writeln!(
                out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
                 viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" \
                 style=\"max-width:100%;height:auto\">\n<title>{}</title>",
                escaped(title)
            );
            written.map_err(refused)?;
            continue;
        }
        let part = Part::of(&element)?;
        let next = match &mut last {
            Some(last) => last.join(part),
            None => Some(part),
        };
        if let Some(next) = next
            && let Some(done) = last.replace(next)
        {
            done.push_to(&mut out);
        }
    }
    if let Some(done) = last {
        done.push_to(&mut out);
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(is_unfit, " ")
}

/// Whether XML cannot hold this character, or a line of text should not.
fn is_unfit(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(drawn: &str, lines: &[&str]) {
        let svg = format!("<svg width=\"9\" height=\"8\">\n{drawn}</svg>\n");
        let compacted = compact(&svg, "a < b").unwrap();
        let inside: Vec<&str> = compacted.lines().skip(1).collect();
        let expected = [&["<title>a &lt; b</title>"], lines, &["</svg>"]].concat();
        assert_eq!(inside, expected);
    }

    #[test]
    fn rectangles_of_one_colour_become_one_path() {
        let rect = |x: u32, fill: &str| {
            format!(
                "<rect x=\"{x}\" y=\"2\" width=\"3\" height=\"4\" opacity=\"1\" fill=\"{fill}\" \
                 stroke=\"none\"/>\n"
            )
        };
        let drawn = rect(1, "#010203") + &rect(5, "#010203") + &rect(7, "#000000");
        let lines = [
            "<path shape-rendering=\"crispEdges\" stroke=\"#010203\" stroke-width=\"4\" d=\"M1 4h3M5 4h3\"/>",
            "<path shape-rendering=\"crispEdges\" stroke=\"currentColor\" stroke-width=\"4\" d=\"M7 4h3\"/>",
        ];
        check(&drawn, &lines);
    }

    #[test]
    fn texts_of_one_look_become_a_group() {
        let text = |x: u32, word: &str| {
            format!(
                "<text x=\"{x}\" y=\"10\" dy=\"0.5ex\" text-anchor=\"end\" font-family=\"sans-serif\" \
                 font-size=\"10\" opacity=\"0.5\" fill=\"#000000\">\n{word}\n</text>\n"
            )
        };
        let look = "<g font-size=\"10\" text-anchor=\"end\" fill=\"currentColor\" opacity=\"0.5\">";
        let alone = format!("{look}<text x=\"1\" y=\"13.6\">1 &lt; 2</text></g>");
        check(&text(1, "1 &lt; 2"), &[&alone]);
        let both = format!(
            "{look}<text y=\"13.6\"><tspan x=\"1\">a</tspan><tspan x=\"5\">b</tspan></text></g>"
        );
        check(&(text(1, "a") + &text(5, "b")), &[&both]);
    }

    #[test]
    fn an_element_it_does_not_know_is_an_error() {
        let error = compact(
            "<svg width=\"9\" height=\"8\">\n<image x=\"1\"/>\n</svg>",
            "",
        )
        .err();
        assert_eq!(error, Some(refused("unexpected element image")));
    }
}
