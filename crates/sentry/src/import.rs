//! From the policy file to the steps that build a policy.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use guardbee_exchange::{EntryIds, Imported, Place, Report, ReportLine, Stamp, Weight};
use guardbee_policy::{Change, Effect, Entry, GrantOption, Membership, Policy, Principal, Role, Validity};
use smol_str::SmolStr;

use crate::ini::{Ini, Pair, Problem, ProblemKind, Section};
use crate::privilege::{Fault, Meaning, Parts, Remark, SentryPrivilege};
use crate::role_names::{WrittenRole, names};

/// How a policy file is read.
#[derive(Debug, Clone)]
pub struct ImportSettings<'a> {
    /// The file's name, for the report.
    pub file: &'a str,
    /// `sentry.hive.server`: the server that every privilege must name. Where it is not known, the first one
    /// that the file names.
    pub server: Option<&'a str>,
    /// `fs.defaultFS`: what addresses without a scheme or authority belong to.
    pub default_file_system: &'a str,
    pub uris_in_database_files: UrisInDatabaseFiles,
    pub stamp: Stamp,
}

impl Default for ImportSettings<'_> {
    fn default() -> Self {
        Self {
            file: "policy.ini",
            server: None,
            default_file_system: "hdfs://nn1:8020",
            uris_in_database_files: UrisInDatabaseFiles::Refuse,
            stamp: Stamp::default(),
        }
    }
}

/// `sentry.allow.uri.db.policyfile`: may the file of a single database name addresses?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UrisInDatabaseFiles {
    #[default]
    Refuse,
    Allow,
}

/// Reads a policy file, and by `read_file` the files of single databases that it names. Their paths are handed
/// over as they are written: relative ones are meant from the folder of the global file.
///
/// The steps hold roles, memberships, grants and the server's name. As Sentry does, a file of a database with
/// anything wrong is left out as a whole; the report says so, and the rest is read.
///
/// # Errors
/// The report, with all that is wrong, where the global file cannot be taken: nothing of it is to be applied.
pub fn import_policy_file(
    text: &str,
    settings: &ImportSettings<'_>,
    mut read_file: impl FnMut(&str) -> Result<String, String>,
) -> Result<Imported, Report> {
    let mut report = Report::default();
    let mut server = settings.server.map(SmolStr::new);
    let ini = Ini::parse(text);
    let mut reader = FileReader {
        settings,
        file: Arc::from(settings.file),
        database: None,
        server: &mut server,
        report: &mut report,
    };
    let global = reader.global_file(&ini);
    let groups = reader.users(&ini);
    let refused = report.has_errors();
    let mut files = vec![global];
    for pair in pairs(&ini, "databases") {
        let path = &pair.value;
        let (line, column) = pair.key_place();
        let place = Place { file: Arc::from(settings.file), line, column: Some(column) };
        let skipped = |why: String| {
            ReportLine::error(
                "database-file-left-out",
                format!("the file `{path}` of `{}` is left out: {why}", pair.key),
            )
            .at(place)
        };
        let text = match read_file(path) {
            Ok(text) => text,
            Err(why) => {
                report.push(skipped(why));
                continue;
            }
        };
        let mut file_report = Report::default();
        let mut reader = FileReader {
            settings,
            file: Arc::from(&**path),
            database: Some(SmolStr::new(pair.key.to_lowercase())),
            server: &mut server,
            report: &mut file_report,
        };
        let file = reader.database_file(&Ini::parse(&text));
        let errors = file_report.lines().iter().filter(|line| line.weight == Weight::Error).count();
        report.append(file_report);
        if errors > 0 {
            report.push(skipped(format!("{errors} errors in it")));
        } else {
            files.push(file);
        }
    }
    if refused {
        report.sort_by_place();
        return Err(report);
    }
    let changes = build(&files, server, &settings.stamp, &mut report);
    report.sort_by_place();
    if let Err(error) = Policy::from_changes(changes.iter().cloned()) {
        report.push(ReportLine::error(error.code(), error.to_string()));
        return Err(report);
    }
    Ok(Imported { changes, groups, report })
}

