//! Policy test files as they are written (YAML).

use std::collections::BTreeMap;
use std::fmt;

use guardbee_model::plain_words;
use guardbee_policy::{SettingError, Settings};
use serde::Deserialize;
use serde::de::{Deserializer, Visitor};
use smol_str::SmolStr;

use crate::outcome::Outcome;

use super::{PolicyTest, Step};

/// Why a text is no policy test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyTestFileError {
    #[error("{0}")]
    Malformed(String),
    #[error("there is no setting `{0}`")]
    UnknownSetting(String),
    #[error("`{key}` cannot be `{value}`: expected {allowed}")]
    SettingValue { key: String, value: String, allowed: &'static str },
}

impl PolicyTest {
    /// Reads a policy test.
    ///
    /// # Errors
    /// [`PolicyTestFileError`] where the text is none.
    pub fn parse(text: &str) -> Result<Self, PolicyTestFileError> {
        let file: File = serde_saphyr::from_str(text).map_err(|error| {
            let message = error.without_snippet().to_string();
            PolicyTestFileError::Malformed(plain_words(message.trim_start_matches("error: ")))
        })?;
        file.into_test()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    name: String,
    rule_book: Option<String>,
    server: Option<String>,
    #[serde(default)]
    users: BTreeMap<String, Option<Vec<String>>>,
    #[serde(default)]
    admins: Vec<String>,
    #[serde(default)]
    catalog: Option<String>,
    #[serde(default)]
    policy: Option<String>,
    #[serde(default)]
    settings: BTreeMap<String, Scalar>,
    #[serde(default)]
    steps: Vec<FileStep>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileStep {
    r#as: String,
    role: Option<String>,
    sql: String,
    expect: Expected,
    missing: Option<Vec<String>>,
    rows: Option<Vec<Vec<Scalar>>>,
    filters: Option<BTreeMap<String, String>>,
    masks: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Allowed,
    Denied,
    Error,
}

/// A scalar by its text, whatever YAML takes it for.
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, true or false")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar(String::new()))
    }
}

impl File {
    fn into_test(self) -> Result<PolicyTest, PolicyTestFileError> {
        let mut settings = Settings::default();
        for (key, value) in [("rule_book", &self.rule_book), ("server", &self.server)] {
            if let Some(value) = value {
                set(&mut settings, key, value)?;
            }
        }
        for (key, Scalar(value)) in &self.settings {
            set(&mut settings, key, value)?;
        }
        let groups =
            |groups: Option<Vec<String>>| groups.unwrap_or_default().iter().map(SmolStr::new).collect();
        Ok(PolicyTest {
            name: self.name,
            settings,
            users: self.users.into_iter().map(|(user, of)| (SmolStr::new(user), groups(of))).collect(),
            admins: self.admins.iter().map(SmolStr::new).collect(),
            catalog: self.catalog.unwrap_or_default(),
            policy: self.policy.unwrap_or_default(),
            steps: self.steps.into_iter().map(FileStep::into_step).collect(),
        })
    }
}

fn set(settings: &mut Settings, key: &str, value: &str) -> Result<(), PolicyTestFileError> {
    settings.set(key, value).map_err(|error| match error {
        SettingError::UnknownKey => PolicyTestFileError::UnknownSetting(key.to_owned()),
        SettingError::UnknownValue { allowed } => {
            PolicyTestFileError::SettingValue { key: key.to_owned(), value: value.to_owned(), allowed }
        }
    })
}

impl FileStep {
    fn into_step(self) -> Step {
        let texts = |row: Vec<Scalar>| row.into_iter().map(|Scalar(text)| text).collect();
        Step {
            user: SmolStr::new(self.r#as),
            role: self.role,
            sql: self.sql,
            expect: match self.expect {
                Expected::Allowed => Outcome::Allowed,
                Expected::Denied => Outcome::Denied,
                Expected::Error => Outcome::Error,
            },
            missing: self.missing,
            rows: self.rows.map(|rows| rows.into_iter().map(texts).collect()),
            filters: self.filters.map(|filters| filters.into_iter().collect()),
            masks: self.masks.map(|masks| masks.into_iter().collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_with_all_that_it_may_hold() {
        let text = "
name: all of it
rule_book: hive-legacy
server: s2
users: {root: [wheel], ana: [analysts], bob: []}
admins: [root]
catalog: |
  CREATE DATABASE hr;
settings: {sync_drop: false, default_fs: 'hdfs://nn:1'}
steps:
  - {as: ana, role: NONE, sql: 'SELECT a, b FROM hr.t', expect: denied, missing: [SELECT on hr.t]}
  - {as: root, sql: SHOW ROLES, expect: allowed, rows: [[hr, '', 7, true, '*']], filters: {hr.t: a > 1}}
";
        let test = PolicyTest::parse(text).unwrap();
        assert_eq!(test.settings.rule_book.as_str(), "hive-legacy");
        assert!(!test.settings.sync_drop.is_on());
        assert_eq!(test.steps[0].role.as_deref(), Some("NONE"));
        assert_eq!(test.steps[1].rows, Some(vec![["hr", "", "7", "true", "*"].map(String::from).to_vec()]));
        assert_eq!(test.catalog, "CREATE DATABASE hr;\n");
    }

    #[test]
    fn what_is_misspelt_is_told() {
        let unknown = PolicyTest::parse("name: x\nstep: []\n").unwrap_err().to_string();
        assert!(unknown.contains("step"), "{unknown}");
        let twice = PolicyTest::parse("name: x\nname: y\n").unwrap_err().to_string();
        assert!(twice.contains("duplicate object key: name at line 2"), "{twice}");
        let setting = PolicyTest::parse("settings: {sync_dorp: true}\n").unwrap_err();
        assert_eq!(setting.to_string(), "there is no setting `sync_dorp`");
        let value = PolicyTest::parse("rule_book: ranga\n").unwrap_err().to_string();
        assert_eq!(
            value,
            "`rule_book` cannot be `ranga`: expected sentry, hive-legacy, sql-standard or ranger"
        );
    }
}
