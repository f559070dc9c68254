//! [`Tuning`]: the recorded measurements by which a launch chooses its schedule.
//!
//! A launch of several kernels looks, in this order, at: the record given to [`Tuning::load`];
//! measurements of this or another process, recorded in a file next to the compiled kernels; a
//! measurement, which the first launch of a bucket of shapes makes and keeps. Otherwise the estimate
//! decides.

mod bucket;
mod clock;
mod measurement;
mod record;

use std::fmt;
use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cache::Cache;
use crate::error::Error;

pub(crate) use bucket::Bucket;
pub(crate) use clock::{Clock, Launch};
pub use measurement::Measurement;
use record::Record;
pub use record::RecordError;
pub(crate) use record::{Key, Measured};

/// Makes a clock.
type NewClock = dyn Fn() -> Box<dyn Clock> + Send + Sync;

/// Chooses among the schedules of a function by measurement:
/// [`Device::with_tuning`](crate::Device::with_tuning).
///
/// ```no_run
/// use gemm_runtime::Tuning;
/// use gemm_runtime::prelude::*;
///
/// #[gemm]
/// fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
///     matmul(x, w)
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device = Device::gpu(0)?.with_tuning(Tuning::new());
/// let (x, w) = (device.zeros::<f16>(64, 4096)?, device.zeros::<f16>(4096, 4096)?);
/// let y = linear(&device, &x, &w)?; // measures, unless that was done before
/// std::fs::write("tuning.toml", device.tuning().expect("it has one").record())?;
/// # Ok(())
/// # }
/// ```
///
/// # Measurements
///
/// The first launch of a bucket of shapes, or its `prepare`, compiles and times the schedules that
/// are legal for its shape, except those that are estimated to take three times as long as the best
/// estimate. Of each it takes the median of several launches, each after a write over the L2 cache, on
/// the device's stream. They read the operands and write to memory of their own: outputs are not
/// touched, in place or not. Meanwhile the call waits for the device, and needs memory for another set
/// of outputs and twice the L2 cache. A schedule that does not compile or run, or whose output is not
/// that of the first, is left out with a warning.
///
/// While the device's stream is captured nothing is measured, and where there is not enough memory
/// either: the launch takes the schedule that is estimated to be fastest. So does the emulator, which
/// has no clock.
///
/// # Buckets
///
/// A bucket is the device's model, the function's kernels, the alignments of the arguments (16 bytes
/// at most), and the shape with its extents rounded up: M and the number of matrices to two significant
/// bits (…, 64, 96, 128, 192, …), N and K to four (…, 4096, 4608, 5120, …), so that tokens that come
/// one by one are not measured one by one. Where the fastest of a bucket cannot run a shape of it, the
/// launch takes the best estimate.
///
/// # The record
///
/// Measurements are kept next to the compiled kernels, in the folder of `GEMM_CACHE_DIR`, and used by
/// later processes; if several processes need one at once, one measures. A file that is damaged costs
/// another measurement. [`record`](Tuning::record) has it as text, to be committed, and given to
/// [`load`](Tuning::load) on other machines with the same GPU.
pub struct Tuning {
    /// Tells tunings of one process apart; never 0.
    number: u64,
    known: Mutex<Known>,
    measures: bool,
    /// Held by the thread that measures: two at once would disturb each other.
    measuring: Mutex<()>,
    cache: Option<&'static Cache>,
    /// Used instead of the device's clock.
    clock: Option<Box<NewClock>>,
}

/// The known measurements, and where they are from.
#[derive(Debug, Default)]
struct Known {
    record: Record,
    /// The files that were read.
    read: Vec<String>,
}

