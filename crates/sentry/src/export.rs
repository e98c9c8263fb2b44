//! From a policy to the policy file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use guardbee_exchange::{Contents, Exported, Report, ReportLine};
use guardbee_model::Name;
use guardbee_policy::{Change, Effect, Entry, NamePattern, Principal, Privilege, Privileges, Scope};
use smol_str::SmolStr;

use crate::privilege::action_of;

/// What the file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileKind {
    /// For the file provider: groups hold roles.
    #[default]
    Policy,
    /// For the import of the config tool: users hold roles, too.
    ConfigTool,
}

/// Writes a policy file: the same for the same policy, so that two can be compared line by line. `groups` are
/// the groups of users for the section `[users]`; it is left out where there are none.
///
/// What Sentry has no words for is left out, and the report names each. Where that is a denial, a filter or a
/// mask, what it closes is open in Sentry; whatever else is left out only takes rights away.
#[must_use]
pub fn export_policy_file(
    changes: impl IntoIterator<Item = Change>,
    groups: &BTreeMap<SmolStr, Vec<SmolStr>>,
    kind: FileKind,
) -> Exported {
    let contents = Contents::of(changes);
    let mut writer = Writer { contents: &contents, kind, report: Report::default() };
    let roles = writer.roles();
    let holders = writer.holders(&roles);
    writer.others();
    let users = writer.users(groups);
    let mut text = String::new();
    section(&mut text, "users", users);
    let (group_holders, user_holders) = holders;
    section(&mut text, "groups", group_holders);
    section(&mut text, "userroles", user_holders);
    section(&mut text, "roles", roles);
    Exported { text, report: writer.report }
}

/// A section of keys and sorted values; a section without keys is none.
type Lines = BTreeMap<String, BTreeSet<String>>;

fn section(text: &mut String, name: &str, lines: Lines) {
    if lines.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "[{name}]");
    for (key, values) in lines {
        let values: Vec<String> = values.into_iter().collect();
        // Readers join lines that end in a backslash.
        let _ = writeln!(text, "{key} = {}", values.join(", \\\n  "));
    }
}

struct Writer<'c> {
    contents: &'c Contents,
    kind: FileKind,
    report: Report,
}

