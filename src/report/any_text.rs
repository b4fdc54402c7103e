//! Property tests with arbitrary text. Text from contracts, files and nodes must not break a report; a
//! real parser of each format but lcov, which has only paths and names, checks this.

use super::{
    LinkBase, ReportOptions, SummaryForm, failures, github,
    html::{self, PageFacts},
    json, junit, markdown,
    reproducer::Reproducer,
    samples, sarif, terminal,
    text::{sanitized, sanitized_message},
    visible,
};
use crate::model::{Evidence, Place, RunReport, Status, SuiteReport, TestReport, controls};
use proptest::prelude::*;
use std::{collections::BTreeSet, time::SystemTime};

/// Generates arbitrary text, mixed with characters and pieces that have a meaning in some format.
fn any_text() -> impl Strategy<Value = String> {
    let special = "[\\x00-\\x1f\\x7f-\\x9f\u{200b}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{fff9}-\u{ffff}<>&\"'`|*_#\\[\\]()!\\\\%:,;=~-]{0,12}";
    const PIECES: [&str; 17] = [
        "\n::error::x",
        "\n[PASS] invariant_x()",
        "\n# Title",
        "\n```\n",
        "</script><script>",
        "]]>",
        "<!--",
        "\u{1b}[31m",
        "\u{1b}]0;t\u{7}",
        "##[error]",
        "\n---\n",
        "\n| a | b |",
        "![x](y)",
        "<img src=x>",
        "&lt;",
        "%0A",
        "\r\n",
    ];
    let piece = prop_oneof![
        any::<String>(),
        special.prop_map(|text| text),
        proptest::sample::select(&PIECES[..]).prop_map(str::to_owned)
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// Builds a report that uses `text` for everything that comes from outside. Names get no control characters,
/// since a project with such names is rejected when it is read.
fn report(text: &str) -> RunReport {
    let name: String = text.chars().filter(|c| !controls(*c)).collect();
    let mut finding = samples::finding();
    finding.failure.reason = text.to_owned();
    finding.entry.contract = format!("test/A.t.sol:{name}");
    finding.entry.function.clone_from(&name);
    finding.evidence.logs = vec![text.to_owned()];
    let test = |status| TestReport { reason: Some(text.to_owned()), ..TestReport::new(&name, status) };
    let broken = TestReport {
        evidence: Evidence {
            traces: samples::traces(),
            logs: vec![text.to_owned(), text.to_owned()],
            labels: [(finding.entry.address, text.to_owned())].into(),
            failed_at: Some(Place { path: name.clone(), line: 1, column: 1 }),
        },
        ..test(Status::Failure)
    };
    let mut suite = samples::suite(&name, vec![broken, test(Status::Skipped)], vec![finding]);
    suite.id.path = name;
    suite.warnings = vec![text.to_owned()];
    RunReport { suites: vec![suite], planned: 1, ..RunReport::default() }
}

/// Builds the facts of a page on this report, with `text` as source, command and reproducers.
fn facts(text: &str, report: &RunReport) -> PageFacts {
    let reproducer = Reproducer {
        path: text.into(),
        contract: text.into(),
        test: text.into(),
        variable: text.into(),
        source: text.into(),
    };
    PageFacts {
        title: text.to_owned(),
        command: text.to_owned(),
        sources: [(report.suites[0].id.path.as_str().into(), format!("// {text}").into())].into(),
        reproducers: failures(report).into_iter().map(|(id, _)| (id, reproducer.clone())).collect(),
        ..samples::page_facts()
    }
}

const OPTIONS: ReportOptions = ReportOptions {
    verbosity: 5,
    color: false,
    failures_only: false,
    summary: SummaryForm::Totals,
    markdown: false,
    trace_depth: None,
    hide_labels: false,
    campaigns: true,
};

/// Checks that no line of a text is a workflow command and that no character controls a terminal.
fn check_lines(text: &str) -> Result<(), TestCaseError> {
    prop_assert!(!text.contains(|c: char| controls(c) && !matches!(c, '\n' | '\t')), "{text:?}");
    let command = text.lines().find(|line| line.trim_start().starts_with("::") || line.contains("##["));
    prop_assert_eq!(command, None);
    Ok(())
}

fn shown(suite: &SuiteReport) -> String {
    // The console applies `sanitized` to everything that it prints.
    sanitized(&terminal::suite(suite, &BTreeSet::new(), &OPTIONS), false).into_owned()
}

/// Collects the names of the elements and attributes of a page.
fn names(page: &str) -> BTreeSet<String> {
    let page = scraper::Html::parse_document(page);
    let elements = page.root_element().descendants().filter_map(|node| node.value().as_element());
    elements
        .flat_map(|element| {
            let attributes = element.attrs().map(|(name, _)| format!("{} {name}", element.name()));
            attributes.chain([element.name().to_owned()]).collect::<Vec<_>>()
        })
        .collect()
}

/// Collects the kinds of the elements of a summary.
fn kinds(summary: &str) -> BTreeSet<String> {
    let options = pulldown_cmark::Options::all();
    let events = pulldown_cmark::Parser::new_ext(summary, options);
    events
        .filter_map(|event| match event {
            pulldown_cmark::Event::Start(pulldown_cmark::Tag::Heading { level, .. }) => {
                Some(format!("{level}"))
            }
            pulldown_cmark::Event::Start(pulldown_cmark::Tag::Link { dest_url, .. }) => {
                Some(format!("link {dest_url}"))
            }
            pulldown_cmark::Event::Start(pulldown_cmark::Tag::Image { .. }) => Some("image".to_owned()),
            pulldown_cmark::Event::Html(html) | pulldown_cmark::Event::InlineHtml(html) => {
                Some(format!("html {}", html.trim()))
            }
            _ => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn the_terminal_shows_one_verdict_a_test_and_obeys_nothing(text in any_text()) {
        let printed = shown(&report(&text).suites[0]);
        check_lines(&printed)?;
        let verdicts = printed.lines().filter(|line| ["[PASS", "[FAIL", "[SKIP"].iter().any(|word| line.starts_with(word)));
        prop_assert_eq!(verdicts.count(), 3, "{}", printed);
        check_lines(&sanitized(&terminal::summary(&report(&text), &OPTIONS), false))?;
        check_lines(&sanitized_message(&text, false))?;
        check_lines(&visible(&text))?;
    }

    #[test]
    fn json_gives_back_what_it_was_given(text in any_text()) {
        let printed = json::report(&report(&text), &OPTIONS);
        prop_assert!(!printed.contains(|c: char| controls(c) && c != '\n'));
        let parsed: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let suite = &parsed.as_object().unwrap().values().next().unwrap();
        let results = suite["test_results"].as_object().unwrap();
        prop_assert!(results.values().any(|result| result["reason"] == text), "{}", printed);
    }

    #[test]
    fn junit_is_xml(text in any_text()) {
        let printed = junit::report(&report(&text), SystemTime::UNIX_EPOCH, &OPTIONS);
        // XML allows no other characters (section 2.2 of the standard).
        let is_xml = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        prop_assert!(printed.chars().all(is_xml), "{:?}", printed);
        let mut reader = quick_xml::Reader::from_str(&printed);
        let mut cases = 0;
        loop {
            match reader.read_event() {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(quick_xml::events::Event::Start(tag)) => cases += u32::from(tag.name().as_ref() == b"testcase"),
                Ok(_) => {}
                Err(error) => return Err(TestCaseError::fail(format!("{error}: {printed:?}"))),
            }
        }
        prop_assert_eq!(cases, 3);
    }

    #[test]
    fn sarif_is_json(text in any_text()) {
        let printed = sarif::report(&report(&text), &[], &LinkBase::default());
        prop_assert!(!printed.contains(|c: char| controls(c) && c != '\n'));
        let parsed: serde_json::Value = serde_json::from_str(&printed).unwrap();
        prop_assert_eq!(parsed["runs"][0]["results"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_page_has_no_elements_but_its_own(text in any_text()) {
        let page_of = |text: &str| {
            let report = report(text);
            html::report(&report, &facts(text, &report))
        };
        let (own, page) = (names(&page_of("text\nof lines")), page_of(&text));
        let more: Vec<_> = names(&page).difference(&own).cloned().collect();
        prop_assert_eq!(more, Vec::<String>::new(), "{}", page);
    }

    #[test]
    fn a_summary_has_no_elements_but_its_own(text in any_text()) {
        let own = kinds(&markdown::report(&report("text\nof lines")));
        let summary = markdown::report(&report(&text));
        check_lines(&summary)?;
        let more: Vec<_> = kinds(&summary).difference(&own).cloned().collect();
        prop_assert_eq!(more, Vec::<String>::new(), "{}", summary);
    }

    #[test]
    fn a_workflow_gets_one_command_a_failure(text in any_text()) {
        let printed = github::report(&report(&text), &LinkBase::default());
        prop_assert_eq!(printed.lines().count(), 2, "{}", printed);
        for line in printed.lines() {
            prop_assert!(line.starts_with("::error "), "{}", line);
            let (properties, _) = line["::error ".len()..].split_once("::").unwrap();
            let named = properties.split(',').all(|property| {
                property.split_once('=').is_some_and(|(name, _)| ["title", "file", "line", "col"].contains(&name))
            });
            prop_assert!(named, "{}", line);
        }
    }
}
