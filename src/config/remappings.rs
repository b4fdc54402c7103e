//! Import remappings, merged by the rules of Forge 1.7.

use super::{
    ConfigError, Overrides, SettingPlace, SettingSource,
    environment::first,
    layers::Layers,
    load::Environment,
    read::ConfigSection,
    resolve,
    value::{ConfigNode, Table},
};
use crate::files::read_text;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Detected names that are ignored, because they would match too many imports.
const TOO_GENERAL: [&str; 3] = ["lib/", "src/", "contracts/"];

/// Remapping `context:name=path`: imports of `name` in files under `context` are read from `path`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Remapping {
    context: Option<String>,
    name: String,
    path: String,
}

impl Remapping {
    fn parse(text: &str, place: &SettingPlace) -> Result<Self, ConfigError> {
        let invalid = |what| ConfigError::Remapping {
            problem: format!("{what}, found `{text}`, expected `<key>=<value>`"),
            place: place.clone(),
        };
        let (key, path) = text.split_once('=').ok_or_else(|| invalid("invalid remapping format"))?;
        let (context, name) =
            key.split_once(':').map_or((None, key), |(context, name)| (Some(context), name));
        if name.trim().is_empty() {
            return Err(invalid("remapping key can't be empty"));
        }
        if path.trim().is_empty() {
            return Err(invalid("remapping value must be a path"));
        }
        let context = context.filter(|context| !context.trim().is_empty()).map(str::to_owned);
        Ok(Self { context, name: name.to_owned(), path: path.to_owned() })
    }

    /// Makes the paths relative to `root` where possible.
    fn relative_to(self, root: &Path) -> Self {
        let strip = |path: String| match Path::new(&path).strip_prefix(root) {
            Ok(rest) => rest.display().to_string(),
            Err(_) => path,
        };
        Self { context: self.context.map(strip), path: directory(strip(self.path)), ..self }
    }

    /// Makes the path absolute.
    fn absolute(self, root: &Path) -> Self {
        let path = root.join(&self.path).display().to_string();
        Self { name: directory(self.name), path: directory(path), ..self }
    }
}

impl fmt::Display for Remapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.context.iter().try_for_each(|context| write!(f, "{context}:"))?;
        write!(f, "{}={}", directory(self.name.clone()), self.path)
    }
}

/// Appends a `/` to a name or path of a directory. Those of sources stay as they are.
fn directory(mut path: String) -> String {
    if !path.ends_with('/') && !path.ends_with(".sol") {
        path.push('/');
    }
    path
}

/// Remappings in order of precedence. A new one is added only if it does not overlap an earlier one.
struct Remappings {
    list: Vec<Remapping>,
    /// Names of the project's own directories, which cannot be remapped.
    reserved: Vec<String>,
}

impl Remappings {
    fn push(&mut self, new: Remapping) {
        let source = new.name.ends_with(".sol");
        let misplaced = source && !new.path.ends_with(".sol");
        let reserved = self.reserved.iter().any(|name| name.eq_ignore_ascii_case(&new.name));
        let known = self.list.iter().filter(|old| old.context == new.context).any(|old| {
            if source {
                return old.name == new.name && old.path == new.path;
            }
            let prefix = if old.name.ends_with('/') { old.name.clone() } else { format!("{}/", old.name) };
            new.name.starts_with(&prefix) || old.name.starts_with(&new.name)
        });
        if !misplaced && !reserved && !known {
            self.list.push(new);
        }
    }

    /// Returns the list without duplicates. Of remappings with the same name and context, the first remains.
    fn into_list(self) -> Vec<Remapping> {
        let mut seen = BTreeSet::new();
        let key = |remapping: &Remapping| remapping.context.clone().unwrap_or_default() + &remapping.name;
        self.list.into_iter().filter(|remapping| seen.insert(key(remapping))).collect()
    }
}

