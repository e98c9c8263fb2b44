//! May somebody run a statement, and which names do they get to see?

use guardbee_engine::accounts::Permission;
use guardbee_engine::asker::Asker;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::privilege_objects::{ObjectAction, PathPlace, PrivilegeObject, PrivilegeObjects};
use guardbee_engine::{Checked, PolicySnapshot};
use guardbee_model::{Name, Operation, TableName};
use guardbee_policy::{Identity, Visibility};
use guardbee_wire::service::check as wire;
use guardbee_wire::service::check::{
    Basis, BatchAnswer, BatchRequest, CheckAnswer, CheckRequest, ColumnsOf, Detail, LineAnswer, ObjectType,
    ShowFilterAnswer, ShowFilterRequest, TablesOf,
};
use smol_str::{SmolStr, format_smolstr};

use super::question::{ASK_FOR_OTHERS, Asked, wait_for};
use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::lines::in_batch;
use crate::problem::Problem;

const WHO: Access =
    Access::Any(&[Permission::User, Permission::PlugIn, Permission::PolicyEditor, Permission::Auditor]);
/// So many questions are answered before others get their turn.
const TURN: usize = 256;
/// Of a batch.
const MOST_CHECKS: usize = 100_000;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post("/api/v1/check", WHO, check).says("may somebody run a statement?"),
        Endpoint::post("/api/v1/check/batch", WHO, batch).says("may some run these statements?").takes_long(),
        Endpoint::stream::<CheckRequest, _, LineAnswer, _>("/api/v1/check/stream", WHO, one)
            .says("the same for as many statements as there are, a line each"),
        Endpoint::post("/api/v1/show-filter", WHO, show_filter)
            .says("which of these names does somebody get to see?")
            .takes_long(),
    ]
}

async fn check(call: Call, asked: CheckRequest) -> Result<Reply<CheckAnswer>, Problem> {
    one(call, asked).await.map(Reply::of)
}

async fn one(call: Call, asked: CheckRequest) -> Result<CheckAnswer, Problem> {
    wait_for(&call, asked.at_least_version).await?;
    let (answer, record) = Decider::new(&call, &BatchRequest::default()).decide(&asked).await?;
    call.service.trail.note(record).await?;
    Ok(answer)
}

async fn batch(call: Call, asked: BatchRequest) -> Result<Reply<BatchAnswer>, Problem> {
    if asked.checks.len() > MOST_CHECKS {
        let detail = format!("a batch has {MOST_CHECKS} questions at most");
        return Err(Problem::senseless("too-many", detail).with_hint("send them as a stream of lines"));
    }
    let newest = asked.checks.iter().filter_map(|asked| asked.at_least_version).max();
    wait_for(&call, newest).await?;
    let mut decider = Decider::new(&call, &asked);
    let mut answers = Vec::with_capacity(asked.checks.len());
    for checks in asked.checks.chunks(TURN) {
        let mut records = Vec::with_capacity(checks.len());
        for check in checks {
            let answer = decider.decide(check).await.map(|(answer, record)| {
                records.push(record);
                answer
            });
            answers.push(in_batch(answer)?);
        }
        call.service.trail.note_all(records).await?;
        tokio::task::yield_now().await;
    }
    Ok(Reply::of(BatchAnswer { answers }))
}

/// Answers the questions of a call, one after the other.
struct Decider<'c> {
    call: &'c Call,
    /// What holds for questions that say nothing of it.
    defaults: &'c BatchRequest,
    /// Whom the last one was about, where only objects were stated.
    last: Option<(Asked<'c>, Asker<'c>)>,
}

/// What was decided, by which policy about whom, and what the audit log keeps of it.
struct Decided<'d> {
    checked: Checked,
    operation: Option<&'static str>,
    record: AuditRecord,
    policy: &'d PolicySnapshot,
    identity: &'d Identity,
}

impl<'c> Decider<'c> {
    const fn new(call: &'c Call, defaults: &'c BatchRequest) -> Self {
        Self { call, defaults, last: None }
    }

