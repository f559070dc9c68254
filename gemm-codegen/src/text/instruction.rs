//! Inline instructions of device text: one operand stands for several where a plan has them.

use crate::text::wrap::COLUMNS;

/// Columns before the operands of an instruction.
const INDENT: usize = 17;

/// A text whose instructions have `values` of the 32-bit operand of this name, or member of this name, in
/// its place.
pub(crate) fn replace_operand(
    text: &str,
    name: &str,
    values: impl Fn(&str) -> Vec<String>,
) -> String {
    let mut rest = text;
    let mut all = String::with_capacity(text.len());
    while let Some((before, from)) = rest.split_once("    asm volatile(") {
        let Some((statement, after)) = from.split_once(");\n") else { break };
        all += before;
        match Instruction::parse(statement).and_then(|one| one.replaced(name, &values)) {
            Some(instruction) => all += &instruction.text(),
            None => all += &format!("    asm volatile({statement});\n"),
        }
        rest = after;
    }
    all + rest
}

/// An instruction: the lines of its template, and its operands.
struct Instruction {
    template: Vec<String>,
    operands: Vec<String>,
}

impl Instruction {
    fn parse(statement: &str) -> Option<Instruction> {
        let (template, operands) = statement.split_once(&format!("\n{:INDENT$}:: ", ""))?;
        let (operands, _) = operands.rsplit_once(": \"memory\"")?;
        let template = template.lines().map(|line| line.trim().trim_matches('"').to_owned());
        let operands = operands.split(',').map(|operand| operand.trim().to_owned());
        Some(Instruction { template: template.collect(), operands: operands.collect() })
    }

    fn replaced(mut self, name: &str, values: impl Fn(&str) -> Vec<String>) -> Option<Instruction> {
        let value = |operand: &String| {
            let value = operand.strip_prefix("\"r\"(")?.strip_suffix(')')?;
            (value.rsplit('.').next() == Some(name)).then(|| value.to_owned())
        };
        let (at, value) =
            self.operands.iter().enumerate().find_map(|(at, of)| Some((at, value(of)?)))?;
        let values = values(&value);
        self.template.iter_mut().for_each(|line| *line = renumbered(line, at, values.len()));
        let values = values.iter().map(|value| format!("\"r\"({value})"));
        self.operands.splice(at..=at, values.collect::<Vec<_>>());
        Some(self)
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        for line in &self.template {
            let room = COLUMNS - INDENT - 2;
            match line.find(" [").filter(|_| line.len() > room) {
                Some(at) => lines.extend([line[..=at].to_owned(), line[at + 1..].to_owned()]),
                None => lines.push(line.clone()),
            }
        }
        let template = lines.join(&format!("\"\n{:INDENT$}\"", ""));
        let mut text = format!("    asm volatile(\"{template}\"\n{:INDENT$}::", "");
        let mut column = INDENT + 2;
        for (number, operand) in self.operands.iter().enumerate() {
            let comma = if number + 1 == self.operands.len() { "" } else { "," };
            if column + 1 + operand.len() + comma.len() > COLUMNS {
                text += &format!("\n{:1$}", "", INDENT + 2);
                column = INDENT + 2;
            }
            text += &format!(" {operand}{comma}");
            column += 1 + operand.len() + comma.len();
        }
        let end = ": \"memory\");";
        if column + 1 + end.len() > COLUMNS {
            text += &format!("\n{:INDENT$}{end}\n", "");
        } else {
            text += &format!(" {end}\n");
        }
        text
    }
}

/// A template in which operand `at` becomes this number of operands.
fn renumbered(line: &str, at: usize, count: usize) -> String {
    let list = (at..at + count).map(|number| format!(", %{number}")).collect::<String>();
    let mut parts = line.split('%');
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = part.split_at(digits);
        let number = number.parse::<usize>().unwrap_or_default();
        if number == at {
            all = all.trim_end_matches(", ").to_owned() + &list + rest;
        } else {
            let number = if number > at { number + count - 1 } else { number };
            all += &format!("%{number}{rest}");
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPY: &str = "    asm volatile(\"copy [%0, {%1, %2}], [%3];\"\n                 \
                        :: \"l\"(&to), \"r\"(row), \"r\"(of.x), \"r\"(from) : \"memory\");\n";

    #[test]
    fn an_operand_becomes_none_or_several_and_those_after_it_are_renumbered() {
        let replaced = |count: usize| {
            replace_operand(COPY, "x", |x| (0..count).map(|i| format!("{x}.i{i}")).collect())
        };
        assert_eq!(replace_operand(COPY, "y", |_| Vec::new()), COPY);
        assert!(replaced(0).contains("[%0, {%1}], [%2];\"\n"), "{}", replaced(0));
        assert!(replaced(0).contains("\"r\"(row), \"r\"(from) :"), "{}", replaced(0));
        assert!(replaced(3).contains("{%1, %2, %3, %4}], [%5];\"\n"), "{}", replaced(3));
        assert!(replaced(3).contains("\"r\"(of.x.i2), \"r\"(from)"), "{}", replaced(3));
        let long = replaced(9);
        assert!(long.lines().count() > 3 && long.lines().all(|line| line.len() <= COLUMNS));
    }
}
