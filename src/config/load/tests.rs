//! Tests that load whole configurations from files.

use crate::config::{Config, SolcRequest, scratch::Scratch};

fn config(toml: &str) -> Config {
    Scratch::toml(toml).config()
}

fn error(toml: &str) -> String {
    Scratch::toml(toml).error()
}

#[test]
fn an_empty_file_gives_the_defaults() {
    let scratch = Scratch::toml("");
    let config = scratch.config();
    assert_eq!((config.invariant.runs, config.invariant.depth, config.fuzz.runs), (256, 500, 256));
    assert_eq!((config.compiler.optimizer, config.compiler.optimizer_runs), (false, 200));
    assert_eq!((config.compiler.evm_version.name(), &config.compiler.solc), ("osaka", &SolcRequest::Auto));
    assert_eq!(config.env.initial_balance, alloy_primitives::U256::from((1u128 << 96) - 1));
    assert_eq!(config.paths.libs, [scratch.root().join("lib")]);
    assert_eq!(config.invariant.failure_persist_dir, scratch.root().join("cache/invariant"));
    assert_eq!(config.cheats.fs_permissions, [("read".to_owned(), scratch.root().join("out"))]);
    assert_eq!(config.compiler.ignored_error_codes, [1878, 5574, 3860, 2394, 9207, 2424]);
    assert_eq!(scratch.warnings(), "");
}

#[test]
fn the_defaults_are_what_a_project_has_that_sets_nothing() {
    let scratch = Scratch::toml("");
    let mut config = scratch.config();
    config.cheats.settings.clear();
    assert_eq!(format!("{:?}", Config::defaults(&scratch.root())), format!("{config:?}"));
}

#[test]
fn layers_lie_over_each_other() {
    let mut scratch = Scratch::new(&[
        (
            "foundry.toml",
            "[profile.default]\nsrc = 'project'\nout = 'project'\ntest = 'project'\nscript = 'project'",
        ),
        ("home/.foundry/foundry.toml", "[profile.default]\nsrc = 'user'\ncache_path = 'user'"),
    ]);
    let home = scratch.root().join("home").display().to_string();
    scratch.env("HOME", &home).env("DAPP_OUT", "dapp").env("DAPP_TEST", "dapp").env("DAPP_SCRIPT", "dapp");
    scratch.env("FOUNDRY_TEST", "foundry").env("FOUNDRY_SCRIPT", "foundry");
    scratch.overrides.set("script", "--script", Some("flag")).set("src", "--src", None::<&str>);
    let paths = scratch.config().paths;
    let root = scratch.root();
    assert_eq!(paths.cache, root.join("user"));
    assert_eq!(paths.src, root.join("project"));
    assert_eq!(paths.out, root.join("dapp"));
    assert_eq!(paths.test, root.join("foundry"));
    assert_eq!(paths.script, root.join("flag"));
}

#[test]
fn the_default_profile_underlies_the_selected_one() {
    let mut scratch = Scratch::toml(
        "[profile.default.invariant]\nruns = 5\ndepth = 1\n[invariant]\nruns = 7\n\
         [profile.CI.invariant]\ndepth = 9",
    );
    let default = scratch.config();
    assert_eq!((default.invariant.runs, default.invariant.depth), (5, 1));
    let ci = scratch.env("FOUNDRY_PROFILE", "ci").config();
    assert_eq!((ci.profile.as_str(), ci.invariant.runs, ci.invariant.depth), ("CI", 7, 9));
}

#[test]
fn the_fuzz_section_speaks_for_the_invariant_section() {
    let both = config("[fuzz]\nruns = 10\ndictionary_weight = 7\n[invariant]\ndictionary_weight = 8");
    assert_eq!((both.fuzz.runs, both.invariant.runs, both.invariant.dictionary_weight), (10, 10, 8));
    let profile = config("[profile.default.fuzz]\nruns = 10");
    assert_eq!((profile.fuzz.runs, profile.invariant.runs), (10, 256));
}

#[test]
fn names_of_the_profile_may_be_spelled_in_other_cases() {
    assert!(config("[profile.default]\nvia-ir = true").compiler.via_ir);
    assert!(config("[profile.default]\nviaIr = true").compiler.via_ir);
    assert!(!config("[invariant]\nfail-on-revert = true").invariant.fail_on_revert);
}

