//! `guardbee policy import` and `export`: coming from elsewhere, and going back.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::difference::addition;
use guardbee_engine::policy_sql;
use guardbee_exchange::json::{export_json, import_json};
use guardbee_exchange::{Exported, Imported, Report, ReportLine, Stamp, Weight};
use guardbee_metastore::{
    Authorizer, Dump, ExistingRows, ExportSettings, Flavour, Target, export_script, read_dump,
};
use guardbee_policy::{Policy, Settings};
use guardbee_questions::policy::followed;
use guardbee_sentry::{DumpError, FileKind, export_policy_file, import_policy_file, import_tables};
use smol_str::SmolStr;

use super::plan::{Asked, Made, author, by, commit, must_keep_administrators};
use super::source::{self, NoPolicy, Warehouse};
use super::{comparison, remote};
use crate::arguments::{Appearance, Export, ExportForm, HiveMode, Import, ImportForm};
use crate::client;
use crate::exit::Outcome;
use crate::input;
use crate::output::{print, say};
use crate::terminal::{Paint, Style, printable};
use crate::wire::policy::Differences;

/// The groups of users, as a source names them.
type UserGroups = BTreeMap<SmolStr, Vec<SmolStr>>;

/// Runs `policy import`.
///
/// # Errors
/// What kept it from being done; nothing has changed then.
pub async fn import(arguments: &Import) -> anyhow::Result<Outcome> {
    match imported(arguments).await {
        Ok(text) => print(&text).map(|()| Outcome::Fine),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn imported(arguments: &Import) -> Result<String, NoPolicy> {
    let author = match arguments.dry_run {
        true => arguments.signature.author.clone().unwrap_or_default(),
        false => author(&arguments.signature)?,
    };
    let location = source::named_store(arguments.store.store.as_deref())?;
    let errors = Style::for_errors(arguments.appearance.color);
    let (policy, groups) = read(arguments, &author, errors).await?;
    let current = source::latest_or_empty(&location).await?;
    let version = current.version.unwrap_or_default();
    let current = current.policy;
    let steps = if arguments.replace || current.changes().next().is_none() {
        current.diff(&policy)
    } else {
        addition(&current, policy.changes())
    };
    let mut next = current.clone();
    for step in &steps {
        next.apply(step.clone()).context("the policy cannot take what is imported")?;
    }
    must_keep_administrators(&current, &next, &arguments.signature)?;
    if let Some(path) = arguments.groups_to.as_deref().filter(|_| !arguments.dry_run) {
        write_groups(path, &groups)?;
    }
    let style = Style::for_output(arguments.appearance.color);
    if arguments.dry_run {
        let comparison = comparison::text(style, &Differences::of(&current, &next));
        return Ok(format!("{comparison}\nnothing was done: {} changes would be made\n", steps.len()));
    }
    // What is read is sound: only now may a store be made.
    let store = source::open_or_make(&location).await?;
    let reason = match arguments.signature.reason.as_str() {
        "" => format!("import {}", labels(&arguments.files)),
        reason => reason.to_owned(),
    };
    let asked = Asked { author, operation: "policy import", reason: &reason, before: &current };
    Ok(match commit(&*store, version, asked, steps).await? {
        Made::Nothing(version) => format!("nothing is new: the policy stays at version {}\n", version.0),
        Made::Version(version, count) => format!("version {} made: {count} changes\n", version.0),
    })
}

fn labels(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The policy that all files make together. What could not be carried over is told.
async fn read(arguments: &Import, author: &str, errors: Style) -> Result<(Policy, UserGroups), NoPolicy> {
    if arguments.from == ImportForm::Sql {
        let settings =
            Settings { default_file_system: (&arguments.default_fs).into(), ..Settings::default() };
        let unknown = Warehouse::unknown();
        let policy = source::from_files(&arguments.files, &settings, &unknown, arguments.appearance).await?;
        return Ok((followed(&Policy::new(), &policy, &by(author))?.policy, BTreeMap::new()));
    }
    let (mut policy, mut groups) = (Policy::new(), BTreeMap::new());
    let mut has_errors = false;
    for file in &arguments.files {
        let stamp = Stamp {
            first_entry: policy.next_entry_id(),
            at: SystemClock.now(),
            author: Some(SmolStr::new(author)),
        };
        match translated(arguments, file, stamp)? {
            Ok(imported) => {
                tell(errors, &imported.report);
                has_errors |= imported.report.has_errors() && arguments.from == ImportForm::Json;
                for step in addition_or_whole(&policy, imported.changes) {
                    policy.apply(step).with_context(|| format!("`{}`", file.display()))?;
                }
                groups.extend(imported.groups);
            }
            Err(report) => {
                tell(errors, &report);
                has_errors = true;
            }
        }
    }
    if has_errors {
        say("nothing was imported");
        return Err(NoPolicy::Told);
    }
    Ok((policy, groups))
}

fn addition_or_whole(policy: &Policy, steps: Vec<guardbee_policy::Change>) -> Vec<guardbee_policy::Change> {
    if policy.changes().next().is_none() { steps } else { addition(policy, steps) }
}

fn translated(arguments: &Import, file: &Path, stamp: Stamp) -> anyhow::Result<Result<Imported, Report>> {
    let label = file.display().to_string();
    let sentry = guardbee_sentry::ImportSettings {
        file: &label,
        server: arguments.server.as_deref(),
        default_file_system: &arguments.default_fs,
        stamp: stamp.clone(),
        ..guardbee_sentry::ImportSettings::default()
    };
    let flavour = match arguments.from {
        ImportForm::HiveMysql => Some(Flavour::MySql),
        ImportForm::HivePostgres => Some(Flavour::PostgreSql),
        ImportForm::HiveDerby => Some(Flavour::Derby),
        _ => None,
    };
    Ok(match arguments.from {
        ImportForm::Sentry => {
            let folder = file.parent().unwrap_or(Path::new(""));
            import_policy_file(&text(file)?, &sentry, |path| beside(folder, path))
        }
        ImportForm::SentryDatabase => of_dump(import_tables(bytes(file)?, None, &sentry), &label)?,
        ImportForm::Json => import_json(&text(file)?, &label, &arguments.default_fs, &stamp),
        ImportForm::Sql => Ok(Imported::default()),
        ImportForm::Hive | ImportForm::HiveMysql | ImportForm::HivePostgres | ImportForm::HiveDerby => {
            let dump = read_dump(bytes(file)?, flavour, &label).map_err(|error| match error {
                guardbee_metastore::DumpError::Input(error) => DumpError::Input(error),
                guardbee_metastore::DumpError::Wrong(report) => DumpError::Wrong(report),
            });
            let settings = guardbee_metastore::ImportSettings { stamp };
            of_dump(dump.map(|dump| dump.import(&settings)), &label)?
        }
    })
}

fn of_dump(read: Result<Imported, DumpError>, label: &str) -> anyhow::Result<Result<Imported, Report>> {
    match read {
        Ok(imported) => Ok(Ok(imported)),
        Err(DumpError::Wrong(report)) => Ok(Err(report)),
        Err(DumpError::Input(error)) => anyhow::bail!("cannot read `{label}`: {}", input::reason(&error)),
    }
}

fn bytes(file: &Path) -> anyhow::Result<Box<dyn Read>> {
    if file.as_os_str() == "-" {
        return Ok(Box::new(io::stdin()));
    }
    let opened = File::open(file)
        .map_err(|error| anyhow::anyhow!("cannot read `{}`: {}", file.display(), input::reason(&error)))?;
    Ok(Box::new(io::BufReader::new(opened)))
}

fn text(file: &Path) -> anyhow::Result<String> {
    let mut bytes_read = Vec::new();
    bytes(file)?.read_to_end(&mut bytes_read).with_context(|| format!("cannot read `{}`", file.display()))?;
    input::strict_text(bytes_read)
        .map_err(|reason| anyhow::anyhow!("cannot read `{}`: {reason}", file.display()))
}

/// The file of a single database: relative paths are meant from the folder of the global one.
fn beside(folder: &Path, path: &str) -> Result<String, String> {
    let path = path.strip_prefix("file://").unwrap_or(path);
    fs::read_to_string(folder.join(path)).map_err(|error| input::reason(&error))
}

fn write_groups(path: &Path, groups: &UserGroups) -> anyhow::Result<()> {
    let mut text = String::from("[users]\n");
    for (user, groups) in groups {
        let groups: Vec<&str> = groups.iter().map(SmolStr::as_str).collect();
        text.push_str(&format!("{user} = {}\n", groups.join(", ")));
    }
    let mut file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))
}

fn tell(style: Style, report: &Report) {
    for line in report.lines() {
        tell_line(style, line);
    }
    if report.left_out() > 0 {
        say(&format!("and {} lines more", report.left_out()));
    }
}

fn tell_line(style: Style, line: &ReportLine) {
    let paint = match line.weight {
        Weight::Note => Paint::Dim,
        Weight::NotCarried => Paint::Warning,
        Weight::Error => Paint::Bad,
    };
    let place = line.place.as_ref().map(|place| format!("{place}  ")).unwrap_or_default();
    let message = printable(&line.message);
    say(&format!(
        "{}{}  {message}  [{}]",
        printable(&place),
        style.paint(paint, line.weight.as_str()),
        line.code
    ));
    if let Some(hint) = &line.hint {
        say(&format!("    {}", printable(hint)));
    }
}

/// Runs `policy export`.
///
/// # Errors
/// What kept it from being done.
pub async fn export(arguments: &Export) -> anyhow::Result<Outcome> {
    match exported(arguments).await {
        Ok(exported) => {
            print(&exported.text)?;
            tell(Style::for_errors(arguments.appearance.color), &exported.report);
            let is_whole = exported.report.heaviest().is_none_or(|heaviest| heaviest == Weight::Note);
            Ok(if is_whole { Outcome::Fine } else { Outcome::Findings })
        }
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn exported(arguments: &Export) -> Result<Exported, NoPolicy> {
    let policy = loaded(arguments, arguments.appearance).await?;
    let changes = policy.changes();
    Ok(match arguments.to {
        ExportForm::Json => Exported { text: export_json(changes), report: Report::default() },
        ExportForm::Sql => {
            let sql = policy_sql(&policy);
            let mut report = Report::default();
            for left in &sql.left_out {
                report.push(ReportLine::not_carried(left.code, left.message.clone()));
            }
            Exported { text: sql.text(), report }
        }
        ExportForm::Sentry => export_policy_file(changes, &BTreeMap::new(), FileKind::Policy),
        ExportForm::SentryTool => export_policy_file(changes, &BTreeMap::new(), FileKind::ConfigTool),
        ExportForm::HiveMysql => script(arguments, &policy, Flavour::MySql)?,
        ExportForm::HivePostgres => script(arguments, &policy, Flavour::PostgreSql)?,
        ExportForm::HiveDerby => script(arguments, &policy, Flavour::Derby)?,
    })
}

async fn loaded(arguments: &Export, appearance: Appearance) -> Result<Policy, NoPolicy> {
    let source = &arguments.source;
    match client::service(source.is_local(), &source.service, appearance)? {
        Some(client) => {
            client::refuse(&[("--rule-book", source.rule_book.is_some())], "it decides by its own")?;
            remote::policy(&client, None)
        }
        None => Ok(source::load(source, &Warehouse::unknown(), appearance).await?.policy),
    }
}

fn script(arguments: &Export, policy: &Policy, flavour: Flavour) -> anyhow::Result<Exported> {
    let dump: Option<Dump> = match &arguments.metastore {
        None => None,
        Some(path) => {
            let read = read_dump(bytes(path)?, Some(flavour), &path.display().to_string());
            Some(read.map_err(|error| anyhow::anyhow!("the dump of the metastore: {error}"))?)
        }
    };
    let settings = ExportSettings {
        flavour,
        authorizer: match arguments.mode {
            HiveMode::SqlStandard => Authorizer::SqlStandard,
            HiveMode::Legacy => Authorizer::Legacy,
            HiveMode::Absent => Authorizer::Absent,
        },
        existing: if arguments.replace { ExistingRows::Replace } else { ExistingRows::Keep },
    };
    let target = dump.as_ref().map_or(Target::Unknown, Target::Dump);
    Ok(export_script(policy.changes(), target, &settings))
}
