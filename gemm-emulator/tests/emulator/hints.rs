//! Cache operations, eviction and prefetch hints: they are taken where the PTX ISA has them and change nothing.

use gemm_emulator::Module;

use crate::handwritten::{kernel, refuses, results};

/// Copies `%idx` through memory with one load and one store, given without address and data.
fn copied(load: &str, store: &str, policy: [&str; 2]) -> Vec<u32> {
    let body = format!(
        "    createpolicy.fractional.L2::evict_last.b64 %d5, 0f3F800000;
    mul.wide.u32 %d1, %idx, 4;
    add.u64 %d2, %in, %d1; add.u64 %d3, %out, %d1;
    {load} %r1, [%d2]{};
    {store} [%d3], %r1{};",
        policy[0], policy[1]
    );
    let inputs: Vec<u32> = (100..132).collect();
    results::<u32, u32>(&kernel(&body), &inputs, 32)
}

#[test]
fn loads_and_stores_take_every_hint() {
    let want: Vec<u32> = (100..132).collect();
    let loads = "
        ld.global.ca.u32 ld.global.cg.u32 ld.global.cs.u32 ld.global.lu.u32 ld.global.cv.u32
        ld.volatile.global.u32 ld.relaxed.gpu.global.u32 ld.acquire.sys.global.u32
        ld.weak.global.u32 ld.mmio.relaxed.sys.global.u32 ld.global.nc.u32 ld.global.ca.nc.u32
        ld.global.nc.L1::no_allocate.L2::128B.u32 ld.global.L1::evict_first.L2::64B.u32
        ld.global.L1::evict_last.L2::256B.u32 ld.global.L1::evict_normal.u32
        ld.global.L1::evict_unchanged.u32 ldu.global.u32
    ";
    for load in loads.split_whitespace() {
        assert_eq!(copied(load, "st.global.u32", ["", ""]), want, "{load}");
    }
    let stores = "
        st.global.wb.u32 st.global.cg.u32 st.global.cs.u32 st.global.wt.u32 st.volatile.global.u32
        st.relaxed.gpu.global.u32 st.release.cta.global.u32 st.global.L1::no_allocate.u32
    ";
    for store in stores.split_whitespace() {
        assert_eq!(copied("ld.global.u32", store, ["", ""]), want, "{store}");
    }
    let (load, store) = (
        "ld.global.nc.L1::no_allocate.L2::cache_hint.L2::256B.u32",
        "st.global.L2::cache_hint.u32",
    );
    assert_eq!(copied(load, store, [", %d5", ", %d5"]), want);
}

#[test]
fn asynchronous_copies_take_every_hint() {
    for (copy, zeros) in [
        ("cp.async.ca.shared.global [%r1], [%d2], 4;", false),
        ("cp.async.ca.shared::cta.global.L2::64B [%r1], [%d2], 4;", false),
        ("cp.async.ca.shared.global.L2::256B [%r1], [%d2], 4, 4;", false),
        ("cp.async.ca.shared.global.L2::cache_hint.L2::128B [%r1], [%d2], 4, %d5;", false),
        ("cp.async.ca.shared.global.L2::cache_hint [%r1], [%d2], 4, %r2, %d5;", true),
        ("cp.async.ca.shared.global.L2::cache_hint [%r1], [%d2], 4, %p1, %d5;", true),
    ] {
        let body = format!(
            "    .shared .align 16 .b8 s[128];
    createpolicy.fractional.L2::evict_first.b64 %d5, 0f3F800000;
    mov.u32 %r2, 0; setp.eq.u32 %p1, %r2, 0;
    mul.wide.u32 %d1, %idx, 4;
    add.u64 %d2, %in, %d1; add.u64 %d3, %out, %d1;
    mov.u32 %r1, s; mad.lo.u32 %r1, %idx, 4, %r1;
    {copy}
    cp.async.commit_group; cp.async.wait_group 0;
    ld.shared.u32 %r3, [%r1];
    st.global.u32 [%d3], %r3;"
        );
        let inputs: Vec<u32> = (100..132).collect();
        let out = results::<u32, u32>(&kernel(&body), &inputs, 32);
        assert_eq!(out, if zeros { vec![0; 32] } else { inputs }, "{copy}");
    }
}

