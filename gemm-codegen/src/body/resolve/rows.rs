//! Functions of a whole row of the output, which take several launches: a body computes one element.

use crate::element::{Element, ScalarType};
use crate::rule::Rule;
use crate::spec::NodeId;
use crate::spec::form::tensor;

use super::Resolver;

/// A function of a row.
pub(super) struct OfRow {
    names: &'static [&'static str],
    /// How many launches there are, in words.
    count: &'static str,
    /// The launches, the first one first.
    launches: &'static [Launch],
}

/// One launch. Its body begins with the value `z` that the function is called with, if it has that.
struct Launch {
    /// What its body ends in.
    value: &'static str,
    /// A `let` before that.
    before: Option<&'static str>,
    /// Whether it returns a matrix first.
    has_matrix: bool,
    /// How many reductions it returns.
    reductions: usize,
    /// The reductions of earlier launches that it takes.
    takes: &'static [&'static str],
    /// Whether it takes the length of a row.
    takes_length: bool,
}

/// The first launch of most.
const FIRST: Launch = Launch {
    value: "max(z)",
    before: None,
    has_matrix: false,
    reductions: 1,
    takes: &[],
    takes_length: false,
};

const OF_ROW: [OfRow; 4] = [
    OfRow {
        names: &["softmax"],
        count: "three",
        launches: &[
            FIRST,
            Launch {
                value: "(e, sum(e))",
                before: Some("let e = (z - largest).exp();"),
                has_matrix: true,
                takes: &["largest"],
                ..FIRST
            },
            Launch { value: "matmul(e, v) / total", reductions: 0, takes: &["total"], ..FIRST },
        ],
    },
    OfRow {
        names: &["log_softmax"],
        count: "three",
        launches: &[
            FIRST,
            Launch { value: "sum((z - largest).exp())", takes: &["largest"], ..FIRST },
            Launch {
                value: "z - largest - total.ln()",
                has_matrix: true,
                reductions: 0,
                takes: &["largest", "total"],
                ..FIRST
            },
        ],
    },
    OfRow {
        names: &["layer_norm", "layernorm"],
        count: "two",
        launches: &[
            Launch { value: "(sum(z), sum(z * z))", reductions: 2, ..FIRST },
            Launch {
                value: "(z - mean) / (squares / n - mean * mean + 1e-5).sqrt()",
                before: Some("let mean = total / n;"),
                has_matrix: true,
                reductions: 0,
                takes: &["total", "squares"],
                takes_length: true,
            },
        ],
    },
    OfRow {
        names: &["rms_norm", "rmsnorm"],
        count: "two",
        launches: &[
            Launch { value: "sum(z * z)", ..FIRST },
            Launch {
                value: "z / (squares / n + 1e-6).sqrt()",
                has_matrix: true,
                reductions: 0,
                takes: &["squares"],
                takes_length: true,
                ..FIRST
            },
        ],
    },
];

/// The types of what the launches pass to each other.
struct Types {
    matrix: String,
    statistic: String,
    length: ScalarType,
}

impl OfRow {
    /// The one of this name.
    pub(super) fn find(name: &str) -> Option<&'static OfRow> {
        OF_ROW.iter().find(|function| function.names.contains(&name))
    }
}

impl Launch {
    fn said(&self, types: &Types) -> String {
        let Launch { value, before, has_matrix, reductions, takes, takes_length } = self;
        let before = before.map_or_else(String::new, |before| format!(" with `{before}`"));
        let matrix = has_matrix.then(|| types.matrix.clone());
        let vectors = vec![types.statistic.clone(); *reductions];
        let returned: Vec<String> = matrix.into_iter().chain(vectors).collect();
        let returned = match &returned[..] {
            [] => String::new(),
            [one] => format!(" for `-> {one}`"),
            several => format!(" for `-> ({})`", several.join(", ")),
        };
        let length =
            takes_length.then(|| format!("the number of elements of a row, `n: {}`", types.length));
        let taken = takes.iter().map(|name| format!("`{name}: {}`", types.statistic));
        let taken: Vec<String> = taken.chain(length).collect();
        let taken = match &taken[..] {
            [] => String::new(),
            [one] => format!(", given {one}"),
            [several @ .., last] => format!(", given {} and {last}", several.join(", ")),
        };
        format!("`{value}`{before}{returned}{taken}")
    }
}

impl Resolver<'_> {
    pub(super) fn report_of_row(&mut self, id: NodeId, name: &str, function: &OfRow) {
        let output = &self.spec.outputs[self.spec.leading()];
        let length = self.floats.own();
        let element = if length == ScalarType::F64 { Element::F64 } else { Element::F32 };
        let names = output.indices.names();
        let statistic = tensor(element, &output.batch, &names[..1]);
        // Of one index are what is reduced already: the product itself is not stored.
        let matrix = match names {
            [_, _] => tensor(output.element, &output.batch, names),
            _ => "Mat<_, M, N>".to_owned(),
        };
        let types = Types { matrix, statistic, length };
        let launches: Vec<String> =
            function.launches.iter().map(|launch| launch.said(&types)).collect();
        let message =
            format!("`{name}` needs a whole row of the output, but a body computes one element");
        let help = format!(
            "use {} launches, as reductions are outputs, with `let z = ..;` for the argument of `{name}` in each \
             that has `z`: return {}; `examples/transformer.rs` has such launches",
            function.count,
            launches.join("; then ")
        );
        self.report(Rule::BodyFunctions, id, message, help);
    }
}
