//! Objects as SQL names them behind `ON`: `hr.emp`, `COLUMN hr.emp.ssn`, `DATABASE hr`, `URI '/in'`, `SERVER`.

use guardbee_analysis::{Catalog, Session as AnalysisSession};
use guardbee_hiveql::parser::parse_statement;
use guardbee_hiveql::tree::{Arena, Show, Statement};
use guardbee_model::HiveVersion;
use guardbee_policy::{Identity, Policy, Resource, Timestamp};

use crate::administration::{self, Authority, Context, Refusal};
use crate::engine::Completeness;
use crate::groups::FixedGroups;
use crate::outcome::Problem;

/// The one object that a text names. Names without a database are in `default`; three parts name a column.
///
/// # Errors
/// [`Problem`] where the text names none, or more than one.
pub fn named_object(policy: &Policy, text: &str) -> Result<Resource, Problem> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("server") {
        return Ok(Resource::Server);
    }
    let is_column = !text.contains(char::is_whitespace) && text.split('.').count() == 3;
    let statement =
        if is_column { format!("SHOW TAGS ON COLUMN {text}") } else { format!("SHOW TAGS ON {text}") };
    let state = AnalysisSession::new(Catalog::new(), HiveVersion::default());
    let arena = Arena::new();
    let hint =
        "such as `hr.emp`, `hr.emp.ssn`, `DATABASE hr`, `URI 'hdfs://nn/in'`, `FUNCTION hr.f` or `SERVER`";
    let unreadable = || Problem::new("malformed-object", format!("`{text}` names no object")).with_hint(hint);
    let Ok(Statement::Show(Show::Tags(Some(object)))) =
        parse_statement(&arena, &statement, state.settings().parser)
    else {
        return Err(unreadable());
    };
    let identity = Identity::of_user("");
    let groups = FixedGroups::default();
    let context = Context {
        policy,
        catalog: state.catalog(),
        completeness: Completeness::Partial,
        hive_version: HiveVersion::default(),
        database: state.database(),
        identity: &identity,
        subject: &policy.subject(&identity),
        groups: &groups,
        now: Timestamp::default(),
        authority: Authority::Given,
    };
    administration::resource(context, object).map_err(|refusal| match refusal {
        // What it names is several things.
        Refusal::Error(problem) if problem.code == "unsupported-object" => unreadable(),
        Refusal::Error(problem) | Refusal::Denied { problem, .. } => problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> String {
        match named_object(&Policy::new(), text) {
            Ok(resource) => format!("{resource:?}"),
            Err(problem) => problem.code.to_owned(),
        }
    }

    #[test]
    fn every_kind_of_object_can_be_named() {
        assert!(named("HR.Emp").starts_with("Table("), "{}", named("HR.Emp"));
        assert_eq!(named("hr.emp.ssn"), named("COLUMN hr.emp.SSN"));
        assert_eq!(named("emp"), named("TABLE default.emp"));
        assert!(named("DATABASE hr").starts_with("Database("));
        assert!(named("uri 'hdfs://nn/in/'").starts_with("Uri("));
        assert!(named("FUNCTION hr.f").starts_with("Function"));
        assert_eq!(named(" server "), "Server");
        assert_eq!(named("SERVER server1"), "Server");
    }

    #[test]
    fn what_names_no_single_object_is_told() {
        for text in ["", "hr.emp; DROP TABLE x", "a.b.c.d", "TAG pii", "DATABASE", "*.*"] {
            let code = named(text);
            assert!(!code.contains('('), "`{text}` is {code}");
        }
    }
}
