//! Planted bugs: edits of a golden's text, each with the violation that the emulator finds, and
//! where. What a mutation run draws by rule is chosen here, one for each way to go wrong.

mod alignment;
mod barriers;
mod batches;
mod bounds;
mod cluster_splits;
mod clusters;
mod copies;
mod endless;
mod far;
mod fetched;
mod panels;
mod pdl;
pub(crate) mod plant;
mod races;
pub(crate) mod report;
mod splits;
mod tensors;
mod unwritten;
mod walking;
mod warpgroups;
mod warps;

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use gemm_emulator::{Fault, Violation};
use gemm_runtime::{Device, Error, Kernel, Shape};

use crate::cases::{SLOW, slow};
use crate::data::Alignment;
use crate::{FAR_MEMORY, Failure, Golden, Problem, goldens};

pub use plant::{Edit, Planted};
pub use report::{row, table};

/// The seed of every problem: the data do not matter, where the operands lie does.
const SEED: u64 = 1;

/// A kind of bug.
#[derive(Debug)]
pub struct Group {
    /// What the bugs have in common.
    pub title: &'static str,
    /// The bugs.
    pub bugs: &'static [Bug],
}

/// Every bug.
pub static GROUPS: &[Group] = &[
    Group { title: "Out of bounds", bugs: bounds::BUGS },
    Group { title: "Offsets of 32 bits", bugs: far::BUGS },
    Group { title: "Misaligned", bugs: alignment::BUGS },
    Group { title: "Never written", bugs: unwritten::BUGS },
    Group { title: "Races", bugs: races::BUGS },
    Group { title: "Blocks that share a tile", bugs: splits::BUGS },
    Group { title: "Asynchronous copies", bugs: copies::BUGS },
    Group { title: "Copies of tensors", bugs: tensors::BUGS },
    Group { title: "Panels of tensors", bugs: panels::BUGS },
    Group { title: "Warpgroups", bugs: warpgroups::BUGS },
    Group { title: "Blocks that walk over tiles", bugs: walking::BUGS },
    Group { title: "Epilogue tiles that are loaded ahead of time", bugs: fetched::BUGS },
    Group { title: "Batches of tensors", bugs: batches::BUGS },
    Group { title: "Clusters", bugs: clusters::BUGS },
    Group { title: "Clusters that share a tile", bugs: cluster_splits::BUGS },
    Group { title: "Programmatic dependent launch", bugs: pdl::BUGS },
    Group { title: "Barriers", bugs: barriers::BUGS },
    Group { title: "Warp instructions", bugs: warps::BUGS },
    Group { title: "Kernels that do not end", bugs: endless::BUGS },
];

/// One bug.
#[derive(Clone, Copy, Debug)]
pub struct Bug {
    /// What is wrong, in a few words.
    pub name: &'static str,
    /// The golden it is planted in.
    pub golden: &'static str,
    /// The edits of its text, the first ones.
    edits: [Option<Edit>; 3],
    /// m, n, k of a launch that shows it.
    pub shape: [usize; 3],
    /// Matrices of a batch, of a kernel of one.
    batch: usize,
    /// The alignment of the rows of every operand, in bytes.
    pub alignment: usize,
    /// Whether the rows of every operand are so far apart that their offsets take 64 bits.
    pub is_far: bool,
    /// Whether the output is allocated, but not written.
    output_is_unwritten: bool,
    violation: Pattern,
    /// The start of the PTX instruction at which it is found.
    instruction: &'static str,
    /// The device function in which it is seen, or the golden if in its kernel; none: at a planted line, or in
    /// the function of one.
    seen_in: Option<&'static str>,
}

const WAIT: &str = "mbarrier.try_wait.parity";

/// The defaults of a bug.
const BASE: Bug = Bug {
    name: "",
    golden: "raster_along_n",
    edits: [None; 3],
    shape: [64, 64, 160],
    batch: 1,
    alignment: 16,
    is_far: false,
    output_is_unwritten: false,
    violation: Pattern { text: "", matches: |_| false },
    instruction: "",
    seen_in: None,
};

/// A bug from another one, field by field.
macro_rules! with {
    ($($method:ident($field:ident: $ty:ty) $value:expr;)+) => {
        impl Bug {
            $(const fn $method(self, $field: $ty) -> Bug {
                Bug { $field: $value, ..self }
            })+
        }
    };
}

