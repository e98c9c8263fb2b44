//! From a policy to the rows of a metastore.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_exchange::dump::Flavour;
use guardbee_exchange::{Contents, Exported, Report, ReportLine};
use guardbee_model::{Name, TableName};
use guardbee_policy::{
    Change, Effect, Entry, Membership, NamePattern, Principal, PrincipalKind, Resource, Scope, Timestamp,
};

use crate::dump::{Dump, HIVE_CATALOG};
use crate::privilege::words;
use crate::rows::GrantRow;
use crate::script::{Common, NewGrant, NewMember, NewOwner, NewRole, Reference, Script};
use crate::tables::{Level, MEMBER_SEQUENCE, ROLE_SEQUENCE};

/// What the script is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportSettings {
    pub flavour: Flavour,
    pub authorizer: Authorizer,
    pub existing: ExistingRows,
}

impl Default for ExportSettings {
    fn default() -> Self {
        Self { flavour: Flavour::MySql, authorizer: Authorizer::SqlStandard, existing: ExistingRows::Keep }
    }
}

/// In which of Hive's modes the grants are to be judged: since Hive 3.0 each row says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authorizer {
    /// For Hive 2.3 and before, whose tables have no such column.
    Absent,
    Legacy,
    SqlStandard,
}

impl Authorizer {
    pub(crate) const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Absent => None,
            Self::Legacy => Some("v1"),
            Self::SqlStandard => Some("SQL"),
        }
    }
}

/// What becomes of the roles and grants that the metastore has already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExistingRows {
    /// They stay; what the policy has as well is not written again.
    #[default]
    Keep,
    /// They go first, but for those that the metastore makes itself, and privileges on partitions.
    Replace,
}

/// The metastore that the script is for.
#[derive(Debug, Clone, Copy)]
pub enum Target<'d> {
    /// It is known by a dump: the script names roles, databases and tables by their numbers and tells apart what is
    /// there from what is not. Nobody else may change privileges in between.
    Dump(&'d Dump),
    /// It is not known: the script looks numbers up as it runs, and passes over objects that are not there. Where
    /// the metastore holds one of the grants already, the script as a whole fails and changes nothing.
    Unknown,
}

/// Writes the script that brings a policy into a metastore: one transaction, the same for the same policy.
///
/// What Hive has no words for is left out, and the report names each. Where that is a denial, a filter or a mask,
/// what it closes is open in Hive; whatever else is left out only takes rights away.
#[must_use]
pub fn export_script(
    changes: impl IntoIterator<Item = Change>,
    target: Target<'_>,
    settings: &ExportSettings,
) -> Exported {
    let contents = Contents::of(changes);
    let dump = match target {
        Target::Dump(dump) => Some(dump),
        Target::Unknown => None,
    };
    let kept = dump.filter(|_| settings.existing == ExistingRows::Keep);
    let script = Script::new(settings.flavour, settings.authorizer.as_str(), dump.is_some());
    let names = dump.map_or_else(Names::default, Names::of);
    let mut export =
        Export { contents: &contents, dump, kept, names, settings, script, report: Report::default() };
    if settings.existing == ExistingRows::Replace {
        export.script.remove_existing();
    }
    let roles = export.roles();
    export.members(&roles);
    export.grants();
    export.owners();
    export.others();
    Exported { text: export.script.finish(), report: export.report }
}

struct Export<'c> {
    contents: &'c Contents,
    dump: Option<&'c Dump>,
    /// The dump whose rows stay.
    kept: Option<&'c Dump>,
    names: Names<'c>,
    settings: &'c ExportSettings,
    script: Script,
    report: Report,
}

const BUILT_IN: [&str; 2] = ["admin", "public"];

/// How long names may be in the tables.
const LONGEST_NAME: usize = 128;
const LONGEST_COLUMN_NAME: usize = 767;

type Reason = (&'static str, &'static str);