#[test]
fn a_policy_has_priorities_and_a_fraction() {
    let policies = [
        "L2::evict_first.b64 %d5, 1.0;",
        "L2::evict_last.b64 %d5, 0f3F000000;",
        "L2::evict_normal.b64 %d5;",
        "L2::evict_unchanged.L2::evict_first.b64 %d5, 0.25;",
        "L2::evict_last.L2::evict_unchanged.b64 %d5, %r1;",
    ];
    for policy in policies {
        let body = format!("    createpolicy.fractional.{policy}");
        Module::parse(&kernel(&body)).expect(policy);
    }
}

#[test]
fn atomics_take_a_policy() {
    let body = "    createpolicy.fractional.L2::evict_last.b64 %d5, 0f3F800000;
    mul.wide.u32 %d1, %idx, 4;
    add.u64 %d3, %out, %d1;
    st.global.u32 [%d3], %idx;
    atom.global.add.L2::cache_hint.u32 %r1, [%d3], 5, %d5;
    red.global.add.L2::cache_hint.u32 [%d3], %r1, %d5;";
    let out = results::<u32, u32>(&kernel(body), &[0], 32);
    assert_eq!(out, (0..32).map(|x| 2 * x + 5).collect::<Vec<u32>>());
}

#[test]
fn what_the_isa_does_not_have_is_refused() {
    refuses(
        "
        ld.global.L1::sometimes.u32 %r0, [%d0]; -> unknown modifier .L1::sometimes
        ld.global.L2::32B.u32 %r0, [%d0]; -> unknown modifier .L2::32B
        ld.global.wb.u32 %r0, [%d0]; -> unknown modifier .wb
        ld.global.release.u32 %r0, [%d0]; -> unknown modifier .release
        st.global.nc.u32 [%d0], %r0; -> unknown modifier .nc
        st.global.L2::128B.u32 [%d0], %r0; -> unknown modifier .L2::128B
        st.global.L2::cache_hint.u32 [%d0], %r0, %r1; -> operand has the wrong size
        atom.global.add.ca.u32 %r0, [%d0], %r1; -> unknown modifier .ca
        red.acq_rel.global.add.u32 [%d0], %r1; -> unknown modifier .acq_rel
        atom.global.add.f16 %h0, [%d0], %h1; -> unsupported type of an atomic operation
        atom.global.max.f32 %r0, [%d0], %r1; -> unsupported type of an atomic operation
        atom.global.inc.u64 %d0, [%d0], %d1; -> unsupported type of an atomic operation
        atom.shared.add.v2.f32 {%r0, %r1}, [%d0], {%r2, %r3}; -> unsupported type of an atomic operation
        red.global.exch.b32 [%d0], %r1; -> unsupported type of an atomic operation
        atom.global.cas.b128 %d0, [%d0], %d1, %d2; -> type is missing
        cp.async.ca.shared.global.L2::bogus [%r0], [%d0], 16; -> unknown modifier .L2::bogus
        cp.async.ca.shared.global.L2::cache_hint [%r0], [%d0], 16, %r1; -> operand has the wrong size
        createpolicy.fractional.b64 %d0, 1.0; -> priority of a cache policy is missing
        createpolicy.fractional.L2::no_allocate.b64 %d0, 1.0; -> priority of a cache policy is missing
        createpolicy.fractional.L2::evict_first.L2::evict_last.b64 %d0, 1.0; -> unknown modifier .L2::evict_last
        createpolicy.fractional.L2::evict_first.b64 %d0, 1.5; -> 1.5 is not a fraction of the lines
        createpolicy.fractional.L2::evict_first.b64 %d0, 0f00000000; -> 0 is not a fraction of the lines
        createpolicy.fractional.L2::evict_first.b64 %r0, 1.0; -> destination has the wrong size
        createpolicy.range.L2::evict_first.b64 %d0, [%d1], 1, 2; -> only fractional cache policies are supported
        shfl.sync.left.b32 %r0, %r1, 1, 31, -1; -> mode is missing
        vote.sync.none.pred %p0, %p1, -1; -> mode is missing
        ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0}, [%r1]; -> shape or number of a matrix move is missing
        ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [%r2]; -> matrix moves of shape .m16n16 are not supported
        ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%r0}, [%r2]; -> matrix moves of shape .m8n16 are not supported
        stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r2], {%r0}; -> matrix moves of shape .m16n8 are not supported
        ldmatrix.sync.aligned.m8n8.x1.shared.b8 {%r0}, [%r1]; -> matrices of shape .m8n8 have elements of type .b16
        ldmatrix.sync.aligned.m8n8.x1.shared::cluster.b16 {%r0}, [%r1]; -> unknown modifier .shared::cluster
        ",
    );
}