impl Tuning {
    /// Measures each bucket once, unless the record has it.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// use gemm_runtime::Tuning;
    ///
    /// let device = Device::emulator().with_tuning(Tuning::new());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new() -> Tuning {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        Tuning {
            number: COUNT.fetch_add(1, Ordering::Relaxed),
            known: Mutex::default(),
            measures: true,
            measuring: Mutex::new(()),
            cache: Cache::global(),
            clock: None,
        }
    }

    /// The same with a text that [`record`](Self::record) wrote: it precedes the measurements of this
    /// machine, and buckets that it lacks are measured. `include_str!("tuning.toml")` puts it into a
    /// program.
    ///
    /// # Errors
    /// [`Error::TuningRecord`] if the text is not a record.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// use gemm_runtime::Tuning;
    ///
    /// let committed = Tuning::new().record(); // include_str!("tuning.toml")
    /// let device = Device::emulator().with_tuning(Tuning::load(&committed)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn load(text: &str) -> Result<Tuning, Error> {
        let tuning = Tuning::new();
        tuning.known().record = Record::parse(text).map_err(Error::TuningRecord)?;
        Ok(tuning)
    }

    /// The same without measurements, of this process or of earlier ones: the estimate decides where
    /// the record given to [`load`](Self::load) does not.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// use gemm_runtime::Tuning;
    ///
    /// let committed = Tuning::new().record();
    /// let device = Device::emulator().with_tuning(Tuning::load(&committed)?.only_loaded());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn only_loaded(self) -> Tuning {
        Tuning { measures: false, ..self }
    }

    /// All measurements so far, as TOML: loaded, found on disk or made, sorted.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// use gemm_runtime::Tuning;
    ///
    /// let device = Device::emulator().with_tuning(Tuning::new());
    /// // after some launches:
    /// if let Some(tuning) = device.tuning() {
    ///     println!("{}", tuning.record());
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn record(&self) -> String {
        self.known().record.to_text()
    }

    /// The same measurements as values.
    ///
    /// # Example
    /// ```
    /// use gemm_runtime::Tuning;
    ///
    /// for one in Tuning::new().measurements() {
    ///     println!("{} {:?}: {}, {} µs", one.function, one.shape, one.fastest, one.microseconds);
    /// }
    /// ```
    pub fn measurements(&self) -> Vec<Measurement> {
        self.known().record.measurements()
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The same with this clock.
    #[cfg(test)]
    pub(crate) fn with_clock(
        self,
        clock: impl Fn() -> Box<dyn Clock> + Send + Sync + 'static,
    ) -> Tuning {
        Tuning { clock: Some(Box::new(clock)), ..self }
    }

    /// The same with its record in this cache.
    #[cfg(test)]
    pub(crate) fn with_cache(self, cache: &'static Cache) -> Tuning {
        Tuning { cache: Some(cache), ..self }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it measures buckets that the record lacks.
    pub(crate) fn measures(&self) -> bool {
        self.measures
    }

    /// The clock to use instead of the device's.
    pub(crate) fn clock(&self) -> Option<Box<dyn Clock>> {
        self.clock.as_ref().map(|new| new())
    }

    /// The id of the fastest schedule, if it was loaded or measured before.
    pub(crate) fn fastest(&self, key: &Key) -> Option<String> {
        let known = self.known().record.fastest(key).map(str::to_owned);
        let file = key.file();
        if known.is_some() || !self.measures || self.known().read.contains(&file) {
            return known;
        }
        self.read(&file);
        self.known().record.fastest(key).map(str::to_owned)
    }

    /// Waits until no other thread or process measures, and reads their measurements.
    pub(crate) fn lock(&self, key: &Key) -> (Option<File>, MutexGuard<'_, ()>) {
        let thread = self.measuring.lock().unwrap_or_else(PoisonError::into_inner);
        let process = self.cache.and_then(Cache::lock_measuring);
        self.read(&key.file());
        (process, thread)
    }

    /// Keeps a measurement, in this process and on disk.
    pub(crate) fn keep(&self, measured: Measured) {
        tracing::info!("{measured}");
        if let Some(cache) = self.cache {
            let file = measured.key.file();
            // Without the loaded measurements, which are from another machine.
            let kept = cache.read_text(&file).and_then(|text| Record::parse(&text).ok());
            let mut kept = kept.unwrap_or_default();
            kept.set(measured.clone());
            cache.write_text(&file, &kept.to_text());
        }
        self.known().record.set(measured);
    }

    /// Adds the measurements of a file to the known ones.
    fn read(&self, file: &str) {
        let text = self.cache.and_then(|cache| cache.read_text(file));
        let record = text.map(|text| Record::parse(&text));
        let mut known = self.known();
        let again = known.read.iter().any(|read| read == file);
        match record {
            Some(Ok(record)) => known.record.add_missing(record),
            Some(Err(error)) if !again => {
                tracing::warn!(%error, "the tuning record {file} is damaged and is measured again");
            }
            _ => {}
        }
        if !again {
            known.read.push(file.to_owned());
        }
    }
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning::new()
    }
}

impl fmt::Debug for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tuning { number, known, measures, .. } = self;
        f.debug_struct("Tuning")
            .field("number", number)
            .field("known", known)
            .field("measures", measures)
            .finish_non_exhaustive()
    }
}
