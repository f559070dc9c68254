//! The head of an emitted text: the spec in the words of the language, defaults filled in.

use std::fmt::Write;

use crate::axis::{Axis, PerSide, Side};
use crate::body::scaled;
use crate::level::mma::Factors;
use crate::level::scheduler::{ClusterSplitK, SplitK};
use crate::plan::Plan;
use crate::problem::{Added, Factor, Scale};
use crate::spec::form::{tensor, tiled};
use crate::spec::{KOrder, OperandKind, Planes, Precision, Promotion, Spec};
use crate::text::wrap::wrap;

/// The banner: a comment with the attribute, the signature and what is computed.
pub(crate) fn banner(plan: &Plan) -> String {
    let mut text = String::new();
    let lines = attribute(plan).into_iter().chain(signature(plan)).chain([String::new()]);
    for line in lines.chain(meaning(plan)) {
        for part in wrap(&line, "// ".len()) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "//{}", part["//".len()..].trim_end());
        }
    }
    text
}

impl Plan {
    /// The attribute and the signature as the head of the kernel's text has them: every key with its value,
    /// written or derived.
    pub fn declaration(&self) -> String {
        let attribute = attribute(self).into_iter().skip(2);
        let lines: Vec<String> = attribute.chain(signature(self)).collect();
        lines
            .iter()
            .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)))
            .collect()
    }

    /// What is computed, and for which arguments, in sentences.
    pub fn meaning(&self) -> String {
        meaning(self).join(" ")
    }
}

/// The attribute. Without a version: a release renames no entry point, whose name ends in a hash of the
/// text.
fn attribute(plan: &Plan) -> Vec<String> {
    let mut lines = vec![
        format!("{}, written by gemm-codegen from", plan.spec().name),
        String::new(),
        "    #[gemm(".to_owned(),
    ];
    for (key, value) in keys(plan) {
        let equals = if value.starts_with('(') { "" } else { " = " };
        let key = if equals.is_empty() { key.to_owned() } else { format!("{key:<7}") };
        lines.push(format!("        {key}{equals}{value},"));
    }
    if !plan.spec().schedule.allow.is_empty() {
        let names: Vec<&str> =
            plan.spec().schedule.allow.iter().map(|allow| allow.name()).collect();
        lines.push(format!("        allow({}),", names.join(", ")));
    }
    lines.push("    )]".to_owned());
    lines
}

/// The sums over `k` that the body takes, of each product.
fn sums(plan: &Plan, k: &str) -> String {
    let [of_a, of_b] = Side::BOTH.map(|side| plan.problem().factors(side));
    let products = of_a.iter().flat_map(|a| of_b.iter().map(move |b| [a, b]));
    let products: Vec<String> = products
        .map(|[a, b]| format!("{} * {}", multiplied(plan.spec(), a), multiplied(plan.spec(), b)))
        .collect();
    let sums = match &products[..] {
        [rest @ .., last] if !rest.is_empty() => {
            format!("sums over {k} of {} and {last}", rest.join(", "))
        }
        _ => format!("sum over {k} of {}", products.join("")),
    };
    match plan.problem.added() {
        None => sums,
        Some(Added { factors, index, .. }) => {
            let scale = if plan.problem.body.scales_added() { "added_scale * " } else { "" };
            let [a, b] = [factors.a, factors.b].map(|factor| multiplied(plan.spec(), &factor));
            format!("{scale}sum over {index} of {a} * {b} + {sums}")
        }
    }
}

/// A factor as it is multiplied: by its scale, if it has one.
fn multiplied(spec: &Spec, factor: &Factor) -> String {
    let name = |operand: usize| spec.operands[operand].name.as_str();
    let of = name(factor.operand);
    let Some(Scale { operand, offset, .. }) = factor.scale else { return of.to_owned() };
    let offset = offset.map(|offset| (offset.applied, name(offset.operand)));
    format!("({})", scaled(of, name(operand), offset))
}

