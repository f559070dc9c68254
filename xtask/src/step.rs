//! One command of a task: what it does and how long that usually takes is said before it runs, and
//! while it runs no second passes in silence.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use xshell::Cmd;

/// Makes the tests of `gemm-tests` print a line when one starts.
const STARTS_VARIABLE: &str = "GEMM_TEST_STARTS";

/// Runs a command that usually takes as long as `usual` says, from nothing and again.
pub(crate) fn run(what: &str, usual: &str, command: Cmd<'_>) -> Result<()> {
    eprintln!("{what} ({usual})\n$ {command}");
    let mut command = Command::from(command);
    let terminal = io::stderr().is_terminal();
    if terminal {
        command.env("CARGO_TERM_COLOR", "always");
    }
    command.env(STARTS_VARIABLE, "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("cannot start it")?;
    let (sender, lines) = mpsc::channel();
    let readers = [
        child.stdout.take().map(|out| forward(out, false, sender.clone())),
        child.stderr.take().map(|err| forward(err, true, sender)),
    ];
    let mut display = Display::new(terminal);
    loop {
        match lines.recv_timeout(Duration::from_secs(1)) {
            Ok((line, is_error)) => display.line(&line, is_error)?,
            Err(RecvTimeoutError::Timeout) => display.second(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    display.bar.finish_and_clear();
    readers.into_iter().flatten().for_each(|reader| drop(reader.join()));
    let status = child.wait()?;
    ensure!(status.success(), "{what}: {status}");
    Ok(())
}

/// Runs a command while others do. How long it takes depends on these, so that is not said.
pub(crate) fn aside(what: &str, _: &str, command: Cmd<'_>) -> Result<()> {
    Aside::start(what, command)?.finish()
}

/// A command that runs while others do, and what it has written.
pub(crate) struct Aside {
    what: String,
    child: Child,
    output: thread::JoinHandle<io::Result<String>>,
}

impl Aside {
    /// Starts a command.
    pub(crate) fn start(what: &str, command: Cmd<'_>) -> Result<Aside> {
        eprintln!("{what}, meanwhile\n$ {command}");
        let (mut reader, writer) = io::pipe()?;
        let mut command = Command::from(command);
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let child = command.spawn().context("cannot start it")?;
        // It has the ends that are written to: what is read ends when the command does.
        drop(command);
        let output = thread::spawn(move || io::read_to_string(&mut reader));
        Ok(Aside { what: what.to_owned(), child, output })
    }

    /// Waits for the command and shows what it has written.
    pub(crate) fn finish(mut self) -> Result<()> {
        let status = self.child.wait()?;
        if let Ok(output) = self.output.join() {
            print!("{}:\n{}", self.what, output?);
        }
        ensure!(status.success(), "{}: {status}", self.what);
        Ok(())
    }
}

/// Sends the lines of a pipe until it ends.
fn forward(
    pipe: impl Read + Send + 'static,
    is_error: bool,
    lines: Sender<(Vec<u8>, bool)>,
) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while pipe.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            if lines.send((std::mem::take(&mut line), is_error)).is_err() {
                return;
            }
        }
    })
}

/// The lines of a command, below them what it is at: a line that changes on a terminal, a dot for
/// each second of silence elsewhere.
struct Display {
    bar: ProgressBar,
    tests: Tests,
    dots: bool,
}

impl Display {
    fn new(terminal: bool) -> Display {
        let bar = if terminal { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(100));
        Display { bar, tests: Tests::default(), dots: false }
    }

    fn line(&mut self, line: &[u8], is_error: bool) -> io::Result<()> {
        let is_start = self.tests.read(&String::from_utf8_lossy(line));
        self.bar.set_message(self.tests.to_string());
        if is_start {
            return Ok(());
        }
        if std::mem::take(&mut self.dots) {
            eprintln!();
        }
        self.bar.suspend(|| match is_error {
            true => io::stderr().write_all(line),
            false => io::stdout().write_all(line).and_then(|()| io::stdout().flush()),
        })
    }

    fn second(&mut self) {
        if self.bar.is_hidden() {
            eprint!(".");
            self.dots = true;
        }
    }
}

/// Messages of test programs about themselves.
#[derive(Debug, Default)]
struct Tests {
    /// Of the program that runs.
    total: usize,
    done: usize,
    running: BTreeSet<String>,
}

impl Tests {
    /// Whether the line says that a test starts, and nothing else.
    fn read(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("running"), Some(total), Some("tests" | "test")) => {
                *self = Tests { total: total.parse().unwrap_or(0), ..Tests::default() };
            }
            (Some("test"), Some(name), Some("...")) => {
                self.running.remove(name);
                self.done += 1;
            }
            (Some("start"), Some(name), None) => {
                self.running.insert(name.to_owned());
                return true;
            }
            _ => {}
        }
        false
    }
}

impl std::fmt::Display for Tests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.total == 0 {
            return Ok(());
        }
        write!(f, "{} of {} tests", self.done, self.total)?;
        let names: Vec<&str> = self.running.iter().map(String::as_str).collect();
        if names.is_empty() { Ok(()) } else { write!(f, ", running {}", names.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_tests_says_which_run_and_how_many_are_done() {
        let mut tests = Tests::default();
        for line in ["running 3 tests\n", "test a::b ... ok\n", "   Compiling half v2.7.1\n"] {
            assert!(!tests.read(line));
        }
        assert!(tests.read("start c\n") && tests.read("start d\n"));
        assert_eq!(tests.to_string(), "1 of 3 tests, running c, d");
        assert!(!tests.read("test d                 ... FAILED\n"));
        assert_eq!(tests.to_string(), "2 of 3 tests, running c");
    }

    #[test]
    fn a_command_that_fails_is_an_error_that_names_it() {
        let sh = xshell::Shell::new().unwrap();
        run("succeeding", "no time", xshell::cmd!(sh, "true")).unwrap();
        let error = run("failing", "no time", xshell::cmd!(sh, "false")).unwrap_err().to_string();
        assert_eq!(error, "failing: exit status: 1");
    }

    #[test]
    fn a_command_beside_others_is_waited_for() {
        let sh = xshell::Shell::new().unwrap();
        let aside = |command| Aside::start("aside", command).unwrap().finish();
        aside(xshell::cmd!(sh, "true")).unwrap();
        let error = aside(xshell::cmd!(sh, "false")).unwrap_err().to_string();
        assert_eq!(error, "aside: exit status: 1");
    }
}
