//! Random administration by random people: what must hold whatever they do.

use std::collections::HashSet;
use std::sync::Arc;

use guardbee_engine::{Engine, EngineOptions, Outcome};
use guardbee_policy::{
    ActiveRoles, BookName, Change, GrantOption, Identity, Membership, Policy, Principal, Timestamp,
};

const STATEMENTS: usize = 1500;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// A small generator of its own, so that a failure comes again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below a small bound")
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

fn statement(random: &mut Random) -> String {
    let roles = ["r1", "r2", "r3", "nobody", "public", "admin"];
    let role = random.pick(&roles);
    let principal = random.pick(&["USER ana", "USER bob", "GROUP g", "ROLE r1", "ROLE r2", "ROLE nobody"]);
    let privilege =
        random.pick(&["SELECT", "INSERT", "ALL", "DROP", "CREATE", "SELECT (i)", "SUPER", "UPDATE"]);
    let object = random.pick(&[
        "TABLE db.t",
        "DATABASE db",
        "SERVER server1",
        "URI '/x'",
        "*.*",
        "TABLE db.nothing",
        "TAG pii",
        "db.*",
    ]);
    let option = random.pick(&["", "", " WITH GRANT OPTION"]);
    match random.below(14) {
        0 => format!("CREATE ROLE {role}"),
        1 if random.below(4) == 0 => format!("DROP ROLE {role}"),
        2 => format!("GRANT ROLE {role} TO {principal}"),
        3 => format!("GRANT ROLE {role} TO {principal} WITH ADMIN OPTION"),
        4 => format!("REVOKE ROLE {role} FROM {principal}"),
        5..=7 => format!("GRANT {privilege} ON {object} TO {principal}{option}"),
        8 => format!("REVOKE {privilege} ON {object} FROM {principal}"),
        9 => format!("REVOKE GRANT OPTION FOR {privilege} ON {object} FROM {principal}"),
        10 => format!("DENY {privilege} ON {object} FROM {principal}"),
        11 => format!("REVOKE DENY {privilege} ON {object} FROM {principal}"),
        12 => random
            .pick(&["CREATE TAG pii", "SET TAG pii ON TABLE db.t", "UNSET TAG pii ON TABLE db.t"])
            .into(),
        _ => random.pick(&["SHOW GRANT", "SHOW ROLES", "SHOW CURRENT ROLES", "SHOW GRANT ROLE r1"]).into(),
    }
}

async fn engine(book: BookName) -> Arc<Engine> {
    let root = Membership {
        role: "admin".into(),
        member: Principal::user("root"),
        admin_option: GrantOption::With,
        grantor: None,
        created_at: Timestamp(0),
    };
    let book = Change::PutSetting { key: "rule_book".into(), value: book.as_str().into() };
    let policy = Policy::from_changes([book, Change::PutMembership(root)]).unwrap();
    let engine = Engine::new(policy, EngineOptions::default());
    let catalog = "CREATE DATABASE db; CREATE TABLE db.t (i INT);";
    assert!(engine.define(catalog).await.unwrap().is_empty());
    engine
}

/// May somebody change anything at all, by what the policy says of them?
fn has_power(policy: &Policy, identity: &Identity) -> bool {
    let everything = Identity { roles: ActiveRoles::All, ..identity.clone() };
    let subject = policy.subject(&everything);
    let is_administrator =
        policy.subject(&Identity { roles: ActiveRoles::Only(vec!["admin".into()]), ..everything });
    is_administrator.is_administrator()
        || policy.entries().any(|entry| {
            let passes_on =
                entry.grant_option.is_with() || entry.privileges.contains(guardbee_policy::Privilege::Super);
            passes_on && subject.is(&entry.principal)
        })
        || policy
            .memberships()
            .any(|membership| membership.admin_option.is_with() && subject.is(&membership.member))
}

fn has_twins(policy: &Policy, by_grantor: bool) -> bool {
    let mut seen = HashSet::new();
    policy.entries().any(|entry| {
        let grantor = by_grantor.then(|| entry.grantor.clone());
        let option = entry.grant_option;
        !seen.insert((
            entry.effect,
            entry.principal,
            entry.except,
            entry.privileges,
            entry.scope,
            option,
            grantor,
        ))
    })
}

#[tokio::test(flavor = "current_thread")]
async fn what_must_hold_holds() {
    for book in BookName::ALL {
        let engine = engine(book).await;
        let mut random = Random(SEED);
        let mut changed = 0;
        for _ in 0..STATEMENTS {
            let user = random.pick(&["root", "root", "ana", "bob", "cy"]);
            let groups = if user == "bob" { vec!["g".into()] } else { Vec::new() };
            let roles = match (user, random.below(4)) {
                ("root", _) => ActiveRoles::Only(vec!["admin".into()]),
                (_, 0) => ActiveRoles::None,
                _ => ActiveRoles::All,
            };
            let identity = Identity { user: user.into(), groups, roles };
            let text = statement(&mut random);
            let before = engine.policy();
            let said = engine.session(identity.clone()).check(&text);
            let done = engine.session(identity.clone()).execute(&text).await;
            let after = engine.policy();
            let label = format!("{} {user}: {text}: {:?}", book.as_str(), done.checked.problem);

            assert_eq!(said.outcome, done.checked.outcome, "a check says what will be: {label}");
            if done.checked.outcome != Outcome::Allowed {
                assert_eq!(before.version, after.version, "what is refused changes nothing: {label}");
                assert!(done.checked.problem.is_some(), "a refusal says why: {label}");
            }
            if before.version != after.version {
                changed += 1;
                assert!(
                    has_power(&before.policy, &identity),
                    "only those with power change anything: {label}"
                );
            }
            let is_hives = matches!(book, BookName::HiveLegacy | BookName::SqlStandard);
            assert!(!has_twins(&after.policy, is_hives), "no entry is there twice: {label}");
            let has_administrator = after.policy.members_of("admin").next().is_some();
            assert!(has_administrator, "somebody administers: {label}");
        }
        assert!(changed > STATEMENTS / 20, "{}: {changed} changes are too few to say much", book.as_str());
        let last = engine.policy();
        let rebuilt = Policy::from_changes(last.policy.changes()).expect("what was made can be made again");
        assert!(rebuilt == last.policy);
    }
}
