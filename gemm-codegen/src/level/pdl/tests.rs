use std::num::NonZeroU16;

use super::*;
use crate::body::samples;
use crate::element::Element;
use crate::hardware::Target;
use crate::spec::{Body, CacheOperator, Mma, Operand, OperandKind, Splits, Walk};
use crate::{Plan, emit};

/// `matmul(x, w)` of f16 and an operand between its factors, with these names.
fn product(named: &[&str]) -> Spec {
    let mut spec = samples::spec("matmul(x, w)");
    spec.operands.swap(1, 2);
    spec.schedule.pdl = Some(named.iter().map(|name| (*name).to_owned()).collect());
    spec
}

fn broken(spec: &Spec) -> Vec<(Rule, Field)> {
    let plan = Plan::new(spec).err();
    plan.iter().flatten().map(|diagnostic| (diagnostic.rule, diagnostic.at)).collect()
}

#[test]
fn factors_can_be_named_once() {
    let operands = |numbers: &[usize]| {
        numbers.iter().map(|n| (Rule::PdlOperands, Field::PdlOperand(*n))).collect::<Vec<_>>()
    };
    for named in [&[][..], &["x"], &["w"], &["w", "x"]] {
        assert_eq!(broken(&product(named)), []);
    }
    assert_eq!(broken(&product(&["c", "w", "out", "w", "bias"])), operands(&[0, 2, 3, 4]));
    let mut registers = product(&["w"]);
    let ld_global = CopyAtom::LdGlobal { bytes: NonZeroU16::new(16).unwrap() };
    registers.schedule.copy = PerSide::both(Some(ld_global));
    assert_eq!(broken(&registers), operands(&[0]));
    registers.schedule.pdl = Some(Vec::new());
    assert_eq!(broken(&registers), []);
    let mut unclear = product(&["w", "c"]);
    unclear.body = Body::matmul("x", "nothing");
    assert!(broken(&unclear).ends_with(&operands(&[1])), "{:?}", broken(&unclear));
}

#[test]
fn a_help_names_no_operand_that_was_not_named() {
    let registers = Some(CopyAtom::LdGlobal { bytes: NonZeroU16::new(16).unwrap() });
    for copy in [None, registers, Some(CopyAtom::TMA)] {
        for named in [&["w", "bias"][..], &["bias"], &["weights"], &["c", "x"], &["w", "c", "w"]] {
            let mut spec = product(named);
            spec.schedule.copy = PerSide::both(copy);
            let broken = Plan::new(&spec).expect_err("not all are factors");
            for help in broken.iter().map(|broken| &broken.help) {
                let operands = spec.operands.iter().map(|operand| operand.name.as_str());
                for other in operands.filter(|name| !named.contains(name)) {
                    let words = help.split(|c: char| !c.is_alphanumeric());
                    assert!(words.clone().all(|word| word != other), "{named:?}: {help}");
                }
            }
            // Written as the help of one that is not a factor says, it is legal where copies can start.
            let lists = broken.iter().filter_map(|broken| broken.help.split("`pdl = [").nth(1));
            for list in lists.filter(|_| copy.is_none()) {
                let list = list.split(']').next().unwrap().split(", ").filter(|n| !n.is_empty());
                assert_eq!(super::tests::broken(&product(&list.collect::<Vec<_>>())), []);
            }
        }
    }
    let help = |named: &[&str]| {
        Plan::new(&product(named)).unwrap_err().iter().next().unwrap().help.clone()
    };
    assert_eq!(
        help(&["w", "bias"]),
        "write `pdl = [w]`: `bias` is read after the wait in any case"
    );
    assert_eq!(help(&["bias"]), "write `pdl = []`: `bias` is read after the wait in any case");
}

#[test]
fn it_takes_targets_that_start_no_kernel_early() {
    let mut spec = product(&["w"]);
    assert_eq!(Plan::new(&spec).unwrap().targets(), Target::DEFAULT);
    spec.schedule.targets = Some(vec![Target::Sm90, Target::Sm89, Target::Sm80]);
    assert_eq!(broken(&spec), []);
}