/// Returns all remappings of a project, as `forge test` uses them. In order of precedence they come from
/// flags, the environment, remappings.txt, foundry.toml, and the content of dependencies.
///
/// Forge processes the result twice. In the second pass it drops a remapping if its name begins with the name
/// of an earlier one, or the other way round, even if the user wrote both. `forge remappings` does not do the
/// second pass.
///
/// # Errors
/// Fails if a remapping is malformed, or if remappings.txt cannot be read.
pub(super) fn resolve(
    root: &Path,
    settings: &Table,
    overrides: &Overrides,
    env: &Environment,
    auto: &dyn Fn(&Path) -> Vec<String>,
) -> Result<Vec<String>, ConfigError> {
    let found = Search { env, auto, within: vec![root.to_path_buf()] }.project(root, settings)?;
    let flag = SettingPlace::Flag("--remappings".to_owned());
    let flags = overrides.remappings.iter().map(|text| Remapping::parse(text, &flag));
    // As in Forge, a variable that is not set has none.
    let named = overrides.remappings_variable.as_ref().and_then(|name| Some((name, env.get(name)?)));
    let named = named.map(|(name, text)| lines(text, name)).transpose()?.unwrap_or_default();
    let reserved = ["src", "test", "script"].iter().filter_map(|name| settings.get(*name)?.as_text());
    let reserved = reserved.map(|path| format!("{path}/")).collect();
    let flags = flags.chain(named.into_iter().map(Ok));
    let mut all = Remappings { list: flags.collect::<Result<_, _>>()?, reserved };
    found.into_iter().for_each(|remapping| all.push(remapping));
    Ok(all.into_list().iter().map(ToString::to_string).collect())
}

/// Parses the remappings in the variable `name`, one a line.
fn lines(text: &str, name: &str) -> Result<Vec<Remapping>, ConfigError> {
    let place = SettingPlace::Variable(name.to_owned());
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| Remapping::parse(line, &place)).collect()
}

/// Search for remappings in a project and, recursively, in its dependencies.
struct Search<'a> {
    env: &'a Environment,
    auto: &'a dyn Fn(&Path) -> Vec<String>,
    /// Projects on the current path of the recursion, to detect cyclic dependencies.
    within: Vec<PathBuf>,
}

impl Search<'_> {
    /// Returns the remappings of the project in `root`, with paths relative to it.
    fn project(&mut self, root: &Path, settings: &Table) -> Result<Vec<Remapping>, ConfigError> {
        let section = ConfigSection::new(settings);
        let mut list = self.variables()?;
        list.extend(from_text_file(root)?);
        if let Some(node) = settings.get("remappings") {
            section.get::<Vec<String>>("remappings")?;
            list.extend(from_list(node)?);
        }
        let mut all = Remappings { list, reserved: Vec::new() };
        if section.get("auto_detect_remappings")? {
            let libs: Vec<PathBuf> = section.get("libs")?;
            let mut closest = Closest::default();
            libs.iter().for_each(|lib| self.nested(root, lib, &mut closest));
            for text in libs.iter().flat_map(|lib| (self.auto)(&root.join(lib))) {
                let remapping = Remapping::parse(&text, &SettingPlace::Default).ok();
                let remapping = remapping.filter(|remapping| !TOO_GENERAL.contains(&remapping.name.as_str()));
                remapping.into_iter().for_each(|remapping| closest.insert(remapping));
            }
            closest.into_list().for_each(|remapping| all.push(remapping));
        }
        Ok(all.into_list().into_iter().map(|remapping| remapping.relative_to(root)).collect())
    }

    fn variables(&self) -> Result<Vec<Remapping>, ConfigError> {
        let Some((name, text)) = first(self.env, ["DAPP_REMAPPINGS", "FOUNDRY_REMAPPINGS"]) else {
            return Ok(Vec::new());
        };
        lines(text, name)
    }

    /// Adds the remappings of all Foundry projects in a directory of dependencies. A project with an invalid
    /// configuration is skipped. If `lib` is absolute, `lib` in the root is searched instead, as in Forge.
    fn nested(&mut self, root: &Path, lib: &Path, closest: &mut Closest) {
        let directory = root.join(if lib.is_absolute() { Path::new("lib") } else { lib });
        for project in projects(&directory) {
            if !self.within.contains(&project) {
                self.within.push(project.clone());
                let found = self.dependency(&project).unwrap_or_default();
                found.into_iter().for_each(|remapping| closest.insert(remapping));
                self.within.pop();
            }
        }
    }

    /// Returns the remappings of a dependency with absolute paths: those that it declares, those found in it,
    /// and one from its name to its sources.
    fn dependency(&mut self, root: &Path) -> Result<Vec<Remapping>, ConfigError> {
        let mut env = self.env.clone();
        env.remove("FOUNDRY_CONFIG");
        let layers = Layers::read(root, &Overrides::default(), &env, &|| None)?;
        let config = resolve::config(root, &layers.profile, &layers.settings, Vec::new())?;
        let found = self.project(root, &layers.settings)?;
        let name = root.file_name().and_then(|name| name.to_str());
        let own = name.map(|name| Remapping {
            context: None,
            name: format!("{name}/"),
            path: config.paths.src.display().to_string(),
        });
        Ok(found.into_iter().chain(own).map(|remapping| remapping.absolute(root)).collect())
    }
}