#[test]
fn old_names_still_work() {
    let old = config("[profile.default]\nsolc_version = '0.8.19'\ndeny_warnings = true\nchain = 'optimism'");
    assert_eq!(old.compiler.solc, SolcRequest::Version(semver::Version::new(0, 8, 19)));
    assert_eq!((old.compiler.evm_version.name(), old.env.evm_version.name()), ("paris", "paris"));
    assert_eq!((old.compiler.deny.as_str(), old.env.chain_id), ("warnings", Some(10)));
    assert!(config("[default]\nsrc = 'a'").paths.src.ends_with("a"));
}

#[test]
fn the_evm_version_is_not_lowered_for_a_compiler_that_a_flag_names() {
    let mut scratch = Scratch::toml("[profile.default]\nsolc = '0.8.19'");
    assert_eq!(scratch.config().compiler.evm_version.name(), "paris");
    scratch.overrides.set("solc", "--use", Some("0.8.20"));
    assert_eq!(scratch.config().compiler.evm_version.name(), "osaka");
}

#[test]
fn a_path_to_solc_is_relative_to_where_it_is_written() {
    let mut scratch = Scratch::toml("[profile.default]\nsolc = 'bin/solc'");
    assert_eq!(scratch.config().compiler.solc, SolcRequest::Path(scratch.root().join("bin/solc")));
    scratch.overrides.set("solc", "--use", Some("bin/solc"));
    assert_eq!(scratch.config().compiler.solc, SolcRequest::Path("bin/solc".into()));
}

#[test]
fn directories_of_other_tools_are_noticed() {
    let scratch = Scratch::new(&[
        ("foundry.toml", ""),
        ("contracts/A.sol", ""),
        ("artifacts/a", ""),
        ("node_modules/a", ""),
        ("lib/a", ""),
    ]);
    let paths = scratch.config().paths;
    assert!(paths.src.ends_with("contracts") && paths.out.ends_with("artifacts"));
    assert_eq!(paths.libs, [scratch.root().join("lib"), scratch.root().join("node_modules")]);
}

