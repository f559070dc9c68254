//! The scalar types of PTX.

macro_rules! types {
    ($($name:ident $text:literal,)+) => {
        /// A scalar type as written in an opcode or a declaration.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Type {
            $($name,)+
        }

        impl Type {
            /// The type a modifier such as `u32` names (without the dot).
            pub(crate) fn parse(text: &str) -> Option<Type> {
                match text {
                    $($text => Some(Type::$name),)+
                    _ => None,
                }
            }
        }
    };
}

types! {
    Pred "pred", B8 "b8", B16 "b16", B32 "b32", B64 "b64",
    U8 "u8", U16 "u16", U32 "u32", U64 "u64", S8 "s8", S16 "s16", S32 "s32", S64 "s64",
    F16 "f16", F16x2 "f16x2", Bf16 "bf16", Bf16x2 "bf16x2", F32 "f32", F64 "f64",
}

impl Type {
    /// Size in bytes; a predicate has none and counts as 1.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Type::Pred | Type::B8 | Type::U8 | Type::S8 => 1,
            Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::Bf16 => 2,
            Type::B32 | Type::U32 | Type::S32 | Type::F32 | Type::F16x2 | Type::Bf16x2 => 4,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => 8,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 | Type::F32 | Type::F64)
    }
}

/// A state space as written in an opcode or a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Space {
    /// Device memory, shared by all blocks.
    Global,
    /// The memory of one block.
    Shared,
    /// The memory of all blocks of a cluster. An address there has in bits 24 and up the rank of its block plus 1, or 0
    /// for the block of the thread.
    Cluster,
    /// The memory of one thread.
    Local,
    /// Kernel parameters, and the arguments of device functions.
    Parameter,
    /// Constant memory of the module.
    Constant,
    /// An address without a space; resolved to one of the others by its value.
    Generic,
}

impl std::fmt::Display for Space {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Cluster => "cluster",
            Space::Local => "local",
            Space::Parameter => "parameter",
            Space::Constant => "constant",
            Space::Generic => "generic",
        })
    }
}
