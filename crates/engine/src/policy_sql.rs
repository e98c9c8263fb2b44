//! A policy as the statements that build it, in a fixed order, so that two policies can be compared line by line.
//!
//! The statements are those of `docs/sql-administration.md`, with `SET guardbee.key = value` before them for settings.
//! As a file that states a policy they make one that decides alike; who granted what and when is not in them.

use std::collections::BTreeMap;
use std::fmt::Write;

use guardbee_hiveql::keyword::{Keyword, Place};
use guardbee_hiveql::literal::{quote_name, quote_string};
use guardbee_model::{ColumnName, HiveVersion};
use guardbee_policy::{
    BookName, DataPolicy, DataRule, Effect, Entry, NamePattern, Policy, PolicyState, Principal, Privilege,
    Privileges, Resource, Scope, Settings, TagBoundary,
};

use crate::administration::privilege_kinds;

/// The statements, and what there are none for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PolicySql {
    /// The statements under their headings, in the order in which they are to be run.
    pub groups: Vec<SqlGroup>,
    pub left_out: Vec<LeftOut>,
}

/// Statements of one kind, without semicolons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlGroup {
    pub heading: &'static str,
    pub statements: Vec<String>,
}

impl PolicySql {
    /// The whole as a script, with the headings as comments.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for group in &self.groups {
            if !text.is_empty() {
                text.push('\n');
            }
            let _ = writeln!(text, "-- {}", group.heading);
            for statement in &group.statements {
                let _ = writeln!(text, "{statement};");
            }
        }
        text
    }
}

/// Something that no statement makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// A stable name of the kind of thing.
    pub code: &'static str,
    /// In lower case without a full stop.
    pub message: String,
}

/// Writes a policy as statements.
#[must_use]
pub fn policy_sql(policy: &Policy) -> PolicySql {
    let mut writer = Writer { policy, book: policy.settings().rule_book, sql: PolicySql::default() };
    writer.settings();
    writer.roles();
    writer.members();
    writer.tags();
    writer.entries(Effect::Grant);
    writer.entries(Effect::Deny);
    writer.data_policies();
    writer.owners();
    writer.sql
}

/// The statements that make some entries of a policy, or entries that it might have: those of one principal on one
/// object are one statement. What no statement makes is left out.
#[must_use]
pub fn entry_statements(policy: &Policy, entries: &[Entry]) -> Vec<String> {
    let mut writer = Writer { policy, book: policy.settings().rule_book, sql: PolicySql::default() };
    let mut statements = writer.entry_statements(Effect::Grant, entries.iter().cloned());
    statements.extend(writer.entry_statements(Effect::Deny, entries.iter().cloned()));
    statements
}

struct Writer<'p> {
    policy: &'p Policy,
    book: BookName,
    sql: PolicySql,
}

