//! [`Rule`]: the laws of a legal spec.

mod diagnostic;

pub(crate) use diagnostic::Findings;
pub use diagnostic::{Diagnostic, Diagnostics};

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $variant:ident = $id:literal,)+) => {
        /// A law every [`Plan`](crate::Plan) satisfies. The documentation of a variant is the
        /// explanation of its rule; its first line is the law.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule { $($(#[doc = $doc])+ $variant,)+ }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant,)+];

            /// The name shown with each diagnostic; the UI tests are named by it.
            pub const fn id(self) -> &'static str {
                match self { $(Rule::$variant => $id,)+ }
            }

            /// The law and why it holds.
            pub fn explanation(self) -> &'static str {
                match self { $(Rule::$variant => concat!($($doc, "\n",)+).trim(),)+ }
            }
        }
    };
}

mod list;

pub use list::Rule;
