//! Limits for walking through one scene, and progress. Effects that follow each other are processed
//! by recursion, and branching effects multiply the steps.

use std::cell::Cell;

use crate::solver::limits::Halt;

/// The deepest nesting of effects and conditions; each takes some kilobytes of stack.
const DEEPEST: u32 = 600;
/// The most steps through one scene. A change of many values of a stat counts as several steps.
const MOST_STEPS: u32 = 3_000_000;
/// The number of values that change in one step.
const VALUES_IN_ONE: usize = 64;

/// The progress of a walk through one scene, and of the solver through all scenes.
#[derive(Debug, Default)]
pub(crate) struct Effort {
    depth: Cell<u32>,
    steps: Cell<u32>,
    scene: Cell<Option<u32>>,
    found: Cell<usize>,
    solved: Cell<usize>,
}

/// One level of recursion, for as long as this lives.
pub(crate) struct Deeper<'e>(&'e Cell<u32>);

impl Effort {
    /// Begins a new scene.
    pub(crate) fn begin(&self, scene: u32) {
        self.steps.set(0);
        self.scene.set(Some(scene));
    }

    /// The scene begun last, which is where a halted walk was.
    pub(crate) fn scene(&self) -> Option<u32> {
        self.scene.get()
    }

    /// Sets the number of regions found and solved.
    pub(crate) fn count(&self, found: usize, solved: usize) {
        self.found.set(found);
        self.solved.set(solved);
    }

    /// The number of regions found and solved.
    pub(crate) fn counted(&self) -> (usize, usize) {
        (self.found.get(), self.solved.get())
    }

    pub(crate) fn step(&self) -> Result<(), Halt> {
        self.spend(1)
    }

    /// Counts a change of this many values of a stat.
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
