//! Best-first search with bounds, on an explicit stack.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::Effort;
use super::interval::{ANYTHING, Interval, around_score, seen_by, share};
use super::met::{Doubt, Known, LEFT, MET, Meeting, OPEN};
use super::worth::{Next, WIDE, Wide, Worth, beaten, best, most_promising};
use crate::limits::Limits;
use crate::model::Scratch;
use crate::order::way_round;
use crate::page::Full;
use crate::progress::Observer;
use crate::rows::RowsWriter;
use crate::{Bounds, Error, Game, Phase, Player};

/// A state that was left unfinished this many times is solved completely at the next visit, so that
/// windows cannot make the search evaluate a state for ever.
const VISITS: u8 = 2;

/// The number of states at which the search first checks whether it pays. It checks again each time
/// the number has doubled.
const FIRST_CHECK: usize = 256;
/// There is no check beyond this number, by which most of the cost has been paid.
const LAST_CHECK: usize = 8_192;
/// If the search gives up, up to this many states are visited anew. Numbered breadth first, they
/// lie close together in memory and are solved faster, which saves more than the visits cost.
const FORGOTTEN: usize = 1_024;

/// A state on the stack.
#[derive(Clone, Copy, Debug)]
struct Frame {
    state: u32,
    /// The choice being forced, and where its remaining outcomes begin, the most informative last:
    /// `order[first..]`.
    choice: u32,
    first: usize,
    /// The outcome being evaluated, what was known about it before, and its share; zero if there is
    /// none.
    asked: u32,
    before: Interval,
    part: f64,
    /// Whether no outcome has been forced since the choice was selected.
    fresh: bool,
    /// The approximate current bounds of the choice, from the player's point of view.
    worth: Interval,
    /// The current bounds of the other choices: if the choice falls below the first value, it is
    /// beaten; below the second, another one looks better.
    beaten: f64,
    second: f64,
    /// The number of outcomes that are forced before another choice may be selected.
    patience: u32,
    /// The values of interest: beyond them, the state that asked only needs to know on which side
    /// the value lies.
    window: Interval,
}

pub(super) struct Search<'a, G: Game + ?Sized, B> {
    pub(super) game: &'a G,
    pub(super) bounds: &'a B,
    /// The range of all scores.
    pub(super) range: Interval,
    pub(super) windows: bool,
    /// Whether choices that may be as good as the best one are evaluated.
    pub(super) ties: bool,
    pub(super) limits: Limits,
    pub(super) states: IndexSet<G::State, FxBuildHasher>,
    pub(super) known: Vec<Known>,
    pub(super) rows: RowsWriter,
    /// The number of states that are solved.
    pub(super) solved: u32,
    pub(super) effort: Effort,
    scratch: Scratch<G>,
    stack: Vec<Frame>,
    order: Vec<(f64, u32)>,
    worths: Vec<Worth>,
    /// What is known about the wide states on the stack.
    wide: Vec<Wide>,
    /// The number of outcomes of the choices of all solved states, and how many of them were not
    /// needed. If the latter is a smaller fraction than this, the search gives up.
    outcomes: u64,
    skipped: u64,
    pub(super) eager_below: f64,
    /// The number of states at the last check.
    checked: usize,
    /// Whether bounds are still needed.
    bounded: bool,
}

impl<'a, G: Game + ?Sized, B: Bounds<G::State>> Search<'a, G, B> {
    pub(super) fn new(
        game: &'a G,
        bounds: &'a B,
        range: Interval,
        [windows, ties]: [bool; 2],
        eager_below: f64,
        limits: Limits,
    ) -> Self {
        Search {
            game,
            bounds,
            range,
            windows,
            ties,
            limits: Limits {
                states: limits.states.min(OPEN as usize),
                ..limits
            },
            states: IndexSet::default(),
            known: Vec::new(),
            rows: RowsWriter::default(),
            solved: 0,
            effort: Effort::default(),
            scratch: Scratch::new(),
            stack: Vec::new(),
            order: Vec::new(),
            worths: Vec::new(),
            wide: Vec::new(),
            outcomes: 0,
            skipped: 0,
            eager_below,
            checked: 0,
            bounded: true,
        }
    }

