//! [`Abi`]: what a kernel takes, in order. The signature in the text and the values of a launch both
//! follow from it.

use std::borrow::Cow;

use crate::axis::Axis;
use crate::batch_text;
use crate::level::epilogue::Partials;
use crate::level::scheduler::Scheduler;
use crate::parameter::Parameter;
use crate::problem::ParameterKind;
use crate::spec::Planes;

/// The words of a kernel in the order of its entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abi(pub Cow<'static, [Word]>);

/// One C parameter of an entry point, as what a launch passes for it. Parameters are numbered as in
/// [`Kernel::parameters`](crate::Kernel::parameters), batch indices as the output has them, the outermost
/// first.
///
/// # Order
///
/// An emitted kernel takes
/// 1. M, N and K, R where a term is added that is summed over another index, and the columns of further products in
///    turn;
/// 2. each parameter: a value, the map of a factor that tensor copies read, or a pointer, the leading
///    dimension of a matrix, the strides of a batch, outermost first; then the exponents of a factor that
///    is read as planes, with their strides, or the map of its epilogue tiles;
/// 3. the values of each batch index but the outermost;
/// 4. what its scheduler needs: the matrices where blocks walk over the tiles of a batch; the
///    workspace where K is split through one, and for `split_k = tail(..)` what a launch chooses;
/// 5. the workspaces of outputs that are reduced.
///
/// A kernel that is written by hand takes its words in any order, and need not take all.
///
/// # Extension
///
/// What a launch computes or allocates besides the arguments, such as offsets of groups, another
/// workspace, or a pointer to another device's part of an output, is a variant. Its declaration
/// is here, its value in `launch/bound.rs` of gemm-runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// `int`: an extent of the product.
    Extent(Axis),
    /// `float`, `double` or `int`: a scalar by value.
    Value(usize),
    /// `T*`: a matrix, a vector or a scalar in device memory; of a batch the first one.
    Pointer(usize),
    /// `long long`: the elements from one row to the next.
    Leading(usize),
    /// `long long`: the elements from the matrix or vector of one value of a batch index to that of the
    /// next; 0 along an index that the parameter lacks.
    Stride {
        /// Whose it is: of a batch.
        parameter: usize,
        /// Along which batch index of the output.
        index: usize,
    },
    /// `const int*`: the exponents of a factor's rows of planes ([`Parameter::planes`]), of a batch those of
    /// its first matrix.
    Exponents(usize),
    /// `long long`: from the exponents of one value of a batch index to those of the next, as
    /// [`Word::Stride`].
    ExponentsStride {
        /// Whose they are: of a factor.
        parameter: usize,
        /// Along which batch index of the output.
        index: usize,
    },
    /// `const __grid_constant__ TensorMap`: a factor, as [`Parameter::tensor`] says.
    Map(usize),
    /// The same for the epilogue tiles of a matrix, as [`Parameter::epilogue_box`] says.
    EpilogueMap(usize),
    /// `int`: a count that a launch derives or chooses.
    Count(Count),
    /// A pointer to a part of the workspace that a launch allocates, as
    /// [`LaunchShape::split_k`](crate::LaunchShape::split_k) and
    /// [`LaunchShape::partials`](crate::LaunchShape::partials) say.
    Workspace(Scratch),
}

/// What a launch counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// The values of a batch index.
    Values(usize),
    /// The matrices of an output.
    Matrices,
    /// The tiles of the output that one block computes alone; they precede the shared ones.
    WholeTiles,
    /// The blocks that share each of the other tiles.
    Splits,
}

/// A part of the workspace of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scratch {
    /// `void*`: the partial sums of the blocks that share a tile.
    Partials,
    /// `unsigned*`: how many of these blocks have arrived, for each tile.
    Arrivals,
    /// `void*`: the partial values of outputs that have this index and are reduced over the other one.
    PartialsAlong(Axis),
    /// `unsigned*`: how many parts of the output have contributed to them.
    ArrivalsAlong(Axis),
}

