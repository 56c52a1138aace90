//! Whether anything can be done in a step: a hero who can do nothing has failed.

use crate::hand::{Asked, Hand};
use crate::ladder::Ladders;
use crate::program::StepId;
use crate::resolve::{Choice, Plan, Setting};
use crate::sheet::Sheet;

/// What has been found so far, each result by the questions that matter for it. Without this
/// record, all paths through a section would be followed one by one, and there are as many as there
/// are subsets of the items found there.
#[derive(Clone, Debug)]
pub(crate) struct Openings {
    ladders: Ladders,
}

const CLOSED: u32 = 0;
const OPEN: u32 = 1;

/// A step being examined: its options are looked at one after the other.
struct Frame {
    step: StepId,
    asked: Asked,
    plan: Plan,
    option: usize,
}

impl Frame {
    fn new(setting: &Setting<'_>, step: StepId, sheet: &Sheet) -> Self {
        let mut asked = Asked::listening();
        let plan = setting.resolve(step, Hand::new(*sheet), &mut asked);
        Frame {
            step,
            asked,
            plan,
            option: 0,
        }
    }
}

impl Openings {
    pub(crate) fn new(setting: &Setting<'_>) -> Self {
        Openings {
            ladders: Ladders::new(setting.program.steps.len()),
        }
    }

    /// Returns whether an option does not end, within its section, where nothing can be done.
    pub(crate) fn leads_on(
        &mut self,
        setting: &Setting<'_>,
        step: StepId,
        choice: &Choice,
        plan: &Plan,
    ) -> bool {
        let exit = setting.exit_within(step, choice, plan);
        exit.is_none_or(|exit| self.is_open(setting, exit.step, &exit.hand.sheet))
    }

    /// The search is depth-first with its own stack, so that no section is too long for it.
    fn is_open(&mut self, setting: &Setting<'_>, step: StepId, sheet: &Sheet) -> bool {
        if let Some(known) = self.ladders.find(step, sheet) {
            return known == OPEN;
        }
        let mut stack = vec![Frame::new(setting, step, sheet)];
        let mut last = CLOSED;
        while let Some(frame) = stack.last_mut() {
            let choice = frame.plan.options.get(frame.option);
            let exit = choice.map(|choice| setting.exit_within(frame.step, choice, &frame.plan));
            last = match exit {
                _ if frame.plan.skirmish.is_some() => OPEN,
                None => CLOSED,
                Some(None) => OPEN,
                Some(Some(exit)) => {
                    let sheet = &exit.hand.sheet;
                    let Some(known) = self.ladders.find(exit.step, sheet) else {
                        let next = Frame::new(setting, exit.step, sheet);
                        stack.push(next);
                        continue;
                    };
                    let (way, asked) = (&exit.hand.way, &mut frame.asked);
                    self.ladders
                        .questions(exit.step, sheet, |entry, threshold, answer| {
                            way.ask_back(asked, entry, threshold, answer);
                        });
                    if known == CLOSED {
                        frame.option += 1;
                        continue;
                    }
                    OPEN
                }
            };
            let questions = &frame.asked.questions;
            if !self.ladders.insert(frame.step, questions, last) {
                // If there is no more room, everything is computed anew.
                *self = Openings::new(setting);
            }
            stack.pop();
        }
        last == OPEN
    }
}