/// What is computed, and for which arguments.
fn meaning(plan: &Plan) -> Vec<String> {
    let [m, n, k] = plan.problem().indices();
    let a = &plan.spec().operands[plan.problem().factor(Side::A).operand].name;
    let batch: String = plan.problem.batch.iter().map(|index| format!("{index}, ")).collect();
    let outputs = &plan.spec().outputs;
    let along_r = plan.problem.added().filter(|added| added.along == Axis::R);
    let along_r = along_r.map(|added| &added.index);
    let written: Vec<String> = outputs
        .iter()
        .enumerate()
        .map(|(number, output)| {
            let number = if outputs.len() == 1 { String::new() } else { number.to_string() };
            format!("out{number}({batch}{})", output.indices.names().join(", "))
        })
        .collect();
    let mut lines = vec![format!(
        "{written} = body({sums}), for any {batch}{m}, {n}{further}{and_r} and {k}.",
        further = further_columns(plan, n),
        and_r = along_r.map_or(String::new(), |index| format!(", {index}")),
        written = written.join(", "),
        sums = sums(plan, k),
    )];
    lines.extend(in_turn(plan));
    lines.extend(splits(plan, k));
    lines.extend(plan.planes.iter().flat_map(|planes| of_planes(*planes, a, k)));
    lines.extend(in_place(plan));
    let bounds =
        "Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.";
    lines.push(bounds.to_owned());
    lines
}

/// The indices of the columns of further products in turn.
fn further_columns(plan: &Plan, n: &String) -> String {
    let mut further: Vec<&String> = vec![n];
    let outputs = plan.spec().outputs.iter().filter(|_| !plan.segments.is_empty());
    for column in outputs.filter_map(|output| output.indices.names().last()) {
        if !further.contains(&column) {
            further.push(column);
        }
    }
    further[1..].iter().map(|index| format!(", {index}")).collect()
}

/// How several products are computed in turn.
fn in_turn(plan: &Plan) -> Option<String> {
    let lines = "The tiles of an output follow those of the one before: a block computes one of one output.";
    (!plan.segments.is_empty()).then(|| lines.to_owned())
}

/// Who reads an output that is written in place.
fn in_place(plan: &Plan) -> Vec<String> {
    let Some(name) = &plan.spec().output().in_place else { return Vec::new() };
    let reader = if plan.epilogue.fetched().is_some() { "block" } else { "thread" };
    vec![
        format!("out is {name}; the {reader} that writes an element is the only one to read it,"),
        "and reads it before.".to_owned(),
    ]
}

/// What is read in place of the factors.
fn of_planes(planes: Planes, a: &str, k: &str) -> Vec<String> {
    let unit = planes.unit();
    let parts = if planes.count() == 2 { "high and low" } else { "high, middle and low" };
    let mut lines = vec![
        format!(
            "Each factor is read as planes, whose rows run along {k}: the {parts} parts of {unit} of {k}"
        ),
        "in turn. `k` and BLK_K count these columns.".to_owned(),
    ];
    lines.extend(planes.is_scaled().then(|| {
        format!("Row i of {a}, which runs along {k}, is 2^exponents_{a}[i] times its planes.")
    }));
    lines
}

/// How `k` is split among blocks.
fn splits(plan: &Plan, k: &str) -> Option<String> {
    if let Some(ClusterSplitK { splits }) = plan.scheduler.cluster_split_k() {
        return Some(format!(
            "{k} is split among the {splits} blocks of a cluster, and each stores a part of the columns."
        ));
    }
    let SplitK { splits, tail, .. } = plan.split_k()?;
    Some(match tail {
        false => format!(
            "{k} is split among {splits} blocks by tiles of BLK_K; a block without a tile adds nothing."
        ),
        true => format!(
            "The first `whole` tiles have a block each; {k} of the others is split among `splits` \
             blocks, up to {splits} and to its tiles of BLK_K."
        ),
    })
}