impl Writer<'_> {
    fn leave_out(&mut self, code: &'static str, message: String) {
        self.report.push(ReportLine::not_carried(code, message));
    }

    fn users(&mut self, groups: &BTreeMap<SmolStr, Vec<SmolStr>>) -> Lines {
        let mut lines = Lines::new();
        for (user, groups) in groups {
            if !is_key(user) {
                self.leave_out(
                    "unwritable-name",
                    format!("the user `{user}`: the file cannot write the name"),
                );
                continue;
            }
            let (written, unwritable): (Vec<_>, Vec<_>) = groups.iter().partition(|group| is_item(group));
            for group in unwritable {
                self.leave_out(
                    "unwritable-name",
                    format!("the group `{group}`: the file cannot write the name"),
                );
            }
            if !written.is_empty() {
                lines.insert(user.to_string(), written.into_iter().map(SmolStr::to_string).collect());
            }
        }
        lines
    }

    /// Roles with their privileges. A role that grants nothing cannot be written.
    fn roles(&mut self) -> Lines {
        let mut lines = Lines::new();
        for entry in self.contents.entries.values() {
            let Some((role, privileges)) = self.entry(entry) else { continue };
            if !privileges.is_empty() {
                lines.entry(role).or_default().extend(privileges);
            }
        }
        for name in self.contents.roles.keys() {
            if !lines.contains_key(name.as_str()) && !is_built_in(name) {
                self.leave_out(
                    "empty-role",
                    format!("the role `{name}`: the file cannot write a role without grants"),
                );
            }
        }
        lines
    }

    fn entry(&mut self, entry: &Entry) -> Option<(String, Vec<String>)> {
        let id = entry.id;
        let what = format!("{id} ({} on {} for {})", entry.privileges, entry.scope, entry.principal);
        let reason = self.why_not(entry);
        if let Some((code, reason)) = reason {
            self.leave_out(code, format!("{what}: {reason}"));
            return None;
        }
        let object = match object(&self.contents.settings.server, &entry.scope) {
            Ok(object) => object,
            Err((code, reason)) => {
                self.leave_out(code, format!("{what}: {reason}"));
                return None;
            }
        };
        if matches!(&entry.scope, Scope::Database(database) if database.is_any()) {
            let message =
                format!("{what}: sentry will let it stand for the server, too, such as to create databases");
            self.report.push(ReportLine::note("every-database", message));
        }
        if entry.purpose.is_some() {
            self.report.push(ReportLine::note("purpose", format!("{what}: its purpose is left out")));
        }
        let (actions, unknown) = actions(entry.privileges, &entry.scope);
        for privilege in unknown {
            self.leave_out("unknown-privilege", format!("{what}: sentry has no action `{privilege}`"));
        }
        let suffix = if entry.grant_option.is_with() { "->grantoption=true" } else { "" };
        let written =
            actions.into_iter().map(|action| format!("{object}->action={action}{suffix}")).collect();
        Some((entry.principal.name().to_owned(), written))
    }

    /// Why a grant cannot be written, but for its scope and privileges.
    fn why_not(&self, entry: &Entry) -> Option<(&'static str, &'static str)> {
        let Principal::Role(role) = &entry.principal else {
            return Some(("principal", "sentry grants to roles only"));
        };
        if entry.effect == Effect::Deny {
            Some(("denial", "sentry knows no denials: what it takes away, a grant still gives"))
        } else if is_built_in(role) {
            Some(("built-in-role", "sentry has no such built-in role"))
        } else if !entry.except.is_empty() {
            Some(("exception", "sentry cannot take principals out again"))
        } else if !entry.validity.is_always() {
            Some(("validity", "sentry's grants hold for ever"))
        } else if !is_key(role) || !is_item(role) {
            Some(("unwritable-name", "the file cannot write the name of the role"))
        } else {
            None
        }
    }

    fn holders(&mut self, roles: &Lines) -> (Lines, Lines) {
        let (mut groups, mut users) = (Lines::new(), Lines::new());
        for membership in self.contents.memberships.values() {
            let (role, member) = (&membership.role, &membership.member);
            let what = format!("{member} in the role `{role}`");
            if is_built_in(role) {
                let line = ReportLine::not_carried(
                    "built-in-role",
                    format!("{what}: sentry has no such built-in role"),
                );
                self.report.push(line.with_hint("sentry.service.admin.group names the administrators"));
                continue;
            }
            if !roles.contains_key(role.as_str()) {
                self.leave_out("empty-role", format!("{what}: the role is not in the file"));
                continue;
            }
            let lines = match (member, self.kind) {
                (Principal::Group(_), _) => &mut groups,
                (Principal::User(_), FileKind::ConfigTool) => &mut users,
                (Principal::User(_), FileKind::Policy) => {
                    self.leave_out(
                        "principal",
                        format!("{what}: in the policy file groups alone hold roles"),
                    );
                    continue;
                }
                (Principal::Role(_), _) => {
                    self.leave_out("nested-role", format!("{what}: sentry's roles do not nest"));
                    continue;
                }
            };
            if !is_key(member.name()) {
                self.leave_out("unwritable-name", format!("{what}: the file cannot write the name"));
                continue;
            }
            lines.entry(member.name().to_owned()).or_default().insert(role.to_string());
            if membership.admin_option.is_with() {
                let message = format!("{what}: sentry's roles cannot be given on");
                self.report.push(ReportLine::note("admin-option", message));
            }
        }
        (groups, users)
    }

    /// What of the policy is no grant at all.
    fn others(&mut self) {
        for policy in self.contents.data_policies.values() {
            let message =
                format!("the policy `{}` on {}: sentry has no filters and masks", policy.name, policy.scope);
            self.leave_out("data-policy", message);
        }
        for tag in self.contents.tags.keys() {
            self.leave_out("tag", format!("the tag `{tag}`: sentry has no tags"));
        }
        for (resource, tag) in self.contents.tag_assignments.keys() {
            self.leave_out("tag", format!("the tag `{tag}` on `{resource}`: sentry has no tags"));
        }
        for ownership in self.contents.owners.values() {
            let message = format!(
                "{} as the owner of `{}`: owners are the metastore's",
                ownership.owner, ownership.resource
            );
            self.leave_out("owner", message);
        }
    }
}