fn from_list(node: &ConfigNode) -> Result<Vec<Remapping>, ConfigError> {
    let super::Value::List(items) = &node.value else { return Ok(Vec::new()) };
    items.iter().filter_map(|item| Some(Remapping::parse(item.as_text()?, &item.place))).collect()
}

fn from_text_file(root: &Path) -> Result<Vec<Remapping>, ConfigError> {
    let path = root.join("remappings.txt");
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = read_text(&path).map_err(|error| ConfigError::Read { path, error })?;
    let source = Arc::new(SettingSource { name: "remappings.txt".to_owned(), text });
    let lines = source.text.lines().map(str::trim).filter(|line| !line.is_empty());
    let parse = |line: &str| {
        let start = line.as_ptr() as usize - source.text.as_ptr() as usize;
        let span = start..start + line.len();
        Remapping::parse(line, &SettingPlace::File { source: source.clone(), span })
    };
    lines.map(parse).collect()
}

/// Returns the Foundry projects in a directory, including the directory itself. Symbolic links are not
/// followed.
fn projects(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let candidates = directories.map(|entry| entry.path()).chain([directory.to_path_buf()]);
    let projects = candidates.filter(|path| path.join("foundry.toml").exists());
    let mut projects: Vec<_> = projects.filter_map(|path| fs::canonicalize(path).ok()).collect();
    projects.sort();
    projects
}

/// Path for each context and name: the one with the fewest components, or the first of several.
#[derive(Default)]
struct Closest(BTreeMap<(Option<String>, String), String>);

impl Closest {
    fn insert(&mut self, new: Remapping) {
        let components = |path: &str| Path::new(path).components().count();
        let path = self.0.entry((new.context, new.name)).or_insert_with(|| new.path.clone());
        if components(&new.path) < components(path) {
            *path = new.path;
        }
    }

