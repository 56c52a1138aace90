//! What walking through one scene may take: effects that follow each other are followed by
//! recursion, and those that branch, as often as they branch. And how far the solver is.

use std::cell::Cell;

use crate::solver::limits::Halt;

/// Effects and conditions within each other: some kilobytes of stack each.
const DEEPEST: u32 = 600;
/// Steps through one scene. Where many values of a stat change at once, that is several.
const MOST_STEPS: u32 = 3_000_000;
/// So many values change in one step.
const VALUES_IN_ONE: usize = 64;

/// How far a walk through one scene has gone, and the solver through all of them.
#[derive(Debug, Default)]
pub(crate) struct Effort {
    depth: Cell<u32>,
    steps: Cell<u32>,
    scene: Cell<Option<u32>>,
    found: Cell<usize>,
    solved: Cell<usize>,
}

/// One step deeper, as long as this lives.
pub(crate) struct Deeper<'e>(&'e Cell<u32>);

impl Effort {
    /// A new scene begins.
    pub(crate) fn begin(&self, scene: u32) {
        self.steps.set(0);
        self.scene.set(Some(scene));
    }

    /// The scene that began last: where a walk that has stopped was.
    pub(crate) fn scene(&self) -> Option<u32> {
        self.scene.get()
    }

    /// So many regions are found, and so many of them worked out.
    pub(crate) fn count(&self, found: usize, solved: usize) {
        self.found.set(found);
        self.solved.set(solved);
    }

    /// How many regions are found, and how many of them worked out.
    pub(crate) fn counted(&self) -> (usize, usize) {
        (self.found.get(), self.solved.get())
    }

    pub(crate) fn step(&self) -> Result<(), Halt> {
        self.spend(1)
    }

    /// So many values of a stat change.
    pub(crate) fn shift(&self, values: usize) -> Result<(), Halt> {
        let more = values / VALUES_IN_ONE;
        self.spend(u32::try_from(more).unwrap_or(u32::MAX).saturating_add(1))
    }

    fn spend(&self, steps: u32) -> Result<(), Halt> {
        self.steps.set(self.steps.get().saturating_add(steps));
        match self.steps.get() > MOST_STEPS {
            true => Err(Halt::Effort),
            false => Ok(()),
        }
    }

    pub(crate) fn deeper(&self) -> Result<Deeper<'_>, Halt> {
        self.step()?;
        if self.depth.get() >= DEEPEST {
            return Err(Halt::Effort);
        }
        self.depth.set(self.depth.get() + 1);
        Ok(Deeper(&self.depth))
    }
}

impl Drop for Deeper<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}
