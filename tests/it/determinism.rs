//! The same seed gives the same result.

use crate::harness::{fixtures, placeholders};
use regex::Regex;
use serde_json::Value;

const LINE: &str = "--match-path testdata/fixtures/** --fuzz-seed 0x5eed";

#[test]
fn the_same_seed_and_threads_print_the_same_bytes() {
    let run = || fixtures().copy().ours(&format!("{LINE} --threads 2 -vvv")).run().exits_with(1);
    let [first, second] = [run(), run()].map(|run| placeholders(&run.stdout));
    assert!(first == second, "{}", first_difference(&first, &second));
}

#[test]
fn suites_do_not_depend_on_the_number_of_threads() {
    let run =
        |threads| fixtures().copy().ours(&format!("{LINE} --json --threads {threads}")).run().exits_with(1);
    let [one, two] = [run(1), run(2)].map(|run| without_times(&mut run.json()));
    assert!(one == two, "{}", first_difference(&one, &two));
}

#[test]
fn threads_that_share_a_suite_print_the_same_bytes_and_find_the_same() {
    let run = |threads| {
        let line = "--match-contract ^EnglishAuctionBugTest$ --runs 800 --depth 50 --fuzz-seed 3 --json";
        let mut report =
            fixtures().copy().ours(&format!("{line} --threads {threads}")).run().exits_with(1).json();
        let [suite] = &report.as_object().unwrap().values().collect::<Vec<_>>()[..] else {
            panic!("one suite")
        };
        let status = |(name, test): (&String, &Value)| (name.clone(), test["status"].to_string());
        let statuses: Vec<_> = suite["test_results"].as_object().unwrap().iter().map(status).collect();
        (statuses, without_times(&mut report))
    };
    let [one, three, again] = [1, 3, 3].map(run);
    assert!(three.1 == again.1, "{}", first_difference(&three.1, &again.1));
    assert!(one.1 != three.1, "they were not several");
    assert_eq!(one.0, three.0);
}

#[test]
fn what_is_run_once_is_found_as_if_it_were_run_each_time() {
    let run = |more: &str| {
        let project = fixtures().copy();
        let line = format!("--match-path testdata/** --runs 60 --fuzz-seed 7 --json {more}");
        without_executions(&mut project.ours(&line).run().exits_with(1).json())
    };
    let [once, each] = ["--without bandit", "--without bandit,reuse"].map(run);
    assert!(once == each, "{}", first_difference(&once, &each));
}

/// A report without times and without what depends on how many transactions were run.
fn without_executions(report: &mut Value) -> String {
    for suite in report.as_object_mut().unwrap().values_mut() {
        // What a property reads is recorded for the cache only.
        suite["harvey"].as_object_mut().unwrap().remove("vacuous");
        let stats = suite["harvey"]["stats"].as_object_mut().unwrap();
        stats.remove("executions");
        stats.remove("techniques");
        stats["coverage"].as_array_mut().unwrap().clear();
        for found in stats["found"].as_object_mut().unwrap().values_mut() {
            found.as_object_mut().unwrap().remove("executions");
        }
    }
    without_times(report)
}

/// A report as text, one field a line, without what a clock says.
fn without_times(report: &mut Value) -> String {
    for suite in report.as_object_mut().unwrap().values_mut() {
        let stats = suite["harvey"]["stats"].as_object_mut().unwrap();
        stats.remove("seconds");
        stats.remove("calls_per_second");
        // Executions, seconds, branches.
        for at in stats["coverage"].as_array_mut().unwrap() {
            at.as_array_mut().unwrap().remove(1);
        }
        for found in stats["found"].as_object_mut().unwrap().values_mut() {
            found.as_object_mut().unwrap().remove("seconds");
        }
    }
    remove_cpu(report);
    let text = serde_json::to_string_pretty(report).unwrap();
    Regex::new(r#""duration": "[^"]*""#).unwrap().replace_all(&text, r#""duration": [TIME]"#).into_owned()
}

/// Removes CPU times wherever they stand.
fn remove_cpu(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("cpu_seconds");
            fields.values_mut().for_each(remove_cpu);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_cpu),
        _ => {}
    }
}

fn first_difference(one: &str, two: &str) -> String {
    let mut lines = one.lines().zip(two.lines()).enumerate();
    let differing = lines.find(|(_, (one, two))| one != two);
    differing.map_or("one has more lines".to_owned(), |(at, (one, two))| format!("line {at}:\n{one}\n{two}"))
}
