//! [`either`]: the two kinds of device.

/// Evaluates one expression for a GPU and for the emulator, whose types have the same methods.
/// `Target of expression` wraps the value in the same variant of `Target`.
macro_rules! either {
    ($kind:ident, $value:expr, $it:ident => $target:ident of $result:expr) => {
        match $value {
            $kind::Gpu($it) => $target::Gpu($result),
            #[cfg(feature = "emulator")]
            $kind::Emulated($it) => $target::Emulated($result),
        }
    };
    ($kind:ident, $value:expr, $it:ident => $result:expr) => {
        match $value {
            $kind::Gpu($it) => $result,
            #[cfg(feature = "emulator")]
            $kind::Emulated($it) => $result,
        }
    };
}
pub(crate) use either;
