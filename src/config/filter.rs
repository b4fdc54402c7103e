//! Filter that selects the tests to run.

use super::FilterConfig;
use crate::panics;
use globset::GlobMatcher;
use regex::Regex;
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// Regular expression that matches anywhere in the text.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Regex);

impl Pattern {
    pub(super) fn new(text: &str) -> Result<Self, String> {
        Regex::new(text).map(Self).map_err(|error| error.to_string())
    }

    fn text(&self) -> &str {
        self.0.as_str()
    }
}

/// Largest number of alternatives (`{a,b}`) in a glob.
const MOST_CHOICES: usize = 64;

/// Glob that matches paths as in Forge: `*` also matches `/`.
#[derive(Clone, Debug)]
pub(super) struct Glob(GlobMatcher);

impl Glob {
    pub(super) fn new(text: &str) -> Result<Self, String> {
        if text.matches('{').count() > MOST_CHOICES {
            return Err(format!("it has more than {MOST_CHOICES} choices"));
        }
        // The library panics if an alternative is not closed.
        let matcher = panics::caught(|| text.parse::<globset::Glob>().map(|glob| glob.compile_matcher()));
        let matcher = matcher.map_err(|_| "its choices cannot be read".to_owned())?;
        Ok(Self(matcher.map_err(|error| error.to_string())?))
    }

    fn text(&self) -> &str {
        self.0.glob().glob()
    }

    /// Tells whether a path, relative to `root`, matches. The glob is compared with the path itself, with
    /// `./` and the path if the glob begins with `./`, and with the absolute path if the glob is absolute. A
    /// path also matches if its file name contains the glob as plain text.
    fn matches(&self, path: &Path, root: &Path) -> bool {
        let text = self.text();
        let name = path.file_name().and_then(|name| name.to_str());
        self.0.is_match(path)
            || name.is_some_and(|name| name.contains(text))
            || (text.starts_with("./") && self.0.is_match(Path::new(".").join(path)))
            || (text.starts_with('/') && self.0.is_match(root.join(path)))
    }
}

/// Error for a pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid value '{pattern}' for '{name}': {problem}")]
pub struct PatternError {
    /// Name of the flag, for example `match-test`.
    pub name: &'static str,
    /// Pattern as given.
    pub pattern: String,
    /// Message of the parser.
    pub problem: String,
}

/// Two optional patterns: one that must match, and one that must not.
#[derive(Clone, Debug)]
struct Pair<T> {
    wanted: Option<T>,
    unwanted: Option<T>,
}

