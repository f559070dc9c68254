//! What a plan promises, through the public interface.

use std::num::NonZeroU16;

use gemm_codegen::body::{BinaryOp, Body, Node};
use gemm_codegen::{
    Allow, Axis, CacheOperator, CopyAtom, Element, Field, Mma, Operand, OperandKind, Output,
    PerSide, Plan, Rule, Schedule, Side, Spec, Swizzle, Target, emit,
};

fn extent(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

fn matrix(name: &str, element: Element, indices: [&str; 2]) -> Operand {
    let kind = OperandKind::Matrix { element, indices: indices.map(str::to_owned) };
    Operand { name: name.to_owned(), batch: None, kind }
}

/// `fn product(a, b) -> out { matmul(a, b) }` of f16 with these indices.
fn product(a: [&str; 2], b: [&str; 2], out: [&str; 2]) -> Spec {
    Spec {
        name: "product".to_owned(),
        operands: vec![matrix("a", Element::F16, a), matrix("b", Element::F16, b)],
        outputs: vec![Output {
            in_place: None,
            batch: None,
            element: Element::F16,
            indices: out.map(str::to_owned),
        }],
        body: Body::matmul("a", "b"),
        schedule: Schedule::default(),
    }
}

fn tn() -> Spec {
    product(["M", "K"], ["N", "K"], ["M", "N"])
}

fn broken(spec: &Spec) -> Vec<(Rule, Field)> {
    match Plan::new(spec) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics.iter().map(|d| (d.rule, d.at)).collect(),
    }
}

fn copy(bytes: u16, cache: CacheOperator) -> Option<CopyAtom> {
    Some(CopyAtom::CpAsync { bytes: extent(bytes), cache, policy: None })
}

#[test]
fn every_order_has_a_legal_default() {
    for a in [["M", "K"], ["K", "M"]] {
        for b in [["N", "K"], ["K", "N"]] {
            for out in [["M", "N"], ["N", "M"]] {
                let plan = Plan::new(&product(a, b, out)).unwrap();
                for side in Side::BOTH {
                    assert_eq!(plan.shared_to_register(side).bank_passes, 1);
                    assert_eq!(plan.global_to_shared(side).bank_passes, 1);
                }
            }
        }
    }
}

#[test]
fn the_names_of_the_indices_do_not_matter() {
    let spec = product(["Rows", "Inner"], ["Inner", "Cols"], ["Cols", "Rows"]);
    let plan = Plan::new(&spec).unwrap();
    let contraction = plan.contraction();
    assert_eq!(contraction.indices, ["Rows", "Cols", "Inner"]);
    assert!(contraction.k_contiguous(Side::A) && !contraction.k_contiguous(Side::B));
    assert!(!contraction.n_contiguous());
}

#[test]
fn the_text_is_a_function_of_the_spec() {
    let kernel = |spec: &Spec| emit(&Plan::new(spec).unwrap());
    let first = kernel(&tn());
    assert_eq!(first, kernel(&tn()));
    assert!(!first.text.contains("#include"));
    let version = env!("CARGO_PKG_VERSION");
    assert!(!first.text.contains(version), "a release renames no entry point");
    assert!(first.text.lines().all(|line| line.chars().count() <= 100));
    assert!(first.text.contains(&format!("{}(\n", first.entry)));
    let mut other = tn();
    other.schedule.stages = Some(extent(3));
    assert_ne!(first.entry, kernel(&other).entry);
}

#[test]
fn independent_mistakes_are_reported_together() {
    let mut spec = tn();
    spec.outputs[0].indices[1] = "K".to_owned();
    spec.schedule = Schedule {
        tile: Some([100, 128, 33].map(extent)),
        warps: Some([3, 2, 1].map(extent)),
        copy: PerSide { a: copy(12, CacheOperator::Ca), b: copy(8, CacheOperator::Cg) },
        stages: Some(extent(1)),
        targets: Some(vec![Target::Sm75, Target::Sm75]),
        ..Schedule::default()
    };
    assert_eq!(
        broken(&spec),
        [
            (Rule::ContractionIndices, Field::OutputIndex(0, 1)),
            (Rule::TargetsNamed, Field::Target(1)),
            (Rule::CopySize, Field::CopyBytes(Side::A)),
            (Rule::CopySize, Field::CopyCache(Side::B)),
            (Rule::CopyOnTarget, Field::Target(0)),
            (Rule::CopyOnTarget, Field::Target(1)),
            (Rule::WarpsTileBlock, Field::Warps(Axis::M)),
            (Rule::AtomsTileWarp, Field::Tile(Axis::M)),
            (Rule::AtomsTileK, Field::Tile(Axis::K)),
            (Rule::PipelineDepth, Field::Stages),
        ]
    );
}

