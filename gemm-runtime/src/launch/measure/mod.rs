//! Choosing by measurement instead of by estimate.

mod agree;
mod scratch;
mod trial;

use crate::launch::choice::candidate::Candidate;
use crate::launch::choice::query::LaunchQuery;
use crate::tuning::{Bucket, Key, Measured, Tuning};

/// The answer of a tuning to a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The fastest kernel has this number.
    Kernel(usize),
    /// Nothing is known, and nothing will be.
    Unknown,
    /// Nothing is known for now.
    Later,
}

/// The fastest of `candidates`, which can run this launch and are sorted by their estimates.
pub(super) fn answer(
    tuning: &Tuning,
    query: &LaunchQuery<'_>,
    candidates: &[Candidate<'_>],
) -> Answer {
    let key = key_of(query);
    let known = || known(&tuning.fastest(&key)?, query, candidates);
    if let Some(answer) = known() {
        return answer;
    }
    if !tuning.measures() {
        return Answer::Unknown;
    }
    if query.device.is_capturing() {
        return Answer::Later;
    }
    let clock = tuning.clock().or_else(|| query.device.clock());
    let Some(mut clock) = clock else { return Answer::Unknown };
    // Another thread or process may have measured it meanwhile.
    let _lock = tuning.lock(&key);
    if let Some(answer) = known() {
        return answer;
    }
    match trial::fastest(&mut *clock, query, candidates) {
        Ok(Some((fastest, seconds))) => {
            tuning.keep(Measured::new(key, fastest.choice.id(), seconds));
            Answer::Kernel(fastest.number)
        }
        Ok(None) => Answer::Unknown,
        Err(error) => {
            let name = &query.kernels.first().name;
            tracing::warn!(%error, "{name} is not tuned for {key}");
            Answer::Unknown
        }
    }
}

fn key_of(query: &LaunchQuery<'_>) -> Key {
    Key {
        device: query.device.model(),
        function: query.kernels.first().name.to_string(),
        kernels: query.kernels.fingerprint().to_owned(),
        alignment: query.alignments().collect(),
        copied: query.unreadable().map(str::to_owned).collect(),
        shape: Bucket::of(query.key.shape, query.key.batch),
    }
}

/// The answer that a recorded id gives. `None` for an unknown id, which was written by hand or by
/// another version.
fn known(id: &str, query: &LaunchQuery<'_>, candidates: &[Candidate<'_>]) -> Option<Answer> {
    query.kernels.choices().find(|choice| choice.id() == id)?;
    let legal = candidates.iter().find(|candidate| candidate.choice.id() == id);
    Some(legal.map_or(Answer::Unknown, |candidate| Answer::Kernel(candidate.number)))
}

#[cfg(test)]
mod tests;
