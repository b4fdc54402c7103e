//! Rules: descriptions of failures, for reports and for `explain`.

/// Id of the rule of broken invariants and properties.
pub const INVARIANT: &str = "invariant";
/// Id of the rule of failing fuzz, table and unit tests, and of a `setUp` that fails.
pub const TEST: &str = "test";

/// Confidence of an oracle in its reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// The reported behaviour was shown to do harm.
    High,
    /// It is mostly harmful, except in code that does it on purpose.
    Medium,
    /// It deserves a look.
    Low,
}

impl Confidence {
    /// Returns the name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// A kind of failure that is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Stable id in reports and on the command line.
    pub id: &'static str,
    /// Name as one word with capital initials (`BrokenInvariant`), for SARIF.
    pub name: &'static str,
    /// Summary in one sentence.
    pub summary: &'static str,
    /// Number in the SWC registry, if there is one.
    pub swc: Option<u16>,
    /// Severity from 0.0 to 10.0, as in GitHub's order of security findings; `None` for the project's own
    /// tests.
    pub severity: Option<f32>,
    /// Confidence that a report is a bug; `None` for the project's own tests.
    pub confidence: Option<Confidence>,
    /// True if the rule is active by default.
    pub by_default: bool,
    /// Explanation and advice, in Markdown.
    pub help: &'static str,
}

impl Rule {
    /// Returns the id in the registry, as in `SWC-110`.
    #[must_use]
    pub fn swc_id(&self) -> Option<String> {
        self.swc.map(|number| format!("SWC-{number}"))
    }

    /// Returns the address of the description in the registry.
    #[must_use]
    pub fn swc_uri(&self) -> Option<String> {
        self.swc_id().map(|id| format!("https://swcregistry.io/docs/{id}"))
    }
}
