//! What a plan promises, through the public interface.

use gemm_codegen::body::{BinaryOp, Body, Node};
use gemm_codegen::{
    Allow, CacheOperator, Element, Field, Mma, OperandKind, OutputIndices, PerSide, Plan, Rule,
    Side, Spec, Swizzle, Target,
};

use super::shared::{
    F16, broken, combined, contains_all, cp_async, extent, fma, help, kernel, matrix, on, operand,
    plan, product, swizzle, tn, with,
};

fn rules(spec: &Spec) -> Vec<Rule> {
    broken(spec).into_iter().map(|(rule, _)| rule).collect()
}

#[test]
fn every_order_has_a_legal_default() {
    for a in [["M", "K"], ["K", "M"]] {
        for b in [["N", "K"], ["K", "N"]] {
            for out in [["M", "N"], ["N", "M"]] {
                let plan = plan(&product(F16, [a, b, out]));
                for side in Side::BOTH {
                    assert_eq!(plan.feed(side).bank_passes(), 1);
                    assert_eq!(plan.global_to_shared(side).bank_passes, 1);
                }
            }
        }
    }
}

#[test]
fn the_names_of_the_indices_do_not_matter() {
    let plan = plan(&product(F16, [["Rows", "Inner"], ["Inner", "Cols"], ["Cols", "Rows"]]));
    let problem = plan.problem();
    assert_eq!(problem.indices(), &["Rows", "Cols", "Inner"]);
    assert_eq!(Side::BOTH.map(|side| problem.factor(side).k_contiguous()), [true, false]);
    assert!(!problem.n_contiguous());
}

#[test]
fn the_text_is_a_function_of_the_spec() {
    let first = kernel(&tn());
    assert_eq!(first, kernel(&tn()));
    assert!(!first.text.contains("#include"));
    let version = env!("CARGO_PKG_VERSION");
    assert!(!first.text.contains(version), "a release renames no entry point");
    assert!(first.text.lines().all(|line| line.chars().count() <= 100));
    assert!(first.text.contains(&format!("{}(\n", first.entry)));
    let other = with(tn(), |schedule| schedule.stages = Some(extent(3)));
    assert_ne!(first.entry, kernel(&other).entry);
}

#[test]
fn each_side_is_judged_by_its_own_order() {
    let mut spec = product(F16, [["M", "K"], ["K", "N"], ["M", "N"]]);
    spec.schedule.tile = Some([128, 128, 32].map(extent));
    spec.schedule.swizzle = PerSide { a: swizzle([2, 3, 3]), b: swizzle([3, 3, 4]) };
    assert_eq!(broken(&spec), []);
    spec.schedule.swizzle = PerSide::both(swizzle([2, 3, 3]));
    assert_eq!(broken(&spec), [(Rule::BankConflictFree, Field::Swizzle(Side::B))]);
    spec.schedule.allow = vec![Allow::BankConflicts];
    assert_eq!(broken(&spec), []);
}

#[test]
fn a_help_names_a_swizzle_that_is_legal() {
    let of = |bits| with(tn(), |schedule| schedule.swizzle.a = swizzle(bits));
    let help = help(&of([0, 3, 3]));
    assert!(help.starts_with("use [2, 3, 3], which needs 1 pass"), "{help}");
    assert_eq!(broken(&of([2, 3, 3])), []);
}

#[test]
fn stages_fit_the_smallest_target_and_no_more() {
    let of = |stages, targets: &[Target]| {
        with(on(tn(), targets), |schedule| {
            schedule.tile = Some([128, 128, 64].map(extent));
            schedule.stages = Some(extent(stages));
        })
    };
    // 32768 B a stage.
    for (most, target) in [(3, Target::Sm86), (5, Target::Sm80), (7, Target::Sm90)] {
        assert_eq!(broken(&of(most, &[target])), []);
        assert_ne!(broken(&of(most + 1, &[target])), []);
    }
    let diagnostics = Plan::new(&of(7, &[Target::Sm90, Target::Sm80])).unwrap_err();
    assert_eq!(
        diagnostics.to_string(),
        "error: 7 stages of 32768 B need 229376 B of shared memory, but a block on sm_80 has \
         166912 B\n\n  = help: use 5 stages, or a smaller block tile\n  = rule: \
         shared-memory-fits"
    );
}

