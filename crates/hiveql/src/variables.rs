//! The variables of a session, and putting their values into a text (`${hivevar:x}`).
//!
//! Nothing is read from the surroundings here: what the environment, the command line or a
//! configuration file says is handed over with [`Variables::define`].

mod substitution;

use std::collections::HashMap;

pub use substitution::{OffsetMap, Substitution, SubstitutionFailure, UnresolvedVariable};

/// Where a variable lives; what stands before the colon of its full name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariableNamespace {
    /// `hiveconf:`, Hive's settings. A bare name in SET means this one.
    HiveConf,
    /// `hivevar:`, the user's own. A bare name in `${...}` means this one.
    HiveVar,
    /// `env:`, the environment. Cannot be set.
    Environment,
    /// `system:`, Java's properties.
    System,
    /// `metaconf:`, settings of the metastore. They are never substituted.
    MetaConf,
}

impl VariableNamespace {
    pub const ALL: [Self; 5] =
        [Self::HiveConf, Self::HiveVar, Self::Environment, Self::System, Self::MetaConf];

    /// The prefix of a full name, with its colon.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::HiveConf => "hiveconf:",
            Self::HiveVar => "hivevar:",
            Self::Environment => "env:",
            Self::System => "system:",
            Self::MetaConf => "metaconf:",
        }
    }

    /// Splits a full name into namespace and key. Prefixes are in lower case only, as in Hive.
    #[must_use]
    pub fn split(name: &str) -> (Option<Self>, &str) {
        Self::ALL
            .into_iter()
            .find_map(|namespace| Some((Some(namespace), name.strip_prefix(namespace.prefix())?)))
            .unwrap_or((None, name))
    }
}

/// Why a variable was not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetFailure {
    /// The environment belongs to the process, not to the session.
    Environment,
    /// The value itself refers to variables, and that came to no end.
    Substitution(SubstitutionFailure),
}

/// The variables of one session.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    hive_conf: HashMap<String, String>,
    hive_var: HashMap<String, String>,
    environment: HashMap<String, String>,
    system: HashMap<String, String>,
    meta_conf: HashMap<String, String>,
    /// What settings were before this session changed them.
    overridden: HashMap<String, Option<String>>,
}

impl Variables {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// States a value that holds when the session starts. RESET comes back to it.
    pub fn define(&mut self, namespace: VariableNamespace, key: impl Into<String>, value: impl Into<String>) {
        self.map_mut(namespace).insert(key.into(), value.into());
    }

    /// Runs `SET namespace:key=value`. Variables in the value are resolved now, not when it is used.
    ///
    /// # Errors
    /// When the variable cannot be set, or its value has no end.
    pub fn set(
        &mut self,
        namespace: Option<VariableNamespace>,
        key: &str,
        value: &str,
    ) -> Result<(), SetFailure> {
        let namespace = namespace.unwrap_or(VariableNamespace::HiveConf);
        if namespace == VariableNamespace::Environment {
            return Err(SetFailure::Environment);
        }
        let substitution = self.substitute(value);
        if let Some(failure) = substitution.failure {
            return Err(SetFailure::Substitution(failure));
        }
        let value = substitution.text.into_owned();
        let before = self.map_mut(namespace).insert(key.to_owned(), value);
        if namespace == VariableNamespace::HiveConf {
            self.overridden.entry(key.to_owned()).or_insert(before);
        }
        Ok(())
    }

    /// Runs `RESET`: takes back what the session did to Hive's settings. Other variables stay.
    pub fn reset(&mut self) {
        for (key, before) in std::mem::take(&mut self.overridden) {
            self.restore(key, before);
        }
    }

    /// Runs `RESET key`.
    pub fn reset_key(&mut self, key: &str) {
        if let Some((key, before)) = self.overridden.remove_entry(key) {
            self.restore(key, before);
        }
    }

    /// Runs `RESET -d key`: back to the default that Hive was built with. That is not known here, so
    /// the setting is without a value afterwards.
    pub fn reset_key_to_default(&mut self, name: &str) {
        let (namespace, key) = VariableNamespace::split(name);
        match namespace {
            None | Some(VariableNamespace::HiveConf) => {
                self.overridden.remove(key);
                self.hive_conf.remove(key);
            }
            Some(VariableNamespace::MetaConf) => {
                self.meta_conf.remove(key);
            }
            Some(_) => {}
        }
    }

    /// The value of a variable, without resolving variables in it.
    #[must_use]
    pub fn get(&self, namespace: VariableNamespace, key: &str) -> Option<&str> {
        self.map(namespace).get(key).map(String::as_str)
    }

    /// The value that `${name}` stands for. Like Hive, tries the whole name as a user's variable when
    /// its namespace has no such key.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Option<&str> {
        let (namespace, key) = VariableNamespace::split(name);
        let value = match namespace {
            Some(VariableNamespace::HiveVar) => return self.get(VariableNamespace::HiveVar, key),
            Some(VariableNamespace::MetaConf) | None => None,
            Some(namespace) => self.get(namespace, key),
        };
        value.or_else(|| self.get(VariableNamespace::HiveVar, name))
    }

    /// Hive restores what its configuration has a value for and leaves all other keys as they are. A
    /// key with a dot is taken for one of Hive's own; its default is not known here.
    fn restore(&mut self, key: String, before: Option<String>) {
        match before {
            Some(before) => {
                self.hive_conf.insert(key, before);
            }
            None if key.contains('.') => {
                self.hive_conf.remove(&key);
            }
            None => {}
        }
    }

    const fn map(&self, namespace: VariableNamespace) -> &HashMap<String, String> {
        match namespace {
            VariableNamespace::HiveConf => &self.hive_conf,
            VariableNamespace::HiveVar => &self.hive_var,
            VariableNamespace::Environment => &self.environment,
            VariableNamespace::System => &self.system,
            VariableNamespace::MetaConf => &self.meta_conf,
        }
    }

    const fn map_mut(&mut self, namespace: VariableNamespace) -> &mut HashMap<String, String> {
        match namespace {
            VariableNamespace::HiveConf => &mut self.hive_conf,
            VariableNamespace::HiveVar => &mut self.hive_var,
            VariableNamespace::Environment => &mut self.environment,
            VariableNamespace::System => &mut self.system,
            VariableNamespace::MetaConf => &mut self.meta_conf,
        }
    }
}

#[cfg(test)]
mod tests;
