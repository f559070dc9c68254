//! [`kernels`]: which kernels a graph launches.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr;

use anyhow::{Result, ensure};
use cudarc::driver::CudaGraph;
use cudarc::driver::sys;

/// The kernels of a graph, in its order: of each its name, its blocks and the threads of a block.
pub(crate) fn kernels(graph: &CudaGraph) -> Result<Vec<String>> {
    let nodes = nodes(graph)?;
    nodes.into_iter().filter_map(|node| describe(node).transpose()).collect()
}

fn nodes(graph: &CudaGraph) -> Result<Vec<sys::CUgraphNode>> {
    let mut count = 0;
    // SAFETY: the graph lives; without an array only the number of nodes is written.
    unsafe { sys::cuGraphGetNodes(graph.cu_graph(), ptr::null_mut(), &mut count) }.result()?;
    let mut nodes = vec![ptr::null_mut(); count];
    // SAFETY: the graph lives, and `nodes` has room for as many nodes as `count` says.
    unsafe { sys::cuGraphGetNodes(graph.cu_graph(), nodes.as_mut_ptr(), &mut count) }.result()?;
    nodes.truncate(count);
    Ok(nodes)
}

/// What a node launches; `None` if it does something else.
fn describe(node: sys::CUgraphNode) -> Result<Option<String>> {
    let mut kind = MaybeUninit::uninit();
    // SAFETY: the node is of a graph that lives, and the call writes the kind if it succeeds.
    let kind = unsafe {
        sys::cuGraphNodeGetType(node, kind.as_mut_ptr()).result()?;
        kind.assume_init()
    };
    if kind != sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL {
        return Ok(None);
    }
    let mut node_of = MaybeUninit::<sys::CUDA_KERNEL_NODE_PARAMS>::zeroed();
    // SAFETY: it is the node of a kernel, whose parameters the call writes; zeros are valid before.
    let of = unsafe {
        sys::cuGraphKernelNodeGetParams_v2(node, node_of.as_mut_ptr()).result()?;
        node_of.assume_init()
    };
    let mut name = ptr::null();
    // SAFETY: one of the two handles is that of a loaded kernel; the name lives as long as it does.
    let name = unsafe {
        if of.func.is_null() {
            sys::cuKernelGetName(&mut name, of.kern).result()?;
        } else {
            sys::cuFuncGetName(&mut name, of.func).result()?;
        }
        ensure!(!name.is_null(), "a kernel of the graph has no name");
        CStr::from_ptr(name).to_string_lossy()
    };
    let blocks = [of.gridDimX, of.gridDimY, of.gridDimZ].map(|count| count.to_string()).join("×");
    let threads = of.blockDimX * of.blockDimY * of.blockDimZ;
    Ok(Some(format!("{name}, {blocks} blocks of {threads}")))
}
