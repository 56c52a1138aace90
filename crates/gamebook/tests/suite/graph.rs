//! Books as pictures: a reference text, and pictures that are well-formed.
#![allow(clippy::panic, reason = "a failed check is a failed test")]

use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{Book, Choice, Passage, Play, Section, SectionKind};
use oddsmith_mdp::AtRandom;

/// After Figure S5 of "City of Thieves solved": routes into a city, with every kind of section, an
/// arrow back, and labels that need escaping.
fn gate() -> Book {
    let book = Book::builder()
        .choice(
            1,
            [
                ("tell the \"truth\"", 2),
                ("fight <him> & run", 3),
                ("climb\\jump", 4),
            ],
        )
        .luck(2, 6, 3)
        .fight(3, Foe::new(7, 2).unwrap(), 5)
        .skill(4, 6, 1)
        .chance(5, [(6, 2), (7, 1)])
        .won(6)
        .lost(7)
        .build()
        .unwrap();
    let mut manuscript = book.manuscript().clone();
    manuscript.title = Some("Gate & \"Wall\"".to_owned());
    manuscript.sections[0].label = Some("the <gate>".to_owned());
    let leave = vec![
        Choice::new("in", Passage::won()),
        Choice::new("round", Passage::to(8)),
    ];
    manuscript
        .sections
        .push(Section::new(8, Play::Choice(leave).into()));
    Book::new(manuscript).unwrap()
}

#[test]
fn the_reference_text() {
    let book = gate();
    assert_eq!(
        book.graph().edge_labels().to_dot(),
        r##"digraph {
  node [fontname="sans-serif" style=filled fillcolor=white];
  s1 [label="1" shape=box tooltip="section 1 \"the <gate>\", choice"];
  s2 [label="2" shape=circle color="#1f77b4" penwidth=3 tooltip="section 2, test of luck"];
  s3 [label="3" shape=circle color="#d62728" penwidth=3 tooltip="section 3, fight"];
  s4 [label="4" shape=circle color="#2ca02c" penwidth=3 tooltip="section 4, test of skill"];
  s5 [label="5" shape=diamond tooltip="section 5, chance"];
  s6 [label="6" shape=doubleoctagon tooltip="section 6, victory"];
  s7 [label="7" shape=octagon tooltip="section 7, defeat"];
  s8 [label="8" shape=box peripheries=2 tooltip="section 8, choice"];
  s1 -> s2 [label="tell the \"truth\""];
  s1 -> s3 [label="fight <him> &amp; run"];
  s1 -> s4 [label="climb\\jump"];
  s2 -> s6 [label="success"];
  s2 -> s3 [label="failure"];
  s3 -> s5 [label="victory"];
  s4 -> s6 [label="success"];
  s4 -> s1 [label="failure"];
  s5 -> s6 [label="2 in 3"];
  s5 -> s7 [label="1 in 3"];
  s8 -> s8 [label="round"];
}
"##
    );
    let plain = book.graph().to_dot();
    assert!(plain.contains("  s1 -> s2;\n"));
}

#[test]
fn kinds() {
    let book = gate();
    let kinds = [1, 3, 5, 7].map(|section| book.kind(section).unwrap());
    assert_eq!(
        kinds,
        [
            SectionKind::Choice,
            SectionKind::Fight,
            SectionKind::Random,
            SectionKind::Lost
        ]
    );
    assert!(book.kind(9).is_err());
}

#[test]
fn who_is_not_visited_stays_empty() {
    let book = gate();
    let first = oddsmith_gamebook::FirstOption;
    let journey = book.follow(Hero::new(7, 2, 12).unwrap(), first).unwrap();
    let text = book.graph().visits(&journey).to_dot();
    // With LUCK 12 the test cannot fail.
    assert!(text.contains("s6 [label=\"6\" shape=doubleoctagon fillcolor=\"#fde725\""));
    assert!(text.contains("s7 [label=\"7\" shape=octagon tooltip=\"section 7, defeat, 0.00 %\"]"));
    let random = book.follow(Hero::new(7, 2, 12).unwrap(), AtRandom).unwrap();
    assert_ne!(book.graph().visits(&random).to_dot(), text);
}

