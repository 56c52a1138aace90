//! The written form of sections and passages. The play is one entry among the others of its table,
//! and exactly one is required. A flattened enum would read the same, but could not reject unknown
//! fields.

use crate::section::{Branch, Choice, Ending, Passage, Play, Section};
use crate::{Condition, Effect, Fight, Shop, Trial, Wager};

const PLAYS: &str = "to, choice, test, fight, shop, game, random, first, ending";

/// Defines a table with the given entries plus those of a passage.
macro_rules! wire {
    ($name:ident { $($field:ident: $type:ty, [$($attribute:meta),*]);* }) => {
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, expecting = "a table")]
        pub(crate) struct $name {
            $($(#[$attribute])* $field: $type,)*
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            effects: Vec<Effect>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            to: Option<u32>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            choice: Option<Vec<Choice>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            test: Option<Box<Trial>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            fight: Option<Box<Fight>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            shop: Option<Box<Shop>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            game: Option<Box<Wager>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            random: Option<Vec<Branch>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            first: Option<Vec<Choice>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            ending: Option<Ending>,
        }

        impl $name {
            fn split(self) -> Result<(Passage, ($($type,)*)), String> {
                let plays = [
                    self.to.map(Play::Turn),
                    self.choice.map(Play::Choice),
                    self.test.map(Play::Test),
                    self.fight.map(Play::Fight),
                    self.shop.map(Play::Shop),
                    self.game.map(Play::Game),
                    self.random.map(Play::Random),
                    self.first.map(Play::First),
                    self.ending.map(Play::Ending),
                ];
                let mut plays = plays.into_iter().flatten();
                let (Some(play), None) = (plays.next(), plays.next()) else {
                    return Err(format!("expected exactly one of these fields: {PLAYS}"));
                };
                Ok((Passage { effects: self.effects, play }, ($(self.$field,)*)))
            }

            fn join(passage: Passage, ($($field,)*): ($($type,)*)) -> Self {
                let Passage { effects, play } = passage;
                let mut wire = $name {
                    $($field,)*
                    effects,
                    to: None,
                    choice: None,
                    test: None,
                    fight: None,
                    shop: None,
                    game: None,
                    random: None,
                    first: None,
                    ending: None,
                };
                match play {
                    Play::Turn(to) => wire.to = Some(to),
                    Play::Choice(options) => wire.choice = Some(options),
                    Play::Test(test) => wire.test = Some(test),
                    Play::Fight(fight) => wire.fight = Some(fight),
                    Play::Shop(shop) => wire.shop = Some(shop),
                    Play::Game(game) => wire.game = Some(game),
                    Play::Random(branches) => wire.random = Some(branches),
                    Play::First(cases) => wire.first = Some(cases),
                    Play::Ending(ending) => wire.ending = Some(ending),
                }
                wire
            }
        }
    };
}

wire!(PassageWire {});
wire!(ChoiceWire {
    label: Option<String>, [serde(default, skip_serializing_if = "Option::is_none")];
    condition: Option<Condition>, [serde(rename = "if", default, skip_serializing_if = "Option::is_none")]
});
wire!(BranchWire { weight: u32, [] });
wire!(SectionWire {
    number: u32, [];
    label: Option<String>, [serde(default, skip_serializing_if = "Option::is_none")];
    text: Option<String>, [serde(default, skip_serializing_if = "Option::is_none")];
    refresh: Option<bool>, [serde(default, skip_serializing_if = "Option::is_none")];
    leave: Vec<Effect>, [serde(default, skip_serializing_if = "Vec::is_empty")]
});

impl TryFrom<PassageWire> for Passage {
    type Error = String;

    fn try_from(wire: PassageWire) -> Result<Self, String> {
        wire.split().map(|(passage, ())| passage)
    }
}

impl From<Passage> for PassageWire {
    fn from(passage: Passage) -> Self {
        PassageWire::join(passage, ())
    }
}

impl TryFrom<ChoiceWire> for Choice {
    type Error = String;

    fn try_from(wire: ChoiceWire) -> Result<Self, String> {
        let (passage, (label, condition)) = wire.split()?;
        Ok(Choice {
            label,
            condition,
            passage,
        })
    }
}

impl From<Choice> for ChoiceWire {
    fn from(choice: Choice) -> Self {
        ChoiceWire::join(choice.passage, (choice.label, choice.condition))
    }
}

impl TryFrom<BranchWire> for Branch {
    type Error = String;

    fn try_from(wire: BranchWire) -> Result<Self, String> {
        let (passage, (weight,)) = wire.split()?;
        Ok(Branch { weight, passage })
    }
}

impl From<Branch> for BranchWire {
    fn from(branch: Branch) -> Self {
        BranchWire::join(branch.passage, (branch.weight,))
    }
}

impl TryFrom<SectionWire> for Section {
    type Error = String;

    fn try_from(wire: SectionWire) -> Result<Self, String> {
        let (passage, (number, label, text, refresh, leave)) = wire.split()?;
        Ok(Section {
            number,
            label,
            text,
            refresh,
            passage,
            leave,
        })
    }
}

impl From<Section> for SectionWire {
    fn from(section: Section) -> Self {
        let Section {
            number,
            label,
            text,
            refresh,
            passage,
            leave,
        } = section;
        SectionWire::join(passage, (number, label, text, refresh, leave))
    }
}