#[test]
fn each_side_is_judged_by_its_own_order() {
    let mut spec = product(["M", "K"], ["K", "N"], ["M", "N"]);
    let swizzle = |b, s| Some(Swizzle { b, m: 3, s });
    spec.schedule.tile = Some([128, 128, 32].map(extent));
    spec.schedule.swizzle = PerSide { a: swizzle(2, 3), b: swizzle(3, 4) };
    assert_eq!(broken(&spec), []);
    spec.schedule.swizzle = PerSide::both(swizzle(2, 3));
    assert_eq!(broken(&spec), [(Rule::BankConflictFree, Field::Swizzle(Side::B))]);
    spec.schedule.allow = vec![Allow::BankConflicts];
    assert_eq!(broken(&spec), []);
}

#[test]
fn a_help_names_a_swizzle_that_is_legal() {
    let mut spec = tn();
    spec.schedule.swizzle.a = Some(Swizzle { b: 0, m: 3, s: 3 });
    let diagnostics = Plan::new(&spec).unwrap_err();
    let help = &diagnostics.iter().next().unwrap().help;
    assert!(help.starts_with("use [2, 3, 3], which needs 1 pass"), "{help}");
    spec.schedule.swizzle.a = Some(Swizzle { b: 2, m: 3, s: 3 });
    assert_eq!(broken(&spec), []);
}

#[test]
fn stages_fit_the_smallest_target_and_no_more() {
    let mut spec = tn();
    spec.schedule.tile = Some([128, 128, 64].map(extent));
    let fits = |spec: &mut Spec, stages, targets: &[Target]| {
        spec.schedule.stages = Some(extent(stages));
        spec.schedule.targets = Some(targets.to_vec());
        broken(spec).is_empty()
    };
    // 32768 B a stage.
    assert!(fits(&mut spec, 3, &[Target::Sm86]));
    assert!(!fits(&mut spec, 4, &[Target::Sm86]));
    assert!(fits(&mut spec, 5, &[Target::Sm80]));
    assert!(!fits(&mut spec, 6, &[Target::Sm80]));
    assert!(fits(&mut spec, 7, &[Target::Sm90]));
    assert!(!fits(&mut spec, 8, &[Target::Sm90]));
    assert!(!fits(&mut spec, 7, &[Target::Sm90, Target::Sm80]));
    let diagnostics = Plan::new(&spec).unwrap_err();
    assert_eq!(
        diagnostics.to_string(),
        "error: 7 stages of 32768 B need 229376 B of shared memory, but a block on sm_80 has \
         166912 B\n\n  = help: use at most 5 stages, or a smaller block tile\n  = rule: \
         shared-memory-fits"
    );
}

#[test]
fn warps_stage_what_fits_the_smallest_target() {
    // Sixteen warps 4 x 4 would stage 128 rows of 132 sums, 2 KiB more than sm_75 has.
    let mut spec = product(["K", "M"], ["N", "K"], ["N", "M"]);
    spec.schedule.mma = Some(Mma::Fma { m: extent(4), n: extent(4) });
    let grid = |spec: &Spec| Plan::new(spec).unwrap().warps().grid;
    assert_eq!(grid(&spec), [4, 4, 1]);
    spec.schedule.targets = Some(vec![Target::Sm75, Target::Sm80]);
    assert_eq!(grid(&spec), [8, 2, 1]);
}

#[test]
fn defaults_follow_what_is_written() {
    let mut spec = tn();
    spec.schedule.tile = Some([128, 256, 64].map(extent));
    spec.schedule.targets = Some(vec![Target::Sm90]);
    let plan = Plan::new(&spec).unwrap();
    assert_eq!((plan.warps().grid, plan.pipeline().stages()), ([2, 4, 1], 4));
    assert_eq!(plan.shared_tile(Side::A).layout.swizzle(), Swizzle { b: 3, m: 3, s: 3 });
    spec.schedule.tile = Some([64, 64, 24].map(extent));
    assert_eq!(Plan::new(&spec).unwrap().mma().name(), "m16n8k8");
}

