//! The programs that npm installed.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// The root of our repository.
pub(crate) const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// What a run needs from outside.
pub(crate) struct Tools {
    /// The real forge.
    pub(crate) forge: PathBuf,
    /// A directory that holds the compilers as if svm had installed them, so that nobody fetches any.
    pub(crate) svm: PathBuf,
    /// Flags without which this forge asks before it runs in a project.
    pub(crate) approval: Vec<String>,
}

/// The tools, prepared once by what the scripts use as well.
pub(crate) fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| {
        let root = Path::new(REPOSITORY);
        let modules = root.join("testdata/node_modules");
        assert!(modules.is_dir(), "{} is missing: run `npm ci --prefix testdata`", modules.display());
        let printed = node(&[
            "--input-type=module".as_ref(),
            "--eval".as_ref(),
            r"
                const [, tools, root, modules] = process.argv;
                const { approval, compilerHome, findForge } = await import(tools);
                console.log(findForge(modules));
                console.log(compilerHome(root, modules));
                console.log(approval(findForge(modules)).join(' '));
            "
            .as_ref(),
            &root.join("scripts/parity/tools.mjs"),
            root,
            &modules,
        ]);
        let mut lines = printed.lines();
        let mut path = || PathBuf::from(lines.next().unwrap());
        let (forge, svm) = (path(), path().join(".svm"));
        let flags = lines.next().unwrap_or_default();
        Tools { forge, svm, approval: flags.split_whitespace().map(str::to_owned).collect() }
    })
}

/// What a script prints to stdout; it must succeed.
pub(crate) fn node(args: &[&Path]) -> String {
    let output = Command::new("node").args(args).output().expect("the tests need node on PATH");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "node {} {}\n{stdout}{stderr}", args[0].display(), output.status);
    stdout
}
