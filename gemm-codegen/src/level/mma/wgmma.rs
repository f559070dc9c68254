//! Warpgroup tile → `wgmma`: four warps multiply 64 rows by all columns of their tile, which both factors
//! reach from shared memory (PTX ISA, "Asynchronous warpgroup level matrix instructions").

mod source;

use std::fmt;

use self::source::Source;
pub(super) use self::source::SourceOfA;
use super::fragment::{AtomMatrix, Fragment, Owner};
use crate::axis::Axis;
use crate::element::Element;
use crate::field::Field;
use crate::hardware::{Availability, Target, WARP};
use crate::help::{Edit, Values, one_of};
use crate::part::Part;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, Mma, WgmmaShape};
use crate::text::Sections;
use crate::text::wrap::COLUMNS;

/// One architecture has it: a newer one lacks it (PTX ISA, "wgmma.mma_async", target notes).
pub(super) const ON: Availability = Availability::Only(Target::Sm90a);

/// Warps that execute one instruction (PTX ISA, "warpgroup").
pub(crate) const WARPS: u32 = 4;

/// Rows of one instruction (PTX ISA, "wgmma.mma_async", `.shape`); each warp has 16 of them.
pub(crate) const ROWS: u32 = 64;

/// Registers of a lane for a factor A that is not read from shared memory (PTX ISA, "Register fragments for
/// wgmma.mma_async.m64nNk16", A).
pub(crate) const REGISTERS_OF_A: u32 = 4;

/// The step in which columns grow, up to [`MAX_COLUMNS`] (same table).
pub(crate) const COLUMN_STEP: u32 = 8;

/// The most columns of one instruction (same table).
const MAX_COLUMNS: u32 = 256;

/// Bytes along k of one instruction, of every element (same table).
const K_BYTES: u32 = 32;

/// m, n, k of one instruction for elements of this size in bytes.
pub(crate) const fn shape(columns: u32, element_bytes: u32) -> [u32; 3] {
    [ROWS, columns, K_BYTES / element_bytes]
}

/// Why no atom sums these elements in f16, if the instruction could (same table). Both rates are the
/// same (H100 whitepaper, "FP16 Tensor Core", with sums in FP16 and in FP32, and FP8 likewise).
pub(super) fn why_not_in_f16(element: Element) -> Option<&'static str> {
    (element == Element::F16 || element.is_float8()).then_some("sums in f32 are as fast")
}

impl WgmmaShape {
    /// The shape of this name; `None` if it is not written as PTX writes one.
    pub fn named(name: &str) -> Option<WgmmaShape> {
        let (n, k) = name.strip_prefix("m64n")?.split_once('k')?;
        let shape = WgmmaShape { n: n.parse().ok()?, k: k.parse().ok()? };
        (shape.to_string() == name).then_some(shape)
    }

    /// Whether an instruction has as many columns.
    pub(crate) fn has_columns(&self) -> bool {
        let columns = u32::from(self.n.get());
        columns <= MAX_COLUMNS && columns.is_multiple_of(COLUMN_STEP)
    }
}

impl fmt::Display for WgmmaShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{ROWS}n{}k{}", self.n, self.k)
    }
}

/// One instruction of a warpgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wgmma {
    /// Columns: those of the warpgroup's tile.
    pub columns: u32,
    /// An element of a factor; those of the other are of its kind and its size.
    pub element: Element,
    /// How the rows of both factors lie in shared memory: along M or N, not along K.
    pub transposed: [bool; 2],
}

/// Proves that one instruction has all columns of a warpgroup's tile. Of integers it has 8, 24 or a
/// multiple of 16 (same table).
pub(crate) fn check(wgmma: Wgmma) -> Result<(), Vec<Diagnostic>> {
    let Wgmma { columns, element, .. } = wgmma;
    let new = |message: String, help: &str| {
        Err(vec![Diagnostic::new(Rule::WarpgroupColumns, Field::Tile(Axis::N), message, help)])
    };
    if columns > MAX_COLUMNS {
        let message = format!(
            "a warpgroup has {columns} columns, but wgmma multiplies at most {MAX_COLUMNS}"
        );
        return new(message, "use more warpgroups along N, or a smaller BLK_N");
    }
    let of_integers = element.is_integer();
    if of_integers && ![8, 24].contains(&columns) && !columns.is_multiple_of(16) {
        let message =
            format!("a warpgroup has {columns} columns, which wgmma does not multiply of integers");
        return new(message, "use 8, 24 or a multiple of 16 columns for each warpgroup");
    }
    Ok(())
}