fn pairs<'i>(ini: &'i Ini, section: &str) -> impl Iterator<Item = &'i Pair> {
    ini.section(section).into_iter().flat_map(|section| &section.pairs)
}

/// What one file grants.
#[derive(Debug, Default)]
struct PolicyFile {
    database: Option<SmolStr>,
    file: Arc<str>,
    roles: Vec<FileRole>,
}

#[derive(Debug)]
struct FileRole {
    name: String,
    place: (u64, u32),
    privileges: BTreeSet<SentryPrivilege>,
    holders: BTreeSet<Principal>,
}

struct FileReader<'r, 's> {
    settings: &'r ImportSettings<'s>,
    file: Arc<str>,
    /// The only database that the file may speak of; none: the global file.
    database: Option<SmolStr>,
    server: &'r mut Option<SmolStr>,
    report: &'r mut Report,
}

const KNOWN_SECTIONS: [&str; 5] = ["users", "groups", "roles", "databases", "userroles"];

impl FileReader<'_, '_> {
    fn push(&mut self, (line, column): (u64, u32), report_line: ReportLine) {
        let place = Place { file: self.file.clone(), line, column: Some(column) };
        self.report.push(report_line.at(place));
    }

    fn global_file(&mut self, ini: &Ini) -> PolicyFile {
        self.text(ini);
        // With `[databases]` alone Sentry takes what the files of the databases say.
        if ini.section("databases").is_none()
            || ini.section("groups").is_some()
            || ini.section("roles").is_some()
        {
            self.required_sections(ini);
        }
        self.grants(ini)
    }

    fn database_file(&mut self, ini: &Ini) -> PolicyFile {
        self.text(ini);
        for name in ["users", "databases", "userroles"] {
            if let Some(section) = ini.section(name) {
                let line = ReportLine::error(
                    "section-not-allowed",
                    format!("the file of a database cannot have a section `[{name}]`"),
                );
                self.push((section.line, 1), line.with_hint("put it into the global file"));
            }
        }
        self.required_sections(ini);
        self.grants(ini)
    }

    fn required_sections(&mut self, ini: &Ini) {
        // The files of the config tool may give roles to users alone.
        let has_users = ini.section("userroles").is_some();
        for name in ["groups", "roles"] {
            if ini.section(name).is_none() && !(has_users && name == "groups") {
                let line =
                    ReportLine::error("no-section", format!("the section `[{name}]` is missing or empty"));
                self.push((1, 1), line);
            }
        }
    }

    fn text(&mut self, ini: &Ini) {
        for problem in &ini.problems {
            self.push((problem.line, problem.column), describe(problem));
        }
        for Section { name, line, .. } in ini.sections() {
            if KNOWN_SECTIONS.contains(&name.as_str()) {
                continue;
            }
            let report_line =
                ReportLine::note("unknown-section", format!("nobody reads the section `[{name}]`"));
            let meant = KNOWN_SECTIONS.iter().find(|known| known.eq_ignore_ascii_case(name));
            let report_line = match meant {
                Some(known) => report_line.with_hint(format!("sections keep their case: `[{known}]`")),
                None => report_line,
            };
            self.push((*line, 1), report_line);
        }
    }

    fn users(&mut self, ini: &Ini) -> BTreeMap<SmolStr, Vec<SmolStr>> {
        pairs(ini, "users")
            .map(|pair| {
                let groups: BTreeSet<&str> = pair.items().map(|(_, group)| group).collect();
                (SmolStr::new(&pair.key), groups.into_iter().map(SmolStr::new).collect())
            })
            .collect()
    }

