//! Errors in published sources, as data.

/// A wrong number in a published source.
///
/// # Examples
/// ```
/// use oddsmith_risk::{MISPRINTS, Misprint};
///
/// let cut = |misprint: &&Misprint| misprint.printed == "66,666%"; // and not rounded
/// let row = MISPRINTS.iter().find(cut).ok_or("a misprint of Table 12")?;
/// assert_eq!((row.place, row.meant), ("Table 12, row 6, P_D", "66,667%"));
/// assert_eq!(row.truth, "66.667 %");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Misprint {
    /// Author and year.
    pub source: &'static str,
    /// The place in the source: table and cell, or section.
    pub place: &'static str,
    /// The text as it stands there.
    pub printed: &'static str,
    /// What the source's own method gives, in its own notation.
    pub meant: &'static str,
    /// The true value.
    pub truth: &'static str,
}

/// The wrong numbers in the published sources against which this crate was checked, each beside the
/// true value.
///
/// The game values of Georgiou's tables are halved wherever two pairs are compared. This is not a
/// misprint and is not listed; see [`SimulationOutput`] and [`OutcomeCell`].
///
/// [`SimulationOutput`]: crate::SimulationOutput
/// [`OutcomeCell`]: crate::OutcomeCell
///
/// # Examples
/// ```
/// use oddsmith_risk::MISPRINTS;
///
/// let table_6 = MISPRINTS.iter().find(|misprint| misprint.place == "Table 6, (2,2)");
/// let printed = table_6.map(|misprint| (misprint.printed, misprint.meant, misprint.truth));
/// assert_eq!(printed, Some(("+0,1103", "-0,1103", "-0.2207")));
/// ```
pub const MISPRINTS: &[Misprint] = &[
    Misprint {
        source: GEORGIOU,
        place: "Table 6, (2,2)",
        printed: "+0,1103",
        meant: "-0,1103",
        truth: "-0.2207",
    },
    Misprint {
        source: GEORGIOU,
        place: "Table 7, headings",
        printed: "DEF (+1), ATT (0)",
        meant: "DEF (+2), ATT (+1)",
        truth: "DEF (+2), ATT (+1)",
    },
    Misprint {
        source: GEORGIOU,
        place: "Table 12, row 6, P_D",
        printed: "66,666%",
        meant: "66,667%",
        truth: "66.667 %",
    },
    Misprint {
        // P_A was first rounded to 58.335 %.
        source: GEORGIOU,
        place: "Table 5, (1,1)",
        printed: "58,34%",
        meant: "58,33%",
        truth: "58.33 %",
    },
    Misprint {
        source: GEORGIOU,
        place: "section 5.2, units to hold off the attack",
        printed: "8,2%",
        meant: "8,2%",
        truth: "17.2 %",
    },
    Misprint {
        // A difference of points, taken for a ratio.
        source: GEORGIOU,
        place: "section 7.1, fewer units with a hero",
        printed: "almost 21%",
        meant: "22,7%",
        truth: "40.5 %",
    },
    Misprint {
        source: GEORGIOU,
        place: "section 8, units to attack with a hero",
        printed: "72%",
        meant: "72%",
        truth: "51 %",
    },
    Misprint {
        source: GEORGIOU,
        place: "section 8, more units against a hero or a fortress",
        printed: "12%",
        meant: "12%",
        truth: "26 %",
    },
    Misprint {
        // The ratio of two rounded shares.
        source: GEORGIOU,
        place: "comment of the program, fA/fD",
        printed: "0.8536",
        meant: "0.8534",
        truth: "0.8534",
    },
    Misprint {
        // A placeholder, plotted as data in Figure 2.
        source: GEORGIOU,
        place: "comment of the program, (1,2)",
        printed: "0",
        meant: "not played",
        truth: "-0.4907",
    },
    Misprint {
        // The highest and the second die, treated as independent.
        source: "B. Tan, \"Markov Chains and the RISK Board Game\" (1997)",
        place: "three dice against two: defender loses two, one each, attacker loses two",
        printed: "0.259, 0.504, 0.237",
        meant: "0.259, 0.504, 0.237",
        truth: "0.372, 0.336, 0.293",
    },
    Misprint {
        // A defender who throws two dice against one, with losses as if he threw one.
        source: "riskCalculator 0.0.5, a package for Python",
        place: "one attacker against two",
        printed: "0.2546",
        meant: "0.2546",
        truth: "0.1061",
    },
    Misprint {
        source: "riskCalculator 0.0.5, a package for Python",
        place: "three attackers against three",
        printed: "0.4934",
        meant: "0.4934",
        truth: "0.4703",
    },
    Misprint {
        source: "riskCalculator 0.0.4, README",
        place: "ten attackers against ten",
        printed: "52.8%",
        meant: "52.8%",
        truth: "56.76 %",
    },
    Misprint {
        source: "ZeTornio/Risiko, README",
        place: "one die against two: rolls of 216 that the attacker wins",
        printed: "45",
        meant: "55",
        truth: "55",
    },
];

const GEORGIOU: &str =
    "H. Georgiou, \"RISK Board Game - Battle Outcome Analysis\", revision 3 (2004)";

/// Returns what the paper prints in a place where it does not print what it computes.
pub(super) fn printed_instead(place: &str) -> Option<&'static str> {
    let mut own = MISPRINTS
        .iter()
        .filter(|misprint| misprint.source == GEORGIOU);
    own.find(|misprint| misprint.place == place)
        .map(|misprint| misprint.printed)
}