impl<T> Pair<T> {
    fn new(
        names: [&'static str; 2],
        texts: [&Option<String>; 2],
        compile: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Self, PatternError> {
        let one = |index: usize| {
            let compile = |text: &String| {
                compile(text).map_err(|problem| PatternError {
                    name: names[index],
                    pattern: text.clone(),
                    problem,
                })
            };
            texts[index].as_ref().map(compile).transpose()
        };
        Ok(Self { wanted: one(0)?, unwanted: one(1)? })
    }

    fn passes(&self, matches: impl Fn(&T) -> bool) -> bool {
        self.wanted.as_ref().is_none_or(&matches) && !self.unwanted.as_ref().is_some_and(&matches)
    }
}

/// Decides which tests run. A test runs if its file, its contract and its signature pass.
#[derive(Clone, Debug)]
pub struct Filter {
    test: Pair<Pattern>,
    contract: Pair<Pattern>,
    path: Pair<Glob>,
    /// If set, only these tests run: the suite, `path:Name`, and the name of each.
    only: Option<Vec<(String, String)>>,
    root: PathBuf,
}

impl Filter {
    /// Tells whether it names contracts or files to include.
    #[must_use]
    pub fn names_contracts(&self) -> bool {
        self.contract.wanted.is_some() || self.path.wanted.is_some()
    }

    /// Compiles the patterns of a configuration. [`super::load()`] has checked them already, but flags may
    /// have changed them since.
    ///
    /// # Errors
    /// Fails if a pattern is malformed.
    pub fn new(config: &FilterConfig, root: &Path) -> Result<Self, PatternError> {
        let FilterConfig { test, no_test, contract, no_contract, path, no_path } = config;
        Ok(Self {
            test: Pair::new(["match-test", "no-match-test"], [test, no_test], Pattern::new)?,
            contract: Pair::new(
                ["match-contract", "no-match-contract"],
                [contract, no_contract],
                Pattern::new,
            )?,
            path: Pair::new(["match-path", "no-match-path"], [path, no_path], Glob::new)?,
            only: None,
            root: root.to_path_buf(),
        })
    }

    /// Lets only these tests pass, and of them those that match the patterns. Each is a suite, `path:Name`, and the
    /// name of a function, without or with its parameters.
    #[must_use]
    pub fn only(self, tests: Vec<(String, String)>) -> Self {
        let relative = |suite: String| match suite.strip_prefix(&*self.root.to_string_lossy()) {
            Some(rest) => rest.trim_start_matches('/').to_owned(),
            None => suite,
        };
        let tests = tests.into_iter().map(|(suite, test)| (relative(suite), test)).collect();
        Self { only: Some(tests), ..self }
    }

    /// Returns true if there are no patterns, so that everything passes.
    pub fn is_empty(&self) -> bool {
        self.only.is_none() && self.patterns().is_empty()
    }

    /// Tells whether a test of a suite (`path:Name`) passes, by its signature, for example `invariant_a()`.
    pub fn matches_test(&self, suite: &str, signature: &str) -> bool {
        let name = signature.split('(').next().unwrap_or(signature);
        let is_it = |(of, test): &(String, String)| of == suite && (test == signature || test == name);
        self.only.as_ref().is_none_or(|only| only.iter().any(is_it))
            && self.test.passes(|pattern| pattern.0.is_match(signature))
    }

    /// Tells whether a contract passes, by its bare name.
    pub fn matches_contract(&self, name: &str) -> bool {
        self.contract.passes(|pattern| pattern.0.is_match(name))
    }

    /// Tells whether a source passes, by its path relative to the root. Forge never tests sources in `libs`;
    /// discovery of suites handles this, not the filter.
    pub fn matches_path(&self, path: &Path) -> bool {
        self.path.passes(|glob| glob.matches(path, &self.root))
    }

    fn patterns(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("match-test", self.test.wanted.as_ref().map(Pattern::text)),
            ("no-match-test", self.test.unwanted.as_ref().map(Pattern::text)),
            ("match-contract", self.contract.wanted.as_ref().map(Pattern::text)),
            ("no-match-contract", self.contract.unwanted.as_ref().map(Pattern::text)),
            ("match-path", self.path.wanted.as_ref().map(Glob::text)),
            ("no-match-path", self.path.unwanted.as_ref().map(Glob::text)),
        ];
        all.into_iter().filter_map(|(name, pattern)| Some((name, pattern?))).collect()
    }
}

/// Prints a line for each pattern, as in Forge's warning that no tests match.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.patterns().iter().try_for_each(|(name, pattern)| writeln!(f, "\t{name}: `{pattern}`"))?;
        self.only.iter().flatten().try_for_each(|(suite, test)| writeln!(f, "\trerun: `{suite}` `{test}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 3] = ["test/Aa.t.sol", "test/Bb.t.sol", "test/sub/Cc.t.sol"];

    /// Returns the initials of the files that pass a glob.
    fn files(glob: &str) -> String {
        let config = FilterConfig { path: Some(glob.to_owned()), ..FilterConfig::default() };
        let filter = Filter::new(&config, Path::new("/project")).unwrap();
        let names = FILES.iter().filter(|file| filter.matches_path(Path::new(file)));
        names
            .map(|file| Path::new(file).file_name().unwrap().to_str().unwrap().chars().next().unwrap())
            .collect()
    }

    #[test]
    fn globs_match_as_in_forge() {
        for (glob, expected) in [
            ("*", "ABC"),
            ("test/*", "ABC"),
            ("./test/*", "ABC"),
            ("*.sol", "ABC"),
            ("/project/test/*", "ABC"),
            ("Aa", "A"),
            ("Aa.t.sol", "A"),
            ("test/Aa.t.sol", "A"),
            ("./test/Aa.t.sol", "A"),
            ("/project/test/Aa.t.sol", "A"),
            ("**/sub/*", "C"),
            ("test/{Aa,Bb}*", "AB"),
            ("test", ""),
            ("test/sub", ""),
            ("{Aa,Bb}.t.sol", ""),
            ("./Aa.t.sol", ""),
        ] {
            assert_eq!(files(glob), expected, "{glob}");
        }
    }

    #[test]
    fn a_test_is_searched_by_its_signature_and_a_contract_by_its_name() {
        let config = FilterConfig {
            test: Some(r"_x\(uint256\)$".to_owned()),
            no_contract: Some("^Slow".to_owned()),
            ..FilterConfig::default()
        };
        let filter = Filter::new(&config, Path::new("/")).unwrap();
        assert!(filter.matches_test("A", "test_x(uint256)") && !filter.matches_test("A", "test_x()"));
        assert!(filter.matches_contract("VerySlow") && !filter.matches_contract("Slowest"));
        assert_eq!(filter.to_string(), "\tmatch-test: `_x\\(uint256\\)$`\n\tno-match-contract: `^Slow`\n");
    }

    #[test]
    fn a_bad_pattern_says_which() {
        let config = FilterConfig { no_path: Some("{".to_owned()), ..FilterConfig::default() };
        assert_eq!(
            Filter::new(&config, Path::new("/")).unwrap_err().to_string(),
            "invalid value '{' for 'no-match-path': error parsing glob '{': unclosed alternate group; \
             missing '}' (maybe escape '{' with '[{]'?)"
        );
    }
}
