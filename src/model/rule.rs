//! What a rule says of itself, for reports and for `explain`.

/// Id of the rule of broken invariants and properties.
pub const INVARIANT: &str = "invariant";
/// Id of the rule of failing fuzz, table and unit tests, and of a `setUp` that fails.
pub const TEST: &str = "test";

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