#[test]
fn warps_stage_what_fits_the_smallest_target() {
    // Sixteen warps 4 x 4 would stage 128 rows of 132 sums, 2 KiB more than sm_75 has.
    let spec = product(F16, [["K", "M"], ["N", "K"], ["N", "M"]]);
    let spec = with(spec, |schedule| schedule.mma = fma(4, 4));
    assert_eq!(plan(&spec).warps().grid, [4, 4, 1]);
    assert_eq!(plan(&on(spec, &[Target::Sm75, Target::Sm80])).warps().grid, [8, 2, 1]);
}

#[test]
fn defaults_follow_what_is_written() {
    let of = |tile: [u16; 3]| {
        plan(&with(on(tn(), &[Target::Sm90]), |schedule| schedule.tile = Some(tile.map(extent))))
    };
    let plan = of([128, 256, 64]);
    assert_eq!((plan.warps().grid, plan.ring().stages), ([2, 4, 1], 4));
    assert_eq!(plan.shared_tile(Side::A).layout.swizzle(), Swizzle { b: 3, m: 3, s: 3 });
    assert_eq!(of([64, 64, 24]).mma().name(), "m16n8k8");
}

#[test]
fn bfloat16_outputs_and_old_targets_exclude_each_other() {
    let mut spec = tn();
    spec.outputs[0].element = Element::Bf16;
    spec.schedule.mma = Some(Mma::M16n8k8);
    assert_eq!(rules(&on(spec.clone(), &[Target::Sm75])), [Rule::ElementsOnTarget]);
    assert_eq!(rules(&on(spec, &[Target::Sm80])), []);
}

#[test]
fn targets_without_asynchronous_copies_copy_through_registers() {
    let mut spec = on(tn(), &[Target::Sm75, Target::Sm80]);
    spec.schedule.mma = Some(Mma::M16n8k8);
    let plan = plan(&spec);
    assert!(!plan.global_to_shared(Side::B).atom.is_async());
    // 128 x 32 halves of each side, a share of 128 threads.
    assert_eq!((plan.ring().stages, plan.registers().copies), (2, 32));
    spec.schedule.copy.b = cp_async(16, CacheOperator::Cg);
    assert_eq!(broken(&spec), [(Rule::CopyOnTarget, Field::Target(0))]);
}

#[test]
fn operands_are_matrices_of_the_output_or_vectors_of_one_index() {
    let with = |kind| {
        let mut spec = tn();
        spec.operands.push(operand("extra", kind));
        broken(&spec)
    };
    let element = Element::F32;
    let wrong = |index| (Rule::OperandIndices, Field::OperandIndex(2, index));
    for (index, expected) in [("M", None), ("N", None), ("K", Some(wrong(0)))] {
        let vector = OperandKind::Vector { element, index: index.to_owned() };
        assert_eq!(with(vector), Vec::from_iter(expected), "{index}");
    }
    for (indices, expected) in [
        (["M", "N"], None),
        (["N", "M"], None),
        (["M", "K"], Some(wrong(1))),
        (["Z", "N"], Some(wrong(0))),
        (["M", "M"], Some(wrong(1))),
    ] {
        assert_eq!(with(matrix(element, indices)), Vec::from_iter(expected), "{indices:?}");
    }
}

#[test]
fn a_body_with_a_mistake_does_not_hide_the_schedule_s() {
    let mut spec = tn();
    let unknown = spec.body.push(Node::Name("bais".to_owned()));
    let sum = Node::Binary(BinaryOp::Add, spec.body.root, unknown);
    spec.body.root = spec.body.push(sum);
    spec.schedule.stages = Some(extent(200));
    assert_eq!(rules(&spec), [Rule::BodyNames, Rule::SharedMemoryFits]);
}

