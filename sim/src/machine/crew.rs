//! Work for the threads of a pool that stay awake from one quantum to the next.
//!
//! A quantum takes some ten microseconds. A pool sends threads that find nothing to do to sleep, and to wake one takes
//! about as long. So whoever is done early waits here, awake, until all are done.

use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How often to look before leaving the core to others: longer than a quantum.
const LOOKS: usize = 1 << 16;

/// Does all items on the threads of the pool that this is called in, each on the first that is free. The work must not
/// use the pool: it could wait for itself.
pub fn share<T: Send>(items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    together(|| {
        while let Some(item) = next() {
            work(item);
        }
    });
}

/// Does what only one thread can do, under the same rule.
pub fn alone(work: impl FnOnce() + Send) {
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take();
    together(|| {
        if let Some(work) = take() {
            work();
        }
    });
}

/// Runs a part on every thread; none goes before those that have begun are done.
fn together(part: impl Fn() + Sync) {
    let working = AtomicUsize::new(0);
    let threads = (0..rayon::current_num_threads()).into_par_iter().with_max_len(1);
    threads.for_each(|_| {
        {
            let _until_it_ends = Working::new(&working);
            part();
        }
        let mut looks = 0;
        while working.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks < LOOKS {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    });
}

/// Counted as long as it lives, also when its owner panics.
struct Working<'a>(&'a AtomicUsize);

impl<'a> Working<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Working(count)
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs in pools of different sizes, of which one has more threads than any computer has cores to spare.
    fn in_pools(check: impl Fn() + Sync) {
        for threads in [1, 2, 3, 16] {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(&check);
        }
    }

    #[test]
    fn every_item_is_done_once() {
        in_pools(|| {
            let mut done = [0; 100];
            share(done.iter_mut(), |count| *count += 1);
            assert_eq!(done, [1; 100]);
            let mut runs = 0;
            alone(|| runs += 1);
            assert_eq!(runs, 1);
        });
    }

    #[test]
    fn a_panic_is_passed_on_and_nobody_waits_for_it() {
        in_pools(|| {
            let panics = || share(0..100, |item| assert_ne!(item, 50, "planted"));
            assert!(std::panic::catch_unwind(panics).is_err());
        });
    }
}