/// The same of warpgroups that share a block tile with this number of columns; the help names legal ones.
pub(crate) fn check_block(wgmma: Wgmma, block_n: u32) -> Result<(), Vec<Diagnostic>> {
    let groups = block_n / wgmma.columns.max(1);
    let after = match groups {
        1 => String::new(),
        _ => format!(" for {groups} warpgroups along N"),
    };
    let values = match wgmma.columns > MAX_COLUMNS {
        true => {
            let fewer = [MAX_COLUMNS, MAX_COLUMNS / 2];
            Values::one(fewer.map(|columns| Edit::Tile(Axis::N, columns * groups)), after)
        }
        false => Values::extents(Axis::N, block_n, 16 * groups, after),
    };
    let named = |broken: Diagnostic| broken.naming(values.clone());
    check(wgmma).map_err(|broken| broken.into_iter().map(named).collect())
}

/// Proves that a shape that is named outright is that of the instruction.
pub(crate) fn check_shape(written: WgmmaShape, wgmma: Wgmma) -> Result<(), Vec<Diagnostic>> {
    let [_, columns, k] = wgmma.shape();
    let mut differ = Vec::new();
    if u32::from(written.n.get()) != columns {
        differ.push(format!("N = {}, but a warpgroup has {columns} columns", written.n));
    }
    if u32::from(written.k.get()) != k {
        differ.push(format!("K = {}, but wgmma of {} has K = {k}", written.k, wgmma.element));
    }
    if differ.is_empty() {
        return Ok(());
    }
    Err(vec![Diagnostic::new(
        Rule::WgmmaShape,
        Field::Mma,
        format!("{written} has {}", differ.join(", and ")),
        format!("write `mma = {}`, or `mma = wgmma`", wgmma.name()),
    )])
}

/// Proves that some instruction has the columns of a shape that is named outright, from which the tile
/// follows.
pub(crate) fn check_named(written: WgmmaShape, wgmma: Wgmma) -> Result<(), Vec<Diagnostic>> {
    if written.has_columns() {
        return Ok(());
    }
    let n = u32::from(written.n.get());
    let legal = |columns: &u32| check(Wgmma { columns: *columns, ..wgmma }).is_ok();
    let mut all = (1..=MAX_COLUMNS / COLUMN_STEP).map(|steps| steps * COLUMN_STEP).filter(legal);
    let (below, above) =
        (all.clone().take_while(|columns| *columns < n).last(), all.find(|of| *of > n));
    let named = |columns: u32| format!("`mma = {}`", Wgmma { columns, ..wgmma }.name());
    let near: Vec<String> = below.into_iter().chain(above).map(named).collect();
    Err(vec![Diagnostic::new(
        Rule::WgmmaShape,
        Field::Mma,
        format!(
            "{written} has N = {n}, but N of wgmma is a multiple of {COLUMN_STEP} up to {MAX_COLUMNS}"
        ),
        format!("write {}", one_of(near.iter().map(String::as_str))),
    )])
}

impl Wgmma {
    /// Whether each half of its columns can be multiplied by itself: the rows of B in shared memory are then
    /// the columns, in bands of 8.
    pub(crate) fn has_halves(self) -> bool {
        !self.transposed[1] && self.columns.is_multiple_of(16)
    }

    /// That of half of the columns.
    pub(super) fn half(self) -> Wgmma {
        Wgmma { columns: self.columns / 2, ..self }
    }

    /// m, n, k of one instruction.
    pub fn shape(&self) -> [u32; 3] {
        shape(self.columns, self.element.bytes())
    }

    /// Its name in `mma = ..`, as PTX has it.
    pub(crate) fn name(&self) -> String {
        let [m, n, k] = self.shape();
        format!("m{m}n{n}k{k}")
    }