    /// Solves `start`. Afterwards it is known which choices may be best in each state that they
    /// lead to, and all of these states are solved.
    pub(super) fn run(
        &mut self,
        start: G::State,
        observer: &mut Observer<'_>,
    ) -> Result<(), Error> {
        self.meeting().number(&start)?;
        self.enter(0, ANYTHING, observer)?;
        while let Some(&frame) = self.stack.last() {
            if self.checked < self.effort.expanded {
                self.checked = self.effort.expanded;
                if self.does_not_pay() {
                    self.explore(&start, observer)?;
                    break;
                }
            }
            match self.next_outcome(frame)? {
                Some((state, window)) => self.enter(state, window, observer)?,
                None => self.appraise(false)?,
            }
        }
        observer.tick(
            Phase::Exploring,
            self.effort.expanded,
            Some(self.effort.expanded),
        )
    }

    fn meeting(&mut self) -> Meeting<'_, G, B> {
        Meeting {
            game: self.game,
            states: &mut self.states,
            known: &mut self.known,
            rows: &mut self.rows,
            bounds: self.bounds,
            range: self.range,
            limits: &self.limits,
            bounded: self.bounded,
        }
    }

    /// Visits a state that is not solved.
    fn enter(
        &mut self,
        state: u32,
        window: Interval,
        observer: &mut Observer<'_>,
    ) -> Result<(), Error> {
        let known = &mut self.known[state as usize];
        let new = known.mark == MET;
        let window = if known.visits < VISITS {
            window
        } else {
            ANYTHING
        };
        known.visits = known.visits.saturating_add(1);
        known.mark = OPEN;
        if new {
            self.effort.expanded += 1;
            observer.tick(Phase::Exploring, self.effort.expanded, None)?;
            if self.expand(state)? {
                return Ok(());
            }
        }
        self.stack.push(Frame {
            state,
            choice: 0,
            first: self.order.len(),
            asked: 0,
            before: ANYTHING,
            part: 0.0,
            fresh: true,
            worth: ANYTHING,
            beaten: f64::NEG_INFINITY,
            second: f64::NEG_INFINITY,
            patience: 0,
            window,
        });
        // The choices are appraised at once, in case they do not need their outcomes.
        self.appraise(true)
    }

    /// Writes the row of a state. Returns true if the game ends there, so that the state is solved.
    fn expand(&mut self, number: u32) -> Result<bool, Error> {
        let state = match self.states.get_index(number as usize) {
            Some(state) => state.clone(),
            None => return Ok(false),
        };
        let Scratch { node, page } = &mut self.scratch;
        // The state to be expanded is already counted.
        let done = self.effort.expanded.saturating_sub(1);
        self.limits
            .fill(node, self.game, &state, self.rows.outcomes(), done)?;
        let mut meeting = Meeting {
            game: self.game,
            states: &mut self.states,
            known: &mut self.known,
            rows: &mut self.rows,
            bounds: self.bounds,
            range: self.range,
            limits: &self.limits,
            bounded: self.bounded,
        };
        page.write(
            node,
            number,
            true,
            || self.game.describe(&state),
            |successor| meeting.number(successor),
        )?;
        if node.pays() {
            return Err(Error::RewardInLazy {
                state: self.game.describe(&state),
            });
        }
        let met = self.states.len();
        let full = |full: Full| full.among(met);
        let score = node.score();
        self.rows
            .put_page(number as usize, page, score)
            .map_err(full)?;
        let Some(score) = score else {
            return Ok(false);
        };
        if self.bounded {
            let value = around_score(score).unwrap_or(ANYTHING);
            self.narrow(number, value)?;
        }
        let solved = self.solved;
        self.known[number as usize].mark = solved;
        self.solved += 1;
        Ok(true)
    }

    /// Records that the value of a state lies in `value`, too.
    #[inline]
    fn narrow(&mut self, state: u32, value: Interval) -> Result<(), Error> {
        let [lower, upper] = self.known[state as usize].value;
        let narrowed = [lower.max(value[0]), upper.min(value[1])];
        if narrowed[0] > narrowed[1] {
            return Err(self.contradiction(state, narrowed));
        }
        self.known[state as usize].value = narrowed;
        Ok(())
    }

    #[cold]
    fn contradiction(&self, state: u32, [lower, upper]: Interval) -> Error {
        let state = self.states.get_index(state as usize);
        Error::BadBound {
            state: state.map_or_else(String::new, |state| self.game.describe(state)),
            lower: lower.to_string(),
            upper: upper.to_string(),
        }
    }

    /// Returns the next outcome of the choice being forced, and the window in which its value is of
    /// interest; `None` if the choices should be compared again.
    #[inline]
    fn next_outcome(&mut self, mut frame: Frame) -> Result<Option<(u32, Interval)>, Error> {
        let row = self.rows.rows().row(frame.state as usize);
        let Some((targets, odds)) = row.choice(frame.choice as usize) else {
            return Ok(None);
        };
        if frame.part > 0.0 {
            let after = seen_by(row.player, self.known[frame.asked as usize].value);
            for (worth, (after, before)) in
                frame.worth.iter_mut().zip(after.iter().zip(frame.before))
            {
                *worth += (after - before) * frame.part;
            }
            frame.part = 0.0;
        }
        let [alpha, beta] = seen_by(row.player, frame.window);
        let stopping = frame.worth[1] <= frame.beaten
            || (frame.patience == 0 && frame.worth[1] < frame.second)
            || frame.worth[1] <= alpha
            || frame.worth[0] >= beta;
        if stopping && !frame.fresh {
            return Ok(None);
        }
        while self.order.len() > frame.first {
            let Some((_, outcome)) = self.order.pop() else {
                break;
            };
            let target = targets[outcome as usize];
            let known = self.known[target as usize];
            self.effort.forced += 1;
            if known.mark < OPEN {
                // It was solved on the way to another outcome.
                continue;
            }
            if known.mark == OPEN {
                return Err(self.cycle(target));
            }
            frame.asked = target;
            frame.before = seen_by(row.player, known.value);
            frame.part = share(&odds, outcome as usize);
            frame.fresh = false;
            frame.patience = frame.patience.saturating_sub(1);
            let window = if self.windows {
                let wanted = [alpha.max(frame.beaten), beta];
                seen_by(row.player, alone(&frame, wanted))
            } else {
                ANYTHING
            };
            if let Some(top) = self.stack.last_mut() {
                *top = frame;
            }
            return Ok(Some((target, window)));
        }
        Ok(None)
    }

    #[cold]
    fn cycle(&self, back_to: u32) -> Error {
        let round = self.stack.iter().map(|frame| frame.state);
        let round = round.skip_while(|&state| state != back_to);
        let name = |state: u32| match self.states.get_index(state as usize) {
            Some(state) => self.game.describe(state),
            None => String::new(),
        };
        let round: Vec<u32> = round.chain([back_to]).collect();
        Error::Cycle {
            path: way_round(&round, name),
        }
    }

    /// Reads the bounds of the state on top of the stack, for the first time or again. Leaves the
    /// state if there is nothing left to do, otherwise selects a choice to force.
    fn appraise(&mut self, first: bool) -> Result<(), Error> {
        let Some(&frame) = self.stack.last() else {
            return Ok(());
        };
        self.effort.appraised += 1;
        self.order.truncate(frame.first);
        let row = self.rows.rows().row(frame.state as usize);
        let wide = row.len() > WIDE;
        let owned = seen_by(row.player, self.known[frame.state as usize].value);
        let before = if wide && !first {
            self.wide.pop()
        } else {
            None
        };
        if let Some(mut before) = before
            && let Some(next) = self.read_again(frame.state, &mut before)?
        {
            if self.force(frame, next)? {
                self.wide.push(before);
            }
            return Ok(());
        }
        self.read_all(frame.state)?;
        let best = best(&self.worths);
        let worth = self.worths[best];
        let most = self
            .worths
            .iter()
            .fold(f64::NEG_INFINITY, |most, worth| most.max(worth.most));
        if let Some((target, second)) = most_promising(&self.worths, best, self.ties) {
            let others = self.worths.iter();
            let others = others.filter(|worth| worth.choice != target.choice);
            let next = Next {
                lowest: worth.value[0],
                most,
                target,
                second,
                beaten: others.fold(f64::NEG_INFINITY, |most, worth| most.max(worth.value[0])),
            };
            if self.force(frame, next)? && wide {
                let worths = std::mem::take(&mut self.worths);
                self.wide.push(Wide::new(worths, best, self.ties));
            }
            return Ok(());
        }
        self.closer(frame.state, [worth.value[0], most])?;
        let (lower, ties) = (worth.value[0], self.ties);
        let rival =
            |(place, one): (usize, &Worth)| place != best && !beaten(one.value[1], lower, ties);
        let several = self.worths.iter().enumerate().any(rival);
        let known = &mut self.known[frame.state as usize];
        known.choice = worth.choice as u16;
        known.doubt = Doubt::new(several, worth.value[0] < owned[0] || most > owned[1]);
        let solved = self.solved;
        self.solved += 1;
        self.count_skipped(frame.state);
        self.leave(frame, solved);
        Ok(())
    }

    /// Forces the choice that looks best. If the result is no longer of interest, leaves the state
    /// and returns false.
    #[inline]
    fn force(&mut self, frame: Frame, next: Next) -> Result<bool, Error> {
        let [lowest, most] = self.closer(frame.state, [next.lowest, next.most])?;
        let player = self.rows.rows().row(frame.state as usize).player;
        let [alpha, beta] = seen_by(player, frame.window);
        if most <= alpha || lowest >= beta {
            self.effort.cut += 1;
            self.leave(frame, LEFT);
            return Ok(false);
        }
        self.line_up(frame.state, next.target.choice);
        let left = self.order.len() - frame.first;
        if let Some(top) = self.stack.last_mut() {
            *top = Frame {
                choice: next.target.choice,
                worth: next.target.value,
                fresh: true,
                part: 0.0,
                beaten: next.beaten,
                second: next.second,
                // Switching at each outcome would read long choices too often.
                patience: (left / 16).max(1) as u32,
                ..frame
            };
        }
        Ok(true)
    }

    /// Narrows the bounds of a state and returns them, from the player's point of view.
    #[inline]
    fn closer(&mut self, state: u32, value: Interval) -> Result<Interval, Error> {
        let player = self.rows.rows().row(state as usize).player;
        self.narrow(state, seen_by(player, value))?;
        Ok(seen_by(player, self.known[state as usize].value))
    }

    /// Reads the current bounds of all choices of a state.
    fn read_all(&mut self, state: u32) -> Result<(), Error> {
        let row = self.rows.rows().row(state as usize);
        let player = row.player;
        let highest = seen_by(player, self.known[state as usize].value)[1];
        self.worths.clear();
        for (choice, targets, odds) in row.choices() {
            let worth = Worth::read(&self.known, choice, player, targets, &odds);
            self.worths.push(self.cut(state, player, worth, highest)?);
        }
        Ok(())
    }

    /// Reads again the bounds of the choice that was forced, and returns the choice that looks most
    /// promising then; `None` if there is none.
    fn read_again(&self, state: u32, wide: &mut Wide) -> Result<Option<Next>, Error> {
        let row = self.rows.rows().row(state as usize);
        let player = row.player;
        let highest = seen_by(player, self.known[state as usize].value)[1];
        while let Some(choice) = wide.most_promising() {
            let Some((targets, odds)) = row.choice(choice) else {
                break;
            };
            let worth = Worth::read(&self.known, choice, player, targets, &odds);
            if let Some(next) = wide.put(self.cut(state, player, worth, highest)?) {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Records that a state, and therefore each of its choices, is worth no more than `highest`.
    #[inline]
    fn cut(
        &self,
        state: u32,
        player: Player,
        mut worth: Worth,
        highest: f64,
    ) -> Result<Worth, Error> {
        if worth.value[0] > highest {
            return Err(self.contradiction(state, seen_by(player, [worth.value[0], highest])));
        }
        worth.value[1] = worth.value[1].min(highest);
        Ok(worth)
    }

    /// Counts the outcomes that a solved state did not need.
    #[inline]
    fn count_skipped(&mut self, state: u32) {
        let row = self.rows.rows().row(state as usize);
        for worth in &self.worths {
            let outcomes = row.targets(worth.choice as usize).len() as u64;
            self.outcomes += outcomes;
            self.skipped += outcomes * u64::from(!worth.complete);
        }
    }

    /// Returns whether a check is due and shows that the search does not pay: less than the
    /// required fraction of all outcomes could be skipped in the states solved so far.
    #[inline]
    fn does_not_pay(&self) -> bool {
        (FIRST_CHECK..=LAST_CHECK).contains(&self.effort.expanded)
            && self.effort.expanded.is_power_of_two()
            && (self.skipped as f64) < self.eager_below * self.outcomes as f64
    }

    /// Visits all remaining states, so that they can be solved eagerly.
    fn explore(&mut self, start: &G::State, observer: &mut Observer<'_>) -> Result<(), Error> {
        self.bounded = false;
        self.effort.eager = true;
        if self.effort.expanded <= FORGOTTEN {
            self.states.clear();
            self.known.clear();
            self.rows = RowsWriter::default();
            self.effort.expanded = 0;
            self.meeting().number(start)?;
        }
        let mut number = 0;
        while number < self.known.len() {
            if self.known[number].mark == MET {
                self.effort.expanded += 1;
                self.expand(number as u32)?;
                observer.tick(Phase::Exploring, self.effort.expanded, None)?;
            }
            number += 1;
        }
        Ok(())
    }

    /// Puts the unknown outcomes of a choice on the order, the most informative last; of equal
    /// ones, the first.
    #[inline]
    fn line_up(&mut self, state: u32, choice: u32) {
        let first = self.order.len();
        let row = self.rows.rows().row(state as usize);
        let Some((targets, odds)) = row.choice(choice as usize) else {
            return;
        };
        for (outcome, &target) in targets.iter().enumerate() {
            let known = self.known[target as usize];
            if known.mark >= OPEN {
                let doubt = share(&odds, outcome) * (known.value[1] - known.value[0]);
                self.order.push((doubt, outcome as u32));
            }
        }
        let order = &mut self.order[first..];
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    }

    /// Returns to the state that asked.
    #[inline]
    fn leave(&mut self, frame: Frame, mark: u32) {
        self.known[frame.state as usize].mark = mark;
        self.stack.pop();
    }
}

/// Returns the bounds within which the value of one outcome must lie for its choice to stay within
/// `wanted`. These are the windows of Star1 (B. W. Ballard, "The *-minimax search procedure for
/// trees containing chance nodes", Artificial Intelligence 21, 1983). Star1 assumes that all scores
/// lie in one range; here, each outcome has its own. The windows only tell when to stop, and
/// nothing is proven by them.
fn alone(frame: &Frame, wanted: Interval) -> Interval {
    let lower = frame.before[1] - (frame.worth[1] - wanted[0]) / frame.part;
    let upper = frame.before[0] + (wanted[1] - frame.worth[0]) / frame.part;
    // If nothing is known yet, these are not numbers.
    [lower.max(f64::NEG_INFINITY), upper.min(f64::INFINITY)]
}