    fn grants(&mut self, ini: &Ini) -> PolicyFile {
        let mut roles: BTreeMap<&str, FileRole> = BTreeMap::new();
        for pair in pairs(ini, "roles") {
            let privileges = self.privileges(pair);
            let place = pair.key_place();
            let role = FileRole { name: pair.key.clone(), place, privileges, holders: BTreeSet::new() };
            roles.insert(&pair.key, role);
        }
        for pair in pairs(ini, "groups") {
            self.holder(pair, &Principal::group(&pair.key), &mut roles);
        }
        for pair in pairs(ini, "userroles") {
            self.holder(pair, &Principal::user(&pair.key), &mut roles);
        }
        let roles = roles.into_values().collect();
        PolicyFile { database: self.database.clone(), file: self.file.clone(), roles }
    }

    fn holder(&mut self, pair: &Pair, holder: &Principal, roles: &mut BTreeMap<&str, FileRole>) {
        for (at, name) in pair.items() {
            match roles.get_mut(name) {
                Some(role) => {
                    role.holders.insert(holder.clone());
                }
                None => {
                    let line = ReportLine::note(
                        "unknown-role",
                        format!("the role `{name}` of {holder} is not in the section `[roles]`"),
                    );
                    self.push(pair.value_place(at), line);
                }
            }
        }
    }

    fn privileges(&mut self, pair: &Pair) -> BTreeSet<SentryPrivilege> {
        let mut privileges = BTreeSet::new();
        for (at, text) in pair.items() {
            match self.privilege(text) {
                Ok(Meaning::Granted(privilege, remark)) => {
                    if let Some(remark) = remark {
                        self.push(pair.value_place(at), describe_remark(remark, text));
                    }
                    privileges.insert(privilege);
                }
                Ok(Meaning::GrantsNothing(fault)) => {
                    let line = ReportLine::not_carried(fault.code, format!("in `{text}`: {}", fault.message));
                    self.push(pair.value_place(at + fault.at), with_hint(line, fault.hint));
                }
                Err(fault) => {
                    let line = ReportLine::error(fault.code, format!("in `{text}`: {}", fault.message));
                    self.push(pair.value_place(at + fault.at), with_hint(line, fault.hint));
                }
            }
        }
        privileges
    }

    fn privilege(&mut self, text: &str) -> Result<Meaning, Fault> {
        let parts = Parts::cut(text)?;
        let meaning = parts.meaning(self.settings.default_file_system)?;
        self.check_server(&parts)?;
        self.check_database(&parts)?;
        Ok(meaning)
    }

    fn check_server(&mut self, parts: &Parts<'_>) -> Result<(), Fault> {
        let Some(part) = parts.server else { return Ok(()) };
        let expected = self.server.get_or_insert_with(|| SmolStr::new(part.value));
        if expected.eq_ignore_ascii_case(part.value) {
            return Ok(());
        }
        let message = format!("the server is `{expected}`, not `{}`", part.value);
        Err(Fault { at: part.at, code: "wrong-server", message, hint: None })
    }

    fn check_database(&self, parts: &Parts<'_>) -> Result<(), Fault> {
        let Some(own) = &self.database else { return Ok(()) };
        let fault = |at, code, message| Err(Fault { at, code, message, hint: None });
        match (parts.database, parts.uri) {
            (Some(database), _) if !own.eq_ignore_ascii_case(database.value) => {
                let message =
                    format!("the file may speak of the database `{own}` only, not of `{}`", database.value);
                fault(database.at, "wrong-database", message)
            }
            (Some(_), _) => Ok(()),
            (None, Some(_)) if self.settings.uris_in_database_files == UrisInDatabaseFiles::Allow => Ok(()),
            (None, Some(uri)) => fault(
                uri.at,
                "uri-in-database-file",
                "the file of a database may name no addresses".to_owned(),
            ),
            (None, None) => fault(
                0,
                "no-database",
                format!("the file may speak of the database `{own}` only, not of the server"),
            ),
        }
    }
}

fn with_hint(line: ReportLine, hint: Option<&str>) -> ReportLine {
    match hint {
        Some(hint) => line.with_hint(hint),
        None => line,
    }
}