    /// The answer to a question, and what the audit log is to keep of it.
    async fn decide(&mut self, asked: &'c CheckRequest) -> Result<(CheckAnswer, AuditRecord), Problem> {
        let call = self.call;
        call.service.admit_decisions()?;
        let who = self.who(asked);
        let client_address = asked.client_address.as_ref().or(self.defaults.client_address.as_ref());
        let client = client(call, who.user, client_address)?;
        let now = call.service.now();
        let objects = asked.objects.as_ref();
        let objects = objects.map(|objects| privilege_objects(objects, who.database)).transpose()?;
        let (answer, mut record) = match (objects, asked.statement.as_deref()) {
            (Some(objects), None) => {
                let asker = self.asker(who).await?;
                let checked = asker.check(&objects);
                let record = asker.audit_of(&objects, &checked, now);
                let (policy, identity) = (&**asker.policy(), asker.identity());
                let operation = Some(objects.operation.as_str());
                answered(call, asked, Decided { checked, operation, record, policy, identity })
            }
            (objects, Some(statement)) => {
                let session = who.session(call, &ASK_FOR_OTHERS).await?;
                let policy = session.policy();
                let (checked, record) = match &objects {
                    Some(objects) => {
                        let checked = session.check_objects(objects, statement);
                        let record = session.audit_of_objects(objects, statement, &checked, now);
                        (checked, record)
                    }
                    None => {
                        let checked = session.check(statement);
                        let record = session.audit_of(statement, &checked, now);
                        (checked, record)
                    }
                };
                let read = || checked.effects.as_ref().map(|effects| effects.operation);
                let operation = objects.map(|objects| objects.operation).or_else(read);
                let operation = operation.map(Operation::as_str);
                let (policy, identity) = (&*policy, session.identity());
                answered(call, asked, Decided { checked, operation, record, policy, identity })
            }
            (None, None) => {
                let detail = "neither a statement nor its objects are given";
                return Err(Problem::senseless("nothing-asked", detail));
            }
        };
        record.client = client;
        Ok((answer, record))
    }