/// The keys of the attribute with their values.
fn keys(plan: &Plan) -> impl Iterator<Item = (&'static str, String)> {
    let schedule = &plan.spec().schedule;
    let swizzles = plan.sides.map(|side| side.tile.layout.swizzle());
    let targets: Vec<&str> = plan.targets.iter().map(|target| target.name()).collect();
    let k_order = Some(plan.scheduler.k_order()).filter(|order| *order != KOrder::default());
    let in_cluster = plan.scheduler.cluster_split_k().map(|split_k| split_k.splits.to_string());
    // What all kernels of these elements share is not repeated in each.
    let precision = match plan.factors() {
        Factors::Exact => None,
        Factors::Tf32TiesAway | Factors::Tf32TiesEven => Some(Precision::Tf32),
        Factors::F16x3 | Factors::Bf16x6 => plan.planes.map(Planes::precision),
    };
    // The order is that of the levels.
    let keys = [
        ("tile", Some(format!("{:?}", plan.block()))),
        (plan.warps.units(), Some(warps(plan.warps.grid))),
        ("schedule", plan.scheduler.walk().map(|walk| walk.name().to_owned())),
        ("k_order", k_order.map(|order| order.name().to_owned())),
        ("cluster", plan.cluster().map(|cluster| format!("{:?}", cluster.blocks))),
        ("mma", Some(plan.mma.full_name().into_owned())),
        ("precision", precision.map(|precision| precision.name().to_owned())),
        ("acc", schedule.acc.map(|acc| acc.name().to_owned())),
        ("promote", promote(plan)),
        ("copy", Some(per_side(plan.sides.map(|side| side.global_to_shared.atom.name())))),
        ("swizzle", Some(per_side(swizzles.map(|s| format!("[{}, {}, {}]", s.b, s.m, s.s))))),
        ("stages", Some(plan.ring.stages.to_string())),
        ("raster", Some(plan.raster.to_string())),
        ("split_k", plan.split_k().map(|split_k| split_k.name()).or(in_cluster)),
        ("pdl", schedule.pdl.as_ref().map(|names| format!("[{}]", names.join(", ")))),
        ("targets", Some(format!("[{}]", targets.join(", ")))),
    ];
    keys.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// After how much of K sums are promoted, or that they never are although they would be by default.
fn promote(plan: &Plan) -> Option<String> {
    let never = plan.spec().schedule.promote == Some(Promotion::Never);
    plan.promotion().map(|k| k.to_string()).or(never.then(|| "never".to_owned()))
}

/// Those along K are left out where there is one.
fn warps([m, n, k]: [u32; 3]) -> String {
    if k == 1 { format!("[{m}, {n}]") } else { format!("[{m}, {n}, {k}]") }
}

/// One value if both sides agree, else the per-operand form.
fn per_side(values: PerSide<String>) -> String {
    if values.a == values.b { values.a } else { format!("(a = {}, b = {})", values.a, values.b) }
}

/// The function's signature, wrapped after commas.
fn signature(plan: &Plan) -> Vec<String> {
    let operands = plan.spec().operands.iter().map(|operand| {
        let (name, batch) = (&operand.name, &operand.batch);
        match &operand.kind {
            OperandKind::Matrix { element, .. } | OperandKind::Vector { element, .. } => {
                format!("{name}: {}", tensor(*element, batch, operand.kind.indices()))
            }
            OperandKind::Tiled { element, indices, extents } => {
                format!("{name}: {}", tiled(*element, indices, *extents))
            }
            OperandKind::DeviceScalar(element) => format!("{name}: Scalar<{element}>"),
            OperandKind::Scalar(ty) => format!("{name}: {ty}"),
        }
    });
    let matrices: Vec<String> = plan
        .spec()
        .outputs
        .iter()
        .map(|output| tensor(output.element, &output.batch, output.indices.names()))
        .collect();
    let matrices = match &matrices[..] {
        [matrix] => matrix.clone(),
        several => format!("({})", several.join(", ")),
    };
    let in_place = plan.spec().output().in_place.as_ref();
    let in_place = in_place.map(|name| format!("{name}: &mut {matrices}"));
    let result = if in_place.is_some() { String::new() } else { format!(" -> {matrices}") };
    let operands: Vec<String> = operands.chain(in_place).collect();
    let line = format!("    fn {}({}){result}", plan.spec().name, operands.join(", "));
    if line.len() <= 96 {
        return vec![line];
    }
    let mut lines = vec![format!("    fn {}(", plan.spec().name)];
    lines.extend(operands.iter().map(|operand| format!("        {operand},")));
    lines.push(format!("    ){result}"));
    lines
}
