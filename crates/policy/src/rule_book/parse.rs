//! Reads rule books from their text.
//!
//! One entry a line; `#` starts a comment. Errors say the line, what stands there and what may.

use std::fmt;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::request::Detail;
use crate::requirement::{Reach, Right, Side};
use crate::{BookName, GrantOption, Privilege, Privileges};

use super::operation::operation_named;
use super::rule::{Action, Clause, Condition, Kind, Presence, Rule};
use super::{Absence, NamedRule, RuleBook, SettingRule, SettingVerdict};

/// A line of a rule book that says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleBookError {
    /// From 1 on.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for RuleBookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for RuleBookError {}

/// All of a book, or every line of it that is wrong.
pub(super) fn parse(name: BookName, text: &str) -> Result<RuleBook, Vec<RuleBookError>> {
    let mut book = RuleBook::empty(name);
    let mut errors = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if let Err(message) = entry(&mut book, line) {
            errors.push(RuleBookError { line: place + 1, message });
        }
    }
    if errors.is_empty() { Ok(book) } else { Err(errors) }
}

fn entry(book: &mut RuleBook, line: &str) -> Result<(), String> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match word {
        "any" => book.any = privileges(rest, Privileges::NONE)?,
        "absent" => {
            let known = [Absence::Refused, Absence::Ignored].into_iter().find(|one| one.as_str() == rest);
            book.absence = known.ok_or_else(|| unknown(rest, "`refused` or `ignored`"))?;
        }
        "every" => match rule(rest, book.any)? {
            Rule::Needs(clauses) => book.every = clauses,
            _ => return Err("`every` takes clauses".into()),
        },
        "script" => book.script = rule(rest, book.any)?,
        "function" => book.forbidden_functions.push(forbidden(rest)?),
        "setting" => book.settings.push(setting(rest)?),
        _ => {
            let rule = rule(rest, book.any)?;
            operation(book, word, rule)?;
        }
    }
    Ok(())
}

fn operation(book: &mut RuleBook, name: &str, rule: Rule) -> Result<(), String> {
    let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if !name.bytes().all(is_name) {
        return Err(unknown(
            name,
            "an operation in capitals, `any`, `absent`, `every`, `script`, `function` or `setting`",
        ));
    }
    if book.rules.iter().any(|known| known.operation == name) {
        return Err(format!("`{name}` has an entry already"));
    }
    let place = book.rules.len();
    if let Some(slot) = operation_named(name).and_then(|operation| book.places.get_mut(operation as usize)) {
        *slot = Some(place);
    }
    book.rules.push(NamedRule { operation: SmolStr::new(name), rule });
    Ok(())
}

/// `name refused`.
fn forbidden(text: &str) -> Result<SmolStr, String> {
    match text.split_once(char::is_whitespace) {
        Some((name, verdict)) if verdict.trim() == "refused" => Ok(SmolStr::new(name.to_lowercase())),
        _ => Err(unknown(text, "a name and `refused`")),
    }
}

/// `name refused`, `name* allowed`.
fn setting(text: &str) -> Result<SettingRule, String> {
    let (name, verdict) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_it = |known: &SettingVerdict| known.as_str() == verdict.trim();
    let verdict = [SettingVerdict::Allowed, SettingVerdict::Refused].into_iter().find(is_it);
    let verdict = verdict.ok_or_else(|| unknown(text, "a name, and `allowed` or `refused`"))?;
    Ok(SettingRule { name: SmolStr::new(name.to_lowercase()), verdict })
}

