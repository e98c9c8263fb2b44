//! A report of policy tests in the form that JUnit made common and CI servers read.

use std::fmt::Write as _;
use std::time::Duration;

/// One file of tests.
#[derive(Debug)]
pub struct Suite {
    pub name: String,
    pub file: String,
    pub time: Duration,
    pub cases: Vec<Case>,
}

/// One step.
#[derive(Debug)]
pub struct Case {
    pub name: String,
    /// Why it failed; none where it passed.
    pub failure: Option<String>,
}

/// The report as XML.
#[must_use]
pub fn report(suites: &[Suite]) -> String {
    let count = |suite: &Suite| suite.cases.iter().filter(|case| case.failure.is_some()).count();
    let tests: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let failures: usize = suites.iter().map(count).sum();
    let time: Duration = suites.iter().map(|suite| suite.time).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"guardbee policy test\" tests=\"{tests}\" failures=\"{failures}\" time=\"{}\">",
        seconds(time)
    );
    for suite in suites {
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" file=\"{}\" tests=\"{}\" failures=\"{}\" time=\"{}\">",
            escaped(&suite.name),
            escaped(&suite.file),
            suite.cases.len(),
            count(suite),
            seconds(suite.time)
        );
        for case in &suite.cases {
            let (name, class) = (escaped(&case.name), escaped(&suite.name));
            let _ = match &case.failure {
                None => writeln!(out, "    <testcase classname=\"{class}\" name=\"{name}\"/>"),
                Some(failure) => writeln!(
                    out,
                    "    <testcase classname=\"{class}\" name=\"{name}\">\n      <failure message=\"{0}\">{0}</failure>\n    </testcase>",
                    escaped(failure)
                ),
            };
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// As an attribute or text. Characters that XML 1.0 cannot hold become U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_counts_its_suites() {
        let case = |name: &str, failure: Option<&str>| Case {
            name: name.to_owned(),
            failure: failure.map(str::to_owned),
        };
        let suite = Suite {
            name: "a & b".to_owned(),
            file: "a.yaml".to_owned(),
            time: Duration::from_millis(12),
            cases: vec![case("1 ana: SELECT 1", None), case("2 bob: DROP", Some("expected denied"))],
        };
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"guardbee policy test\" tests=\"2\" failures=\"1\" time=\"0.012\">
  <testsuite name=\"a &amp; b\" file=\"a.yaml\" tests=\"2\" failures=\"1\" time=\"0.012\">
    <testcase classname=\"a &amp; b\" name=\"1 ana: SELECT 1\"/>
    <testcase classname=\"a &amp; b\" name=\"2 bob: DROP\">
      <failure message=\"expected denied\">expected denied</failure>
    </testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(report(&[suite]), expected);
    }

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(escaped("a<\"&'\u{1}\n"), "a&lt;&quot;&amp;'\u{fffd}&#10;");
    }
}