    fn into_list(self) -> impl Iterator<Item = Remapping> {
        self.0.into_iter().map(|((context, name), path)| Remapping { context, name, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::scratch::Scratch;

    /// Finds the sources of each dependency by the simplest of Forge's rules. It replaces
    /// `crate::project::find_remappings` in tests.
    fn auto(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
        let sources = entries.filter(|path| path.join("src").is_dir());
        sources
            .map(|path| format!("{}/={}/src/", path.file_name().unwrap().display(), path.display()))
            .collect()
    }

    fn remappings(scratch: &Scratch) -> String {
        scratch.load_with(&auto).unwrap().config.paths.remappings.join("\n")
    }

    #[test]
    fn the_users_remappings_come_first_and_dependencies_fill_the_gaps() {
        let scratch = Scratch::new(&[
            ("foundry.toml", "[profile.default]\nremappings = ['@oz/token/=src/', 'inner=foo']"),
            ("remappings.txt", "ds/=lib/std/lib/ds/src/\n\n  @o=lib/oz/contracts\nx.sol=src/y.sol\n"),
            ("lib/std/foundry.toml", ""),
            ("lib/std/src/Test.sol", ""),
            ("lib/std/lib/ds/src/T.sol", ""),
            ("lib/oz/foundry.toml", "[profile.default]\nsrc = 'contracts'"),
            ("lib/oz/remappings.txt", "@oz/=contracts/\nmate/=../mate/src/\nctx:foo/=lib/foo/"),
            ("lib/mate/src/A.sol", ""),
            ("lib/inner/src/A.sol", ""),
        ]);
        insta::assert_snapshot!(remappings(&scratch), @r"
        ds/=lib/std/lib/ds/src/
        @o/=lib/oz/contracts/
        x.sol=src/y.sol
        @oz/token/=src/
        inner/=foo/
        mate/=lib/mate/src/
        oz/=lib/oz/contracts/
        std/=lib/std/src/
        ctx:foo/=lib/oz/lib/foo/
        ");
    }

    #[test]
    fn what_overlaps_an_earlier_remapping_is_dropped() {
        let scratch = Scratch::new(&[(
            "foundry.toml",
            "[profile.default]\nremappings = ['a/=x/', 'a/b/=y/', 'c/d/=z/', 'c/=w/', 'src/=q/', 'k:a/=v/']",
        )]);
        insta::assert_snapshot!(remappings(&scratch), @r"
        a/=x/
        c/d/=z/
        k:a/=v/
        ");
    }

    #[test]
    fn flags_beat_the_environment_beats_files() {
        let mut scratch = Scratch::new(&[(
            "foundry.toml",
            "[profile.default]\nremappings = ['a/=toml/', 'c/=toml/', 'd/=toml/']",
        )]);
        scratch.env("FOUNDRY_REMAPPINGS", "b/=env/\na/=env/\n c/=env/ ");
        scratch.overrides.remappings.push("c/=flag/".to_owned());
        insta::assert_snapshot!(remappings(&scratch), @r"
        c/=flag/
        b/=env/
        a/=env/
        d/=toml/
        ");
        scratch.env("DAPP_REMAPPINGS", "a/=dapp/");
        assert!(remappings(&scratch).contains("a/=dapp/"));
    }

    #[test]
    fn detection_can_be_switched_off() {
        let scratch = Scratch::new(&[
            ("foundry.toml", "[profile.default]\nauto_detect_remappings = false"),
            ("lib/a/src/A.sol", ""),
        ]);
        assert_eq!(remappings(&scratch), "");
    }

    #[test]
    fn projects_that_depend_on_each_other_do_not_hang() {
        let scratch = Scratch::new(&[
            ("foundry.toml", ""),
            ("lib/a/foundry.toml", "[profile.default]\nlibs = ['.', '../']"),
            ("lib/b/foundry.toml", "[profile.default]\nlibs = ['../']"),
        ]);
        insta::assert_snapshot!(remappings(&scratch), @r"
        a/=lib/a/src/
        b/=lib/b/src/
        ");
    }

    #[test]
    fn a_malformed_remapping_is_shown_where_it_stands() {
        let scratch = Scratch::new(&[("foundry.toml", ""), ("remappings.txt", "a=b\n# c\n")]);
        insta::assert_snapshot!(scratch.load_with(&auto).unwrap_err(), @r"
        invalid remapping format, found `# c`, expected `<key>=<value>`
         --> remappings.txt:2:1
          |
        2 | # c
          | ^^^
        ");
    }
}
