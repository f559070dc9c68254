//! A warp's registers, one array of lanes each, and the loops over lanes.

use half::{bf16, f16};

use crate::lanes::{ALL, LANES, Lanes, mask_of};
use crate::program::{Address, AddressRegister, PredicateUse};

pub(crate) struct Registers {
    pub(crate) words: Vec<Lanes<u32>>,
    pub(crate) longs: Vec<Lanes<u64>>,
    /// One bit a lane.
    pub(crate) predicates: Vec<u32>,
}

impl Registers {
    /// A register that was never written holds anything on a device. Here all its bits are set, which is NaN in every
    /// float type and no address, so that a kernel that reads it does not look right by chance.
    pub(crate) fn new(words: usize, longs: usize, predicates: usize) -> Registers {
        Registers {
            words: vec![[u32::MAX; LANES]; words],
            longs: vec![[u64::MAX; LANES]; longs],
            predicates: vec![ALL; predicates],
        }
    }

    /// Size in bytes.
    pub(crate) fn memory(words: usize, longs: usize, predicates: usize) -> usize {
        words * size_of::<Lanes<u32>>() + longs * size_of::<Lanes<u64>>() + predicates * 4
    }

    /// As it was when it was made.
    pub(crate) fn reset(&mut self) {
        self.words.fill([u32::MAX; LANES]);
        self.longs.fill([u64::MAX; LANES]);
        self.predicates.fill(ALL);
    }

    #[inline]
    pub(crate) fn word(&self, index: u32) -> &Lanes<u32> {
        &self.words[index as usize]
    }

    #[inline]
    pub(crate) fn long(&self, index: u32) -> &Lanes<u64> {
        &self.longs[index as usize]
    }

    #[inline]
    pub(crate) fn predicate(&self, index: u32) -> u32 {
        self.predicates[index as usize]
    }

    #[inline]
    pub(crate) fn predicate_use(&self, p: PredicateUse) -> u32 {
        if p.negated { !self.predicate(p.index) } else { self.predicate(p.index) }
    }

    /// The address in each lane.
    pub(crate) fn addresses(&self, Address { register, offset }: Address) -> Lanes<u64> {
        match register {
            AddressRegister::Word(at) => {
                self.word(at).map(|a| u64::from(a).wrapping_add_signed(offset))
            }
            AddressRegister::Long(at) => self.long(at).map(|a| a.wrapping_add_signed(offset)),
        }
    }

    #[inline]
    pub(crate) fn set_predicate(&mut self, index: u32, mask: u32, value: u32) {
        let p = &mut self.predicates[index as usize];
        *p = (*p & !mask) | (value & mask);
    }

    #[inline]
    pub(crate) fn set_word(&mut self, index: u32, mask: u32, value: &Lanes<u32>) {
        blend(&mut self.words[index as usize], mask, value);
    }

    #[inline]
    pub(crate) fn set_long(&mut self, index: u32, mask: u32, value: &Lanes<u64>) {
        blend(&mut self.longs[index as usize], mask, value);
    }
}

/// `f` of each lane. A plain loop: the array's own `map` is not made into vector instructions.
#[inline(always)]
pub(crate) fn each<A: Copy, D: Copy + Default>(values: &Lanes<A>, f: impl Fn(A) -> D) -> Lanes<D> {
    let mut out = [D::default(); LANES];
    for lane in 0..LANES {
        out[lane] = f(values[lane]);
    }
    out
}

#[inline]
fn blend<T: Copy>(to: &mut Lanes<T>, mask: u32, from: &Lanes<T>) {
    if mask == ALL {
        *to = *from;
        return;
    }
    for lane in 0..LANES {
        if mask >> lane & 1 == 1 {
            to[lane] = from[lane];
        }
    }
}

/// A type that registers hold.
pub(crate) trait Lane: Copy + Default {
    fn read(registers: &Registers, index: u32) -> Lanes<Self>;
    fn write(registers: &mut Registers, index: u32, mask: u32, values: &Lanes<Self>);
}

macro_rules! lane {
    ($($ty:ty, $read:ident, $write:ident, |$raw:ident| $from:expr, |$value:ident| $to:expr;)*) => {$(
        impl Lane for $ty {
            #[inline]
            fn read(registers: &Registers, index: u32) -> Lanes<Self> {
                each(registers.$read(index), |$raw| $from)
            }
            #[inline]
            fn write(registers: &mut Registers, index: u32, mask: u32, values: &Lanes<Self>) {
                registers.$write(index, mask, &each(values, |$value| $to));
            }
        }
    )*};
}

lane! {
    u8, word, set_word, |raw| raw as u8, |value| u32::from(value);
    // A signed byte fills its register.
    i8, word, set_word, |raw| raw as i8, |value| value as u32;
    u16, word, set_word, |raw| raw as u16, |value| u32::from(value);
    i16, word, set_word, |raw| raw as i16, |value| u32::from(value as u16);
    u32, word, set_word, |raw| raw, |value| value;
    i32, word, set_word, |raw| raw as i32, |value| value as u32;
    u64, long, set_long, |raw| raw, |value| value;
    i64, long, set_long, |raw| raw as i64, |value| value as u64;
    f32, word, set_word, |raw| f32::from_bits(raw), |value| value.to_bits();
    f64, long, set_long, |raw| f64::from_bits(raw), |value| value.to_bits();
    f16, word, set_word, |raw| f16::from_bits(raw as u16), |value| u32::from(value.to_bits());
    bf16, word, set_word, |raw| bf16::from_bits(raw as u16), |value| u32::from(value.to_bits());
}

/// d = f(a) in the lanes of `mask`. `f` runs in the others too and must not fail there.
#[inline]
pub(crate) fn map1<A: Lane, D: Lane>(
    registers: &mut Registers,
    mask: u32,
    [d, a]: [u32; 2],
    f: impl Fn(A) -> D,
) {
    let out = each(&A::read(registers, a), f);
    D::write(registers, d, mask, &out);
}

/// d = f(a, b), as [`map1`].
#[inline]
pub(crate) fn map2<A: Lane, B: Lane, D: Lane>(
    registers: &mut Registers,
    mask: u32,
    [d, a, b]: [u32; 3],
    f: impl Fn(A, B) -> D,
) {
    let (a, b) = (A::read(registers, a), B::read(registers, b));
    let mut out = [D::default(); LANES];
    for lane in 0..LANES {
        out[lane] = f(a[lane], b[lane]);
    }
    D::write(registers, d, mask, &out);
}

/// d = f(a, b, c), as [`map1`].
#[inline]
pub(crate) fn map3<A: Lane, B: Lane, C: Lane, D: Lane>(
    registers: &mut Registers,
    mask: u32,
    [d, a, b, c]: [u32; 4],
    f: impl Fn(A, B, C) -> D,
) {
    let (a, b, c) = (A::read(registers, a), B::read(registers, b), C::read(registers, c));
    let mut out = [D::default(); LANES];
    for lane in 0..LANES {
        out[lane] = f(a[lane], b[lane], c[lane]);
    }
    D::write(registers, d, mask, &out);
}

/// The mask of lanes for which f(a, b) holds.
#[inline]
pub(crate) fn test2<A: Lane>(r: &Registers, [a, b]: [u32; 2], f: impl Fn(A, A) -> bool) -> u32 {
    let (a, b) = (A::read(r, a), A::read(r, b));
    mask_of(|lane| f(a[lane], b[lane]))
}