    /// Row and column of sum number `sum` of a thread of the warpgroup (PTX ISA, "Register fragments for
    /// wgmma.mma_async.m64nNk16", D): bands of 8 columns, each the sums of an atom of 16 rows and 8
    /// columns for every warp. None for a thread or a sum out of range.
    pub fn position(&self, thread: u32, sum: u32) -> Option<[u32; 2]> {
        let [m, n, k] = Mma::M16n8k16.shape();
        let band = Fragment::new([m, n, k], AtomMatrix::C, 32)?;
        let (warp, lane) = (thread / WARP, thread % WARP);
        let (number, register) = (sum / band.registers(), sum % band.registers());
        let [row, column] = band.position(Owner { lane, register, element: 0 })?;
        (warp < WARPS && sum < self.sums()).then_some([warp * m + row, number * n + column])
    }

    /// 32-bit sums of a lane.
    pub fn sums(&self) -> u32 {
        ROWS * self.columns / (WARPS * WARP)
    }

    /// The device functions that issue products and wait for them.
    /// `elements` are those of A and of B, as PTX calls them; A is read from shared memory or from registers.
    pub(super) fn write(
        &self,
        text: &mut Sections,
        elements: [&str; 2],
        sum: Accumulator,
        from: SourceOfA,
    ) {
        text.of(Part::Multiply).add(include_str!("wgmma_group.cuh"));
        text.of(Part::Multiply).add(self.cuda(elements, sum, from));
    }

    /// The function `wgmma`, one instruction.
    fn cuda(&self, [a, b]: [&str; 2], sum: Accumulator, from: SourceOfA) -> String {
        let ([m, n, k], name) = (self.shape(), self.name());
        let sums = self.sums();
        let numbers = (0..sums).map(|i| format!("%{i}"));
        let letter = sum.constraint();
        let operands = (0..sums).map(|i| format!("\"+{letter}\"(d[{i}])"));
        // What follows `add`: signs of the factors, but for integers, and which are transposed, of
        // elements that can be.
        let [of_a, of_b] = self.transposed.map(u32::from);
        let rest = match (self.element.bytes(), sum, from) {
            (_, Accumulator::I32, _) => String::new(),
            (2, _, SourceOfA::Shared) => format!(", 1, 1, {of_a}, {of_b}"),
            (2, _, SourceOfA::Registers) => format!(", 1, 1, {of_b}"),
            _ => ", 1, 1".to_owned(),
        };
        let Source { words, parameter, number, constraint, count } = from.cuda(sums);
        format!(
            "// d({m}x{n}) = a({m}x{k}) * b({k}x{n}), {words}, plus d if ADD. Asynchronous: d and both tiles\n\
             // are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)\n\
             template <bool ADD>\n\
             __device__ __forceinline__ void wgmma(\n    \
             Sum (&d)[{sums}], {parameter}, unsigned long long b) {{\n    \
             asm volatile(\n        \
             \"{{\\n\\t.reg .pred add;\\n\\tsetp.ne.s32 add, %{last}, 0;\\n\\t\"\n        \
             \"wgmma.mma_async.sync.aligned.{name}.{sum}.{a}.{b} {{\"\n        \
             {numbers}\n        \
             \"}}, {number}, %{next}, add{rest};\\n\\t}}\"\n        \
             : {operands}\n        \
             : {constraint}, \"l\"(b), \"n\"(int(ADD)));\n\
             }}\n",
            next = sums + count,
            last = sums + count + 1,
            sum = sum.ptx(),
            numbers = strings(numbers),
            operands = operand_lines(operands),
        )
    }
}

/// Numbers in a list, as string literals of no more than a line.
fn strings(numbers: impl Iterator<Item = String>) -> String {
    let lines = fill(numbers, ", ", COLUMNS - 12);
    let last = lines.len() - 1;
    let quoted = lines.iter().enumerate();
    let quoted = quoted.map(|(i, line)| format!("\"{line}{}\"", if i < last { ", " } else { "" }));
    quoted.collect::<Vec<_>>().join("\n        ")
}

/// Operands of `asm` in lines.
fn operand_lines(operands: impl Iterator<Item = String>) -> String {
    fill(operands, ", ", COLUMNS - 12).join(",\n          ")
}

/// Words in as few lines as hold them.
fn fill(words: impl Iterator<Item = String>, between: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + between.len() + word.len() <= columns => {
                *line += between;
                *line += &word;
            }
            _ => lines.push(word),
        }
    }
    lines
}
