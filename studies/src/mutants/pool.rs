//! Judges mutants in processes of their own: one may bring the compiler down or never end, and what
//! was loaded stays in memory.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use super::{Catcher, Judge, Outcome};
use gemm_tests::{Failure, Golden};

/// Mutants that one process judges before another takes over.
const MUTANTS_OF_A_PROCESS: usize = 200;

/// How to start a process that [`serve`]s one golden.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The program `mutants`.
    pub program: PathBuf,
    /// Whose mutants.
    pub golden: &'static str,
    /// The most time for one mutant.
    pub limit: Duration,
}

/// Why mutants could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// A process did not start, or its pipe broke.
    #[error("a process of the judge: {0}")]
    Io(#[from] io::Error),
    /// A process sent what was not expected.
    #[error("a process of the judge sent `{0}`")]
    Protocol(String),
    /// An error that is not a mutant's fault.
    #[error("{0}")]
    Judge(String),
}

/// Judges mutants by their numbers, `jobs` at a time; `done` is told of each.
///
/// # Errors
/// The first error that is not a mutant's fault.
pub fn judge_all(
    worker: &Worker,
    numbers: &[usize],
    jobs: usize,
    done: &(dyn Fn(usize, &Outcome) + Sync),
) -> Result<Vec<(usize, Outcome)>, PoolError> {
    let next = AtomicUsize::new(0);
    let judged = Mutex::new(Ok(Vec::with_capacity(numbers.len())));
    let work = || {
        let mut process = None;
        while let Some(number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = worker.judge(&mut process, *number);
            let mut judged = judged.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(outcomes) = judged.as_mut() else { break };
            match outcome {
                Ok(outcome) => {
                    done(*number, &outcome);
                    outcomes.push((*number, outcome));
                }
                Err(error) => *judged = Err(error),
            }
        }
    };
    thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(work))));
    let mut judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    judged.sort_by_key(|(number, _)| *number);
    Ok(judged)
}

/// The other side of [`judge_all`]: judges the mutants whose numbers come in, a line each, until
/// there are no more.
///
/// # Errors
/// A broken pipe.
pub fn serve(golden: &'static Golden) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut answer = |line: String| writeln!(out, "{line}").and_then(|()| out.flush());
    let judge = Judge::new(golden);
    answer(serde_json::to_string(&judge.as_ref().map(drop).map_err(Failure::to_string))?)?;
    let Ok(judge) = judge else { return Ok(()) };
    for line in io::stdin().lock().lines() {
        let number = line?.parse().map_err(io::Error::other)?;
        let outcome = judge.judge(number).map_err(|failure| failure.to_string());
        answer(serde_json::to_string(&outcome)?)?;
    }
    Ok(())
}

/// A running process.
struct Process {
    child: Child,
    to: ChildStdin,
    lines: Receiver<String>,
    judged: usize,
}

impl Worker {
    /// One mutant, by the process that is given or a new one.
    fn judge(&self, process: &mut Option<Process>, number: usize) -> Result<Outcome, PoolError> {
        let kept = process.take().filter(|process| process.judged < MUTANTS_OF_A_PROCESS);
        let mut running = match kept {
            Some(running) => running,
            None => self.start()?,
        };
        running.judged += 1;
        writeln!(running.to, "{number}")?;
        let (by, how) = match running.lines.recv_timeout(self.limit) {
            Ok(line) => {
                *process = Some(running);
                let outcome: Result<Outcome, String> =
                    serde_json::from_str(&line).map_err(|_| PoolError::Protocol(line))?;
                return outcome.map_err(PoolError::Judge);
            }
            Err(RecvTimeoutError::Timeout) => (Catcher::Endless, "no answer in time"),
            Err(RecvTimeoutError::Disconnected) => (Catcher::Crash, "the process ended"),
        };
        Ok(Outcome::Caught { by, how: how.to_owned() })
    }

    fn start(&self) -> Result<Process, PoolError> {
        let mut child = Command::new(&self.program)
            .args(["--serve", self.golden])
            // Nothing compiles twice, so nothing is to be kept.
            .env("GEMM_CACHE_DIR", "")
            // There are as many processes as there is to be work at a time.
            .env("RAYON_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (to, from) = pipes.ok_or_else(|| io::Error::other("a process without pipes"))?;
        let (send, lines) = channel();
        // Ends with the process, or when nobody listens any more.
        thread::spawn(move || {
            let mut lines = BufReader::new(from).lines().map_while(Result::ok);
            lines.try_for_each(|line| send.send(line))
        });
        let process = Process { child, to, lines, judged: 0 };
        let ready = process.lines.recv().map_err(|_| {
            PoolError::Judge(format!("{} ended at its start", self.program.display()))
        })?;
        match serde_json::from_str::<Result<(), String>>(&ready) {
            Ok(Ok(())) => Ok(process),
            Ok(Err(what)) => Err(PoolError::Judge(what)),
            Err(_) => Err(PoolError::Protocol(ready)),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
