//! The functions of the user's own as device functions.
//!
//! Those of a module and those of a type have a namespace each, so that their names meet neither those of the text nor
//! those of operands.

use crate::body::name::cuda_name;
use crate::body::text::head;
use crate::body::typed::{Defined, Resolved};
use crate::spec::Spec;

use super::{Destination, Writer};

/// What precedes the name of a function of a type in a spec.
const OF_TYPE: &str = "Self::";

/// The namespace of a function, and its name in it.
fn named(name: &str) -> (&'static str, String) {
    match name.strip_prefix(OF_TYPE) {
        Some(name) => ("of_type", cuda_name(name)),
        None => ("own", cuda_name(name)),
    }
}

/// The name of a function in the emitted text.
pub(super) fn path(function: &Defined) -> String {
    let (namespace, name) = named(&function.name);
    format!("{namespace}::{name}")
}

/// Those that a body calls and that these call, callees first; notes the functions of the language that they
/// call.
pub(super) fn emit<'a>(
    resolved: &'a Resolved,
    spec: &'a Spec,
    called: &mut Vec<&'static str>,
) -> Option<String> {
    // A function of a module calls none of a type.
    let mut texts = ["own", "of_type"].map(|namespace| (namespace, Vec::new()));
    for number in resolved.reachable() {
        let defined = &resolved.functions[number];
        let (text, calls) = function(resolved, defined, spec);
        called.extend(calls);
        let namespace = named(&defined.name).0;
        texts
            .iter_mut()
            .filter(|(of, _)| *of == namespace)
            .for_each(|(_, all)| all.push(text.clone()));
    }
    let texts = texts.into_iter().filter(|(_, functions)| !functions.is_empty());
    let texts = texts.map(|(namespace, functions)| {
        let owner = if namespace == "own" { "module" } else { "type" };
        let text = functions.join("\n");
        format!(
            "// The functions of the author's {owner} that the body calls.\n\
             namespace {namespace} {{\n\n{text}\n}}\n"
        )
    });
    texts.reduce(|own, of_type| own + "\n" + &of_type)
}

/// The text of one of them, and what it calls.
fn function<'a>(
    resolved: &'a Resolved,
    Defined { name, parameters, value }: &'a Defined,
    spec: &'a Spec,
) -> (String, impl Iterator<Item = &'static str> + use<>) {
    let own_name = named(name).1;
    let named = parameters.iter().map(|(ty, local)| (*ty, cuda_name(&resolved.locals[*local])));
    let named: Vec<_> = named.collect();
    let mut writer = Writer::new(&resolved.locals, spec, &named);
    writer.functions = &resolved.functions;
    for ((_, local), (_, name)) in parameters.iter().zip(&named) {
        writer.locals[*local].clone_from(name);
    }
    writer.assign(value, &Destination::Return);
    let mut lines = head(value.ty.cuda(), &own_name, &named);
    lines.append(&mut writer.lines);
    lines.push("}\n".to_owned());
    (lines.join("\n"), writer.called.into_iter())
}
