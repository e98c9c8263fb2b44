//! What Hive still refuses where nobody has set authorization up: operations that need an administrator, and
//! files of the server's own machine. Guardbee has no such rule book; this is only for the replay.

use guardbee_engine::{Checked, Session};
use guardbee_hiveql::parser::parse_statement;
use guardbee_hiveql::tree::{Arena, Locality, Statement};
use guardbee_model::Operation;
use guardbee_policy::Resource;
use guardbee_policy::requirement::Right;

/// Is it refused to whoever does not administer?
pub(super) fn refuses(session: &Session, sql: &str, checked: &Checked) -> bool {
    let operation = checked.effects.as_ref().map(|effects| effects.operation);
    match operation {
        // The other commands of clients are let through.
        Some(Operation::DeleteResource) => false,
        _ => needs_administrator(checked) || loads_local_file(session, sql),
    }
}

/// Operations that need an administrator whatever they touch.
fn needs_administrator(checked: &Checked) -> bool {
    checked
        .requirements
        .iter()
        .any(|needed| needed.right == Right::Administration && needed.resource == Resource::Server)
}

fn loads_local_file(session: &Session, sql: &str) -> bool {
    let arena = Arena::new();
    let text = session.state().substituted(sql);
    let statement = parse_statement(&arena, &text, session.state().settings().parser);
    matches!(statement, Ok(Statement::Load(load)) if load.local == Locality::Local)
}