/// What the text has of a parameter.
pub(crate) struct Declared<'a> {
    pub(crate) name: &'a str,
    /// The type of its pointer, or of a scalar by value.
    pub(crate) ty: String,
    /// The name of its exponents, where it is read as planes.
    pub(crate) exponents: Option<&'a str>,
}

impl Abi {
    /// The words of an emitted kernel with these parameters, whose output has this many batch indices, and whose products
    /// in turn have these columns.
    pub fn new(
        parameters: &[Parameter],
        (indices, columns): (usize, &[Axis]),
        scheduler: Scheduler,
        partials: &[Partials],
    ) -> Abi {
        let is_along_r = |one: &Parameter| one.kind.summed_over() == Some(Axis::R);
        let of_term = parameters.iter().any(is_along_r).then_some(Axis::R);
        let further = Axis::COLUMNS.into_iter().skip(1).filter(|axis| columns.contains(axis));
        let extents = Axis::ALL.into_iter().chain(of_term).chain(further).map(Word::Extent);
        let parameters = parameters.iter().enumerate();
        let passed = parameters.flat_map(|(number, one)| of_parameter(number, one, indices));
        let values = (1..indices).map(Count::Values).map(Word::Count);
        let own = of_scheduler(scheduler, indices > 0).iter().copied();
        let reduced = partials.iter().flat_map(|Partials { along, .. }| {
            [Scratch::PartialsAlong(*along), Scratch::ArrivalsAlong(*along)].map(Word::Workspace)
        });
        Abi(extents.chain(passed).chain(values).chain(own).chain(reduced).collect())
    }

    /// Whether the kernel takes a word.
    pub fn has(&self, word: Word) -> bool {
        self.0.contains(&word)
    }

