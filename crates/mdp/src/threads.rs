//! The number of threads that work on a game.

use crate::Error;

/// The threads that compute: the calling thread only, unless the feature `rayon` is enabled and
/// more were requested.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Threads(#[cfg(feature = "rayon")] Option<usize>);

/// The maximum number of threads. No machine has cores for more, so a larger number is a mistake.
#[cfg(feature = "rayon")]
pub(crate) const MOST: usize = 1024;

impl Threads {
    /// Returns an error for a number of threads that no machine supports, before any work.
    pub(crate) fn check(self) -> Result<(), Error> {
        #[cfg(feature = "rayon")]
        if let Some(threads) = self.0.filter(|threads| *threads > MOST) {
            return Err(Error::Threads {
                threads,
                why: format!("the limit is {MOST}"),
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

    /// Returns the source of the threads, or `None` if only the calling thread is to work.
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

/// Available threads.
#[cfg(feature = "rayon")]
#[derive(Debug)]
pub(crate) enum Pool {
    /// Those of the pool in which the solver was called: rayon's global pool if it was called in
    /// none.
    Current,
    /// Threads started for one solve.
    Own(rayon::ThreadPool),
}

#[cfg(feature = "rayon")]
impl Pool {
    /// Returns the number of threads.
    pub(crate) fn threads(&self) -> usize {
        match self {
            Pool::Current => rayon::current_num_threads(),
            Pool::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Runs the work in these threads.
    pub(crate) fn run(&self, work: impl FnOnce() + Send) {
        match self {
            Pool::Current => work(),
            Pool::Own(pool) => pool.install(work),
        }
    }
}
