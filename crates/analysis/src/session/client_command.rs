//! Client commands: what they ask of the machine, and what they change in the session.

use std::sync::Arc;

use guardbee_hiveql::command::{
    Arguments, ClientCommand, ResetCommand, ResourceCommand, SetCommand, VariableName,
};
use guardbee_hiveql::variables::{SetFailure, VariableNamespace};
use guardbee_model::{Diagnostic, DiagnosticCode, Operation, Span};

use crate::catalog::CatalogChange;
use crate::effects::{Command, Effects};

use super::file_system::file_system_objects;
use super::{Analysis, Session};

impl Session {
    /// `SET` gets its text unreplaced: only the value is looked through for variables, as in Hive.
    pub(super) fn set_command(&mut self, set: &SetCommand<'_>, text: &str) -> Analysis {
        let mut effects = Effects::new(Operation::Set);
        let mut diagnostics = Vec::new();
        match set {
            SetCommand::Assign { variable, value } => {
                diagnostics.extend(self.without_value(value, text));
                match self.variables.set(variable.namespace, variable.key, value) {
                    Ok(()) => self.note_setting(variable, &mut effects),
                    Err(failure) => diagnostics.push(refused(variable, failure)),
                }
            }
            SetCommand::TimeZone(zone) => effects
                .commands
                .push(Command::Setting { key: Arc::from("hive.local.time.zone"), value: Arc::from(*zone) }),
            SetCommand::ShowChanged | SetCommand::ShowAll | SetCommand::Show(_) => {}
        }
        Analysis { effects: Some(effects), diagnostics }
    }

    /// The variables without a value in the value that is assigned.
    fn without_value(&self, value: &str, text: &str) -> Vec<Diagnostic> {
        let substitution = self.variables.substitute(value);
        if substitution.failure.is_some() {
            return Vec::new();
        }
        let mut unread = text.find('=').unwrap_or_default();
        let mut found = substitution.diagnostics();
        for (diagnostic, variable) in found.iter_mut().zip(&substitution.unresolved) {
            diagnostic.span = Span::at(0);
            let written = format!("${{{}}}", variable.name);
            // One that another variable's value names is written elsewhere.
            if let Some(place) = text.get(unread..).and_then(|rest| rest.find(&written)) {
                let start = unread + place;
                unread = start + written.len();
                diagnostic.span = span(start, unread);
            }
        }
        found
    }

    fn note_setting(&mut self, variable: &VariableName<'_>, effects: &mut Effects) {
        let namespace = variable.namespace.unwrap_or(VariableNamespace::HiveConf);
        let Some(value) = self.variables.get(namespace, variable.key) else { return };
        let value: Arc<str> = Arc::from(value);
        let key: Arc<str> = match namespace {
            VariableNamespace::HiveConf => Arc::from(variable.key),
            _ => Arc::from(format!("{}{}", namespace.prefix(), variable.key)),
        };
        if namespace == VariableNamespace::HiveConf {
            self.settings.set(&key, Some(&value));
            effects.changes.push(CatalogChange::Setting { key: key.clone(), value: Some(value.clone()) });
        }
        effects.commands.push(Command::Setting { key, value });
    }

    pub(super) fn client_command(&mut self, command: &ClientCommand<'_>, text: &str) -> Analysis {
        if let Some(found) = self.unknown_to_version(command) {
            return Analysis { effects: None, diagnostics: vec![found] };
        }
        let mut effects = Effects::new(operation(command));
        let mut diagnostics = Vec::new();
        match command {
            ClientCommand::Set(set) => return self.set_command(set, text),
            ClientCommand::Reset(reset) => self.reset_command(*reset, &mut effects),
            ClientCommand::Add(resource) => {
                resources(resource, Command::AddResource, &mut effects);
                diagnostics.extend(kind_missing(resource));
            }
            ClientCommand::Delete(resource) => {
                resources(resource, Command::DeleteResource, &mut effects);
                diagnostics.extend(kind_missing(resource));
            }
            ClientCommand::List(resource) => diagnostics.extend(kind_missing(resource)),
            ClientCommand::Dfs(arguments) => {
                effects.commands.push(Command::FileSystem(whole(*arguments)));
                file_system_objects(*arguments, &mut effects);
            }
            ClientCommand::Shell(text) => effects.commands.push(Command::Shell(Arc::from(*text))),
            ClientCommand::Source(path) => effects.commands.push(Command::Source(Arc::from(*path))),
            ClientCommand::Compile(_) => effects.commands.push(Command::Compile),
            ClientCommand::Beeline(beeline) => {
                let text = format!("{} {}", beeline.name, beeline.arguments);
                effects.commands.push(Command::Other(Arc::from(text.trim_end())));
            }
            ClientCommand::LlapCluster(arguments)
            | ClientCommand::LlapCache(arguments)
            | ClientCommand::Crypto(arguments)
            | ClientCommand::Erasure(arguments) => {
                effects.commands.push(Command::Other(whole(*arguments)));
            }
            ClientCommand::Quit => self.has_ended = true,
            ClientCommand::Reload | ClientCommand::ProcessList | ClientCommand::Help => {}
        }
        Analysis { effects: Some(effects), diagnostics }
    }