impl Writer<'_> {
    fn leave_out(&mut self, code: &'static str, message: String) {
        self.sql.left_out.push(LeftOut { code, message });
    }

    /// Writes a group of statements under a heading; none without statements.
    fn group(&mut self, heading: &'static str, statements: Vec<String>) {
        if !statements.is_empty() {
            self.sql.groups.push(SqlGroup { heading, statements });
        }
    }

    fn settings(&mut self) {
        let (default, settings) = (Settings::default(), self.policy.settings());
        let mut statements = Vec::new();
        for key in Settings::KEYS {
            let Some(value) = settings.get(key).filter(|value| default.get(key).as_ref() != Some(value))
            else {
                continue;
            };
            let ends_statement = |c: char| c == ';' || c.is_control();
            if value.trim() == value && !value.contains(ends_statement) {
                statements.push(format!("SET guardbee.{key} = {value}"));
            } else {
                self.leave_out("setting", format!("the setting `{key}`: no statement can have its value"));
            }
        }
        self.group("Settings", statements);
    }

    fn roles(&mut self) {
        let mut names: Vec<&str> = self.policy.roles().map(|role| role.name.as_str()).collect();
        names.retain(|name| !matches!(*name, "public" | "admin"));
        names.sort_unstable();
        self.group("Roles", names.into_iter().map(|role| format!("CREATE ROLE {}", name(role))).collect());
    }

    fn members(&mut self) {
        let mut memberships: Vec<_> = self.policy.memberships().collect();
        memberships.sort_by_key(|membership| (&membership.role, &membership.member));
        let statements = memberships.into_iter().map(|membership| {
            let option = if membership.admin_option.is_with() { " WITH ADMIN OPTION" } else { "" };
            format!("GRANT ROLE {} TO {}{option}", name(&membership.role), principal(&membership.member))
        });
        let statements = statements.collect();
        self.group("Members of roles", statements);
    }

    fn tags(&mut self) {
        let mut tags: Vec<_> = self.policy.tags().collect();
        tags.sort_by_key(|tag| &tag.name);
        let statements = tags.into_iter().map(|tag| {
            let mut statement = format!("CREATE TAG {}", name(&tag.name));
            if !tag.allowed_values.is_empty() {
                let values: Vec<String> =
                    tag.allowed_values.iter().map(|value| quote_string(value)).collect();
                let _ = write!(statement, " ALLOWED_VALUES {}", values.join(", "));
            }
            if let Some(comment) = &tag.comment {
                let _ = write!(statement, " COMMENT {}", quote_string(comment));
            }
            statement
        });
        let statements = statements.collect();
        self.group("Tags", statements);
        self.tag_assignments();
    }

    fn tag_assignments(&mut self) {
        let mut assignments: Vec<_> = self.policy.tag_assignments().collect();
        assignments.sort_by_key(|assignment| (&assignment.resource, &assignment.tag));
        let mut statements = Vec::new();
        for assignment in assignments {
            let Some(object) = self.resource(&assignment.resource) else {
                let message = format!("the tag `{}` on `{}`", assignment.tag, assignment.resource);
                self.leave_out("tag-assignment", message);
                continue;
            };
            let value = assignment.value.as_deref().map(|value| format!(" = {}", quote_string(value)));
            let value = value.unwrap_or_default();
            statements.push(format!("SET TAG {}{value} ON {object}", name(&assignment.tag)));
        }
        self.group("What carries them", statements);
        self.declassifiers();
    }

    fn declassifiers(&mut self) {
        let statements = self.policy.settings().declassifiers.iter().map(|one| {
            let at = match &one.at {
                TagBoundary::Function { database: None, function } => format!("FUNCTION {}", name(function)),
                TagBoundary::Function { database: Some(database), function } => {
                    format!("FUNCTION {}.{}", name(database), name(function))
                }
                TagBoundary::Column(ColumnName { table, column }) => {
                    format!("COLUMN {}.{}.{}", name(&table.database), name(&table.table), name(column))
                }
            };
            let (reason, review) = (quote_string(&one.reason), quote_string(&one.review));
            let owner = quote_string(&one.owner);
            let tag = name(&one.tag);
            format!("ALTER TAG {tag} ADD DECLASSIFIER {at} REASON {reason} REVIEW {review} OWNER {owner}")
        });
        let statements = statements.collect();
        self.group("Where they end", statements);
    }

    /// What carries a tag, as a statement names it. A service and a built-in function cannot be named.
    fn resource(&self, resource: &Resource) -> Option<String> {
        Some(match resource {
            Resource::Server => format!("SERVER {}", name(&self.policy.settings().server)),
            Resource::Database(database) => format!("DATABASE {}", name(database)),
            Resource::Table(table) => format!("TABLE {}.{}", name(&table.database), name(&table.table)),
            Resource::Column(column) => {
                let table = &column.table;
                let column = name(&column.column);
                format!("COLUMN {}.{}.{column}", name(&table.database), name(&table.table))
            }
            Resource::Uri(uri) => format!("URI {}", quote_string(&uri.to_string())),
            Resource::Function { database: Some(database), function } => {
                format!("FUNCTION {}.{}", name(database), name(function))
            }
            Resource::Connector(connector) => format!("CONNECTOR {}", name(connector)),
            Resource::Function { database: None, .. } | Resource::Service(_) => return None,
        })
    }

    fn entries(&mut self, effect: Effect) {
        let policy = self.policy;
        let statements = self.entry_statements(effect, policy.entries());
        self.group(if effect == Effect::Grant { "Privileges" } else { "Denials" }, statements);
    }

    fn entry_statements(&mut self, effect: Effect, entries: impl Iterator<Item = Entry>) -> Vec<String> {
        let mut rights: BTreeMap<(Principal, Scope, Vec<Principal>), Rights> = BTreeMap::new();
        for entry in entries.filter(|entry| entry.effect == effect) {
            let Some(privileges) = self.writable(&entry) else { continue };
            let mut except = entry.except.to_vec();
            except.sort();
            let rights = rights.entry((entry.principal, entry.scope, except)).or_default();
            let of_option = if entry.grant_option.is_with() { &mut rights.with } else { &mut rights.without };
            *of_option = of_option.union(privileges);
        }
        // Privileges on the columns of a table make one statement.
        let mut statements: BTreeMap<(Principal, Object, Vec<Principal>, Order), Privileged> =
            BTreeMap::new();
        for ((principal, scope, except), rights) in rights {
            let (object, column) = object_of(scope);
            for (privileges, order) in rights.each(self.book) {
                let key = (principal.clone(), object.clone(), except.clone(), order);
                statements.entry(key).or_default().add(privileges, column.clone());
            }
        }
        let statements = statements.into_iter().map(|((to, object, except, order), privileged)| {
            self.statement(effect, &privileged, &object, &to, &except, order)
        });
        statements.collect()
    }

    /// The privileges of an entry that the rule book's statements can name; none where there is no such statement.
    fn writable(&mut self, entry: &Entry) -> Option<Privileges> {
        let effect = if entry.effect == Effect::Grant { "grant" } else { "denial" };
        let what = format!(
            "{} ({effect} of {} on {} for {})",
            entry.id, entry.privileges, entry.scope, entry.principal
        );
        if !entry.validity.is_always() {
            self.leave_out("validity", format!("{what}: no statement says from when or until when it holds"));
            return None;
        }
        if entry.purpose.is_some() {
            self.leave_out("purpose", format!("{what}: its purpose; no statement names it"));
        }
        let book = self.book.as_str();
        let mut privileges = entry.privileges;
        if privileges.is_all() && self.book == BookName::SqlStandard && entry.effect == Effect::Grant {
            privileges = privilege_kinds::known(self.book).without(Privileges::of(Privilege::Super));
            self.leave_out("all", format!("{what}: ALL is {privileges} in {book}, and no more"));
        }
        if privileges.is_all() {
            let fits = privilege_kinds::must_fit(self.book, privileges, &entry.scope).is_ok();
            if !fits {
                self.leave_out("privilege", format!("{what}: the statements of {book} do not have it there"));
            }
            return fits.then_some(privileges);
        }
        let mut writable = Privileges::NONE;
        for privilege in privileges.iter() {
            let single = Privileges::of(privilege);
            let is_known = privilege_kinds::known(self.book).contains(privilege);
            // Sentry takes whatever is granted on an address for all there is.
            let grows = self.book == BookName::Sentry && matches!(entry.scope, Scope::Uri(_));
            if is_known && !grows && privilege_kinds::must_fit(self.book, single, &entry.scope).is_ok() {
                writable = writable.union(single);
            } else {
                let message = format!("{what}: the statements of {book} do not have {privilege} there");
                self.leave_out("privilege", message);
            }
        }
        (!writable.is_empty()).then_some(writable)
    }

    fn statement(
        &self,
        effect: Effect,
        privileged: &Privileged,
        object: &Object,
        to: &Principal,
        except: &[Principal],
        order: Order,
    ) -> String {
        let verb = if effect == Effect::Grant { "GRANT" } else { "DENY" };
        let mut text = format!("{verb} {}", privileged.text());
        if let Some(object) = self.object(object) {
            let _ = write!(text, " ON {object}");
        }
        let _ = write!(text, " TO {}{}", principal(to), exceptions(except));
        if order == Order::WithOption {
            text.push_str(" WITH GRANT OPTION");
        }
        text
    }

    fn object(&self, object: &Object) -> Option<String> {
        Some(match object {
            Object::Columns { database, table } => format!("TABLE {}.{}", pattern(database), pattern(table)),
            // Hive itself has no word for the server: nothing is everything.
            Object::Scope(Scope::Server)
                if self.policy.settings().strict.is_on() && self.book != BookName::Sentry =>
            {
                return None;
            }
            Object::Scope(scope) => scope_text(scope, self.policy.settings()),
        })
    }

    fn data_policies(&mut self) {
        let mut policies: Vec<&DataPolicy> = self.policy.data_policies().collect();
        policies.sort_by_key(|policy| (policy.rule, &policy.name));
        let mut statements = Vec::new();
        for policy in policies {
            let kind = match policy.rule {
                DataRule::RowFilter => "ROW FILTER",
                DataRule::ColumnMask => "COLUMN MASK",
            };
            let Some(object) = data_policy_object(policy, self.policy.settings()) else {
                let message =
                    format!("the policy `{}`: no statement puts it on {}", policy.name, policy.scope);
                self.leave_out("data-policy", message);
                continue;
            };
            let policy_name = name(&policy.name);
            // A comment in it must not swallow the bracket.
            let last_line = policy.expression.lines().next_back().unwrap_or_default();
            let end = if last_line.contains("--") { "\n)" } else { ")" };
            let mut text =
                format!("CREATE {kind} {policy_name} ON {object}\n    USING ({}{end}", policy.expression);
            if !policy.principals.is_empty() {
                let mut principals = policy.principals.to_vec();
                principals.sort();
                let _ = write!(text, "\n    TO {}", list(&principals));
            }
            let mut except = policy.except.to_vec();
            except.sort();
            text.push_str(&exceptions(&except));
            statements.push(text);
            if policy.state == PolicyState::Disabled {
                statements.push(format!("ALTER {kind} {policy_name} DISABLE"));
            }
        }
        self.group("Row filters and column masks", statements);
    }

    fn owners(&mut self) {
        match self.policy.owners().count() {
            0 => {}
            count => {
                let message =
                    format!("the owners of {count} databases and tables: they follow the warehouse");
                self.leave_out("owner", message);
            }
        }
    }
}