    /// Whom a question is about, and where they are.
    fn who(&self, asked: &'c CheckRequest) -> Asked<'c> {
        let is_stated = asked.user.is_some() || asked.groups.is_some() || asked.roles.is_some();
        let (user, groups, roles) = match is_stated {
            true => (&asked.user, &asked.groups, &asked.roles),
            false => (&self.defaults.user, &self.defaults.groups, &self.defaults.roles),
        };
        Asked {
            user: user.as_deref(),
            groups: groups.as_deref(),
            roles: roles.as_deref(),
            database: asked.database.as_deref().or(self.defaults.database.as_deref()),
        }
    }

    /// The same, as the policy of this moment knows them.
    async fn asker(&mut self, who: Asked<'c>) -> Result<&Asker<'c>, Problem> {
        let is_same = |(last, asker): &(Asked<'_>, Asker<'_>)| last.is_about(who) && asker.is_current();
        let known = match self.last.take().filter(is_same) {
            Some(known) => known,
            None => {
                let identity = who.identity(self.call, &ASK_FOR_OTHERS).await?;
                (who, self.call.service.engine.asker(identity))
            }
        };
        Ok(&self.last.insert(known).1)
    }
}

fn answered(call: &Call, asked: &CheckRequest, decided: Decided<'_>) -> (CheckAnswer, AuditRecord) {
    let Decided { checked, operation, record, policy, identity } = decided;
    call.service.metrics.decisions.count(checked.outcome);
    let basis = Basis {
        policy: &policy.policy,
        version: policy.version,
        identity,
        now: record.at,
        stale_for_ms: call.service.contact.lost_for_ms().unwrap_or_default(),
        detail: if asked.explain { Detail::Reasons } else { Detail::Outcome },
    };
    (CheckAnswer::of(&checked, operation, basis), record)
}

/// Where a question comes from. Only plug-ins say so for their users; whoever else asks for somebody is named, so that the
/// log does not have that somebody ask.
fn client(call: &Call, user: Option<&str>, stated: Option<&SmolStr>) -> Result<Option<SmolStr>, Problem> {
    let own = call.client();
    if call.caller.has(Permission::PlugIn) {
        return Ok(stated.cloned().or(own));
    }
    if stated.is_some() {
        return Err(Problem::not_permitted("only plug-ins say where somebody asks from")
            .with_hint("leave out `client_address`"));
    }
    if user.is_none_or(|user| user == call.caller.name) {
        return Ok(own);
    }
    Ok(Some(format_smolstr!("`{}` at {}", call.caller.name, own.unwrap_or_default())))
}

fn privilege_objects(
    asked: &wire::PrivilegeObjects,
    database: Option<&str>,
) -> Result<PrivilegeObjects, Problem> {
    let operation = Operation::named(&asked.operation).ok_or_else(|| {
        let detail = format!("there is no operation `{}`", asked.operation);
        Problem::senseless("unknown-operation", detail)
            .with_hint("it is one of Hive's operation types, such as `QUERY`")
    })?;
    let database = database.map_or(Name::from_static("default"), Name::fold);
    let object = |object: &wire::PrivilegeObject| privilege_object(object);
    Ok(PrivilegeObjects {
        operation,
        database,
        inputs: asked.inputs.iter().map(object).collect::<Result<_, _>>()?,
        outputs: asked.outputs.iter().map(object).collect::<Result<_, _>>()?,
    })
}

fn privilege_object(asked: &wire::PrivilegeObject) -> Result<PrivilegeObject, Problem> {
    let needed = |what: Option<&SmolStr>, field: &str| {
        what.cloned().ok_or_else(|| {
            let detail = format!("an object of type `{}` needs `{field}`", type_name(asked.object_type));
            Problem::senseless("incomplete-object", detail)
        })
    };
    let name = || needed(asked.name.as_ref(), "name");
    let database = || needed(asked.database.as_ref(), "database").map(|name| Name::fold(&name));
    let action = match asked.action {
        wire::ObjectAction::Other => ObjectAction::Other,
        wire::ObjectAction::Insert => ObjectAction::Insert,
        wire::ObjectAction::InsertOverwrite => ObjectAction::InsertOverwrite,
        wire::ObjectAction::Update => ObjectAction::Update,
        wire::ObjectAction::Delete => ObjectAction::Delete,
    };
    let path = |path: SmolStr, place| PrivilegeObject::Path { path: path.into(), place, action };
    Ok(match asked.object_type {
        ObjectType::Database => PrivilegeObject::Database(database()?),
        ObjectType::TableOrView => PrivilegeObject::Table {
            table: TableName::new(database()?, Name::fold(&name()?)),
            columns: asked.columns.iter().map(|name| Name::fold(name)).collect(),
            action,
        },
        ObjectType::Function => PrivilegeObject::Function {
            database: asked.database.as_deref().map(Name::fold),
            name: Name::fold(&name()?),
        },
        ObjectType::DfsUri => path(name()?, PathPlace::Warehouse),
        ObjectType::LocalUri => path(name()?, PathPlace::Local),
        ObjectType::CommandParams => {
            PrivilegeObject::Command(name()?.split_whitespace().map(str::to_owned).collect())
        }
        ObjectType::DataConnector => PrivilegeObject::DataConnector(Name::fold(&name()?)),
        ObjectType::ServiceName => PrivilegeObject::Service(Name::fold(&name()?)),
    })
}

const fn type_name(object_type: ObjectType) -> &'static str {
    match object_type {
        ObjectType::Database => "DATABASE",
        ObjectType::TableOrView => "TABLE_OR_VIEW",
        ObjectType::Function => "FUNCTION",
        ObjectType::DfsUri => "DFS_URI",
        ObjectType::LocalUri => "LOCAL_URI",
        ObjectType::CommandParams => "COMMAND_PARAMS",
        ObjectType::DataConnector => "DATA_CONNECTOR",
        ObjectType::ServiceName => "SERVICE_NAME",
    }
}

async fn show_filter(call: Call, asked: ShowFilterRequest) -> Result<Reply<ShowFilterAnswer>, Problem> {
    call.service.admit_decisions()?;
    let who = Asked {
        user: asked.user.as_deref(),
        groups: asked.groups.as_deref(),
        roles: asked.roles.as_deref(),
        database: None,
    };
    let identity = who.identity(&call, &ASK_FOR_OTHERS).await?;
    let snapshot = call.service.engine.policy();
    let subject = snapshot.policy.subject(&identity);
    let visibility = Visibility::new(&snapshot.policy, &subject, call.service.now());
    let tables = asked.tables.into_iter().map(|TablesOf { database, names }| {
        let home = Name::fold(&database);
        TablesOf { names: seen(names, |names| visibility.tables(&home, names)), database }
    });
    let columns = asked.columns.into_iter().map(|ColumnsOf { database, table, names }| {
        let home = TableName::new(Name::fold(&database), Name::fold(&table));
        ColumnsOf { names: seen(names, |names| visibility.columns(&home, names)), database, table }
    });
    let answer = ShowFilterAnswer {
        policy_version: snapshot.version.0,
        tables: tables.collect(),
        columns: columns.collect(),
        databases: seen(asked.databases, |names| visibility.databases(names)),
    };
    Ok(Reply::of(answer))
}

/// Those of some names that pass, as they were written.
fn seen<'v>(names: Vec<SmolStr>, pass: impl for<'n> Fn(&'n [Name]) -> Vec<&'n Name>) -> Vec<SmolStr> {
    let folded: Vec<Name> = names.iter().map(|name| Name::fold(name)).collect();
    let mut passed = pass(&folded).into_iter().peekable();
    let mut kept = Vec::new();
    for (name, folded) in names.into_iter().zip(&folded) {
        if passed.peek().is_some_and(|passed| std::ptr::eq(*passed, folded)) {
            passed.next();
            kept.push(name);
        }
    }
    kept
}
