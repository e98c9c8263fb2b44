//! `guardbee policy show`, `diff` and `history`: what a store holds.

use guardbee_engine::entry_statements;
use guardbee_engine::policy_sql;
use guardbee_engine::store::{At, PolicyVersion};
use guardbee_exchange::json::export_json;
use guardbee_policy::{Effect, Policy, Settings};
use guardbee_questions::policy::{self, PolicyDifferenceQuestion, PolicyVersionsQuestion};

use super::comparison;
use super::plan::by;
use super::remote;
use super::source::{self, LoadedPolicy, NoPolicy, Warehouse};
use crate::arguments::{AnswerFormat, Appearance, Diff, History, Known, Show, ShowFormat, Side};
use crate::client::{self, Client};
use crate::clock;
use crate::exit::Outcome;
use crate::output::{print, say};
use crate::render::grid::grid;
use crate::terminal::{Paint, Style, printable};
use crate::wire;
use crate::wire::policy::{DifferenceDocument, HistoryDocument, VersionLine};

/// Runs `policy show`.
///
/// # Errors
/// What kept it from being done.
pub async fn show(arguments: &Show) -> anyhow::Result<Outcome> {
    match shown(arguments).await {
        Ok(text) => print(&text).map(|()| Outcome::Fine),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn shown(arguments: &Show) -> Result<String, NoPolicy> {
    let style = Style::for_output(arguments.appearance.color);
    let home = &arguments.home;
    let Some(client) = client::service(home.store.store.is_some(), &home.service, arguments.appearance)?
    else {
        let policy = stored(home.store.store.as_deref(), arguments.at).await?.policy;
        return Ok(match arguments.format {
            ShowFormat::Json => export_json(policy.changes()),
            ShowFormat::Table => table(style, &policy),
            ShowFormat::Sql => {
                let sql = policy_sql(&policy);
                say_left_out(sql.left_out.iter().map(|left_out| left_out.message.as_str()));
                sql.text()
            }
        });
    };
    Ok(match arguments.format {
        ShowFormat::Json => remote::json(&client, arguments.at)?,
        ShowFormat::Table => table(style, &remote::policy(&client, arguments.at)?),
        ShowFormat::Sql => {
            let answer = remote::statements(&client, arguments.at)?;
            say_left_out(answer.left_out.iter().map(String::as_str));
            answer.sql()
        }
    })
}

fn say_left_out<'m>(messages: impl Iterator<Item = &'m str>) {
    for message in messages {
        say(&printable(&format!("not in the statements: {message}")));
    }
}

async fn stored(store: Option<&str>, version: Option<u64>) -> Result<LoadedPolicy, NoPolicy> {
    let store = source::open(&source::named_store(store)?).await?;
    source::from_store(&*store, at(version)).await
}

fn at(version: Option<u64>) -> At {
    version.map_or(At::Latest, |version| At::Version(PolicyVersion(version)))
}

fn table(style: Style, policy: &Policy) -> String {
    let mut out = String::new();
    let mut section = |heading: &str, headings: &[&str], rows: Vec<Vec<String>>| {
        if !rows.is_empty() {
            let gap = if out.is_empty() { "" } else { "\n" };
            let heading = style.paint(Paint::Heading, heading);
            out.push_str(&format!("{gap}{heading}\n{}", grid(style, headings, &rows)));
        }
    };
    let settings = policy.settings();
    let settings =
        settings.keys().filter_map(|key| Some(vec![printable(key), printable(&settings.get(key)?)]));
    section("Settings", &["setting", "value"], settings.collect());
    let members = policy.roles().map(|role| {
        let members: Vec<String> =
            policy.members_of(&role.name).map(|membership| membership.member.to_string()).collect();
        vec![printable(&role.name), printable(&members.join(", "))]
    });
    section("Roles", &["role", "members"], members.collect());
    let entries = policy.entries().map(|entry| {
        let statement = entry_statements(policy, std::slice::from_ref(&entry)).join("; ");
        let statement = if statement.is_empty() {
            let verb = if entry.effect == Effect::Grant { "GRANT" } else { "DENY" };
            format!("{verb} {} ON {} TO {}", entry.privileges, entry.scope, entry.principal)
        } else {
            statement
        };
        let grantor = entry.grantor.as_ref().map(ToString::to_string).unwrap_or_default();
        vec![entry.id.0.to_string(), printable(&grantor), clock::of(entry.created_at), printable(&statement)]
    });
    section("Entries", &["id", "by", "at", "statement"], entries.collect());
    let tags = policy.tag_assignments().map(|assignment| {
        let value = assignment.value.as_deref().unwrap_or_default();
        vec![printable(&assignment.tag), printable(value), printable(&assignment.resource.to_string())]
    });
    section("Tags", &["tag", "value", "on"], tags.collect());
    let rules = policy.data_policies().map(|rule| {
        let kind = match rule.rule {
            guardbee_policy::DataRule::RowFilter => "row filter",
            guardbee_policy::DataRule::ColumnMask => "column mask",
        };
        let scope = rule.scope.to_string();
        vec![kind.to_owned(), printable(&rule.name), printable(&scope), printable(&rule.expression)]
    });
    section("Row filters and column masks", &["kind", "name", "on", "expression"], rules.collect());
    out
}

/// Runs `policy diff`.
///
/// # Errors
/// What kept it from being done.
pub async fn diff(arguments: &Diff) -> anyhow::Result<Outcome> {
    match compared(arguments).await {
        Ok(DifferenceDocument { differences, .. }) => {
            print(&comparison::text(Style::for_output(arguments.appearance.color), &differences))?;
            Ok(if differences.is_empty() { Outcome::Fine } else { Outcome::Findings })
        }
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn compared(arguments: &Diff) -> Result<DifferenceDocument, NoPolicy> {
    let needs_store = matches!(
        (&arguments.from, &arguments.to),
        (Side::Version(_), _) | (_, None | Some(Side::Version(_)))
    );
    let home = &arguments.home;
    let client = match needs_store {
        true => client::service(home.store.store.is_some(), &home.service, arguments.appearance)?,
        false => None,
    };
    if let Some(client) = client {
        return compared_by(&client, arguments).await;
    }
    let store = match needs_store {
        true => Some(source::open(&source::named_store(home.store.store.as_deref())?).await?),
        false => None,
    };
    let side = async |side: Option<&Side>, like: Option<&Policy>| match (side, &store) {
        (Some(Side::Files(path)), _) => of_files(path, like, &arguments.known, arguments.appearance).await,
        (Some(Side::Version(version)), Some(store)) => {
            Ok(source::from_store(&**store, at(Some(*version))).await?.policy)
        }
        (_, Some(store)) => Ok(source::from_store(&**store, At::Latest).await?.policy),
        (_, None) => Err(NoPolicy::WrongUse("no store is named".to_owned())),
    };
    let before = side(Some(&arguments.from), None).await?;
    let after = side(arguments.to.as_ref(), Some(&before)).await?;
    Ok(DifferenceDocument::of(&before, &after))
}

/// The same with the versions that a service has.
async fn compared_by(client: &Client, arguments: &Diff) -> Result<DifferenceDocument, NoPolicy> {
    let version = |side: &Side| match side {
        Side::Version(version) => Some(*version),
        Side::Files(_) => None,
    };
    if let (Side::Version(from), None | Some(Side::Version(_))) = (&arguments.from, &arguments.to) {
        let question = PolicyDifferenceQuestion { from: *from, to: arguments.to.as_ref().and_then(version) };
        return Ok(client.get("/api/v1/policy/diff", &question)?);
    }
    let side = async |side: Option<&Side>, like: Option<&Policy>| match side {
        Some(Side::Files(path)) => of_files(path, like, &arguments.known, arguments.appearance).await,
        side => remote::policy(client, side.and_then(version)),
    };
    let before = side(Some(&arguments.from), None).await?;
    let after = side(arguments.to.as_ref(), Some(&before)).await?;
    Ok(DifferenceDocument::of(&before, &after))
}

/// What files state; with the ids and makers that another policy has for what both say.
async fn of_files(
    path: &std::path::Path,
    like: Option<&Policy>,
    known: &Known,
    appearance: Appearance,
) -> Result<Policy, NoPolicy> {
    let warehouse = Warehouse::of(known)?;
    let desired =
        source::from_files(&[path.to_owned()], &Settings::default(), &warehouse, appearance).await?;
    match like {
        Some(like) => Ok(policy::followed(like, &desired, &by(""))?.policy),
        None => Ok(desired),
    }
}

/// Runs `policy history`.
///
/// # Errors
/// What kept it from being done.
pub async fn history(arguments: &History) -> anyhow::Result<Outcome> {
    let document = match versions(arguments).await {
        Ok(document) => document,
        Err(none) => return none.outcome(arguments.appearance),
    };
    let text = match arguments.format {
        AnswerFormat::Json => wire::pretty(&document)? + "\n",
        AnswerFormat::Table => history_text(arguments, &document),
    };
    print(&text).map(|()| Outcome::Fine)
}

async fn versions(arguments: &History) -> Result<HistoryDocument, NoPolicy> {
    let question = PolicyVersionsQuestion { before: arguments.before, limit: arguments.limit };
    let home = &arguments.home;
    if let Some(client) = client::service(home.store.store.is_some(), &home.service, arguments.appearance)? {
        return Ok(remote::versions(&client, &question)?);
    }
    let storage = source::open(&source::named_store(home.store.store.as_deref())?).await?;
    Ok(policy::versions(&*storage, &question).await?)
}

fn history_text(arguments: &History, document: &HistoryDocument) -> String {
    let style = Style::for_output(arguments.appearance.color);
    let versions = &document.versions;
    let Some(last) = versions.last() else {
        return match arguments.before {
            None => "no version yet: the policy is empty\n".to_owned(),
            Some(_) => "no version before that\n".to_owned(),
        };
    };
    let row = |version: &VersionLine| {
        vec![
            version.version.to_string(),
            version.at.clone(),
            printable(&version.author),
            version.changes.to_string(),
            printable(&version.reason),
        ]
    };
    let rows: Vec<Vec<String>> = versions.iter().map(row).collect();
    let mut out = grid(style, &["version", "at", "by", "changes", "reason"], &rows);
    if versions.len() as u64 == u64::from(arguments.limit) && last.version > 1 {
        let more = format!("older ones: --before {}", last.version);
        out.push_str(&format!("{}\n", style.paint(Paint::Dim, &more)));
    }
    out
}
