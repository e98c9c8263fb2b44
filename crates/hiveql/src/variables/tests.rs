use guardbee_model::Span;

use super::*;
use VariableNamespace::{Environment, HiveConf, HiveVar, MetaConf, System};

fn variables() -> Variables {
    let mut variables = Variables::new();
    for (key, value) in [
        ("a", "1"),
        ("b", "${a}${a}"),
        ("c", "${hiveconf:h}"),
        ("d", "a"),
        ("loop", "${loop}"),
        ("open", "${"),
        ("close", "}"),
        ("dollar", "$"),
        ("env:E", "fromvar"),
        ("hiveconf:zz", "zzvar"),
        ("metaconf:m", "mvar"),
        ("x y", "space"),
        ("é", "e"),
        ("empty", ""),
        ("n60", "end"),
    ] {
        variables.define(HiveVar, key, value);
    }
    for level in 0..60 {
        variables.define(HiveVar, format!("n{level}"), format!("${{n{}}}", level + 1));
    }
    variables.define(HiveConf, "h", "HH");
    variables.define(MetaConf, "m", "metastore");
    variables.define(System, "property", "S${hivevar:a}");
    variables.define(Environment, "HOME", "/home/me");
    variables
}

/// The results are those of Hive 2.3 to 4.2.
#[test]
fn values_replace_variables_as_in_hive() {
    let variables = variables();
    for (text, expected) in [
        ("select 1", "select 1"),
        ("select ${a}", "select 1"),
        ("'${a}' -- ${a}", "'1' -- 1"),
        ("${hivevar:a}", "1"),
        ("${HIVEVAR:a}", "${HIVEVAR:a}"),
        ("${A}", "${A}"),
        ("${b}", "11"),
        ("${c}", "HH"),
        ("${open}a}", "1"),
        ("${open}a${close}", "1"),
        ("${${d}}", "1"),
        ("${hivevar:${d}}", "1"),
        ("${env:HOME}", "/home/me"),
        ("${env:E}", "fromvar"),
        ("${hiveconf:zz}", "zzvar"),
        ("${metaconf:m}", "mvar"),
        ("${system:property}", "S1"),
        ("${x y}", "${x y}"),
        ("${}", "${}"),
        ("${a", "${a"),
        ("$${a}", "$1"),
        ("${dollar}{a}", "1"),
        ("${é}", "e"),
        ("x${empty}y", "xy"),
        ("${nope${a}}", "${nope1}"),
        ("${${a}", "${1"),
        ("${a}}", "1}"),
        ("${n21}", "end"),
    ] {
        assert_eq!(variables.substitute(text).text, expected, "{text}");
    }
}

#[test]
fn endless_replacement_is_refused() {
    let mut variables = variables();
    for text in ["${loop}", "${a}${loop}", "${n20}"] {
        let substitution = variables.substitute(text);
        assert_eq!(substitution.failure, Some(SubstitutionFailure::TooDeep(40)), "{text}");
        assert_eq!(substitution.text, text);
    }
    variables.define(HiveVar, "wide0", "wide".repeat(1 << 18));
    for level in 0..5 {
        variables.define(HiveVar, format!("wide{}", level + 1), format!("${{wide{level}}}").repeat(4));
    }
    assert_eq!(variables.substitute("${wide5}").failure, Some(SubstitutionFailure::TooLong));
}