with! {
    bug(name: &'static str) name;
    golden(golden: &'static str) golden;
    shape(shape: [usize; 3]) shape;
    batch(batch: usize) batch;
    alignment(alignment: usize) alignment;
    finds(violation: Pattern) violation;
    at(instruction: &'static str) instruction;
    seen_in(seen_in: &'static str) Some(seen_in);
}

impl Bug {
    /// Edits a text that is there once.
    const fn edit(self, from: &'static str, to: &'static str) -> Bug {
        self.edit_all(1, from, to)
    }

    /// Edits a text that is there several times.
    const fn edit_all(mut self, times: usize, from: &'static str, to: &'static str) -> Bug {
        let mut at = 0;
        while self.edits[at].is_some() {
            at += 1;
        }
        self.edits[at] = Some(Edit { from, to, times });
        self
    }

    /// It is found at an instruction of a device function.
    const fn at_in(self, instruction: &'static str, function: &'static str) -> Bug {
        self.at(instruction).seen_in(function)
    }

    /// Threads wait for phases of mbarriers that never complete.
    const fn deadlocks(self) -> Bug {
        self.finds(violation!(MbarrierDeadlock { .. })).at_in(WAIT, "mbarrier_try_wait")
    }

    const fn far(self) -> Bug {
        Bug { is_far: true, ..self }
    }

    const fn unwritten_output(self) -> Bug {
        Bug { output_is_unwritten: true, ..self }
    }
}

/// The violations that a bug may be found as.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// The pattern, for messages.
    pub text: &'static str,
    /// Whether this is one of them.
    pub matches: fn(&Violation) -> bool,
}

/// A [`Pattern`] from one of `match`.
macro_rules! violation {
    ($($pattern:tt)+) => {
        $crate::planted::Pattern {
            text: stringify!($($pattern)+),
            matches: |violation| {
                #[allow(unused_imports, reason = "most patterns use some of them")]
                use gemm_emulator::{Direction::*, Space::*, Violation::*};
                matches!(violation, $($pattern)+)
            },
        }
    };
}
use violation;

impl Bug {
    fn launch_shape(&self) -> Shape {
        let [m, n, k] = self.shape;
        Shape { m, n, k }
    }

    /// The golden's text with the bug.
    ///
    /// # Errors
    /// An edit does not fit.
    pub fn plant(&self, golden: &Golden) -> Result<Planted, String> {
        let edits: Vec<Edit> = self.edits.iter().copied().flatten().collect();
        Planted::new(&golden.kernel.text, &golden.kernel.entry, &edits)
    }

    /// The pattern of the violations that it may be found as.
    pub fn pattern(&self) -> &'static str {
        self.violation.text
    }

    /// The problem that shows it.
    pub fn problem<'d>(&self, device: &'d Device) -> Problem<'d> {
        let alignment = Alignment::Bytes(self.alignment);
        let problem =
            Problem::new(device, self.launch_shape(), alignment, SEED).of_batch(self.batch);
        if self.is_far { problem.with_far_rows() } else { problem }
    }

    /// Launches the edited text and gives the fault, which is the one expected and where expected. It
    /// is launched once in a process; not to be called on a thread of rayon, on which launches wait.
    ///
    /// # Errors
    /// An edit that does not fit, no fault, another one, or another place.
    pub fn find(&self) -> Result<&'static Fault, String> {
        static FOUND: LazyLock<HashMap<&str, OnceLock<Result<Fault, String>>>> =
            LazyLock::new(|| {
                let bugs = GROUPS.iter().flat_map(|group| group.bugs);
                bugs.map(|bug| (bug.name, OnceLock::new())).collect()
            });
        let found = FOUND.get(self.name).ok_or("it is in no group")?;
        found.get_or_init(|| self.launch()).as_ref().map_err(Clone::clone)
    }

    fn launch(&self) -> Result<Fault, String> {
        let golden = goldens::named(self.golden)?;
        let planted = self.plant(golden)?;
        let text = planted.text.clone().into();
        let kernel = Kernel { text, ..golden.kernel.clone() };
        let device = Device::emulator_with(slow().memory_limit(FAR_MEMORY));
        let mut problem = self.problem(&device);
        if self.output_is_unwritten {
            problem = problem.with_unwritten_output();
        }
        let fault = match (golden.check_kernel)(&mut problem, &kernel) {
            Err(Failure::Runtime(Error::Fault { source, .. })) => *source,
            Err(other) => return Err(format!("not a fault but: {other}")),
            Ok(_) => return Err("nothing was found, and the numbers are right".to_owned()),
        };
        self.check(golden, &planted, &fault).map_err(|what| format!("{what}\n{fault}"))?;
        Ok(fault)
    }

    fn check(&self, golden: &Golden, planted: &Planted, fault: &Fault) -> Result<(), String> {
        let Fault::Violation { violation, place } = fault else {
            return Err("the launch did not start".to_owned());
        };
        if !(self.violation.matches)(violation) {
            return Err(format!("expected {}, got {violation:?}", self.violation.text));
        }
        let kernel = golden.kernel;
        if place.kernel != kernel.entry {
            return Err(format!("the kernel is {}", kernel.entry));
        }
        let [m, n, _] = self.shape.map(|extent| extent as u64);
        let (device, rank) = (Device::emulator(), kernel.batch_rank());
        let batch = match rank {
            0 => self.batch,
            _ => (0..rank).map(|index| self.problem(&device).values(index, rank)).product(),
        };
        let shares = kernel.shares(self.launch_shape(), batch, &SLOW);
        let blocks = kernel.launch.blocks([m, n], batch as u64, &shares);
        let ([bx, by, bz], [tx, ty, tz]) = (place.block, place.thread);
        if u64::from(bx) >= blocks || tx >= kernel.launch.threads || [by, bz, ty, tz] != [0; 4] {
            return Err(format!("there are {blocks} blocks of {} threads", kernel.launch.threads));
        }
        if !without_guard(&place.instruction).starts_with(self.instruction) {
            return Err(format!("expected an instruction {}", self.instruction));
        }
        planted.check_place(golden.name, place, self.seen_in)
    }
}

/// An instruction without its guard.
fn without_guard(instruction: &str) -> &str {
    match instruction.strip_prefix('@') {
        Some(guarded) => {
            guarded.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim())
        }
        None => instruction,
    }
}