    /// The declarations of all, in lines of what belongs together.
    pub(crate) fn signature(&self, parameters: &[Declared<'_>]) -> String {
        let mut text = String::new();
        for word in self.0.iter() {
            text += match word {
                _ if text.is_empty() => "",
                _ if word.continues_line() => ", ",
                _ => ",\n    ",
            };
            text += &format!("{} {}", word.ty(parameters), self.name(*word, parameters));
        }
        text
    }

    /// The names of what describes matrices to the copy unit.
    pub(crate) fn maps(&self, parameters: &[Declared<'_>]) -> Vec<String> {
        let maps = self.0.iter().filter(|word| matches!(word, Word::Map(_) | Word::EpilogueMap(_)));
        maps.map(|word| self.name(*word, parameters)).collect()
    }

    /// The name of a word in the text.
    fn name(&self, word: Word, parameters: &[Declared<'_>]) -> String {
        let of = |number: usize| parameters[number].name;
        let exponents = |number: usize| parameters[number].exponents.unwrap_or_default();
        match word {
            Word::Extent(axis) => axis.extent().to_owned(),
            Word::Value(number) | Word::Pointer(number) | Word::Map(number) => {
                of(number).to_owned()
            }
            Word::Leading(number) => format!("ld_{}", of(number)),
            Word::Stride { parameter, index } => {
                let is_of = |word: &&Word| matches!(word, Word::Stride { parameter: of, .. } if *of == parameter);
                batch_text::stride(of(parameter), index, self.0.iter().filter(is_of).count())
            }
            Word::Exponents(number) => exponents(number).to_owned(),
            Word::ExponentsStride { parameter, index } => {
                let is_of = |word: &&Word| matches!(word, Word::ExponentsStride { parameter: of, .. } if *of == parameter);
                let all = self.0.iter().filter(is_of).count();
                batch_text::stride(exponents(parameter), index, all)
            }
            Word::EpilogueMap(number) => format!("map_{}", of(number)),
            Word::Count(Count::Values(index)) => batch_text::count(index),
            Word::Count(Count::Matrices) => "matrices".to_owned(),
            Word::Count(Count::WholeTiles) => "whole".to_owned(),
            Word::Count(Count::Splits) => "splits".to_owned(),
            Word::Workspace(part) => part.name().to_owned(),
        }
    }
}

impl Scratch {
    /// Every part.
    pub const ALL: [Scratch; 6] = [
        Scratch::Partials,
        Scratch::Arrivals,
        Scratch::PartialsAlong(Axis::M),
        Scratch::ArrivalsAlong(Axis::M),
        Scratch::PartialsAlong(Axis::N),
        Scratch::ArrivalsAlong(Axis::N),
    ];

    /// Whether it counts arrivals.
    pub const fn counts(self) -> bool {
        matches!(self, Scratch::Arrivals | Scratch::ArrivalsAlong(_))
    }

    /// The name in the text.
    pub const fn name(self) -> &'static str {
        match self {
            Scratch::Partials => "partials",
            Scratch::Arrivals => "arrivals",
            Scratch::PartialsAlong(Axis::M) => "partials_m",
            Scratch::PartialsAlong(_) => "partials_n",
            Scratch::ArrivalsAlong(Axis::M) => "arrivals_m",
            Scratch::ArrivalsAlong(_) => "arrivals_n",
        }
    }
}

impl Word {
    /// Its type in the text.
    fn ty<'a>(self, parameters: &'a [Declared<'_>]) -> &'a str {
        match self {
            Word::Extent(_) | Word::Count(_) => "int",
            Word::Value(number) | Word::Pointer(number) => &parameters[number].ty,
            Word::Leading(_) | Word::Stride { .. } | Word::ExponentsStride { .. } => "long long",
            Word::Exponents(_) => "const int*",
            Word::Map(_) | Word::EpilogueMap(_) => "const __grid_constant__ TensorMap",
            Word::Workspace(part) if part.counts() => "unsigned*",
            Word::Workspace(_) => "void*",
        }
    }

    /// Whether the text has it on the line of the word before.
    fn continues_line(self) -> bool {
        match self {
            Word::Extent(_) | Word::Leading(_) | Word::Stride { .. } => true,
            Word::ExponentsStride { .. } => true,
            Word::Count(Count::WholeTiles | Count::Splits) => true,
            Word::Workspace(part) => part.counts(),
            Word::Value(_) | Word::Pointer(_) | Word::Map(_) | Word::EpilogueMap(_) => false,
            Word::Exponents(_) => false,
            Word::Count(Count::Values(_) | Count::Matrices) => false,
        }
    }
}

/// The words of a parameter, where the output has this many batch indices.
fn of_parameter(number: usize, parameter: &Parameter, indices: usize) -> Vec<Word> {
    let mut words = match parameter.kind {
        _ if parameter.tensor.is_some() => vec![Word::Map(number)],
        ParameterKind::Scalar(_) => return vec![Word::Value(number)],
        ParameterKind::Matrix { .. } | ParameterKind::Tiled { .. } => {
            vec![Word::Pointer(number), Word::Leading(number)]
        }
        ParameterKind::Vector { .. } | ParameterKind::DeviceScalar(_) => {
            vec![Word::Pointer(number)]
        }
    };
    let indices = if parameter.batch.is_batched() { 0..indices } else { 0..0 };
    if parameter.tensor.is_none() {
        words.extend(indices.clone().map(|index| Word::Stride { parameter: number, index }));
    }
    if parameter.planes.is_some_and(Planes::is_scaled) {
        words.push(Word::Exponents(number));
        words.extend(indices.map(|index| Word::ExponentsStride { parameter: number, index }));
    }
    words.extend(parameter.epilogue_box.map(|_| Word::EpilogueMap(number)));
    words
}

/// The words of a scheduler, for a batch or one matrix.
fn of_scheduler(scheduler: Scheduler, batched: bool) -> &'static [Word] {
    const TAIL: [Word; 4] = [
        Word::Workspace(Scratch::Partials),
        Word::Workspace(Scratch::Arrivals),
        Word::Count(Count::WholeTiles),
        Word::Count(Count::Splits),
    ];
    match scheduler {
        Scheduler::SplitK(split_k) if split_k.tail => &TAIL,
        Scheduler::SplitK(_) => &TAIL[..2],
        Scheduler::Persistent(_) if batched => &[Word::Count(Count::Matrices)],
        Scheduler::OneTile(_) | Scheduler::ClusterSplitK(_) | Scheduler::Persistent(_) => &[],
    }
}