fn is_built_in(role: &Name) -> bool {
    matches!(role.as_str(), "public" | "admin")
}

/// Can the file write it as a key?
fn is_key(name: &str) -> bool {
    is_item(name)
        && !name.starts_with(['#', ';', '['])
        && !name.contains(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | '\\'))
}

/// Can the file write it between commas?
fn is_item(name: &str) -> bool {
    !name.is_empty()
        && name.trim() == name
        && !name.ends_with('\\')
        && !name.contains(|c: char| c == ',' || c.is_control())
}

/// Can the file write it as the value of a part of a privilege?
fn is_value(text: &str) -> bool {
    is_item(text) && !text.contains("->")
}

type Unwritable = (&'static str, &'static str);

fn object(server: &str, scope: &Scope) -> Result<String, Unwritable> {
    const NAME: Unwritable = ("unwritable-name", "the file cannot write the name");
    if !is_value(server) || matches!(server, "*" | "+") || server.eq_ignore_ascii_case("all") {
        return Err(("unwritable-name", "the file cannot write the name of the server"));
    }
    let value = |pattern: &NamePattern| {
        if pattern.is_any() {
            return Ok("*".to_owned());
        }
        let name = pattern.literal().ok_or(("pattern", "sentry knows `*` alone as a wildcard"))?;
        let is_special = matches!(name.as_str(), "all" | "+");
        if is_value(name) && !is_special { Ok(name.to_string()) } else { Err(NAME) }
    };
    Ok(match scope {
        Scope::Server => format!("server={server}"),
        Scope::Database(database) => format!("server={server}->db={}", value(database)?),
        Scope::Table { table, .. } if table.is_any() => {
            return Err(("pattern", "a grant on every table of a database is one on the database in sentry"));
        }
        Scope::Table { database, table } => {
            format!("server={server}->db={}->table={}", value(database)?, value(table)?)
        }
        Scope::Column { column, .. } if column.is_any() => {
            return Err(("pattern", "a grant on every column of a table is one on the table in sentry"));
        }
        Scope::Column { database, table, column } => {
            format!(
                "server={server}->db={}->table={}->column={}",
                value(database)?,
                value(table)?,
                value(column)?
            )
        }
        Scope::Uri(uri) if is_value(uri.key()) && !uri.key().contains("${") => {
            format!("server={server}->uri={}", root_with_slash(&uri.to_string()))
        }
        Scope::Uri(_) => return Err(("unwritable-name", "the file cannot write the address")),
        Scope::Function { .. } => return Err(("function", "sentry has no privileges on functions")),
        Scope::Connector(_) => return Err(("connector", "sentry has no privileges on connectors")),
        Scope::Tag { .. } => return Err(("tag", "sentry has no tags")),
    })
}

/// The root of a file system has no slash here; Sentry takes an address without a path for none.
fn root_with_slash(address: &str) -> String {
    let has_path = address.split_once("://").is_none_or(|(_, rest)| rest.contains('/'));
    if has_path { address.to_owned() } else { format!("{address}/") }
}

/// The actions of a set of privileges, and those that Sentry has no action for. On an address all there is is
/// all of them.
fn actions(privileges: Privileges, scope: &Scope) -> (Vec<&'static str>, Vec<Privilege>) {
    if privileges.is_all() {
        return (vec!["*"], Vec::new());
    }
    if matches!(scope, Scope::Uri(_)) {
        return (Vec::new(), privileges.iter().collect());
    }
    let (known, unknown): (Vec<Privilege>, Vec<Privilege>) =
        privileges.iter().partition(|&privilege| action_of(privilege).is_some());
    (known.into_iter().filter_map(action_of).collect(), unknown)
}
