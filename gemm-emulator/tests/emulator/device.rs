//! Small helpers to put values into emulated memory and launch kernels on them.

use gemm_emulator::{Fault, Launch, Memory, Module, Operand, Statistics, Violation};

/// A value that memory and parameters hold.
pub(crate) trait Value: Copy {
    fn bytes(self) -> Vec<u8>;
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! value {
    ($($ty:ty)*) => {$(
        impl Value for $ty {
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn from_bytes(bytes: &[u8]) -> Self {
                <$ty>::from_le_bytes(bytes.try_into().expect("as many bytes as the type has"))
            }
        }
    )*};
}

value!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl<T: Value, const N: usize> Value for [T; N] {
    fn bytes(self) -> Vec<u8> {
        self.into_iter().flat_map(T::bytes).collect()
    }
    fn from_bytes(bytes: &[u8]) -> Self {
        std::array::from_fn(|at| T::from_bytes(&bytes[at * size_of::<T>()..][..size_of::<T>()]))
    }
}

/// A fresh allocation with these values.
pub(crate) fn upload<T: Value>(memory: &Memory, values: &[T]) -> u64 {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes()).collect();
    let address = memory.allocate(bytes.len() as u64).expect("allocates");
    memory.write(address, &bytes).expect("writes");
    address
}

/// The values at an address.
pub(crate) fn download<T: Value>(memory: &Memory, address: u64, count: usize) -> Vec<T> {
    let mut bytes = vec![0; count * size_of::<T>()];
    memory.read(address, &mut bytes).expect("reads");
    bytes.chunks(size_of::<T>()).map(T::from_bytes).collect()
}

/// Launches the only kernel of a module.
pub(crate) fn launch(
    module: &Module,
    memory: &Memory,
    grid: u32,
    block: u32,
    shared_bytes: u32,
    arguments: &[Vec<u8>],
) -> Result<Statistics, Fault> {
    let entry = module.entries().next().expect("a kernel");
    let launch =
        Launch { shared_bytes, arguments, ..Launch::new(entry, [grid, 1, 1], [block, 1, 1]) };
    module.launch(memory, &launch)
}

/// Numbers that look random and are the same at each run.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = self.0 ^ (self.0 >> 33);
        mixed.wrapping_mul(0xff51afd7ed558ccd) ^ (mixed >> 29)
    }

    /// Between -1 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// An operand of rows, bytes of a row and bytes between rows.
pub(crate) fn operand(
    name: &str,
    address: u64,
    [rows, row_bytes, pitch_bytes]: [u64; 3],
    writable: bool,
) -> Operand {
    let name = name.to_owned();
    Operand { name, address, rows, row_bytes, pitch_bytes, writable, early: false }
}

/// The violation of a launch, which has started.
pub(crate) fn violation(launched: Result<Statistics, Fault>) -> Result<(), Violation> {
    match launched {
        Ok(_) => Ok(()),
        Err(Fault::Violation { violation, .. }) => Err(violation),
        Err(fault) => panic!("{fault}"),
    }
}

/// Checks the violation of a fault, or a violation, against a pattern.
macro_rules! assert_violation {
    ($violation:expr, $pattern:pat $(if $guard:expr)?) => {{
        let violation = $violation;
        assert!(matches!(&violation, $pattern $(if $guard)?), "{violation}");
    }};
}
pub(crate) use assert_violation;
