use super::*;
use crate::{
    model::{Counterexample, Place, RunReport, SourceCoverage},
    report::{reproducer::Reproducer, samples},
};
use alloy_primitives::Address;

/// Source in which the sample's finding is on line 8.
const SOURCE: &str =
    "one\ntwo\nthree\nfour\nfive\nsix\nseven\n    assert(last < 7); // <b>\nnine\nten\neleven\ntwelve";

fn run() -> RunReport {
    let mut broken = samples::broken();
    broken.evidence.failed_at = Some(Place { path: "test/A.t.sol".into(), line: 1, column: 1 });
    samples::run(vec![samples::suite("FailInv", vec![broken], vec![samples::finding()])])
}

fn facts() -> PageFacts {
    let reproducer = Reproducer {
        path: "test/repro/Repro.t.sol".into(),
        contract: "Repro".into(),
        test: "test_regression_deposit".into(),
        variable: String::new(),
        source: "contract Repro {\n    // </code>\n}\n".into(),
    };
    PageFacts {
        sources: [("test/A.t.sol".into(), SOURCE.into())].into(),
        reproducers: [(samples::finding().id, reproducer)].into(),
        ..samples::page_facts()
    }
}

/// Returns the elements of a page that a selector chooses.
fn chosen(page: &str, selector: &str) -> Vec<String> {
    let page = scraper::Html::parse_document(page);
    page.select(&scraper::Selector::parse(selector).unwrap()).map(|element| element.html()).collect()
}

/// Returns the text of the elements that a selector chooses.
fn texts(page: &str, selector: &str) -> Vec<String> {
    let page = scraper::Html::parse_document(page);
    page.select(&scraper::Selector::parse(selector).unwrap())
        .map(|element| element.text().collect())
        .collect()
}

