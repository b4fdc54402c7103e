//! The files for GitHub Actions, Kubernetes and SLURM: the commands in them are run as those systems would run them,
//! all parts at once, with seconds where the files have hours.

use crate::{
    campaigns::SUITES,
    harness::{Project, Run},
};
use std::{env, fs, path::Path, thread};

/// Runs a script with ours on PATH.
fn shell(project: &Project, script: &str, variables: &[(&str, &str)]) -> Run {
    let programs = Path::new(env!("CARGO_BIN_EXE_forge-harvey")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap());
    let running = project.ours("").behind(&["bash", "-c", script]).env("PATH", &path);
    let running = running.env("FOUNDRY_OFFLINE", "true");
    variables.iter().fold(running, |running, (name, value)| running.env(name, value)).run()
}

/// What the parts found is told by the last run, which replays it.
#[track_caller]
fn tells_everything(last: &Run, project: &Project) {
    assert_eq!(last.code, 1, "{}", last.shown());
    for found in ["[FAIL: three", "[FAIL: one"] {
        assert!(last.stdout.contains(found), "{found}\n{}", last.shown());
    }
    assert!(last.stderr.contains("replayed 2 failures of earlier runs"), "{}", last.shown());
    assert!(project.root().join("report.html").is_file());
}

#[test]
fn a_matrix_of_jobs_and_one_that_merges() {
    let workflow = include_str!("../../docs/campaigns/github-matrix.yml").replace("18000", "2");
    let steps = workflow.lines().filter_map(|line| line.trim().strip_prefix("- run: "));
    let (searches, merging): (Vec<_>, Vec<_>) = steps
        .filter(|step| step.starts_with("forge-harvey "))
        .partition(|step| step.contains("${{ matrix.part }}"));
    assert!(searches.len() == 1 && merging.len() == 3);
    let project = Project::with_tests("", SUITES);
    thread::scope(|scope| {
        for part in ["1", "2", "3", "4"] {
            let (search, project) = (searches[0].replace("${{ matrix.part }}", part), &project);
            scope.spawn(move || {
                let runner = project.copy();
                shell(&runner, &search, &[]).exits_with(0);
                let artifact = project.root().join(format!("parts/harvey-{part}"));
                fs::create_dir_all(artifact.parent().unwrap()).unwrap();
                fs::rename(runner.root().join("cache/harvey"), artifact).unwrap();
            });
        }
    });
    let (report, before) = merging.split_last().unwrap();
    for step in before {
        shell(&project, step, &[]).exits_with(0);
    }
    tells_everything(&shell(&project, report, &[]), &project);
    assert!(project.root().join("results.sarif").is_file());
}

#[test]
fn an_indexed_job_on_a_shared_volume() {
    let job = include_str!("../../docs/campaigns/kubernetes.yml").replace("28800", "2");
    let script = job.split(">-").nth(1).unwrap().split("resources:").next().unwrap();
    // As YAML folds it.
    let script = script.split_whitespace().collect::<Vec<_>>().join(" ").replace("/corpus", "shared");
    let project = Project::with_tests("", SUITES);
    project.ours("--list").run().exits_with(0);
    thread::scope(|scope| {
        for index in 0..8 {
            let (script, project) = (&script, &project);
            scope.spawn(move || {
                shell(project, script, &[("JOB_COMPLETION_INDEX", &index.to_string())]).exits_with(0);
            });
        }
    });
    let last = shell(&project, "forge-harvey test --runs 1 --corpus shared --report html=report.html", &[]);
    tells_everything(&last, &project);
}

#[test]
fn an_array_of_tasks_on_a_shared_directory() {
    let script = include_str!("../../docs/campaigns/slurm.sh").replace("28800", "2");
    let (_, report) = script.split_once("--wrap \"").unwrap();
    let report = report.split('"').next().unwrap();
    let project = Project::with_tests("", SUITES);
    project.ours("--list").run().exits_with(0);
    let root = project.root().display().to_string();
    let shared = project.root().join("shared").display().to_string();
    thread::scope(|scope| {
        for task in 1..=8 {
            let (script, project, root, shared) = (&script, &project, &root, &shared);
            scope.spawn(move || {
                let task = task.to_string();
                let variables = [
                    ("SHARED", shared.as_str()),
                    ("SLURM_SUBMIT_DIR", root),
                    ("SLURM_CPUS_PER_TASK", "2"),
                    ("SLURM_ARRAY_TASK_ID", &task),
                    ("SLURM_ARRAY_TASK_COUNT", "8"),
                ];
                shell(project, script, &variables).exits_with(0);
            });
        }
    });
    tells_everything(&shell(&project, report, &[("SHARED", &shared)]), &project);
}
