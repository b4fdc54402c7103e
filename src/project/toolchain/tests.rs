use super::*;
use std::fs;

fn machine(svm: &[&str], own: &[&str]) -> (tempfile::TempDir, Places) {
    let home = tempfile::tempdir().unwrap();
    let file = |path: PathBuf| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    };
    svm.iter().for_each(|v| file(home.path().join(format!("svm/{v}/solc-{v}"))));
    own.iter().for_each(|v| file(home.path().join(format!("cache/{v}/solc"))));
    fs::create_dir_all(home.path().join("cache")).unwrap();
    fs::write(home.path().join("cache/versions.json"), r#"["0.7.6","0.8.20","0.8.30"]"#).unwrap();
    let places = Places {
        svm: Some(home.path().join("svm")),
        mirror: Some("".into()),
        cache: Some(home.path().join("cache")),
        path: vec![],
        npm: "/nowhere/npm".into(),
    };
    (home, places)
}

fn chosen(request: &SolcRequest, stage: LookupStage, places: &Places) -> Choice {
    choose(request, stage, places, &NativeCompilers::new(places)).unwrap()
}

fn show(choice: &Choice) -> String {
    let kind = |path: &Option<PathBuf>| match path {
        Some(path) if path.ends_with("solc") => "own",
        Some(_) => "svm",
        None => "npm",
    };
    choice.iter().map(|(v, path)| format!("{v}:{}", kind(path))).collect::<Vec<_>>().join(" ")
}

#[test]
fn each_stage_offers_more_and_svm_is_preferred() {
    let (_home, places) = machine(&["0.8.20"], &["0.8.20", "0.8.19"]);
    let offered = |stage| show(&chosen(&SolcRequest::Auto, stage, &places));
    assert_eq!(offered(LookupStage::Svm), "0.8.20:svm");
    assert_eq!(offered(LookupStage::OnPath), "0.8.20:svm");
    assert_eq!(offered(LookupStage::Kept), "0.8.19:own 0.8.20:svm");
    assert_eq!(offered(LookupStage::Native), "0.8.19:own 0.8.20:svm");
    assert_eq!(offered(LookupStage::Npm), "0.7.6:npm 0.8.19:own 0.8.20:svm 0.8.30:npm");
}

#[test]
fn a_version_asked_for_is_the_only_choice_and_needs_no_list() {
    let (_home, places) = machine(&["0.8.20"], &[]);
    let request = SolcRequest::Version(Version::new(0, 8, 20));
    assert_eq!(show(&chosen(&request, LookupStage::Svm, &places)), "0.8.20:svm");
    let request = SolcRequest::Version(Version::new(0, 6, 12));
    assert_eq!(show(&chosen(&request, LookupStage::Kept, &places)), "");
    assert_eq!(show(&chosen(&request, LookupStage::Native, &places)), "0.6.12:npm");
}

#[test]
fn a_path_asked_for_must_work() {
    let (home, places) = machine(&["0.8.20"], &[]);
    let request = SolcRequest::Path(home.path().join("solc"));
    let native = NativeCompilers::new(&places);
    let error = choose(&request, LookupStage::Svm, &places, &native).unwrap_err();
    assert!(error.to_string().starts_with("cannot use the compiler `"), "{error}");
}

/// Passes a toolchain for a version to `then`.
fn with_toolchain<T>(
    version: &Version,
    places: &Places,
    fetches_nothing: Option<&'static str>,
    then: impl FnOnce(&Toolchain<'_>) -> T,
) -> T {
    let mut ignore = |_| {};
    let progress = CompileProgress::new(&mut ignore);
    let native = &NativeCompilers::new(places);
    let solc = chosen(&SolcRequest::Version(version.clone()), LookupStage::Native, places);
    then(&Toolchain {
        solc,
        vyper: None,
        places,
        native,
        fetches_nothing,
        progress: &progress,
        variants: None,
    })
}

#[test]
fn what_is_missing_offline_is_named_with_a_way_out() {
    let (_home, places) = machine(&[], &[]);
    let version = Version::new(0, 8, 30);
    let error = with_toolchain(&version, &places, Some("offline"), |it| it.solc(&version).unwrap_err());
    assert_eq!(
        error.to_string(),
        "solc 0.8.30 is not installed and nothing is fetched offline; run once without `--offline`, or \
         give the path of a compiler with `--use`"
    );
}

#[test]
fn webassembly_runs_only_with_the_reason_why_there_is_no_native_compiler() {
    let (home, places) = machine(&["0.8.20"], &["0.8.19"]);
    let found = |version: Version, offline| {
        with_toolchain(&version, &places, offline, |it| it.solc(&version).map_err(|error| error.to_string()))
    };
    let path = |name| home.path().join(name);
    assert_eq!(found(Version::new(0, 8, 20), None), Ok((path("svm/0.8.20/solc-0.8.20"), None)));
    let own = path("cache/0.8.19/solc");
    let off = "FORGE_HARVEY_SOLC_RELEASES is empty".to_owned();
    assert_eq!(found(Version::new(0, 8, 19), None), Ok((own.clone(), Some(off))));
    assert_eq!(found(Version::new(0, 8, 19), Some("offline")), Ok((own, Some("offline".to_owned()))));
    let error = found(Version::new(0, 8, 18), None).unwrap_err();
    let end = "\nno native compiler was downloaded: FORGE_HARVEY_SOLC_RELEASES is empty";
    assert!(
        error.starts_with("fetching a compiler from npm needs Node.js") && error.ends_with(end),
        "{error}"
    );
}
