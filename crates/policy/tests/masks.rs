//! Which of several masks holds for a column.

use guardbee_model::{Name, TableName};
use guardbee_policy::decision::Obligation;
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    Change, DataPolicy, DataRule, GrantOption, Identity, Policy, PolicyState, Privilege, Privileges,
    Resource, Scope, Timestamp, obligations,
};

fn mask(name: &str, scope: Scope) -> Change {
    Change::PutDataPolicy(DataPolicy {
        name: Name::fold(name),
        rule: DataRule::ColumnMask,
        scope,
        expression: name.into(),
        principals: [].into(),
        except: [].into(),
        state: PolicyState::Enabled,
        created_by: None,
        created_at: Timestamp(0),
    })
}

/// The mask of the column itself comes before one of columns that fit, whatever they are called.
#[test]
fn the_column_itself_comes_before_a_pattern() {
    for (exact, pattern) in [("a", "b"), ("b", "a")] {
        let changes =
            [mask(exact, Scope::column("d", "t", "ssn")), mask(pattern, Scope::column("d", "t", "s*"))];
        let policy = Policy::from_changes(changes).expect("a policy");
        let subject = policy.subject(&Identity::of_user("ana"));
        let privileges = Privileges::of(Privilege::Select);
        let requirement = Requirement {
            right: Right::AnyOf { privileges, grant_option: GrantOption::Without },
            resource: Resource::Table(TableName::new(Name::fold("d"), Name::fold("t"))),
            columns: Columns::Named(vec![Name::fold("ssn"), Name::fold("street")]),
            reach: Reach::Around,
            side: Side::Input,
        };
        let found = obligations(&policy, &subject, &[requirement]);
        let named = |column: &str| {
            found.iter().find_map(|one| match one {
                Obligation::Mask { column: of, policy, .. } if of.as_str() == column => Some(policy.as_str()),
                _ => None,
            })
        };
        assert_eq!((named("ssn"), named("street")), (Some(exact), Some(pattern)), "{found:?}");
    }
}