/// What a principal has at a scope.
#[derive(Default)]
struct Rights {
    with: Privileges,
    without: Privileges,
}

/// The rights that may be passed on come first: statements of some books leave out what is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    WithOption,
    WithoutOption,
}

impl Rights {
    /// Sentry keeps a right with and without grant option apart; in the other books one takes in the other.
    fn each(self, book: BookName) -> impl Iterator<Item = (Privileges, Order)> {
        let without = if book == BookName::Sentry { self.without } else { self.without.without(self.with) };
        let each = [(self.with, Order::WithOption), (without, Order::WithoutOption)];
        each.into_iter().filter(|(privileges, _)| !privileges.is_empty())
    }
}

/// What a statement is on: a scope, or columns of a table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Object {
    Scope(Scope),
    Columns { database: NamePattern, table: NamePattern },
}

fn object_of(scope: Scope) -> (Object, Option<NamePattern>) {
    match scope {
        Scope::Column { database, table, column } => (Object::Columns { database, table }, Some(column)),
        scope => (Object::Scope(scope), None),
    }
}

/// The privileges of a statement, each with its columns.
#[derive(Default)]
struct Privileged(BTreeMap<Privileges, Vec<NamePattern>>);

impl Privileged {
    fn add(&mut self, privileges: Privileges, column: Option<NamePattern>) {
        let mut add = |privileges| self.0.entry(privileges).or_default().extend(column.clone());
        if privileges.is_all() {
            add(privileges);
        } else {
            privileges.iter().map(Privileges::of).for_each(add);
        }
    }

