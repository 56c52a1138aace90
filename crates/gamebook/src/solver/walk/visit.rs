//! Walks that only report which sheets arrive where.

use crate::solver::diagrams::gates::{Gate, Gates, Known, YES};
use crate::solver::limits::Halt;
use crate::solver::reach::extent::Span;
use crate::solver::walk::interpreter::{At, Ends, Fought, Interpreter, Region};

/// Receives all sheets that arrive somewhere.
pub(crate) trait Visit {
    fn gates(&mut self) -> &mut Gates;

    /// These sheets arrive at a region.
    fn come(&mut self, region: Region, at: &At) -> Result<(), Halt>;

    /// Where an option of a region is open.
    fn open(&mut self, _region: &Region, _option: usize) -> Gate {
        YES
    }
}

/// A walk that reports to a [`Visit`].
pub(crate) struct Visitor<'v, V>(pub(crate) &'v mut V);

impl<V: Visit> Interpreter for Visitor<'_, V> {
    type T = ();

    fn gates(&mut self) -> &mut Gates {
        self.0.gates()
    }

    fn end(&mut self, _won: bool) {}

    fn region(&mut self, region: Region, at: &At) -> Result<(), Halt> {
        self.0.come(region, at)
    }

    fn itself(&mut self, region: Region, at: &At) -> Result<(), Halt> {
        self.0.come(region, at)
    }

    fn open(&mut self, region: &Region, option: usize) -> Gate {
        self.0.open(region, option)
    }

    fn hold(&mut self, (): (), _bits: u128, _held: bool) -> Result<(), Halt> {
        Ok(())
    }

    fn gate(&mut self, _gate: Gate, (): (), (): ()) -> Result<(), Halt> {
        Ok(())
    }

    fn lose_one(&mut self, (): (), _mask: u128, _known: Known) -> Result<(), Halt> {
        Ok(())
    }

    fn shift(
        &mut self,
        (): (),
        _stat: usize,
        _from: Span,
        _into: Span,
        _to: &mut dyn FnMut(i16) -> Option<i16>,
    ) -> Result<(), Halt> {
        Ok(())
    }

    fn mix(&mut self, _at: &At, _parts: Vec<(u64, ())>, _total: u64) -> Result<(), Halt> {
        Ok(())
    }

    fn mix_by_value(
        &mut self,
        _at: &At,
        _stat: usize,
        _parts: Vec<(Vec<u64>, ())>,
        _totals: &[u64],
    ) -> Result<(), Halt> {
        Ok(())
    }

    fn choose(&mut self, _at: &At, _parts: Vec<(usize, ())>) -> Result<(), Halt> {
        Ok(())
    }

    fn play(&mut self, _at: &At, (): (), (): ()) -> Result<(), Halt> {
        Ok(())
    }

    fn patch(&mut self, _stat: usize, _whole: Span, _parts: Vec<(Span, ())>) -> Result<(), Halt> {
        Ok(())
    }

    fn fight(&mut self, _fight: &Fought, _at: &At, _bouts: Vec<Ends<()>>) -> Result<(), Halt> {
        Ok(())
    }

    fn choose_or_refresh(
        &mut self,
        _at: &At,
        _parts: Vec<(usize, ())>,
        _refreshed: Vec<()>,
    ) -> Result<(), Halt> {
        Ok(())
    }
}
