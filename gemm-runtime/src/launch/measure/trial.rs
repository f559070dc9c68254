//! [`fastest`]: runs and times the kernels among which a launch chooses.

use gemm_codegen::{Element, Factors, Kernel};

use crate::error::Error;
use crate::launch::bound::Bound;
use crate::launch::choice::candidate::Candidate;
use crate::launch::choice::query::LaunchQuery;
use crate::launch::measure::agree;
use crate::launch::measure::scratch::Scratch;
use crate::launch::run;
use crate::tuning::Clock;

/// Candidates that are measured, those with the best estimates: at 118 shapes of f16 on an H200 the
/// fastest of twelve takes 1.0007 times as long as the fastest of all, geometric mean, and at most 1.03
/// times. Each may have to be compiled.
const MOST: usize = 12;

/// Candidates estimated to take this many times the best estimate are not measured: estimates are
/// off by less.
const HOPELESS: f64 = 3.0;

/// Why a kernel is left out.
#[derive(Debug, thiserror::Error)]
enum LeftOut {
    #[error(transparent)]
    Failed(#[from] Error),
    #[error("its output is {distance:.1e} of its norm from that of the first, at most {bound:.1e}")]
    Differs { distance: f64, bound: f64 },
}

/// A candidate with the seconds of a launch.
type Measured<'k> = (Candidate<'k>, f64);

/// Outputs with their elements.
type Outputs = Vec<(Element, Vec<u8>)>;

/// The outputs of the first kernel that ran.
struct Expected {
    outputs: Outputs,
    /// How it rounded its factors.
    rounded: Factors,
}

/// Measures the candidates, which are sorted by their estimates. The result is the fastest of those
/// that run and agree with the first one that runs; `None` if there is no choice, or if the arguments
/// do not fit, for which the launch returns the error.
///
/// # Errors
/// Too little memory to measure any of them.
pub(super) fn fastest<'k>(
    clock: &mut dyn Clock,
    query: &LaunchQuery<'_>,
    candidates: &[Candidate<'k>],
) -> Result<Option<Measured<'k>>, Error> {
    let least = candidates.first().map_or(0.0, |candidate| candidate.seconds);
    let is_hopeless = |candidate: &&Candidate<'k>| candidate.seconds > HOPELESS * least;
    let best = candidates.iter().take(MOST);
    let hopeful: Vec<_> = best.take_while(|one| !is_hopeless(one)).collect();
    if hopeful.len() < 2 || query.is_empty() {
        return Ok(None);
    }
    clock.ready()?;
    let mut trial = Trial { query, scratch: Scratch::new(query)?, expected: None };
    if !trial.arguments_fit() {
        return Ok(None);
    }
    let mut fastest: Option<Measured<'k>> = None;
    for &candidate in hopeful {
        let id = candidate.choice.id();
        match trial.run(clock, candidate.choice.kernel()) {
            Ok(seconds) => {
                tracing::debug!("{id}: {:.2} µs", 1e6 * seconds);
                if fastest.is_none_or(|(_, least)| seconds < least) {
                    fastest = Some((candidate, seconds));
                }
            }
            Err(reason) => {
                let name = &query.kernels.first().name;
                tracing::warn!(%reason, "{name}: {id} is left out of the measurement");
            }
        }
    }
    Ok(fastest)
}

/// The launches of a measurement.
struct Trial<'a> {
    query: &'a LaunchQuery<'a>,
    scratch: Scratch,
    expected: Option<Expected>,
}

impl Trial<'_> {
    fn arguments_fit(&mut self) -> bool {
        let Trial { query, scratch, .. } = self;
        let arguments = scratch.arguments(query);
        Bound::new(query.device, query.kernels.first(), arguments, None).is_ok()
    }

    /// Seconds of a launch of a kernel whose outputs are the expected ones.
    fn run(&mut self, clock: &mut dyn Clock, kernel: &Kernel) -> Result<f64, LeftOut> {
        let Trial { query, scratch, .. } = self;
        scratch.clear()?;
        run::into(query.device, kernel, scratch.arguments(query))?;
        self.compare(kernel)?;
        let Trial { query, scratch, .. } = self;
        let mut prepared = run::prepare(query.device, kernel, scratch.arguments(query))?;
        Ok(clock.seconds(kernel, &mut || prepared.launch())?)
    }

    /// Compares the outputs with the expected ones. Those of the first kernel become the expected ones.
    fn compare(&mut self, kernel: &Kernel) -> Result<(), LeftOut> {
        let (outputs, rounded) = (self.scratch.download()?, kernel.factors);
        let Some(expected) = &self.expected else {
            self.expected = Some(Expected { outputs, rounded });
            return Ok(());
        };
        let factors = match expected.rounded == rounded {
            true => agree::Factors::Alike(self.query.factor()),
            false => agree::Factors::OfOtherTies,
        };
        for ((element, expected), (_, got)) in expected.outputs.iter().zip(&outputs) {
            let bound = agree::bound(factors, *element, self.query.key.shape[2]);
            let distance = agree::distance(*element, expected, got);
            if distance > bound {
                return Err(LeftOut::Differs { distance, bound });
            }
        }
        Ok(())
    }
}
