//! The dimensions of a product and its two factors.

use std::borrow::Cow;

/// A value for each of the two multiplied operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerSide<T> {
    /// For the first argument of `matmul`, M×K.
    pub a: T,
    /// For the second argument of `matmul`, K×N.
    pub b: T,
}

impl<T> PerSide<T> {
    /// The same value for both sides.
    pub fn both(value: T) -> Self
    where
        T: Clone,
    {
        PerSide { a: value.clone(), b: value }
    }

    /// The value of each side.
    pub(crate) fn of(mut value: impl FnMut(Side) -> T) -> Self {
        PerSide { a: value(Side::A), b: value(Side::B) }
    }

    /// Both values, each turned into another.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> PerSide<U> {
        PerSide { a: f(self.a), b: f(self.b) }
    }

    /// The value of one side.
    pub fn get(&self, side: Side) -> &T {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// The value of one side, to be changed.
    pub fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }
}

/// What the calls of `matmul` in a body multiply. All have one first argument; the second ones lie next to
/// each other on side B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Multiplicands<T> {
    /// The arguments of the first call.
    pub(crate) first: PerSide<T>,
    /// The second argument of each further product, in the order of their first calls.
    pub(crate) more: Vec<T>,
    /// The arguments of the call whose product is added to the first one, if there is one.
    pub(crate) added: Option<PerSide<T>>,
}

impl<T> Multiplicands<T> {
    /// Those that `f` makes of them.
    pub(crate) fn map<U>(&self, f: impl Fn(&T) -> U) -> Multiplicands<U> {
        let pair = |PerSide { a, b }: &PerSide<T>| PerSide { a: f(a), b: f(b) };
        Multiplicands {
            first: pair(&self.first),
            more: self.more.iter().map(&f).collect(),
            added: self.added.as_ref().map(pair),
        }
    }

    /// Those of the products that lie next to each other which are on a side.
    pub(crate) fn on(&self, side: Side) -> impl Iterator<Item = &T> {
        let (a, b) = match side {
            Side::A => (Some(&self.first.a), None),
            Side::B => (None, Some(self.of_b())),
        };
        a.into_iter().chain(b.into_iter().flatten())
    }

    /// The second argument of each product.
    pub(crate) fn of_b(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first.b).chain(&self.more)
    }

    /// The arguments of all products that lie next to each other.
    pub(crate) fn of_products(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first.a).chain(self.of_b())
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &T> {
        let added = self.added.iter().flat_map(|PerSide { a, b }| [a, b]);
        self.of_products().chain(added)
    }

    /// How many products there are.
    pub(crate) fn products(&self) -> u32 {
        1 + self.more.len() as u32
    }
}

/// One of the two multiplied operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The first argument of `matmul`, M×K.
    A,
    /// The second argument of `matmul`, K×N.
    B,
}

impl Side {
    /// Both sides, A first.
    pub const BOTH: [Side; 2] = [Side::A, Side::B];

    /// `a` or `b`, as in the schedule keys and the emitted text.
    pub const fn letter(self) -> &'static str {
        match self {
            Side::A => "a",
            Side::B => "b",
        }
    }

    /// The struct of its tile in the emitted text, by which device functions are instantiated.
    pub const fn tile(self) -> &'static str {
        match self {
            Side::A => "TileA",
            Side::B => "TileB",
        }
    }

    /// The structs by which the functions that copy or load it are instantiated: its tile and, of
    /// several products, the part of one factor.
    pub const fn tiles(self) -> &'static [&'static str] {
        match self {
            Side::A => &["TileA"],
            Side::B => &["TileB", "PartOfB"],
        }
    }

    /// The other one.
    pub(crate) const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

/// A dimension of the problem: `C(M×N) = A(M×K) · B(K×N)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Rows of the product.
    M,
    /// Columns of the product.
    N,
    /// The contracted dimension.
    K,
    /// The contracted dimension of an added term, such as the rank of a low-rank update:
    /// `C(M×N) = A(M×K) · B(K×N) + A'(M×R) · B'(R×N)`.
    R,
    /// Columns of the second product in turn, whose number is another one than N.
    N1,
    /// Columns of the third one, or of those with another number than N and N1.
    N2,
    /// Columns of the fourth one.
    N3,
}

impl Axis {
    /// M, N, K in that order: those of every product.
    pub const ALL: [Axis; 3] = [Axis::M, Axis::N, Axis::K];

    /// The columns of products that are computed in turn, each number of columns once: N, N1, N2, N3.
    pub const COLUMNS: [Axis; 4] = [Axis::N, Axis::N1, Axis::N2, Axis::N3];

    /// How many axes there are.
    pub const COUNT: usize = 7;

    /// The name of its extent in the emitted text.
    pub(crate) const fn extent(self) -> &'static str {
        match self {
            Axis::M => "m",
            Axis::N => "n",
            Axis::K => "k",
            Axis::R => "added_k",
            Axis::N1 => "n1",
            Axis::N2 => "n2",
            Axis::N3 => "n3",
        }
    }

    /// The upper-case letter.
    pub const fn letter(self) -> &'static str {
        match self {
            Axis::M => "M",
            Axis::N => "N",
            Axis::K => "K",
            Axis::R => "R",
            Axis::N1 => "N1",
            Axis::N2 => "N2",
            Axis::N3 => "N3",
        }
    }
}

/// The name of an axis among these.
pub fn index_name<'n>(indices: &'n [(Axis, Cow<'static, str>)], axis: Axis) -> Option<&'n str> {
    indices.iter().find(|(of, _)| *of == axis).map(|(_, name)| &**name)
}
