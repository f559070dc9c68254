//! Tensor stores, in texts written by hand: where each byte goes, when, and what is refused. Needs no NVRTC.

use gemm_emulator::{
    Direction, Launch, Memory, Module, Space, Swizzle, TensorMap, TensorStoreProblem, Violation,
};

use crate::device::{Value, assert_violation, operand, violation};
use crate::handwritten::refuses;

/// Bytes between rows of the tensor, which has 16 rows; a box has as many of 16 elements of 2 bytes.
const PITCH: usize = 64;

/// A kernel of a warp whose threads fill 16 bytes of a box each with their number plus 1, and then do `body`.
fn text(body: &str) -> String {
    format!(
        ".version 8.0
.target sm_90
.address_size 64
.visible .entry stores(.param .align 64 .b8 map[128], .param .u64 to, .param .u32 x, .param .u32 y)
{{
    .reg .pred %p<4>;
    .reg .b32 %r<8>, %thread, %x, %y;
    .reg .b64 %map, %to, %d<4>;
    .shared .align 128 .b8 box[1024];
    mov.b64 %map, map;
    cvta.param.u64 %map, %map;
    ld.param.u64 %to, [to];
    ld.param.u32 %x, [x];
    ld.param.u32 %y, [y];
    mov.u32 %thread, %tid.x;
    setp.eq.u32 %p0, %thread, 0;
    mov.u32 %r1, box;
    mad.lo.u32 %r0, %thread, 16, %r1;
    add.u32 %r2, %thread, 1;
    mul.lo.u32 %r2, %r2, 0x01010101;
    st.shared.v4.u32 [%r0], {{%r2, %r2, %r2, %r2}};
    fence.proxy.async;
    bar.sync 0;
{body}
    ret;
}}
"
    )
}

const STORE: &str =
    "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%map, {%x, %y}], [%r1];";
const COMMIT: &str = "@%p0 cp.async.bulk.commit_group;";
const READ: &str = "@%p0 cp.async.bulk.wait_group.read 0;";
const WAIT: &str = "@%p0 cp.async.bulk.wait_group 0;";

/// A tensor of that many columns, in memory that is zero.
struct Tensor {
    memory: Memory,
    map: TensorMap,
    /// Whether an operand ends where its rows do.
    bounded: bool,
}

impl Tensor {
    fn new(columns: u64) -> Tensor {
        let memory = Memory::new();
        let address = memory.allocate(16 * PITCH as u64).expect("allocates");
        memory.write(address, &[0; 16 * PITCH]).expect("writes");
        let map = TensorMap {
            address,
            element_bytes: 2,
            dims: vec![columns, 16],
            strides: vec![PITCH as u64],
            box_dims: vec![16, 16],
            swizzle: Swizzle::None,
            rounds_to_tf32: false,
        };
        Tensor { memory, map, bounded: false }
    }

    fn run(&self, body: &str, corner: [i32; 2], seed: u64) -> Result<Vec<u8>, Violation> {
        let text = text(body);
        let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let map = self.map.encode().expect("is legal").to_vec();
        let arguments = [map, self.map.address.bytes(), corner[0].bytes(), corner[1].bytes()];
        let rows = [16, 2 * self.map.dims[0], PITCH as u64];
        let operands = [operand("out", self.map.address, rows, true)];
        let launch = Launch {
            arguments: &arguments,
            operands: self.bounded.then_some(&operands),
            seed,
            ..Launch::new("stores", [1; 3], [32, 1, 1])
        };
        violation(module.launch(&self.memory, &launch))?;
        let mut bytes = vec![0; 16 * PITCH];
        self.memory.read(self.map.address, &mut bytes).expect("reads");
        Ok(bytes)
    }

    /// What the tensor holds after a store to that corner, if elements of columns below `columns` are written.
    fn expected(&self, corner: [i32; 2], columns: i32) -> Vec<u8> {
        let mut bytes = vec![0; 16 * PITCH];
        for (row, column) in (0..16).flat_map(|row| (0..16).map(move |column| (row, column))) {
            let (x, y) = (corner[0] + column, corner[1] + row);
            if (0..columns).contains(&x) && (0..16).contains(&y) {
                let at = y as usize * PITCH + 2 * x as usize;
                bytes[at..at + 2].fill((2 * row + column / 8 + 1) as u8);
            }
        }
        bytes
    }
}

#[test]
fn boxes_are_written_within_the_tensor() {
    for seed in 0..4 {
        for corner in [[0, 0], [16, 3], [8, 15], [-8, -3], [24, 0], [32, 0], [0, 16], [0, -16]] {
            let tensor = Tensor::new(32);
            for body in [format!("{STORE}{COMMIT}{WAIT}"), format!("{STORE}{COMMIT}{READ}")] {
                let wrote = tensor.run(&body, corner, seed);
                assert_eq!(wrote, Ok(tensor.expected(corner, 32)), "{corner:?}");
            }
        }
    }
}

#[test]
fn a_box_may_have_three_dimensions() {
    // 4 x 4 rows of two dimensions; the corner cuts one of each.
    let mut tensor = Tensor::new(32);
    let map = &mut tensor.map;
    map.dims = vec![32, 4, 4];
    map.strides = vec![PITCH as u64, 4 * PITCH as u64];
    map.box_dims = vec![16, 4, 4];
    let store = STORE.replace("2d", "3d").replace("%y}", "%y, %r3}");
    for seed in 0..4 {
        let body = format!("mov.u32 %r3, -1;\n{store}{COMMIT}{WAIT}");
        let wrote = tensor.run(&body, [16, 1], seed).expect("stores");
        let mut want = vec![0; 16 * PITCH];
        for (row, column) in (0..16usize).flat_map(|row| (0..16).map(move |column| (row, column))) {
            let (y, z) = (row % 4 + 1, (row / 4).checked_sub(1));
            if let Some(z) = z.filter(|_| y < 4) {
                let at = (4 * z + y) * PITCH + 2 * (16 + column);
                want[at..at + 2].fill((2 * row + column / 8 + 1) as u8);
            }
        }
        assert!(wrote == want, "seed {seed}");
        tensor.memory.write(tensor.map.address, &[0; 16 * PITCH]).expect("writes");
    }
}

