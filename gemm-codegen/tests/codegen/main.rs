//! The public interface of the generator: what it refuses, plans and emits.

mod abi;
mod any_spec;
mod barriers;
mod batch;
mod cluster_splits;
mod clusters;
mod coordinates;
mod fetched;
mod helps;
mod k_orders;
mod k_tiles;
mod lanes;
mod outputs;
mod plan;
mod promoted;
mod protocol;
mod shared;
mod summation;
mod tensor_batches;
mod tensor_copies;
mod tensor_fragments;
mod tensor_panels;
mod tensor_policies;
mod together;
mod warpgroups;
mod wgmma_shapes;
