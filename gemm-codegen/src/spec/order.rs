//! In which order, and by how many blocks, the output is computed, as written.

use std::fmt;
use std::num::NonZeroU16;

/// The order of the tiles: blocks walk a strip of some tiles' width along one axis before they step
/// along the other, so that blocks running together share panels in L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Raster {
    /// Strips of this many tiles along M: consecutive tiles differ in M first.
    AlongM(NonZeroU16),
    /// Strips of this many tiles along N: consecutive tiles differ in N first.
    AlongN(NonZeroU16),
}

impl Raster {
    /// Width of a strip in tiles.
    pub fn width(self) -> u32 {
        match self {
            Raster::AlongM(width) | Raster::AlongN(width) => u32::from(width.get()),
        }
    }

    /// As written in `raster = ..`.
    pub fn name(self) -> &'static str {
        match self {
            Raster::AlongM(_) => "along_m",
            Raster::AlongN(_) => "along_n",
        }
    }
}

impl fmt::Display for Raster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name(), self.width())
    }
}

/// How the warpgroups of a block walk over its tiles: the key `schedule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Walk {
    /// All that multiply share each tile. The next one is loaded while they store.
    Cooperative,
    /// Two take turns, a tile each: one multiplies while the other stores.
    Pingpong,
}

impl Walk {
    /// Every one, in the order in which messages list them.
    pub const ALL: [Walk; 2] = [Walk::Cooperative, Walk::Pingpong];

    /// The name in `schedule = ..`.
    pub const fn name(self) -> &'static str {
        match self {
            Walk::Cooperative => "cooperative",
            Walk::Pingpong => "pingpong",
        }
    }
}

/// The order of the k-tiles: the key `k_order`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KOrder {
    /// From the first to the last, in every tile.
    #[default]
    Ascending,
    /// Backwards in every second tile of a block: it begins with the k-tiles with which the tile before
    /// ended, which are still in L2.
    Serpentine,
}

impl KOrder {
    /// Every one, in the order in which messages list them.
    pub const ALL: [KOrder; 2] = [KOrder::Ascending, KOrder::Serpentine];

    /// The name in `k_order = ..`.
    pub const fn name(self) -> &'static str {
        match self {
            KOrder::Ascending => "ascending",
            KOrder::Serpentine => "serpentine",
        }
    }
}

/// Which tiles of the output have their K split, and into how many parts: `split_k = ..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Splits {
    /// All, into this number of parts.
    Every(NonZeroU16),
    /// Those that would leave the last wave of blocks partly empty, into at most this number: a launch
    /// chooses it, by its shape and the device.
    Tail(NonZeroU16),
}

impl Splits {
    /// The most blocks that share a tile.
    pub fn most(self) -> u32 {
        let (Splits::Every(most) | Splits::Tail(most)) = self;
        most.get().into()
    }
}
