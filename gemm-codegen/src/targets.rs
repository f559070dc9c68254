//! The laws of `targets`: named once each, and all of them have what the kernel uses.

use crate::field::Field;
use crate::hardware::{Availability, Target};
use crate::rule::{Diagnostic, Rule};

/// At least one target, none twice.
pub(crate) fn check(targets: &[Target]) -> Result<(), Vec<Diagnostic>> {
    let twice = |(number, target): &(usize, &Target)| targets[..*number].contains(target);
    let (at, message) = if targets.is_empty() {
        (0, "`targets` is empty".to_owned())
    } else if let Some((number, target)) = targets.iter().enumerate().find(twice) {
        (number, format!("{target} is named twice"))
    } else {
        return Ok(());
    };
    let help =
        "name each target once, or remove `targets` for the default: sm_80, sm_86, sm_89, sm_90";
    Err(vec![Diagnostic::new(Rule::TargetsNamed, Field::Target(at), message, help)])
}

/// Every target has `what`. `otherwise` continues the help: `, or ..`, or nothing.
pub(crate) fn require(
    rule: Rule,
    what: &str,
    availability: Availability,
    targets: &[Target],
    otherwise: &str,
) -> Result<(), Vec<Diagnostic>> {
    let legal = match availability {
        Availability::Since(first) => format!("name only targets from {first} on"),
        Availability::Only(only) => format!("name only {only}"),
    };
    let diagnostic = |(number, target)| {
        let message = format!("{what} requires {availability}, but {target} is a target");
        Diagnostic::new(rule, Field::Target(number), message, format!("{legal}{otherwise}"))
    };
    let targets = targets.iter().copied().enumerate();
    let broken: Vec<Diagnostic> =
        targets.filter(|(_, target)| !availability.includes(*target)).map(diagnostic).collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_of_one_architecture_does_not_carry_over() {
        let lacking = |availability| {
            let required = require(Rule::CopyOnTarget, "it", availability, &Target::ALL, "");
            let broken = required.unwrap_err().into_iter();
            broken
                .map(|diagnostic| match diagnostic.at {
                    Field::Target(number) => Target::ALL[number],
                    at => panic!("{at:?}"),
                })
                .collect::<Vec<_>>()
        };
        use Target::{Sm75, Sm80, Sm90a};
        assert_eq!(lacking(Availability::Since(Target::Sm86)), [Sm75, Sm80]);
        let others: Vec<_> = Target::ALL.into_iter().filter(|target| *target != Sm90a).collect();
        assert_eq!(lacking(Availability::Only(Sm90a)), others);
        assert!(
            require(Rule::CopyOnTarget, "it", Availability::Since(Sm75), &Target::ALL, "").is_ok()
        );
    }
}
