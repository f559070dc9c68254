//! The functions that say what a launch reads.

use crate::body::guard::Guard;
use crate::body::parameters::value;
use crate::body::text::head;
use crate::spec::Spec;

use super::Writer;

/// Writes the function that says whether a launch reads `name`, of the scalars that decide it.
pub(crate) fn guard(name: &str, guard: &Guard, spec: &Spec) -> String {
    let parameters: Vec<_> = guard.scalars.iter().map(|number| value(spec, *number)).collect();
    let mut writer = Writer::new(&[], spec, &[]);
    let condition = writer.value(&guard.condition).text;
    writer.line(&format!("return {condition};"));
    let mut lines =
        vec![format!("// Whether the body reads {name}. Where it does not, nothing accesses it.")];
    lines.append(&mut head("bool", &format!("reads_{name}"), &parameters));
    lines.append(&mut writer.lines);
    lines.push("}\n".to_owned());
    lines.join("\n")
}