#[test]
fn every_block_waits_once_and_then_launches_dependents() {
    let two = NonZeroU16::new(2).unwrap();
    for split_k in [None, Some(Splits::Every(two)), Some(Splits::Tail(two))] {
        for named in [&[][..], &["x"], &["w"], &["w", "x"]] {
            let mut spec = product(named);
            spec.schedule.split_k = split_k;
            let kernel = emit(&Plan::new(&spec).unwrap());
            let text = kernel.text;
            let calls = |call: &str| text.match_indices(call).map(|(at, _)| at).collect::<Vec<_>>();
            let (waits, starts) =
                (calls("    wait_for_predecessor();"), calls("    launch_dependents();"));
            assert_eq!((waits.len(), starts.len()), (1, 1), "{named:?}");
            assert!(waits[0] < starts[0]);
            let kernel_begins = calls("extern \"C\"")[0];
            assert_eq!(waits[0] < kernel_begins, named.len() == 1, "in the prologue");
            let mainloop = *calls("    mainloop(").last().unwrap();
            assert_eq!(waits[0] > mainloop, named.len() == 2, "after the main loop");
            assert!(text.contains(&format!("pdl     = [{}],", named.join(", "))));
            let parameters: &[usize] = match named {
                [] => &[],
                ["x"] => &[0],
                ["w"] => &[2],
                _ => &[0, 2],
            };
            assert_eq!(kernel.launch.pdl.as_deref(), Some(parameters));
        }
    }
}

#[test]
fn who_copies_for_warpgroups_starts_before_it_waits() {
    for walk in [None, Some(Walk::Cooperative), Some(Walk::Pingpong)] {
        let first = if walk.is_some() { "tiles.first()" } else { "block" };
        let both = format!("start(ring, {first}, x, w, 0, k)");
        for (named, started, waits) in [
            (&[][..], both.clone(), 1),
            (&["x"], format!("start<TileA>(ring, {first}, x, 0, k)"), 2),
            (&["w"], format!("start<TileB>(ring, {first}, w, 0, k)"), 2),
            (&["w", "x"], both, 2),
        ] {
            let mut spec = product(named);
            spec.schedule.mma = Some(Mma::Wgmma(None));
            spec.schedule.walk = walk;
            let text = emit(&Plan::new(&spec).unwrap()).text;
            let kernel = &text[text.find("extern \"C\"").unwrap()..];
            let count = kernel.matches("wait_for_predecessor();\n").count();
            assert_eq!(count, waits, "{named:?}, {walk:?}: each role, or both at once");
            let at = |what: &str| kernel.find(what).unwrap();
            let is_early = at(&started) < at("wait_for_predecessor");
            assert_eq!(is_early, !named.is_empty(), "{named:?}, {walk:?}");
            let completed = [
                format!("complete<TileB>(ring, {first}, w, 0, started);"),
                format!("complete<TileA>(ring, {first}, x, 0, started);"),
            ];
            let late = ["x", "w"].map(|factor| named == [factor]);
            assert_eq!(
                completed.each_ref().map(|call| kernel.contains(call)),
                late,
                "{named:?}, {walk:?}"
            );
            let epilogue = at("epilogue(");
            assert!(kernel.rfind("wait_for_predecessor").unwrap() < epilogue, "before it stores");
        }
    }
}

#[test]
fn a_policy_goes_with_it() {
    let mut spec = product(&["w"]);
    let policy = Some(crate::CachePolicy::EvictFirst);
    let bytes = NonZeroU16::new(16).unwrap();
    let atom = CopyAtom::CpAsync { bytes, cache: CacheOperator::Cg, policy };
    spec.schedule.copy.b = Some(atom);
    let kernel = emit(&Plan::new(&spec).unwrap());
    assert!(kernel.text.contains("source.policy") && kernel.text.contains("prologue("));
}

/// `matmul(x, w * s + c)` of bytes, with these names.
fn scaled(named: &[&str]) -> Spec {
    let mut spec = samples::product(Element::F16, "matmul(x, w * s + c)");
    if let OperandKind::Matrix { element, .. } = &mut spec.operands[1].kind {
        *element = Element::I8;
    }
    let indices = ["N", "K"].map(str::to_owned);
    let tiles = OperandKind::Tiled { element: Element::F32, indices, extents: [1, 32] };
    spec.operands.extend(["s", "c"].map(|name| samples::operand(name, tiles.clone())));
    spec.schedule.pdl = Some(named.iter().map(|name| (*name).to_owned()).collect());
    spec
}

