//! The table of forms in docs/support.md: since when each pair of elements is multiplied in each
//! form, in every order of the operands and the output; or the rules that refuse it.
//!
//! `UPDATE_EXPECT=1 cargo test -p gemm-tests --test suite forms` writes it.

use std::collections::BTreeSet;
use std::num::NonZeroU16;

use expect_test::expect_file;
use gemm_codegen::body::Node;
use gemm_codegen::{
    Accumulator, CopyAtom, Element, Mma, PerSide, Plan, Precision, Schedule, Spec, Splits, Target,
};

use crate::Test;
use crate::shared::{atom, orders, product, tensor_precision, with_table};

/// A form: its name in the table, and what makes it of a plain product.
type Form = (&'static str, fn(&mut Spec));

const FORMS: &[Form] = &[
    ("returned", |_| ()),
    ("in place", |spec| spec.outputs[0].in_place = Some("c".to_owned())),
    ("batched", |spec| {
        spec.operands.iter_mut().for_each(|operand| operand.batch = vec!["B".to_owned()]);
        spec.outputs[0].batch = vec!["B".to_owned()];
    }),
    ("batched, one factor for all", |spec| {
        spec.operands[0].batch = vec!["B".to_owned()];
        spec.outputs[0].batch = vec!["B".to_owned()];
    }),
    ("batched over two indices", |spec| {
        let both = ["B", "H"].map(str::to_owned);
        spec.operands[0].batch = both.to_vec();
        spec.operands[1].batch = both[..1].to_vec();
        spec.outputs[0].batch = both.to_vec();
    }),
    ("two outputs", |spec| {
        spec.outputs.push(spec.outputs[0].clone());
        let product = spec.body.root;
        let values = [(); 2].map(|()| spec.body.push(Node::Name("z".to_owned())));
        let value = spec.body.push(Node::Tuple(values.to_vec()));
        spec.body.root =
            spec.body.push(Node::Block { bindings: vec![("z".to_owned(), product)], value });
    }),
    ("`split_k = 4`", |spec| spec.schedule.split_k = NonZeroU16::new(4).map(Splits::Every)),
    ("`acc = f16`", |spec| spec.schedule.acc = Some(Accumulator::F16)),
    ("`mma = fma(8, 8)`", |spec| {
        let eight = NonZeroU16::new(8).expect("it is 8");
        spec.schedule.mma = Some(Mma::Fma { m: eight, n: eight });
    }),
    ("`copy = ld_global(16)`", |spec| {
        let bytes = NonZeroU16::new(16).expect("it is 16");
        spec.schedule.copy = PerSide::both(Some(CopyAtom::LdGlobal { bytes }));
    }),
];

/// A pair of factors, and the precision if it is written.
type Factors = ([Element; 2], Option<Precision>);

/// What they are called.
fn name(([a, b], precision): Factors) -> String {
    match precision {
        Some(precision) => format!("{a}, `precision = {}`", precision.name()),
        None if a == b => a.to_string(),
        None => format!("{a}, {b}"),
    }
}

/// The pairs that some atom multiplies, each once, f32 in each precision.
fn pairs() -> Vec<Factors> {
    let all = Element::ALL.into_iter().flat_map(|a| Element::ALL.map(|b| [a, b]));
    let all = all.filter(|[a, b]| *a as u32 <= *b as u32 && atom([*a, *b]).is_some());
    all.flat_map(|pair| {
        let other = tensor_precision(pair[0]).map(Some);
        std::iter::once((pair, None)).chain(other.map(|precision| (pair, precision)))
    })
    .collect()
}

/// The rules that refuse a form on a target, the same in every order.
fn refusals(
    (form, change): Form,
    (pair, precision): Factors,
    target: Target,
) -> BTreeSet<&'static str> {
    let mut of_orders = (0..8u32).map(|number| {
        let targets = Some(vec![target]);
        let schedule = Schedule { targets, precision, ..Schedule::default() };
        let mut spec = product(pair, orders(number), schedule);
        change(&mut spec);
        match Plan::new(&spec) {
            Ok(_) => BTreeSet::new(),
            Err(broken) => broken.iter().map(|diagnostic| diagnostic.rule.id()).collect(),
        }
    });
    let first = of_orders.next().expect("there are orders");
    let others: Vec<_> = of_orders.collect();
    assert!(others.iter().all(|other| *other == first), "{form} of {pair:?}: {first:?} {others:?}");
    first
}

/// Since when a form is legal, or what refuses it on every target.
fn cell(form: Form, pair: Factors) -> String {
    let refusals: Vec<_> =
        Target::ALL.into_iter().map(|target| refusals(form, pair, target)).collect();
    let ids = |rules: BTreeSet<&str>| {
        rules.into_iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ")
    };
    let Some(since) = refusals.iter().position(BTreeSet::is_empty) else {
        // On the newest target: what refuses it for the target's age comes on top.
        return ids(refusals.into_iter().next_back().unwrap_or_default());
    };
    let newer = refusals[since..].iter().all(BTreeSet::is_empty);
    assert!(newer, "{} of {pair:?} is legal on {} and not later", form.0, Target::ALL[since]);
    let older = ids(refusals.into_iter().flatten().collect());
    assert!(["", "`atom-on-target`"].contains(&&*older), "{} of {pair:?}: {older}", form.0);
    Target::ALL[since].to_string()
}

fn table() -> String {
    let pairs = pairs();
    let heads: Vec<String> = FORMS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&[&["elements".to_owned()], &heads[..]].concat());
    text += &line(&vec!["---".to_owned(); heads.len() + 1]);
    for pair in pairs {
        let cells: Vec<String> = FORMS.iter().map(|form| cell(*form, pair)).collect();
        text += &line(&[&[name(pair)], &cells[..]].concat());
    }
    text
}

pub(crate) fn tests() -> Vec<Test> {
    tests![the_document_has_the_table]
}

fn the_document_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/support.md");
    let document = std::fs::read_to_string(path).expect("docs/support.md");
    expect_file![path].assert_eq(&with_table(&document, "forms", &table()));
}