#[cfg(feature = "plot")]
mod plot {
    use super::*;
    use oddsmith_gamebook::Error;

    /// Tags are closed in the order they were opened, names and attributes are valid XML, and every
    /// `&` begins an entity.
    #[track_caller]
    fn check_well_formed(svg: &str) {
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
        assert!(svg.ends_with("</svg>\n"));
        assert!(svg.lines().all(|line| !line.trim().is_empty()));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let control = |letter: char| letter.is_control() && letter != '\n';
        assert!(!svg.contains(control));
        for part in svg.split('&').skip(1) {
            let (entity, _) = part.split_once(';').unwrap();
            assert!(["amp", "lt", "gt", "quot"].contains(&entity), "{entity}");
        }
        let mut open = Vec::new();
        for chunk in svg.split('<').skip(1) {
            let (tag, text) = chunk.split_once('>').unwrap();
            assert!(!text.contains('>'), "{chunk}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
                continue;
            }
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (name, mut rest) = inner.split_once(' ').unwrap_or((inner, ""));
            let mut names = Vec::new();
            while !rest.is_empty() {
                let (attribute, after) = rest.split_once("=\"").unwrap();
                let (_, after) = after.split_once('"').unwrap();
                assert!(
                    attribute.chars().all(|c| c.is_alphanumeric() || c == '-'),
                    "{tag}"
                );
                assert!(!names.contains(&attribute), "{tag}");
                names.push(attribute);
                rest = after.strip_prefix(' ').unwrap_or(after);
            }
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn a_picture_has_every_section_and_every_arrow() {
        let book = gate();
        let journey = book.follow(Hero::new(7, 2, 7).unwrap(), AtRandom).unwrap();
        let svg = book
            .graph()
            .visits(&journey)
            .edge_labels()
            .to_svg()
            .unwrap();
        check_well_formed(&svg);
        assert_eq!(svg.matches("class=\"section\"").count(), 8);
        assert_eq!(svg.matches("class=\"link\"").count(), 11);
        assert_eq!(svg.matches("marker-end").count(), 10); // two go on as one
        assert_eq!(svg.matches("stroke-dasharray").count(), 1); // back to the gate
        assert!(svg.contains("<title>Gate &amp; &quot;Wall&quot;</title>"));
        assert!(svg.contains(">tell the &quot;truth&quot;</text>"));
    }

    #[test]
    fn letters_that_xml_cannot_hold() {
        let mut manuscript = gate().manuscript().clone();
        manuscript.title = Some("a\u{0}b\u{1b}c\u{fffe}<!-- ]]>".to_owned());
        let svg = Book::new(manuscript).unwrap().graph().to_svg().unwrap();
        check_well_formed(&svg);
        assert!(svg.contains("<title>a b c\u{fffd}&lt;!-- ]]&gt;</title>"));
    }

    #[test]
    fn one_section_and_ten_thousand() {
        let one = Book::builder().won(1).build().unwrap();
        check_well_formed(&one.graph().to_svg().unwrap());
        // All lead on to one end: a bundle of 10,000 points, not fifty million.
        let mut long = Book::builder().lost(10_001);
        for number in 1..10_000 {
            long = long.chance(number, [(number + 1, 1), (10_001, 1)]);
        }
        let long = long.won(10_000).build().unwrap();
        let error = long.graph().max_points(10_000).to_svg().unwrap_err();
        assert_eq!(error, Error::PictureTooLarge { limit: 10_000 });
        let svg = long.graph().to_svg().unwrap();
        assert!(svg.len() < 10_000_000, "{}", svg.len());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_whole_book() {
        let book = Book::city_of_thieves().unwrap();
        let svg = book.graph().edge_labels().to_svg().unwrap();
        check_well_formed(&svg);
        assert_eq!(svg.matches("class=\"section\"").count(), book.len());
        assert_eq!(svg, book.graph().edge_labels().to_svg().unwrap());
    }
}