#[test]
fn rows_are_cut_in_units_of_16_bytes() {
    let mut tensor = Tensor::new(20);
    let body = format!("{STORE}{COMMIT}{WAIT}");
    // 20 elements end within a unit of 8, which is written whole.
    assert_eq!(tensor.run(&body, [16, 0], 0), Ok(tensor.expected([16, 0], 24)));
    tensor.bounded = true;
    let write = Direction::Write;
    assert_violation!(
        tensor.run(&body, [16, 0], 0).expect_err("writes beyond a row"),
        Violation::OutOfBounds { space: Space::Global, bytes: 16, direction, .. } if *direction == write
    );
    assert!(tensor.run(&body, [0, 0], 0).is_ok());
}

#[test]
fn results_are_visible_after_the_full_wait() {
    // Whether the results are there, in memory where nothing was written before.
    let visible = |wait: &str, seed| {
        let memory = Memory::new();
        let address = memory.allocate(16 * PITCH as u64).expect("allocates");
        let map = TensorMap { address, ..Tensor::new(32).map };
        let body = format!("{STORE}{COMMIT}{wait}\n@%p0 ld.global.u32 %r3, [%to];");
        match (Tensor { memory, map, bounded: false }).run(&body, [0, 0], seed) {
            Ok(_) => true,
            Err(Violation::Uninitialized { space: Space::Global, .. }) => false,
            Err(other) => panic!("{other}"),
        }
    };
    assert!((0..16).all(|seed| visible(WAIT, seed)));
    let early = (0..16).filter(|seed| visible(READ, *seed)).count();
    assert!((2..=14).contains(&early), "{early} of 16 stores were early");
}

#[test]
fn groups_complete_in_order() {
    let second =
        "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {%x, %y}], [%r1+512];";
    let both = format!(
        "add.u32 %r4, %r0, 512;\nst.shared.v4.u32 [%r4], {{%r2, %r2, %r2, %r2}};\nfence.proxy.async;\nbar.sync 0;\n{STORE}{COMMIT}\n{second}{COMMIT}\n"
    );
    let older = format!("{both}@%p0 cp.async.bulk.wait_group.read 1;\nbar.sync 0;\n");
    let tensor = Tensor::new(32);
    for seed in 0..4 {
        let first = format!("{older}st.shared.u32 [%r0], 0;\n{READ}");
        assert!(tensor.run(&first, [0, 0], seed).is_ok());
        let newer = format!("{older}st.shared.u32 [%r4], 0;\n{READ}");
        let overwritten = TensorStoreProblem::Overwritten { address: 512, thread: 0 };
        let found = tensor.run(&newer, [0, 0], seed);
        assert_eq!(found, Err(Violation::TensorStore(overwritten)));
    }
}

#[test]
fn wrong_uses_are_found() {
    let tensor = Tensor::new(32);
    let found = |body: &str, corner| tensor.run(body, corner, 1).expect_err(body);
    let problem = |body: &str, corner| match found(body, corner) {
        Violation::TensorStore(problem) => problem,
        other => panic!("{other}"),
    };
    let left = [format!("{STORE}{COMMIT}"), format!("{STORE}{WAIT}"), STORE.to_owned()];
    left.iter().for_each(|body| assert_eq!(problem(body, [0, 0]), TensorStoreProblem::Left));
    let coordinate = TensorStoreProblem::Coordinate { coordinate: 4 };
    assert_eq!(problem(STORE, [4, 0]), coordinate);
    let misaligned = STORE.replace("[%r1]", "[%r1+16]");
    assert_violation!(
        found(&misaligned, [0, 0]),
        Violation::Misaligned { bytes: 128, direction: Direction::Read, .. }
    );
    let far = STORE.replace("[%r1]", "[%r1+640]");
    assert_violation!(found(&far, [0, 0]), Violation::Uninitialized { address: 640, .. });
    let outside = STORE.replace("[%r1]", "[%r1+4096]");
    assert_violation!(found(&outside, [0, 0]), Violation::OutOfBounds { space: Space::Shared, .. });
    let other_rank = STORE.replace(".2d", ".1d").replace("%x, %y", "%x");
    assert_violation!(found(&other_rank, [0, 0]), Violation::BadTensorMap { .. });
}

#[test]
fn what_is_not_modelled_is_refused() {
    refuses(
        "
        cp.async.bulk.tensor.2d.global.shared::cta.mbarrier::complete_tx::bytes [%d0, {%r1, %r2}], [%r0]; -> expected 3 operands, found 2
        cp.async.bulk.tensor.2d.global.shared::cluster.bulk_group [%d0, {%r1, %r2}], [%r0]; -> unsupported form of cp.async.bulk
        cp.async.bulk.tensor.2d.global.shared::cta.im2col_no_offs.bulk_group [%d0, {%r1, %r2}], [%r0]; -> unknown modifier .im2col_no_offs
        cp.async.bulk.wait_group.write 0; -> unknown modifier .write
        cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r0], 16; -> unsupported form of cp.async.bulk
        ",
    );
}
