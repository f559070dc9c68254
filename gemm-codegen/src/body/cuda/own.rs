//! The functions of the user's own as device functions.
//!
//! They have a namespace, so that their names meet neither those of the text nor those of operands.

use crate::body::name::cuda_name;
use crate::body::text::head;
use crate::body::typed::{Defined, Resolved};
use crate::spec::Spec;

use super::{Destination, Writer};

/// What precedes the namespace.
const HEAD: &str = "// The functions of the author's module that the body calls.";

/// The name of a function in the emitted text.
pub(super) fn path(function: &Defined) -> String {
    format!("own::{}", cuda_name(&function.name))
}

/// Those that a body calls and that these call, callees first; notes the functions of the language that they
/// call.
pub(super) fn emit<'a>(
    resolved: &'a Resolved,
    spec: &'a Spec,
    called: &mut Vec<&'static str>,
) -> Option<String> {
    let reachable = resolved.reachable();
    let functions = reachable.iter().map(|number| {
        let (text, calls) = function(resolved, &resolved.functions[*number], spec);
        called.extend(calls);
        text
    });
    let functions: Vec<String> = functions.collect();
    let text = functions.join("\n");
    (!functions.is_empty()).then(|| format!("{HEAD}\nnamespace own {{\n\n{text}\n}}\n"))
}

/// The text of one of them, and what it calls.
fn function<'a>(
    resolved: &'a Resolved,
    Defined { name, parameters, value }: &'a Defined,
    spec: &'a Spec,
) -> (String, impl Iterator<Item = &'static str> + use<>) {
    let named = parameters.iter().map(|(ty, local)| (*ty, cuda_name(&resolved.locals[*local])));
    let named: Vec<_> = named.collect();
    let mut writer = Writer::new(&resolved.locals, spec, &named);
    writer.functions = &resolved.functions;
    for ((_, local), (_, name)) in parameters.iter().zip(&named) {
        writer.locals[*local].clone_from(name);
    }
    writer.assign(value, &Destination::Return);
    let mut lines = head(value.ty.cuda(), &cuda_name(name), &named);
    lines.append(&mut writer.lines);
    lines.push("}\n".to_owned());
    (lines.join("\n"), writer.called.into_iter())
}
