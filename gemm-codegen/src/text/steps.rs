//! [`Steps`]: the statements of an entry point.

/// Statements in their order, each indented by the blocks that it stands in.
pub(crate) struct Steps {
    text: String,
    indent: usize,
}

/// Blanks of an indentation.
const INDENT: usize = 4;

impl Steps {
    /// None yet, of the body of a function.
    pub(crate) fn of_function() -> Steps {
        Steps { text: String::new(), indent: INDENT }
    }

    /// Adds a statement, or several on lines of their own.
    pub(crate) fn add(&mut self, statements: impl AsRef<str>) {
        for line in statements.as_ref().lines() {
            self.text += &format!("{:indent$}{line}\n", "", indent = self.indent);
        }
    }

    /// Adds a statement that has a block: `head` ends in its opening brace.
    pub(crate) fn block(&mut self, head: &str, steps: impl FnOnce(&mut Steps)) {
        self.add(head);
        self.indent += INDENT;
        steps(self);
        self.indent -= INDENT;
        self.add("}");
    }

    /// Their text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }
}