    /// Hive takes a command that it does not know for a statement, and refuses it.
    fn unknown_to_version(&self, command: &ClientCommand<'_>) -> Option<Diagnostic> {
        let (since, version) = (command.since(), self.settings.parser.version);
        (since > version).then(|| {
            let name = command.name();
            let message = format!("`{name}` is not part of Hive {version}; it came with Hive {since}");
            Diagnostic::error(DiagnosticCode::VERSION, Span::at(0), message)
        })
    }

    fn reset_command(&mut self, reset: ResetCommand<'_>, effects: &mut Effects) {
        match reset {
            ResetCommand::All => {
                self.variables.reset();
                effects.changes.push(CatalogChange::ResetSettings);
            }
            ResetCommand::Keys(_) | ResetCommand::KeysToDefault(_) => {
                for key in reset.keys() {
                    match reset {
                        ResetCommand::KeysToDefault(_) => self.variables.reset_key_to_default(key),
                        _ => self.variables.reset_key(key),
                    }
                    effects.changes.push(CatalogChange::Setting { key: Arc::from(key), value: None });
                }
            }
        }
        self.read_settings();
    }
}

fn operation(command: &ClientCommand<'_>) -> Operation {
    match command {
        ClientCommand::Set(_) => Operation::Set,
        ClientCommand::Reset(_) => Operation::Reset,
        ClientCommand::Add(_) => Operation::AddResource,
        ClientCommand::List(_) => Operation::ListResources,
        ClientCommand::Delete(_) => Operation::DeleteResource,
        ClientCommand::Dfs(_) => Operation::FileSystem,
        ClientCommand::Shell(_) => Operation::Shell,
        ClientCommand::Beeline(_) => Operation::Beeline,
        ClientCommand::Source(_) => Operation::Source,
        ClientCommand::Compile(_) => Operation::Compile,
        ClientCommand::Reload => Operation::Reload,
        ClientCommand::LlapCluster(_) => Operation::LlapClusterInfo,
        ClientCommand::LlapCache(_) => Operation::LlapCachePurge,
        ClientCommand::Crypto(_) => Operation::Crypto,
        ClientCommand::Erasure(_) => Operation::Erasure,
        ClientCommand::ProcessList => Operation::ShowProcessList,
        ClientCommand::Quit => Operation::Quit,
        ClientCommand::Help => Operation::Help,
    }
}

fn whole(arguments: Arguments<'_>) -> Arc<str> {
    Arc::from(arguments.as_str())
}

fn resources(resource: &ResourceCommand<'_>, command: impl Fn(Arc<str>) -> Command, effects: &mut Effects) {
    effects.commands.extend(resource.paths.words().map(|path| command(Arc::from(path))));
}

fn kind_missing(resource: &ResourceCommand<'_>) -> Option<Diagnostic> {
    resource.kind.is_none().then(|| {
        Diagnostic::error(DiagnosticCode::SYNTAX, Span::at(0), "expected `JAR`, `FILE` or `ARCHIVE`")
    })
}

fn span(start: usize, end: usize) -> Span {
    let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
}

fn refused(variable: &VariableName<'_>, failure: SetFailure) -> Diagnostic {
    let key = variable.key;
    let message = match failure {
        SetFailure::Environment => format!("`{key}` belongs to the environment and cannot be set"),
        SetFailure::Substitution(failure) => format!("the value of `{key}` is not taken: {failure}"),
    };
    Diagnostic::error(DiagnosticCode::SEMANTIC, Span::at(0), message)
}
