//! The function that gives what an added term is multiplied by.

use super::Writer;
use crate::body::parameters::value;
use crate::body::text::head;
use crate::body::typed::Resolved;
use crate::spec::Spec;

/// Writes it, of the scalars that it reads, and notes the device functions that it calls.
pub(super) fn emit(
    resolved: &Resolved,
    spec: &Spec,
    called: &mut Vec<&'static str>,
) -> Option<String> {
    let scale = resolved.added.as_ref()?.scale.as_ref()?;
    let parameters: Vec<_> =
        resolved.scalars_of_added(spec).map(|number| value(spec, number)).collect();
    let mut writer = Writer::new(&[], spec, &parameters);
    let text = writer.value(scale).text;
    writer.line(&format!("return {text};"));
    called.extend(&writer.called);
    let mut lines = vec!["// What the added term is multiplied by.".to_owned()];
    lines.append(&mut head(scale.ty.cuda(), "added_scale", &parameters));
    lines.append(&mut writer.lines);
    lines.push("}\n".to_owned());
    Some(lines.join("\n"))
}
