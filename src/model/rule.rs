//! What a rule says of itself, for reports and for `explain`.

/// Id of the rule of broken invariants and properties.
pub const INVARIANT: &str = "invariant";
/// Id of the rule of failing fuzz, table and unit tests, and of a `setUp` that fails.
pub const TEST: &str = "test";

/// How sure an oracle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// What is reported was shown to do harm.
    High,
    /// It is mostly harmful, but for code that means it so.
    Medium,
    /// It deserves a look.
    Low,
}

impl Confidence {
    /// As it stands in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// A way to be wrong that is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Stable, as it stands in reports and on the command line.
    pub id: &'static str,
    /// The same as one word in capitals, as SARIF wants it.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Number in the SWC registry, if there is one.
    pub swc: Option<u16>,
    /// How bad it is, from 0.0 to 10.0, as GitHub orders security findings; `None` for what a project's own tests say.
    pub severity: Option<f32>,
    /// How sure it is that what is reported is a bug; `None` for what a project's own tests say.
    pub confidence: Option<Confidence>,
    /// Whether it is looked for unless somebody says otherwise.
    pub by_default: bool,
    /// What it means and what to do, in Markdown.
    pub help: &'static str,
}

impl Rule {
    /// `SWC-110`.
    #[must_use]
    pub fn swc_id(&self) -> Option<String> {
        self.swc.map(|number| format!("SWC-{number}"))
    }

    /// Where the registry describes it.
    #[must_use]
    pub fn swc_uri(&self) -> Option<String> {
        self.swc_id().map(|id| format!("https://swcregistry.io/docs/{id}"))
    }
}
