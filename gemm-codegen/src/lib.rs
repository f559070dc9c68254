//! GEMM specs checked against the hardware's rules and emitted as readable CUDA C++.
//!
//! A [`Spec`] says what was asked and may be wrong. [`Plan::new`] proves it against every
//! [`Rule`] or returns all [`Diagnostics`]; [`emit`] turns a plan into a [`Kernel`] and cannot
//! fail. No input or output, no dependencies, no `unsafe`.

#![forbid(unsafe_code)]

pub mod abi;
mod advice;
mod approximation;
pub mod auto;
mod axis;
mod banner;
mod batch_text;
pub mod body;
mod element;
mod emit;
mod facts;
mod field;
mod form;
pub mod hardware;
mod help;
mod kernel;
mod layout;
pub mod level;
mod names;
mod occupancy;
pub mod packing;
pub mod padding;
mod parameter;
mod parameters;
mod part;
mod plan;
mod problem;
mod proof;
mod ptx_feature;
mod registers;
mod resources;
mod rule;
mod scalar;
mod schedule;
mod side;
mod spec;
pub mod spelling;
pub mod splitting;
mod summation;
mod table;
mod targets;
mod text;
mod variant;

pub use approximation::APPROXIMATE_FUNCTIONS;
pub use axis::{Axis, PerSide, Side, index_name};
pub use element::{Element, ScalarType};
pub use emit::emit;
pub use facts::{BankPasses, Facts, Sums};
pub use field::Field;
pub use form::{ByThreads, Form};
pub use hardware::{Availability, Target};
pub use kernel::{Kernel, LaunchShape};
pub use layout::{Swizzle, TileLayout, TileOrder, bank_passes, load_bank_passes};
pub use level::epilogue::{BlockEpilogue, Epilogue, Fetched, GroupEpilogue, Partials, Staging};
pub use level::feed::{Descriptor, Feed};
pub use level::global_to_shared::{Copier, Piece, TensorBox};
pub use level::mma::{Atom, AtomMatrix, Factors, Fragment, Owner, Promoting, RegisterTile, Wgmma};
pub use level::pipeline::{Ring, Roles, StageCounts};
pub use level::scheduler::{Cluster, ClusterSplitK, MAX_SPLITS, Persistent, Scheduler, SplitK};
pub use level::shared_to_register::{LoadPath, Request};
pub use occupancy::Occupancy;
pub use parameter::{MAX_ALIGN, MAX_EXTENT, Parameter};
pub use part::Part;
pub use plan::Plan;
pub use problem::{
    Added, Batching, Factor, MAX_OUTPUTS, ParameterKind, Problem, Scale, ScaleOffset, Segment,
    Store,
};
pub use ptx_feature::PtxFeature;
pub use registers::Registers;
pub use resources::SharedMemory;
pub use rule::{Diagnostic, Diagnostics, Rule};
pub use spec::{
    Accumulator, Allow, CacheOperator, CachePolicy, CopyAtom, KOrder, Mma, Operand, OperandKind,
    Output, OutputIndices, Planes, Precision, Promotion, Raster, Schedule, Spec, Splits, Walk,
    WgmmaShape,
};
pub use summation::{Adder, Begins, Scaled, SplitsOfK, Summation, SumsOfFloats, WarpsAlongK};
pub use variant::Variant;