#[test]
fn bfloat16_outputs_and_old_targets_exclude_each_other() {
    let mut spec = tn();
    spec.outputs[0].element = Element::Bf16;
    spec.schedule.mma = Some(Mma::M16n8k8);
    spec.schedule.targets = Some(vec![Target::Sm75]);
    let rules: Vec<Rule> = broken(&spec).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, [Rule::ElementsOnTarget]);
    spec.schedule.targets = Some(vec![Target::Sm80]);
    assert_eq!(broken(&spec), []);
}

#[test]
fn targets_without_asynchronous_copies_copy_through_registers() {
    let mut spec = tn();
    spec.schedule.mma = Some(Mma::M16n8k8);
    spec.schedule.targets = Some(vec![Target::Sm75, Target::Sm80]);
    let plan = Plan::new(&spec).unwrap();
    assert!(!plan.global_to_shared(Side::B).atom.is_async());
    // 128 x 32 halves of each side, a share of 128 threads.
    assert_eq!((plan.pipeline().stages(), plan.registers().copies), (2, 32));
    spec.schedule.copy.b = copy(16, CacheOperator::Cg);
    assert_eq!(broken(&spec), [(Rule::CopyOnTarget, Field::Target(0))]);
}

#[test]
fn operands_are_matrices_of_the_output_or_vectors_of_one_index() {
    let with = |kind: OperandKind| {
        let mut spec = tn();
        spec.operands.push(Operand { name: "extra".to_owned(), batch: None, kind });
        broken(&spec)
    };
    let element = Element::F32;
    let vector = |index: &str| OperandKind::Vector { element, index: index.to_owned() };
    let matrix = |row: &str, column: &str| OperandKind::Matrix {
        element,
        indices: [row.into(), column.into()],
    };
    assert_eq!(with(vector("M")), []);
    assert_eq!(with(vector("N")), []);
    assert_eq!(with(vector("K")), [(Rule::OperandIndices, Field::OperandIndex(2, 0))]);
    assert_eq!(with(matrix("M", "N")), []);
    assert_eq!(with(matrix("N", "M")), []);
    assert_eq!(with(matrix("M", "K")), [(Rule::OperandIndices, Field::OperandIndex(2, 1))]);
    assert_eq!(with(matrix("Z", "N")), [(Rule::OperandIndices, Field::OperandIndex(2, 0))]);
    assert_eq!(with(matrix("M", "M")), [(Rule::OperandIndices, Field::OperandIndex(2, 1))]);
}

#[test]
fn a_body_with_a_mistake_does_not_hide_the_schedule_s() {
    let mut spec = tn();
    let unknown = spec.body.push(Node::Name("bais".to_owned()));
    let sum = Node::Binary(gemm_codegen::body::BinaryOp::Add, spec.body.root, unknown);
    spec.body.root = spec.body.push(sum);
    spec.schedule.stages = Some(extent(200));
    let rules: Vec<Rule> = broken(&spec).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, [Rule::BodyNames, Rule::SharedMemoryFits]);
}

#[test]
fn operands_have_names_of_their_own() {
    let mut spec = tn();
    for name in ["c", "a", "r#c"] {
        spec.operands.push(matrix(name, Element::F16, ["M", "N"]));
    }
    let of_names = |at| (Rule::OperandNames, Field::Operand(at));
    assert_eq!(broken(&spec), [of_names(3), of_names(4)]);
}

#[test]
fn long_names_make_no_long_lines() {
    let long = |name: &str| format!("{name}_of_the_previous_layer");
    let mut spec = product(["M", "K"], ["N", "K"], ["M", "N"]);
    for operand in &mut spec.operands {
        operand.name = long(&operand.name);
    }
    spec.body = Body::matmul(&long("a"), &long("b"));
    let orders = [["N", "M"], ["M", "N"]];
    for (name, indices) in ["transposed", "residual"].into_iter().zip(orders) {
        spec.operands.push(matrix(&long(name), Element::F16, indices));
        let value = spec.body.push(Node::Name(long(name)));
        spec.body.root = spec.body.push(Node::Binary(BinaryOp::Add, spec.body.root, value));
    }
    let kernel = emit(&Plan::new(&spec).unwrap());
    let longest = kernel.text.lines().max_by_key(|line| line.len()).unwrap();
    assert!(longest.len() <= 100, "{longest}");
}