#[test]
fn operands_have_names_of_their_own() {
    let mut spec = tn();
    let named = |name| operand(name, matrix(F16, ["M", "N"]));
    spec.operands.extend(["c", "a", "r#c"].map(named));
    let of_names = |at| (Rule::OperandNames, Field::Operand(at));
    assert_eq!(broken(&spec), [of_names(3), of_names(4)]);
}

#[test]
fn long_names_make_no_long_lines() {
    let long = |name: &str| format!("{name}_of_the_previous_layer");
    let mut spec = tn();
    for operand in &mut spec.operands {
        operand.name = long(&operand.name);
    }
    spec.body = Body::matmul(&long("a"), &long("b"));
    for (name, indices) in [("transposed", ["N", "M"]), ("residual", ["M", "N"])] {
        spec = combined(spec, BinaryOp::Add, operand(&long(name), matrix(F16, indices)));
    }
    let kernel = kernel(&spec);
    let longest = kernel.text.lines().max_by_key(|line| line.len()).unwrap();
    assert!(longest.len() <= 100, "{longest}");
}

/// `c += alpha * a bᵀ`, in place.
fn accumulating() -> Spec {
    let mut spec = tn();
    spec.outputs[0].in_place = Some("c".to_owned());
    let old = spec.body.push(Node::Deref("c".to_owned()));
    spec.body.root = spec.body.push(Node::Binary(BinaryOp::Add, spec.body.root, old));
    spec
}

#[test]
fn an_output_in_place_is_the_last_parameter_and_read_as_one() {
    let reading = kernel(&accumulating());
    let names: Vec<&str> = reading.parameters.iter().map(|p| p.name.as_ref()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(reading.reads_output);
    let parts = [
        "fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f16, M, N>)",
        "float body(const float acc, const float c)",
        "    MatrixRun<f16, ALIGN_out> out;\n",
        "        out.read(read.out, row, col, valid);\n",
        "const Values values = {out, ld_out};",
    ];
    contains_all(&reading.text, &parts);

    let mut unread = accumulating();
    unread.body = Body::matmul("a", "b");
    let unread = kernel(&unread);
    assert!(!unread.reads_output && !unread.text.contains("read.out"));
}

#[test]
fn an_output_in_place_has_a_name_of_its_own_and_indices_of_a_product() {
    for name in ["r#a", "two words"] {
        let mut spec = accumulating();
        spec.outputs[0].in_place = Some(name.to_owned());
        assert!(broken(&spec).contains(&(Rule::OperandNames, Field::OutputName)), "{name}");
    }
    let mut spec = accumulating();
    spec.outputs[0].indices = OutputIndices::Matrix(["M", "K"].map(str::to_owned));
    let at = (Rule::ContractionIndices, Field::OutputIndex(0, 1));
    assert_eq!(broken(&spec), [at]);
    let help = help(&spec);
    assert!(help.contains("c: &mut Mat<_, M, K>"), "{help}");
}

#[test]
fn a_scalar_in_device_memory_is_read_once_and_is_a_value_of_the_body() {
    let scaled_by = |element| {
        let alpha = operand("alpha", OperandKind::DeviceScalar(element));
        combined(tn(), BinaryOp::Mul, alpha)
    };
    let mut spec = scaled_by(Element::Bf16);
    let kernel = kernel(&spec);
    assert!(kernel.text.contains("    const bf16* alpha,\n"));
    assert!(kernel.text.contains("const Values values = {to_value(*alpha)};"));
    assert_eq!(kernel.text.matches("*alpha").count(), 1);
    assert_eq!(kernel.parameters[2].align_constant, None);

    // It is no matrix, and an integer where the body wants a float.
    let factor = spec.body.push(Node::Name("alpha".to_owned()));
    let arguments = vec![spec.body.push(Node::Name("a".to_owned())), factor];
    spec.body.root = spec.body.push(Node::Call { function: "matmul".to_owned(), arguments });
    assert_eq!(broken(&spec), [(Rule::Matmul, Field::Body(factor))]);
    assert_eq!(rules(&scaled_by(Element::I8)), [Rule::BodyTypes]);
}