fn rule(text: &str, any: Privileges) -> Result<Rule, String> {
    match text {
        "not checked" => return Ok(Rule::NotChecked),
        "when carried out" => return Ok(Rule::WhenCarriedOut),
        _ => {}
    }
    if let Some(reason) = text.strip_prefix("refused:") {
        let reason = reason.trim();
        return match reason.is_empty() {
            true => Err("`refused:` takes a reason".into()),
            false => Ok(Rule::Refused(Arc::from(reason))),
        };
    }
    let (inputs, outputs) = match (text.strip_prefix("in:"), text.strip_prefix("out:")) {
        (Some(rest), _) => match rest.split_once(" out:") {
            Some((inputs, outputs)) => (Some(inputs), Some(outputs)),
            None => (Some(rest), None),
        },
        (None, Some(rest)) => (None, Some(rest)),
        (None, None) => {
            return Err(unknown(
                text,
                "`in:`, `out:`, `not checked`, `when carried out` or `refused: reason`",
            ));
        }
    };
    let mut clauses = Vec::new();
    for (side, list) in [(Side::Input, inputs), (Side::Output, outputs)] {
        for text in list.into_iter().flat_map(|list| list.split(',')) {
            clauses.push(clause(side, text.trim(), any)?);
        }
    }
    Ok(Rule::Needs(clauses))
}

fn clause(side: Side, text: &str, any: Privileges) -> Result<Clause, String> {
    let Some((object, rights)) = text.split_once(':') else {
        return Err(unknown(text, "`Kind:RIGHT`"));
    };
    let (object, condition) = match object.split_once('[') {
        None => (object, None),
        Some((object, rest)) => match rest.strip_suffix(']') {
            Some(inner) => (object, Some(condition(inner)?)),
            None => return Err(unknown(rest, "a condition that ends with `]`")),
        },
    };
    let (object, presence) = match object.strip_suffix('?') {
        Some(object) => (object, Presence::Optional),
        None => (object, Presence::Needed),
    };
    let kind = Kind::parse(object).ok_or_else(|| unknown(object, &words(Kind::ALL.map(Kind::as_str))))?;
    let (rights, reach) = match rights.strip_suffix(" inside") {
        Some(rights) => (rights, Reach::AroundOrInside),
        None => (rights, Reach::Around),
    };
    let (rights, grant_option) = match rights.strip_suffix(" with grant") {
        Some(rights) => (rights, GrantOption::With),
        None => (rights, GrantOption::Without),
    };
    let rights = rights.split('+').map(|text| right(text, grant_option, any)).collect::<Result<_, _>>()?;
    Ok(Clause { side, kind, presence, condition, rights, reach })
}

fn condition(text: &str) -> Result<Condition, String> {
    match text {
        "basic" => return Ok(Condition::Detail(Detail::Basic)),
        "full" => return Ok(Condition::Detail(Detail::Full)),
        "temporary" => return Ok(Condition::Temporary),
        _ => {}
    }
    if let Some(kind) = text.strip_prefix("no ") {
        let kind = Kind::parse(kind).ok_or_else(|| unknown(kind, &words(Kind::ALL.map(Kind::as_str))))?;
        return Ok(Condition::Without(kind));
    }
    let actions = text.split('|').map(|word| {
        Action::parse(word).ok_or_else(|| unknown(word, "`basic`, `full`, `temporary`, `no Kind` or actions"))
    });
    Ok(Condition::Actions(actions.collect::<Result<_, _>>()?))
}

fn right(text: &str, grant_option: GrantOption, any: Privileges) -> Result<Right, String> {
    match text {
        "OWNERSHIP" => Ok(Right::Ownership),
        "ADMIN" => Ok(Right::Administration),
        _ => Ok(Right::AnyOf { privileges: privileges(text, any)?, grant_option }),
    }
}

fn privileges(text: &str, any: Privileges) -> Result<Privileges, String> {
    match text {
        "ALL" => return Ok(Privileges::ALL),
        "ANY" if !any.is_empty() => return Ok(any),
        _ => {}
    }
    let known = |word: &str| Privilege::EACH.iter().copied().find(|privilege| privilege.as_str() == word);
    let expected = || words(Privilege::EACH.iter().map(|privilege| privilege.as_str()));
    text.split('|').map(|word| known(word).ok_or_else(|| unknown(word, &expected()))).collect()
}

fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn unknown(found: &str, expected: &str) -> String {
    match found {
        "" => format!("expected {expected}"),
        _ => format!("expected {expected}, found `{found}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<String> {
        let errors = RuleBook::parse(BookName::Sentry, text).err().unwrap_or_default();
        errors.iter().map(ToString::to_string).collect()
    }

    fn error(line: &str) -> String {
        errors(line).pop().unwrap_or_default()
    }

    #[test]
    fn every_wrong_line_is_told() {
        let text = "# a comment\nLOAD  in: URI:ALL\n\nLOAD  not checked\nQUERY  whatever\nQUERY  not checked # why\n";
        assert_eq!(
            errors(text),
            [
                "line 4: `LOAD` has an entry already",
                "line 5: expected `in:`, `out:`, `not checked`, `when carried out` or `refused: reason`, \
                 found `whatever`",
            ]
        );
    }

    #[test]
    fn errors_say_what_may_stand_there() {
        assert!(error("LOAD in: Tble:SELECT").ends_with("`Object`, found `Tble`"));
        assert!(error("LOAD in: Table:SELCT").ends_with("`TEMPUDFADMIN`, found `SELCT`"));
        assert!(error("LOAD in: Table:SELECT|").ends_with("`TEMPUDFADMIN`"));
        assert!(error("LOAD in: Table:ANY").ends_with("found `ANY`"), "no line says what ANY stands for");
        assert_eq!(error("LOAD in: Table"), "line 1: expected `Kind:RIGHT`, found `Table`");
        assert_eq!(error("LOAD in: Table:SELECT,"), "line 1: expected `Kind:RIGHT`");
        assert_eq!(error("LOAD refused:"), "line 1: `refused:` takes a reason");
        assert_eq!(
            error("LOAD in: Table[INSERT:SELECT"),
            "line 1: expected a condition that ends with `]`, found `INSERT`"
        );
        assert_eq!(
            error("LOAD in: Table[sometimes]:SELECT"),
            "line 1: expected `basic`, `full`, `temporary`, `no Kind` or actions, found `sometimes`"
        );
        assert_eq!(error("absent maybe"), "line 1: expected `refused` or `ignored`, found `maybe`");
        assert_eq!(error("function reflect"), "line 1: expected a name and `refused`, found `reflect`");
        assert_eq!(
            error("setting a maybe"),
            "line 1: expected a name, and `allowed` or `refused`, found `a maybe`"
        );
        assert_eq!(error("every not checked"), "line 1: `every` takes clauses");
        assert!(error("load in: URI:ALL").contains("expected an operation in capitals"));
    }

    #[test]
    fn what_is_written_reads_the_same() {
        for book in BookName::ALL.map(RuleBook::built_in) {
            assert_eq!(RuleBook::parse(book.name(), &book.to_string()).as_ref(), Ok(book));
            for named in book.rules() {
                let text = named.rule.to_string();
                assert_eq!(rule(&text, book.any()).as_ref(), Ok(&named.rule), "{}: {text}", named.operation);
            }
        }
    }

    #[test]
    fn a_book_that_allows_settings_refuses_the_others() {
        let verdicts = |text: &str| {
            let book = RuleBook::parse(BookName::Sentry, text).unwrap();
            ["a.b", "a.c", "ab"].map(|key| book.setting(key))
        };
        let (allowed, refused) = (SettingVerdict::Allowed, SettingVerdict::Refused);
        assert_eq!(verdicts(""), [allowed; 3]);
        assert_eq!(verdicts("setting A.* refused"), [refused, refused, allowed]);
        assert_eq!(verdicts("setting a.* allowed"), [allowed, allowed, refused]);
        assert_eq!(verdicts("setting a.* allowed\nsetting a.b refused"), [refused, allowed, refused]);
    }

    #[test]
    fn a_book_that_is_empty_refuses_everything() {
        use crate::Settings;
        use crate::request::{Detail, Request};
        use guardbee_model::{Name, Operation};
        let book = RuleBook::parse(BookName::Sentry, "").unwrap();
        for &operation in Operation::ALL {
            let request = Request {
                operation,
                database: Name::fold("default"),
                reads: Vec::new(),
                writes: Vec::new(),
                functions: Vec::new(),
                commands: Vec::new(),
                detail: Detail::Basic,
            };
            let needed = book.requirements(&Settings::default(), &request);
            assert!(
                matches!(needed.as_slice(), [one] if matches!(one.right, Right::Nobody(_))),
                "{operation}"
            );
        }
    }
}