impl Export<'_> {
    fn leave_out(&mut self, code: &'static str, message: String) {
        self.report.push(ReportLine::not_carried(code, message));
    }

    /// Numbers that nothing in the metastore has, and nothing will be given by it.
    fn first_id(&self, sequence: &str, used: impl Iterator<Item = i64>) -> i64 {
        let next = self.dump.and_then(|dump| dump.sequences.get(sequence)).copied().unwrap_or(1);
        used.map(|id| id.saturating_add(1)).max().unwrap_or(1).max(next)
    }

    /// Writes the roles that are not there, and gives the numbers of all, where they are known.
    fn roles(&mut self) -> BTreeMap<Name, i64> {
        let mut ids: BTreeMap<Name, i64> = BTreeMap::new();
        let existing = self.dump.map_or(&[][..], |dump| &dump.roles);
        for row in existing {
            let name = Name::fold(&row.name);
            if self.kept.is_some() || BUILT_IN.contains(&&*name) {
                ids.insert(name, row.id);
            }
        }
        let mut next = self.first_id(ROLE_SEQUENCE, existing.iter().map(|row| row.id));
        let first = next;
        let needed = BUILT_IN.iter().map(|name| Name::fold(name)).filter(|name| self.is_needed(name));
        let mut wanted: Vec<NewRole> =
            needed.map(|name| NewRole { id: 0, name, created_at: Timestamp(0), owner: None }).collect();
        for role in self.contents.roles.values() {
            if BUILT_IN.contains(&&*role.name) {
                continue;
            }
            let owner = role.created_by.clone().filter(|owner| is_short(owner));
            wanted.push(NewRole { id: 0, name: role.name.clone(), created_at: role.created_at, owner });
        }
        for mut role in wanted {
            if ids.contains_key(&role.name) {
                continue;
            }
            if !is_short(&role.name) {
                self.leave_out("too-long", format!("the role `{}`: its name is too long", role.name));
                continue;
            }
            role.id = next;
            next += 1;
            ids.insert(role.name.clone(), role.id);
            self.script.role(&role);
        }
        self.script.end_table(ROLE_SEQUENCE, first, next);
        ids
    }

    /// Does anything refer to a role?
    fn is_needed(&self, role: &Name) -> bool {
        let is_role = |principal: &Principal| matches!(principal, Principal::Role(name) if name == role);
        self.contents.memberships.keys().any(|(name, member)| name == role || is_role(member))
    }

    fn members(&mut self, roles: &BTreeMap<Name, i64>) {
        let existing = self.dump.map_or(&[][..], |dump| &dump.members);
        // The key of the table leaves out what kind of principal it is.
        let mut keys: BTreeMap<(String, i64, Option<Principal>), PrincipalKind> = BTreeMap::new();
        for row in self.kept.map_or(&[][..], |dump| &dump.members) {
            let principal = &row.given.principal;
            let key = (principal.name().to_owned(), row.role, row.given.grantor.clone());
            keys.insert(key, principal.kind());
        }
        let mut next = self.first_id(MEMBER_SEQUENCE, existing.iter().map(|row| row.given.id));
        let first = next;
        for membership in self.contents.memberships.values() {
            let Membership { role, member, .. } = membership;
            let what = format!("{member} in the role `{role}`");
            let Some(&role_id) = roles.get(role) else {
                self.leave_out("no-object", format!("{what}: the role is left out"));
                continue;
            };
            if let Some((code, reason)) = self.why_not_principal(member) {
                self.leave_out(code, format!("{what}: {reason}"));
                continue;
            }
            let grantor = short_grantor(membership.grantor.as_ref());
            let key = (member.name().to_owned(), role_id, grantor.cloned());
            match keys.insert(key, member.kind()) {
                None => {}
                Some(kind) if kind == member.kind() => continue,
                Some(kind) => {
                    let kind = kind.as_str().to_ascii_lowercase();
                    let line = ReportLine::not_carried(
                        "clash",
                        format!("{what}: hive's table has room for the {kind} of that name only"),
                    );
                    self.report.push(line.with_hint("give one of them the role by another grantor"));
                    continue;
                }
            }
            let common = Common {
                id: next,
                created_at: membership.created_at,
                option: membership.admin_option,
                grantor: grantor.cloned(),
                principal: member.clone(),
            };
            next += 1;
            self.script
                .member(&NewMember { common, role: Reference::Role { name: role.clone(), id: role_id } });
        }
        self.script.end_table(MEMBER_SEQUENCE, first, next);
    }

    fn why_not_principal(&self, principal: &Principal) -> Option<Reason> {
        if !is_short(principal.name()) {
            return Some(("too-long", "the name is too long"));
        }
        if principal.kind() == PrincipalKind::Group && self.settings.authorizer == Authorizer::SqlStandard {
            return Some(("principal", "hive's sql standard mode knows no groups"));
        }
        None
    }

    fn grants(&mut self) {
        let mut by_level: BTreeMap<Level, Vec<NewGrant>> = BTreeMap::new();
        for entry in self.contents.entries.values() {
            for grant in self.entry(entry) {
                by_level.entry(grant.level).or_default().push(grant);
            }
        }
        for (level, mut grants) in by_level {
            grants.sort_by_cached_key(|grant| (grant.object.clone(), grant.key()));
            let rows: Vec<&GrantRow> = self
                .dump
                .map_or(&[][..], |dump| &dump.grants)
                .iter()
                .filter(|row| row.level == level)
                .collect();
            let mut next = self.first_id(level.sequence(), rows.iter().map(|row| row.given.id));
            let first = next;
            let kept = self.kept.map_or(&[][..], |_| &rows).iter().filter(|row| self.is_of_same_mode(row));
            let kept: BTreeSet<GrantKey> = kept.map(|row| existing_key(row)).collect();
            let mut last = None;
            for mut grant in grants {
                let key = (grant.object.clone(), grant.key());
                if kept.contains(&key.1) || last.as_ref() == Some(&key) {
                    continue;
                }
                last = Some(key);
                grant.common.id = next;
                next += 1;
                self.script.grant(&grant);
            }
            self.script.end_table(level.sequence(), first, next);
        }
    }

    /// Is a row one that Hive will mind in the mode that the script is for?
    fn is_of_same_mode(&self, row: &GrantRow) -> bool {
        match (self.settings.authorizer.as_str(), row.authorizer.as_deref()) {
            (Some(ours), Some(theirs)) => ours.eq_ignore_ascii_case(theirs),
            _ => true,
        }
    }

    /// The rows of an entry: one for each privilege.
    fn entry(&mut self, entry: &Entry) -> Vec<NewGrant> {
        let what = format!("{} ({} on {} for {})", entry.id, entry.privileges, entry.scope, entry.principal);
        let object = match self.why_not(entry) {
            Some(reason) => Err(reason),
            None => self.object(&entry.scope),
        };
        let (level, object, column) = match object {
            Ok(object) => object,
            Err((code, reason)) => {
                self.leave_out(code, format!("{what}: {reason}"));
                return Vec::new();
            }
        };
        if entry.purpose.is_some() {
            self.report.push(ReportLine::note("purpose", format!("{what}: its purpose is left out")));
        }
        let (words, unknown) = self.words(entry);
        for privilege in unknown {
            self.leave_out("unknown-privilege", format!("{what}: {privilege}"));
        }
        let common = Common {
            id: 0,
            created_at: entry.created_at,
            option: entry.grant_option,
            grantor: short_grantor(entry.grantor.as_ref()).cloned(),
            principal: entry.principal.clone(),
        };
        let grant = |privilege| NewGrant {
            common: common.clone(),
            level,
            privilege,
            object: object.clone(),
            column: column.clone(),
        };
        words.into_iter().map(grant).collect()
    }

    /// The words of an entry's privileges, and why the others have none.
    fn words(&self, entry: &Entry) -> (Vec<&'static str>, Vec<String>) {
        const SQL_STANDARD: [&str; 4] = ["SELECT", "INSERT", "UPDATE", "DELETE"];
        let (known, unknown) = words(entry.privileges);
        let mut unknown: Vec<String> =
            unknown.into_iter().map(|privilege| format!("hive has no privilege `{privilege}`")).collect();
        if self.settings.authorizer != Authorizer::SqlStandard {
            return (known, unknown);
        }
        if entry.privileges.is_all() {
            return (SQL_STANDARD.to_vec(), unknown);
        }
        let (known, other): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|word| SQL_STANDARD.contains(word));
        unknown.extend(
            other.into_iter().map(|word| format!("hive's sql standard mode has no privilege `{word}`")),
        );
        (known, unknown)
    }

    fn why_not(&self, entry: &Entry) -> Option<Reason> {
        if entry.effect == Effect::Deny {
            return Some(("denial", "hive knows no denials: what it takes away, a grant still gives"));
        }
        if !entry.except.is_empty() {
            return Some(("exception", "hive cannot take principals out again"));
        }
        if !entry.validity.is_always() {
            return Some(("validity", "hive's grants hold for ever"));
        }
        self.why_not_principal(&entry.principal)
    }

    fn object(&self, scope: &Scope) -> Result<(Level, Reference, Option<Name>), Reason> {
        let is_sql_standard = self.settings.authorizer == Authorizer::SqlStandard;
        Ok(match scope {
            Scope::Server if is_sql_standard => {
                return Err(("scope", "hive's sql standard mode has no global grants"));
            }
            Scope::Server => (Level::Global, Reference::Nothing, None),
            Scope::Database(database) => (Level::Database, self.database(literal(database)?)?, None),
            Scope::Table { database, table } => {
                (Level::Table, self.table(literal(database)?, literal(table)?)?, None)
            }
            Scope::Column { .. } if is_sql_standard => {
                return Err(("scope", "hive's sql standard mode has no grants on columns"));
            }
            Scope::Column { database, table, column } => {
                let table = self.table(literal(database)?, literal(table)?)?;
                let column = literal(column)?;
                if column.chars().count() > LONGEST_COLUMN_NAME {
                    return Err(("too-long", "the name of the column is too long"));
                }
                (Level::Column, table, Some(column.clone()))
            }
            Scope::Uri(_) => return Err(("uri", "hive has no privileges on addresses")),
            Scope::Function { .. } => return Err(("function", "hive has no privileges on functions")),
            Scope::Connector(_) => return Err(("connector", "hive has no privileges on connectors")),
            Scope::Tag { .. } => return Err(("tag", "hive has no tags")),
        })
    }

    fn database(&self, name: &Name) -> Result<Reference, Reason> {
        let id = match self.dump {
            None => None,
            Some(_) => Some(*self.names.databases.get(name).ok_or(NO_DATABASE)?),
        };
        Ok(Reference::Database { name: name.clone(), id })
    }

    fn table(&self, database: &Name, table: &Name) -> Result<Reference, Reason> {
        let id = match self.dump {
            None => None,
            Some(_) => {
                let database = *self.names.databases.get(database).ok_or(NO_DATABASE)?;
                let found = self.names.tables.get(&(database, table));
                Some(*found.ok_or(("no-object", "there is no such table in the metastore"))?)
            }
        };
        Ok(Reference::Table { name: TableName::new(database.clone(), table.clone()), id })
    }

    fn owners(&mut self) {
        for ownership in self.contents.owners.values() {
            let (resource, owner) = (&ownership.resource, &ownership.owner);
            let what = format!("{owner} as the owner of `{resource}`");
            let object = match resource {
                Resource::Database(database) => self.database(database),
                Resource::Table(name) => self.table(&name.database, &name.table),
                _ => Err(("owner", "hive has owners of databases and tables only")),
            };
            let is_table = matches!(resource, Resource::Table(_));
            let has_kind = !is_table || self.settings.authorizer != Authorizer::Absent;
            let reason = match &object {
                Err(reason) => Some(*reason),
                Ok(_) if !is_short(owner.name()) => Some(("too-long", "the name is too long")),
                Ok(_) if !has_kind && owner.kind() != PrincipalKind::User => {
                    Some(("owner", "hive before 3.0 has users as owners of tables only"))
                }
                Ok(object) if self.current_owner(object) == Some(owner) => continue,
                Ok(_) => None,
            };
            match (object, reason) {
                (Ok(object), None) => self.script.owner(&NewOwner { object, owner: owner.clone(), has_kind }),
                (_, Some((code, reason))) => self.leave_out(code, format!("{what}: {reason}")),
                (Err(_), None) => {}
            }
        }
    }

    fn current_owner(&self, object: &Reference) -> Option<&Principal> {
        let dump = self.dump?;
        match object {
            Reference::Database { id: Some(id), .. } => dump.databases.get(id)?.owner.as_ref(),
            Reference::Table { id: Some(id), .. } => dump.tables.get(id)?.owner.as_ref(),
            _ => None,
        }
    }

    /// What of the policy is no grant at all.
    fn others(&mut self) {
        for policy in self.contents.data_policies.values() {
            let message =
                format!("the policy `{}` on {}: hive has no filters and masks", policy.name, policy.scope);
            self.leave_out("data-policy", message);
        }
        for tag in self.contents.tags.keys() {
            self.leave_out("tag", format!("the tag `{tag}`: hive has no tags"));
        }
        for (resource, tag) in self.contents.tag_assignments.keys() {
            self.leave_out("tag", format!("the tag `{tag}` on `{resource}`: hive has no tags"));
        }
    }
}