#[test]
fn a_file_may_extend_another() {
    let files = |extends: &str| {
        let local = format!("[profile.default]\nextends = {extends}\nlibs = ['y']\nsrc = 'mine'");
        let base = "[profile.default]\nlibs = ['x']\nsrc = 'base'\ntest = 'base'\n[fuzz]\nruns = 77";
        Scratch::new(&[("foundry.toml", &local), ("base.toml", base)])
    };
    let appended = files("'base.toml'");
    let (config, root) = (appended.config(), appended.root());
    assert_eq!(config.paths.libs, [root.join("x"), root.join("y")]);
    assert_eq!((config.paths.src, config.paths.test), (root.join("mine"), root.join("base")));
    assert_eq!((config.fuzz.runs, config.invariant.runs), (77, 77));
    let replaced = files("{ path = 'base.toml', strategy = 'replace-arrays' }");
    assert_eq!(replaced.config().paths.libs, [replaced.root().join("y")]);
    let error = files("{ path = 'base.toml', strategy = 'no-collision' }").error();
    let (problem, place) = error.split_once('\n').unwrap();
    assert_eq!(
        problem,
        "'base.toml' sets [\"libs\", \"src\"] too, and the strategy is no-collision; remove them here or \
         there, or choose extend-arrays or replace-arrays"
    );
    insta::assert_snapshot!(place, @r"
     --> foundry.toml:2:11
      |
    2 | extends = { path = 'base.toml', strategy = 'no-collision' }
      |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    insta::assert_snapshot!(files("'none.toml'").error(), @r"
    Failed to resolve inherited config path: none.toml: No such file or directory (os error 2)
     --> foundry.toml:2:11
      |
    2 | extends = 'none.toml'
      |           ^^^^^^^^^^^
    ");
    insta::assert_snapshot!(files("'foundry.toml'").error(), @r"
    Config file ROOT/foundry.toml cannot inherit from itself.
     --> foundry.toml:2:11
      |
    2 | extends = 'foundry.toml'
      |           ^^^^^^^^^^^^^^
    ");
}

#[test]
fn dotenv_fills_in_what_the_environment_lacks() {
    let mut scratch = Scratch::new(&[
        ("foundry.toml", ""),
        (".env", "FOUNDRY_SRC=dotenv\nFOUNDRY_TEST=dotenv\nKEY='a b'\nKEY=second\nnonsense line\nLATER=1\n"),
    ]);
    scratch.env("FOUNDRY_TEST", "real");
    let loaded = scratch.load().unwrap();
    assert!(loaded.config.paths.src.ends_with("dotenv") && loaded.config.paths.test.ends_with("real"));
    let pairs: Vec<_> = loaded.dotenv.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(pairs, ["FOUNDRY_SRC=dotenv", "KEY=a b"]);
    assert_eq!(
        scratch.warnings(),
        "Ignored the rest of .env: a line after KEY is not of the form NAME=value"
    );
}

#[test]
fn values_that_projects_use_are_understood() {
    let scratch = Scratch::toml(
        r#"
        [profile.default]
        optimizer_runs = 44444444
        fs_permissions = [
            { access = "read-write", path = ".forge-snapshots/" }, { access = true, path = "./out" }
        ]
        gas_limit = "300000000"
        memory_limit = 1_000
        ignored_error_codes = [2018, "unused-param"]
        remappings = []
        block_number = "0x10"
        fuzz.seed = "0x4444"
        labels = { 0x0000000000000000000000000000000000000012 = "twelve" }
        [profile.default.optimizer_details.yulDetails]
        stackAllocation = true
        "#,
    );
    let config = scratch.config();
    assert_eq!((config.compiler.optimizer, config.compiler.optimizer_runs), (true, 44_444_444));
    assert_eq!(config.cheats.fs_permissions[1].0, "read-write");
    assert_eq!((config.env.gas_limit, config.env.block_number.to::<u64>()), (300_000_000, 16));
    assert_eq!(config.env.memory_limit, 1000);
    assert_eq!(config.compiler.ignored_error_codes, [2018, 5667]);
    assert_eq!(config.fuzz.seed, Some("0x4444".parse().unwrap()));
    assert_eq!(config.cheats.labels.values().collect::<Vec<_>>(), ["twelve"]);
    assert_eq!(
        config.compiler.optimizer_details,
        Some(serde_json::json!({ "yulDetails": { "stackAllocation": true } }))
    );
    assert_eq!(scratch.warnings(), "");
}

#[test]
fn unknown_names_are_named_with_the_nearest_known_one() {
    let scratch = Scratch::toml(
        "[profile.default]\noptimzer = true\nfoo-bar = 1\ncancun = true\n[profile.ci.fuzz]\nrunss = 2\n\
         [invariant]\nfail-on-revert = true\n[invariants]\nruns = 1\n[fmt]\nline_lenght = 1\n\
         [zed]\nsrc = 'x'",
    );
    let warnings = scratch.warnings();
    let expected = [
        "Found unknown `line_lenght` config key in section `fmt` defined at foundry.toml:12:15. Did you mean \
         `line_length`?",
        "Found unknown `fail-on-revert` config key in section `invariant` defined at foundry.toml:8:18. Did \
         you mean `fail_on_revert`?",
        "Found unknown config section at foundry.toml:9:1: [invariants]. Did you mean [invariant]?",
        "Found unknown `runss` config key in section `fuzz` defined at foundry.toml:6:9. Did you mean `runs`?",
        "Key `cancun` is being deprecated in favor of `evm_version = Cancun`. It will be removed in future \
         versions.",
        "Found unknown `foo-bar` config for profile `default` defined at foundry.toml:3:11.",
        "Found unknown `optimzer` config for profile `default` defined at foundry.toml:2:12. Did you mean \
         `optimizer`?",
        "Found unknown config section at foundry.toml:13:1: [zed]. If it is a profile, call it \
         [profile.zed].",
    ];
    assert_eq!(warnings.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn settings_without_effect_are_named() {
    let mut scratch = Scratch::toml(
        "[profile.default]\nnetwork = 'optimism'\n[invariant]\ncall_override = true\n[vyper]\npath = 'v'",
    );
    scratch.env("FOUNDRY_CELO", "true").env("FOUNDRY_PROFILE", "nope");
    insta::assert_snapshot!(scratch.warnings(), @r"
    Selected profile `nope` does not exist; falling back to the default profile.
    `celo` set at FOUNDRY_CELO is not honoured by forge-harvey yet and has no effect.
    `network` set at foundry.toml:2:11 is not honoured by forge-harvey yet and has no effect.
    ");
}

#[test]
fn malformed_toml_is_shown_where_it_stands() {
    insta::assert_snapshot!(error("[profile.default]\nsrc = 'a\n"), @r"
    malformed TOML: invalid literal string, expected `'`
     --> foundry.toml:2:9
      |
    2 | src = 'a
      |         ^
    ");
    insta::assert_snapshot!(error("src = 'a'"), @r#"
    found string "a", expected a table such as [profile.default] for setting `src`
     --> foundry.toml:1:7
      |
    1 | src = 'a'
      |       ^^^
    "#);
    insta::assert_snapshot!(error("[profile]\ndefault = 1"), @r"
    found signed int `1`, expected a table such as [profile.default] for setting `default`
     --> foundry.toml:2:11
      |
    2 | default = 1
      |           ^
    ");
}

#[test]
fn a_wrong_type_is_shown_where_it_stands() {
    insta::assert_snapshot!(error("[invariant]\n\nruns = \"abc\"\n"), @r#"
    invalid type: found string "abc", expected u32 for setting `invariant.runs`
     --> foundry.toml:3:8
      |
    3 | runs = "abc"
      |        ^^^^^
    "#);
    insta::assert_snapshot!(error("[profile.default]\nlibs = ['a', 1]"), @r"
    invalid type: found signed int `1`, expected path string for setting `libs.1`
     --> foundry.toml:2:14
      |
    2 | libs = ['a', 1]
      |              ^
    ");
    let error_of_access = error("[profile.default]\nfs_permissions = [{ access = 'x', path = 'y' }]");
    let (problem, place) = error_of_access.split_once('\n').unwrap();
    assert_eq!(
        problem,
        "unknown variant: found `x`, expected one of `read`, `write`, `read-write`, `none` for setting \
         `fs_permissions.0.access`"
    );
    insta::assert_snapshot!(place, @r"
     --> foundry.toml:2:30
      |
    2 | fs_permissions = [{ access = 'x', path = 'y' }]
      |                              ^^^
    ");
    insta::assert_snapshot!(error("[profile.default]\ninvariant = 1"), @r"
    invalid type: found signed int `1`, expected a table for setting `invariant`
     --> foundry.toml:2:13
      |
    2 | invariant = 1
      |             ^
    ");
    insta::assert_snapshot!(error("[labels]\n0x12 = 'twelve'"), @r"
    invalid address: invalid string length for setting `labels.0x12`
     --> foundry.toml:2:8
      |
    2 | 0x12 = 'twelve'
      |        ^^^^^^^^
    ");
    insta::assert_snapshot!(error("[profile.default]\nmatch_test = '('"), @r"
    regex parse error:
        (
        ^
    error: unclosed group for setting `match_test`
     --> foundry.toml:2:14
      |
    2 | match_test = '('
      |              ^^^
    ");
}

#[test]
fn a_bad_variable_or_flag_is_named() {
    let mut scratch = Scratch::toml("");
    scratch.env("FOUNDRY_INVARIANT_RUNS", "abc");
    insta::assert_snapshot!(scratch.error(), @r#"
    invalid type: found string "abc", expected u32 for setting `invariant.runs`
      --> environment variable FOUNDRY_INVARIANT_RUNS
    "#);
    scratch.overrides.set("invariant.runs", "--runs", Some(5_000_000_000u64));
    insta::assert_snapshot!(scratch.error(), @r"
    invalid value signed int `5000000000`, expected u32 for setting `invariant.runs`
      --> flag --runs
    ");
}

#[test]
fn a_project_needs_a_foundry_toml_or_a_file_in_its_place() {
    let mut scratch = Scratch::new(&[("other.toml", "[profile.default]\nsrc = 'other'")]);
    assert_eq!(
        scratch.error(),
        "no foundry.toml in ROOT or above it; run in a Foundry project, name one with --root, or start one \
         with `forge init`"
    );
    let other = scratch.root().join("other.toml");
    scratch.env("FOUNDRY_CONFIG", &other.display().to_string());
    assert!(scratch.config().paths.src.ends_with("other"));
    scratch.overrides.config_path = Some("nope.toml".into());
    insta::assert_snapshot!(scratch.error(), @"config file `nope.toml` set by --config-path does not exist");
}