#[test]
fn texts_without_values_are_not_copied() {
    let variables = variables();
    for text in ["select 1", "${nope} ${}", "$ {a}"] {
        assert!(matches!(variables.substitute(text).text, std::borrow::Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn unresolved_variables_are_listed_with_their_place() {
    let variables = variables();
    let text = "select ${a}, ${nope}, ${hiveconf:x} from ${${d}}${no${a}}";
    let substitution = variables.substitute(text);
    assert_eq!(substitution.text, "select 1, ${nope}, ${hiveconf:x} from 1${no1}");
    let listed: Vec<(&str, &str)> = substitution
        .unresolved
        .iter()
        .map(|variable| (variable.name.as_str(), variable.span.text(text)))
        .collect();
    assert_eq!(listed, [("nope", "${nope}"), ("hiveconf:x", "${hiveconf:x}"), ("no1", "${no${a}}")]);
    assert_eq!(substitution.diagnostics().len(), 3);
    let findings = variables.substitute("${env:NOPE} ${hiveconf:nope}").diagnostics();
    let hints: Vec<Option<&str>> = findings.iter().map(|finding| finding.hint.as_deref()).collect();
    assert_eq!(hints, [Some("set `NOPE` in the environment"), Some("set it with `SET hiveconf:nope=...`")]);
}

#[test]
fn places_lead_back_to_the_text() {
    let variables = variables();
    let text = "ab ${b} cd ${${d}} ef";
    let substitution = variables.substitute(text);
    assert_eq!(substitution.text, "ab 11 cd 1 ef");
    for (span, expected) in [
        (Span::new(0, 2), "ab"),
        (Span::new(3, 5), "${b}"),
        (Span::new(4, 5), "${b}"),
        (Span::new(2, 4), " ${b}"),
        (Span::new(6, 8), "cd"),
        (Span::new(9, 10), "${${d}}"),
        (Span::new(11, 13), "ef"),
        (Span::new(0, 13), text),
        (Span::at(13), ""),
    ] {
        assert_eq!(substitution.offsets.original(span).text(text), expected, "{span:?}");
    }
    assert_eq!(substitution.offsets.original(Span::at(13)), Span::at(21));
    let untouched = variables.substitute("select 1");
    assert_eq!(untouched.offsets.original(Span::new(2, 4)), Span::new(2, 4));
}

#[test]
fn settings_steer_substitution() {
    let mut variables = variables();
    variables.set(None, "hive.variable.substitute.depth", "1").unwrap();
    assert_eq!(variables.substitute("${b}").failure, Some(SubstitutionFailure::TooDeep(1)));
    assert_eq!(variables.substitute("${a}").text, "1");
    variables.set(None, "hive.variable.substitute.depth", "4000000000").unwrap();
    assert_eq!(variables.substitute("${loop}").failure, Some(SubstitutionFailure::TooDeep(1000)));
    variables.set(None, "hive.variable.substitute", "FALSE").unwrap();
    assert_eq!(variables.substitute("${a}").text, "${a}");
}

#[test]
fn values_are_resolved_when_they_are_set() {
    let mut variables = variables();
    variables.set(Some(HiveVar), "x", "${a}-${later}").unwrap();
    variables.set(Some(HiveVar), "a", "2").unwrap();
    variables.set(Some(HiveVar), "later", "3").unwrap();
    assert_eq!(variables.substitute("${x}").text, "1-3");
    assert_eq!(variables.set(Some(Environment), "HOME", "/"), Err(SetFailure::Environment));
    assert!(variables.set(None, "x", "${loop}").is_err());
}

#[test]
fn reset_takes_back_settings() {
    let mut variables = Variables::new();
    variables.define(HiveConf, "hive.a", "1");
    for key in ["hive.a", "hive.b", "mine"] {
        variables.set(None, key, "2").unwrap();
        variables.set(None, key, "3").unwrap();
        variables.set(Some(HiveVar), key, "4").unwrap();
    }
    variables.reset_key("hive.b");
    assert_eq!(variables.get(HiveConf, "hive.b"), None);
    assert_eq!(variables.get(HiveConf, "hive.a"), Some("3"));
    variables.reset();
    assert_eq!(variables.get(HiveConf, "hive.a"), Some("1"));
    assert_eq!(variables.get(HiveConf, "mine"), Some("3"), "Hive restores only what it has a value for");
    assert_eq!(variables.get(HiveVar, "hive.a"), Some("4"));
    variables.reset_key_to_default("hiveconf:hive.a");
    assert_eq!(variables.get(HiveConf, "hive.a"), None);
}

#[test]
fn names_are_split_at_their_namespace() {
    for (name, expected) in [
        ("hivevar:x", (Some(HiveVar), "x")),
        ("hiveconf:a:b", (Some(HiveConf), "a:b")),
        ("env:HOME", (Some(Environment), "HOME")),
        ("system:user.name", (Some(System), "user.name")),
        ("metaconf:x", (Some(MetaConf), "x")),
        ("x", (None, "x")),
        ("HiveVar:x", (None, "HiveVar:x")),
    ] {
        assert_eq!(VariableNamespace::split(name), expected, "{name}");
    }
}
