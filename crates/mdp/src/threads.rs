//! How many threads work on a game.

use crate::Error;

/// Who computes: the thread that asks, unless the feature `rayon` is there and
/// more were asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Threads(#[cfg(feature = "rayon")] Option<usize>);

/// More threads than any machine has cores for are a slip.
#[cfg(feature = "rayon")]
pub(crate) const MOST: usize = 1024;

impl Threads {
    /// Refuses what no machine has, before anything is worked out.
    pub(crate) fn check(self) -> Result<(), Error> {
        #[cfg(feature = "rayon")]
        if let Some(threads) = self.0.filter(|threads| *threads > MOST) {
            return Err(Error::Threads {
                threads,
                why: format!("{MOST} are the most"),
            });
        }
        Ok(())
    }
}

#[cfg(feature = "rayon")]
impl Threads {
    pub(crate) fn new(threads: usize) -> Self {
        Threads(Some(threads))
    }

    /// Where the threads come from; `None` if nobody is to help.
    pub(crate) fn pool(self) -> Result<Option<Pool>, Error> {
        self.check()?;
        match self.0 {
            None | Some(1) => Ok(None),
            Some(0) => Ok(Some(Pool::Current)),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.map(|pool| Some(Pool::Own(pool)))
                    .map_err(|why| Error::Threads {
                        threads,
                        why: why.to_string(),
                    })
            }
        }
    }
}

/// Threads that are there.
#[cfg(feature = "rayon")]
#[derive(Debug)]
pub(crate) enum Pool {
    /// Those of the pool in which the solver was called: rayon's global one if
    /// in none.
    Current,
    /// Those started for one solve.
    Own(rayon::ThreadPool),
}

#[cfg(feature = "rayon")]
impl Pool {
    /// How many.
    pub(crate) fn threads(&self) -> usize {
        match self {
            Pool::Current => rayon::current_num_threads(),
            Pool::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Does the work in these threads.
    pub(crate) fn run(&self, work: impl FnOnce() + Send) {
        match self {
            Pool::Current => work(),
            Pool::Own(pool) => pool.install(work),
        }
    }
}
