//! The public interface of the runtime, on the emulator.

#[path = "../common/mod.rs"]
mod common;

mod activations;
mod arguments;
mod associated;
mod auto;
mod auto_groups;
mod batched;
mod batched_views;
mod blame;
mod bounds;
mod chain;
mod clusters;
mod compile;
mod coordinates;
mod element_types;
mod emulator_options;
mod epilogue_tiles;
mod float8;
mod float8_groups;
mod gemm;
mod in_place;
mod integers;
mod k_orders;
mod k_tiles;
mod launch;
mod literals;
mod nested;
mod outputs;
mod padding;
mod pdl;
mod processes;
mod products;
mod promotion;
mod ranks;
mod scalars;
mod schedules;
mod split_k;
mod tail;
mod tensor_batches;
mod tensor_copies;
mod tensor_panels;
mod tf32;
mod unread;
mod views;