/// `c += alpha * a bᵀ`, in place.
fn accumulating() -> Spec {
    let mut spec = product(["M", "K"], ["N", "K"], ["M", "N"]);
    spec.outputs[0].in_place = Some("c".to_owned());
    let old = spec.body.push(Node::Deref("c".to_owned()));
    spec.body.root = spec.body.push(Node::Binary(BinaryOp::Add, spec.body.root, old));
    spec
}

#[test]
fn an_output_in_place_is_the_last_parameter_and_read_as_one() {
    let kernel = emit(&Plan::new(&accumulating()).unwrap());
    let names: Vec<&str> = kernel.parameters.iter().map(|p| p.name.as_ref()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(kernel.reads_output);
    for part in [
        "fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>, c: &mut Mat<f16, M, N>)",
        "float body(const float acc, const float c)",
        "fetch<ALIGN_out>(read.out, out + row * ld_out + col, valid);",
        "const Values values = {out, ld_out};",
    ] {
        assert!(kernel.text.contains(part), "no `{part}` in\n{}", kernel.text);
    }

    let mut unread = accumulating();
    unread.body = Body::matmul("a", "b");
    let kernel = emit(&Plan::new(&unread).unwrap());
    assert!(!kernel.reads_output && !kernel.text.contains("read.out"));
}

#[test]
fn an_output_in_place_has_a_name_of_its_own_and_indices_of_a_product() {
    let mut spec = accumulating();
    spec.outputs[0].in_place = Some("r#a".to_owned());
    let names = |spec: &Spec| broken(spec).contains(&(Rule::OperandNames, Field::OutputName));
    assert!(names(&spec));
    spec.outputs[0].in_place = Some("two words".to_owned());
    assert!(names(&spec));

    let mut spec = accumulating();
    spec.outputs[0].indices = ["M", "K"].map(str::to_owned);
    let at = (Rule::ContractionIndices, Field::OutputIndex(0, 1));
    assert_eq!(broken(&spec), [at]);
    let help = &Plan::new(&spec).unwrap_err().iter().next().unwrap().help.clone();
    assert!(help.contains("c: &mut Mat<_, M, K>"), "{help}");
}

#[test]
fn a_scalar_in_device_memory_is_read_once_and_is_a_value_of_the_body() {
    let mut spec = tn();
    let kind = OperandKind::DeviceScalar(Element::Bf16);
    spec.operands.push(Operand { name: "alpha".to_owned(), batch: None, kind });
    let alpha = spec.body.push(Node::Name("alpha".to_owned()));
    spec.body.root = spec.body.push(Node::Binary(BinaryOp::Mul, spec.body.root, alpha));
    let kernel = emit(&Plan::new(&spec).unwrap());
    assert!(kernel.text.contains("    const bf16* alpha,\n"));
    assert!(kernel.text.contains("const Values values = {to_value(*alpha)};"));
    assert_eq!(kernel.text.matches("*alpha").count(), 1);
    assert_eq!(kernel.parameters[2].align_macro, None);

    // It is no matrix, and an integer where the body wants a float.
    let factor = spec.body.push(Node::Name("alpha".to_owned()));
    let arguments = vec![spec.body.push(Node::Name("a".to_owned())), factor];
    spec.body.root = spec.body.push(Node::Call { function: "matmul".to_owned(), arguments });
    assert_eq!(broken(&spec), [(Rule::OneMatmul, Field::Body(factor))]);
    let mut spec = tn();
    let kind = OperandKind::DeviceScalar(Element::I8);
    spec.operands.push(Operand { name: "alpha".to_owned(), batch: None, kind });
    let alpha = spec.body.push(Node::Name("alpha".to_owned()));
    spec.body.root = spec.body.push(Node::Binary(BinaryOp::Mul, spec.body.root, alpha));
    assert_eq!(broken(&spec).iter().map(|(rule, _)| *rule).collect::<Vec<_>>(), [Rule::BodyTypes]);
}