#[test]
fn a_factor_is_early_with_its_scales_and_offsets() {
    for (named, expected) in
        [(&[][..], &[][..]), (&["w", "s", "c"], &[1, 2, 3]), (&["c", "x", "w", "s"], &[0, 1, 2, 3])]
    {
        let kernel = emit(&Plan::new(&scaled(named)).unwrap());
        assert_eq!(kernel.launch.pdl.as_deref(), Some(expected), "{named:?}");
        let at = |what: &str| kernel.text.find(what).unwrap_or_else(|| panic!("no {what}"));
        let kernel_begins = at("extern \"C\"");
        if named.len() != 3 {
            let (wait, mainloop) =
                (at("    wait_for_predecessor();"), kernel.text.rfind("    mainloop(").unwrap());
            assert!(kernel_begins < wait);
            assert_eq!(wait > mainloop, named.len() == 4, "{named:?}: after the main loop");
            continue;
        }
        let prologue = &kernel.text[at("void prologue(")..kernel_begins];
        let place = |what: &str| prologue.find(what).unwrap();
        assert!(place("from.scales") < place("wait_for_predecessor();"));
        assert!(place("wait_for_predecessor();") < place("from.a"));
    }
    assert_eq!(broken(&scaled(&["s", "s"])), [(Rule::PdlOperands, Field::PdlOperand(1))]);
}

#[test]
fn what_is_early_together_is_named_together() {
    let refused = |spec: &Spec| {
        let all = Plan::new(spec).unwrap_err();
        let [one] = &all.iter().collect::<Vec<_>>()[..] else { panic!("{all}") };
        (one.at, one.message.clone(), one.help.clone())
    };
    let of_w = "`w` is loaded before the wait only together with `s` and `c`, which are not named";
    let (at, message, help) = refused(&scaled(&["w"]));
    assert_eq!((at, &*message), (Field::PdlOperand(0), of_w));
    assert_eq!(
        help,
        "name them too if the predecessor kernel does not write them, or write `pdl = []`"
    );
    let (at, message, _) = refused(&scaled(&["s", "w"]));
    assert_eq!(at, Field::PdlOperand(0));
    assert!(message.ends_with("together with `c`, which is not named"), "{message}");
    // A main loop reads the scales of the other side, too.
    for named in [&["x"][..], &["c", "s"], &["x", "w", "c"]] {
        assert_eq!(refused(&scaled(named)).0, Field::PdlOperand(0), "{named:?}");
    }
    // What another help names is complete, too.
    let (_, _, help) = refused(&scaled(&["w", "s", "nothing"]));
    assert!(help.starts_with("write `pdl = []`, or name a factor"), "{help}");
    let (_, _, help) = refused(&scaled(&["c", "w", "s", "w"]));
    assert_eq!(help, "remove one of the two");
    let mut two = samples::product(Element::F16, "matmul(x, w) * matmul(x, v)");
    two.operands.push(Operand { name: "v".to_owned(), ..two.operands[1].clone() });
    let mut named = |names: &[&str]| {
        two.schedule.pdl = Some(names.iter().map(|name| (*name).to_owned()).collect());
        two.clone()
    };
    assert_eq!(broken(&named(&["v", "w"])), []);
    let (at, _, help) = refused(&named(&["x", "v"]));
    assert_eq!(at, Field::PdlOperand(1));
    assert!(help.ends_with("or write `pdl = [x]`"), "{help}");
}

#[test]
fn without_pdl_a_block_waits_before_it_reads_and_launches_no_dependents() {
    let mut spec = product(&[]);
    spec.schedule.pdl = None;
    for mma in [None, Some(Mma::Wgmma(None))] {
        spec.schedule.mma = mma;
        let plan = Plan::new(&spec).unwrap();
        assert!(!plan.table().contains("pdl"));
        let kernel = emit(&plan);
        let entry = &kernel.text[kernel.text.find("extern \"C\"").unwrap()..];
        let at = |call: &str| entry.match_indices(call).map(|(at, _)| at).collect::<Vec<_>>();
        let [waits] = at("wait_for_predecessor();")[..] else { panic!("it waits once: {entry}") };
        let reads = if plan.form == Form::Groups { "start(" } else { "SourceA source" };
        assert!(waits < at(reads)[0], "{entry}");
        assert!(!kernel.text.contains("launch_dependents") && !kernel.text.contains("pdl "));
        assert_eq!(
            (kernel.launch.pdl.as_deref(), kernel.launch.launches_dependents),
            (Some(&[][..]), false)
        );
    }
}