#[test]
fn a_page_says_when_what_was_run_of_which_commit() {
    let page = report(&run(), &facts());
    insta::assert_snapshot!(texts(&page, ".facts > div").join("\n"), @"
    date2023-11-14 22:13 UTC
    commandforge-harvey test --report html=report.html
    commit1f2e3d4c1f2e3d4c1f2e3d4c1f2e3d4c1f2e3d4c and uncommitted changes
    seed0x1; --fuzz-seed repeats a run on as many threads that no time ends
    ");
    let clean = report(&run(), &PageFacts { revision: None, ..facts() });
    assert!(!texts(&clean, ".facts").concat().contains("commit"));
}

#[test]
fn a_finding_has_its_rule_source_calls_and_reproducer() {
    let page = report(&run(), &facts());
    let articles = chosen(&page, "article.failure");
    assert_eq!(articles.len(), 2);
    insta::assert_snapshot!(articles[1], @r#"
    <article aria-labelledby="failure-1" class="failure"><h3 id="failure-1"><code>Bank.deposit(uint256)</code></h3><p class="reason"><span class="badge">assertion</span> panic: assertion failed (0x01)</p><p class="where">test/A.t.sol:FailInv</p><dl class="rule"><div><dt>Severity</dt><dd>7.5 of 10</dd></div><div><dt>Confidence</dt><dd>high</dd></div><div><dt>Registry</dt><dd>SWC-110</dd></div></dl><details class="explained"><summary>An assertion fails.</summary><p>An <code>assert</code> failed.</p><p>Use <code>require</code>.</p></details><figure class="excerpt"><figcaption>test/A.t.sol:8:5</figcaption><pre aria-label="Source at test/A.t.sol:8:5" role="group" tabindex="0"><span class="row"><span class="number">4</span><span class="sign"> </span><code>four
    </code></span><span class="row"><span class="number">5</span><span class="sign"> </span><code>five
    </code></span><span class="row"><span class="number">6</span><span class="sign"> </span><code>six
    </code></span><span class="row"><span class="number">7</span><span class="sign"> </span><code>seven
    </code></span><span class="row failing"><span class="number">8</span><span class="sign">▶<span class="unseen"> fails here: </span></span><code>    assert(last &lt; 7); // &lt;b&gt;
    </code></span><span class="row"><span class="number">9</span><span class="sign"> </span><code>nine
    </code></span><span class="row"><span class="number">10</span><span class="sign"> </span><code>ten
    </code></span><span class="row"><span class="number">11</span><span class="sign"> </span><code>eleven
    </code></span></pre></figure><ol class="calls"><li><code>Bank.deposit(7)</code> from <span class="sender" title="0x0000000000000000000000000000000000001234">alice</span></li></ol><dl aria-label="Senders" class="senders"><div><dt>alice</dt><dd><code>0x0000000000000000000000000000000000001234</code></dd></div></dl><p class="note">Shrunk from 9 calls. Found after 12 calls by <code>predict</code>. Shown again by <code>forge-harvey replay --match-contract FailInv</code>.</p><details class="reproducer"><summary>Reproducer in Solidity</summary><p>Save it as <code>test/repro/Repro.t.sol</code>, and run <code>forge test --match-path test/repro/Repro.t.sol --match-test test_regression_deposit</code>.</p><p class="copy"><button data-copies="reproducer-1" hidden="" type="button">Copy</button> <span role="status"></span></p><pre aria-label="Source of test_regression_deposit" role="group" tabindex="0"><code id="reproducer-1">contract Repro {
        // &lt;/code&gt;
    }
    </code></pre></details></article>
    "#);
}

#[test]
fn a_broken_invariant_is_shown_where_it_fails() {
    let page = report(&run(), &facts());
    assert_eq!(texts(&page, ".failure:first-of-type .failing").len(), 1);
    insta::assert_snapshot!(texts(&page, "article.failure:nth-of-type(1) .excerpt pre").concat(), @"
    1▶ fails here: one
    2 two
    3 three
    4 four
    ");
    // It has no severity, and no reproducer was made.
    let first = &chosen(&page, "article.failure")[0];
    assert!(!first.contains("Severity") && !first.contains("<button"));
}

/// Returns the excerpt at a place, or an empty text.
fn excerpt_at(path: &str, line: usize, column: usize, facts: &PageFacts) -> String {
    let place = Place { path: path.into(), line, column };
    let shown = excerpt::excerpt(&place, &SourceCoverage::default(), facts);
    shown.map(Markup::into_string).unwrap_or_default()
}

#[test]
fn a_place_outside_of_the_known_sources_has_no_excerpt() {
    assert_eq!(excerpt_at("test/B.t.sol", 1, 1, &facts()), "");
    assert_eq!(excerpt_at("test/A.t.sol", 13, 1, &facts()), "");
    assert_eq!(texts(&excerpt_at("test/A.t.sol", 12, 1, &facts()), ".row").len(), 5);
}

#[test]
fn of_a_line_without_an_end_the_part_around_the_failure_is_shown() {
    let source = format!("{}assert(x){}", " ".repeat(5000), " y".repeat(5000));
    let facts = PageFacts { sources: [("A.sol".into(), source.as_str().into())].into(), ..facts() };
    let line = texts(&excerpt_at("A.sol", 1, 5001, &facts), ".failing code").concat();
    assert!(line.contains("assert(x) y") && line.chars().count() < 300, "{line}");
}

/// Returns a page on a sequence of calls by these senders.
fn page_of(senders: &[Address], labels: &[(Address, &str)]) -> String {
    let mut broken = samples::broken();
    let call = |sender: &Address| {
        let mut call = samples::deposit(1);
        call.tx.sender = *sender;
        call
    };
    let calls = senders.iter().map(call).collect();
    broken.counterexample = Some(Counterexample { original_len: senders.len(), calls });
    broken.evidence.labels = labels.iter().map(|(account, label)| (*account, (*label).to_owned())).collect();
    report(&samples::run(vec![samples::suite("FailInv", vec![broken], vec![])]), &facts())
}

#[test]
fn senders_have_short_names_and_are_listed_with_their_addresses() {
    let [one, two, three] = [1, 2, 3].map(Address::repeat_byte);
    let page = page_of(&[two, one, two, three], &[(three, "Bank <i>")]);
    let calls = texts(&page, ".calls > li");
    assert_eq!(
        calls,
        ["alice", "bob", "alice", "Bank <i>"].map(|name| format!("Bank.deposit(1) from {name}"))
    );
    assert_eq!(texts(&page, ".senders dd"), [two, one, three].map(|address| address.to_string()));
}

#[test]
fn a_label_cannot_pretend_to_be_another_sender() {
    let [one, two] = [1, 2].map(Address::repeat_byte);
    let page = page_of(&[one, two], &[(two, "Alice")]);
    assert_eq!(texts(&page, ".senders dt"), ["0x0101…0101", "Alice"]);
}