    fn text(&self) -> String {
        let each = self.0.iter().map(|(privileges, columns)| {
            if columns.is_empty() {
                return privileges.to_string();
            }
            let columns: Vec<String> = columns.iter().map(pattern).collect();
            format!("{privileges} ({})", columns.join(", "))
        });
        each.collect::<Vec<String>>().join(", ")
    }
}

fn scope_text(scope: &Scope, settings: &Settings) -> String {
    match scope {
        Scope::Server => format!("SERVER {}", name(&settings.server)),
        Scope::Database(database) => format!("DATABASE {}", pattern(database)),
        Scope::Table { database, table } if table.as_str() == "*" => {
            format!("ALL TABLES IN DATABASE {}", pattern(database))
        }
        Scope::Table { database, table } => format!("TABLE {}.{}", pattern(database), pattern(table)),
        Scope::Column { database, table, column } => {
            format!("COLUMN {}.{}.{}", pattern(database), pattern(table), pattern(column))
        }
        Scope::Uri(uri) => format!("URI {}", quote_string(&uri.to_string())),
        Scope::Function { database, function } => {
            format!("FUNCTION {}.{}", pattern(database), pattern(function))
        }
        Scope::Connector(connector) => format!("CONNECTOR {}", pattern(connector)),
        Scope::Tag { tag, value: None } => format!("TAG {}", name(tag)),
        Scope::Tag { tag, value: Some(value) } => format!("TAG {} = {}", name(tag), quote_string(value)),
    }
}

/// What a data policy stands on, where a statement can put it there.
fn data_policy_object(policy: &DataPolicy, settings: &Settings) -> Option<String> {
    match (policy.rule, &policy.scope) {
        (DataRule::RowFilter, Scope::Table { .. } | Scope::Tag { .. })
        | (DataRule::ColumnMask, Scope::Tag { .. }) => Some(scope_text(&policy.scope, settings)),
        (DataRule::ColumnMask, Scope::Column { database, table, column }) => {
            Some(format!("TABLE {}.{} ({})", pattern(database), pattern(table), pattern(column)))
        }
        _ => None,
    }
}

fn exceptions(except: &[Principal]) -> String {
    if except.is_empty() { String::new() } else { format!(" EXCEPT {}", list(except)) }
}

fn list(principals: &[Principal]) -> String {
    principals.iter().map(principal).collect::<Vec<String>>().join(", ")
}

fn principal(principal: &Principal) -> String {
    format!("{} {}", principal.kind().as_str(), name(principal.name()))
}

fn pattern(pattern: &NamePattern) -> String {
    name(pattern.as_str())
}

/// A name, in backticks where it is no plain one.
pub(crate) fn name(text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && Keyword::lookup(text).is_none_or(may_name_anything);
    if is_plain { text.to_owned() } else { quote_name(text) }
}

/// May the keyword stand for a name in every version? `admin` may.
fn may_name_anything(keyword: Keyword) -> bool {
    HiveVersion::ALL.into_iter().all(|version| keyword.may_name(version, Place::User))
}