fn describe(problem: &Problem) -> ReportLine {
    let text = &problem.text;
    match problem.kind {
        ProblemKind::NoValue => ReportLine::error("no-value", format!("`{text}` is no key with a value"))
            .with_hint("write `key = value`"),
        ProblemKind::OutsideSection => ReportLine::note(
            "outside-section",
            format!("nobody reads `{text}`: it stands before the first section"),
        ),
        ProblemKind::Unfinished => ReportLine::note(
            "unfinished-line",
            format!("nobody reads `{text}`: it goes on, and the section ends"),
        )
        .with_hint("take the backslash away"),
        ProblemKind::ControlCharacter => {
            ReportLine::error("control-character", "there is a control character")
        }
        ProblemKind::RepeatedSection => ReportLine::note(
            "repeated-section",
            format!("`[{text}]` is there twice; only the last one counts"),
        ),
        ProblemKind::RepeatedKey => {
            ReportLine::note("repeated-key", format!("`{text}` is there twice; only the last one counts"))
        }
    }
}

fn describe_remark(remark: Remark, text: &str) -> ReportLine {
    match remark {
        Remark::EveryDatabase => ReportLine::note(
            "every-database",
            format!("`{text}` is carried over as a grant on every database"),
        )
        .with_hint("sentry also lets it create databases; grant on the server if that is wanted"),
        Remark::ActionOnUri => ReportLine::note(
            "action-on-uri",
            format!("`{text}`: on an address sentry takes any action as all of them"),
        ),
    }
}

fn build(files: &[PolicyFile], server: Option<SmolStr>, stamp: &Stamp, report: &mut Report) -> Vec<Change> {
    let written: Vec<WrittenRole<'_>> = files
        .iter()
        .flat_map(|file| {
            file.roles.iter().map(|role| WrittenRole {
                name: &role.name,
                database: file.database.as_deref(),
                holders: &role.holders,
            })
        })
        .collect();
    let mut merged: BTreeMap<_, (BTreeSet<&SentryPrivilege>, BTreeSet<&Principal>)> = BTreeMap::new();
    let roles = files.iter().flat_map(|file| file.roles.iter().map(move |role| (file, role)));
    for ((file, role), name) in roles.zip(names(&written)) {
        if name != guardbee_model::Name::fold(&role.name) {
            let (line, column) = role.place;
            let place = Place { file: file.file.clone(), line, column: Some(column) };
            let message = format!("the role `{}` is called `{name}` here", role.name);
            let line = ReportLine::note("role-renamed", message).at(place);
            report.push(line.with_hint("the name is taken, or other principals hold a role of that name"));
        }
        let (privileges, holders) = merged.entry(name).or_default();
        privileges.extend(&role.privileges);
        holders.extend(&role.holders);
    }
    let mut changes = Vec::new();
    changes.extend(server.map(|value| Change::PutSetting { key: "server".into(), value }));
    let mut ids = EntryIds::from(stamp.first_entry);
    let grantor = stamp.author.as_ref().map(Principal::user);
    for name in merged.keys() {
        let role = Role { name: name.clone(), created_by: stamp.author.clone(), created_at: stamp.at };
        changes.push(Change::PutRole(role));
    }
    for (name, (_, holders)) in &merged {
        changes.extend(holders.iter().map(|&member| {
            Change::PutMembership(Membership {
                role: name.clone(),
                member: member.clone(),
                admin_option: GrantOption::Without,
                grantor: grantor.clone(),
                created_at: stamp.at,
            })
        }));
    }
    for (name, (privileges, _)) in &merged {
        changes.extend(privileges.iter().map(|privilege| {
            Change::PutEntry(Entry {
                id: ids.next_id(),
                effect: Effect::Grant,
                principal: Principal::Role(name.clone()),
                except: Arc::from([]),
                privileges: privilege.privileges,
                scope: privilege.scope.clone(),
                grant_option: privilege.grant_option,
                grantor: grantor.clone(),
                created_at: stamp.at,
                validity: Validity::ALWAYS,
                purpose: None,
            })
        }));
    }
    changes
}