const NO_DATABASE: Reason = ("no-object", "there is no such database in the metastore");

fn literal(pattern: &NamePattern) -> Result<&Name, Reason> {
    pattern.literal().ok_or(("pattern", "hive has no patterns of names"))
}

/// The numbers of what the dump names.
#[derive(Default)]
struct Names<'d> {
    databases: BTreeMap<&'d Name, i64>,
    tables: BTreeMap<(i64, &'d Name), i64>,
}

impl<'d> Names<'d> {
    fn of(dump: &'d Dump) -> Self {
        let in_hive = dump.databases.iter().filter(|(_, row)| row.catalog.eq_ignore_ascii_case(HIVE_CATALOG));
        Self {
            databases: in_hive.map(|(&id, row)| (&row.name, id)).collect(),
            tables: dump.tables.iter().map(|(&id, row)| ((row.database, &row.name), id)).collect(),
        }
    }
}

fn is_short(name: &str) -> bool {
    name.chars().count() <= LONGEST_NAME
}

/// The grantor, where the table has room for the name.
fn short_grantor(grantor: Option<&Principal>) -> Option<&Principal> {
    grantor.filter(|grantor| is_short(grantor.name()))
}

/// What makes two rows of a table of grants the same, but for the authorizer.
pub(crate) type GrantKey = (Option<i64>, Option<Name>, Principal, String, Option<Principal>);

fn existing_key(row: &GrantRow) -> GrantKey {
    (
        row.object,
        row.column.as_deref().map(Name::fold),
        row.given.principal.clone(),
        row.privilege.to_ascii_uppercase(),
        row.given.grantor.clone(),
    )
}
