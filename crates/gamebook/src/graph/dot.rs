//! The graph in the DOT language of Graphviz.

use std::fmt::Write;

use super::{BookGraph, SectionKind, colour, wins};

impl BookGraph<'_> {
    /// Returns the graph in the DOT language, for [Graphviz].
    ///
    /// # Complexity
    /// One pass over the links.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// assert_eq!(Book::builder().won(1).build()?.graph().to_dot(), r#"digraph {
    ///   node [fontname="sans-serif" style=filled fillcolor=white];
    ///   s1 [label="1" shape=doubleoctagon tooltip="section 1, victory"];
    /// }
    /// "#);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    ///
    /// [Graphviz]: https://graphviz.org/doc/info/lang.html
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut text = "digraph {\n".to_owned();
        text += "  node [fontname=\"sans-serif\" style=filled fillcolor=white];\n";
        for (number, section) in self.book.sections() {
            let kind = self.book.kind_of(section);
            let shape = match kind {
                SectionKind::Fight | SectionKind::Luck | SectionKind::Skill | SectionKind::Test => {
                    "circle"
                }
                SectionKind::Won => "doubleoctagon",
                SectionKind::Lost => "octagon",
                SectionKind::Shop | SectionKind::Game => "house",
                SectionKind::Random => "diamond",
                SectionKind::Choice | SectionKind::Plain => "box",
            };
            let mut look = format!("shape={shape}");
            if kind != SectionKind::Won && wins(section) {
                look += " peripheries=2";
            }
            if let Some(outline) = colour::outline(kind) {
                look += &format!(" color=\"{outline}\" penwidth=3");
            }
            if let Some(probability) = self.shade(number) {
                let (colour, dark) = colour::shade(probability);
                look += &format!(" fillcolor=\"{colour}\"");
                look += if dark { " fontcolor=white" } else { "" };
            }
            let words = escaped(&self.words(number, section));
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "  s{number} [label=\"{number}\" {look} tooltip=\"{words}\"];"
            );
        }
        for (from, to, label) in self.links() {
            let label = match self.edge_labels && !label.is_empty() {
                true => format!(" [label=\"{}\"]", escaped(&label)),
                false => String::new(),
            };
            let _ = writeln!(text, "  s{from} -> s{to}{label};");
        }
        text.push_str("}\n");
        text
    }
}

/// Escapes a text for a quoted string: whatever would end it, or be read as an escape sequence.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            // Graphviz would read what follows it as the name of a character.
            '&' => escaped.push_str("&amp;"),
            '\n' => escaped.push_str("\\n"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn quotes_backslashes_and_names_of_letters_stay_as_they_are() {
        assert_eq!(
            escaped("say \"a\\b\"\n<&>\u{7}"),
            "say \\\"a\\\\b\\\"\\n<&amp;> "
        );
        assert_eq!(escaped("a &lt; b"), "a &amp;lt; b");
    }
}
