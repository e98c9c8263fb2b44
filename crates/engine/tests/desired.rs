//! Policies stated as files: reading them, and the way from one to the other.

use guardbee_engine::Completeness;
use guardbee_engine::EngineOptions;
use guardbee_engine::desired::{FileProblem, PolicyFile, desired_policy};
use guardbee_engine::difference::{Author, difference, locks_administrators_out};
use guardbee_policy::{BookName, Change, Policy, Principal, Settings, Timestamp};

async fn read(text: &str) -> Result<Policy, Vec<FileProblem>> {
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    desired_policy(&[PolicyFile { label: "policy.sql", text }], &Settings::default(), options).await
}

fn author() -> Author {
    Author { user: "root".into(), now: Timestamp(7) }
}

const FIRST: &str = "
GRANT ROLE admin TO USER root;
CREATE ROLE reader; CREATE ROLE writer;
GRANT ROLE reader TO GROUP analysts;
GRANT SELECT ON TABLE hr.emp TO ROLE reader;
CREATE TAG pii; SET TAG pii ON COLUMN hr.emp.ssn;
CREATE ROW FILTER own ON hr.emp USING (country = 'DE');
";

const SECOND: &str = "
SET guardbee.strict = false;
GRANT ROLE admin TO GROUP wheel;
CREATE ROLE reader;
GRANT ROLE reader TO GROUP analysts WITH ADMIN OPTION;
GRANT SELECT ON TABLE hr.emp TO ROLE reader;
DENY SELECT ON TABLE hr.pay TO ROLE reader;
CREATE ROW FILTER own ON hr.emp USING (country = 'FR');
";

#[tokio::test(flavor = "current_thread")]
async fn the_difference_leads_from_one_policy_to_the_other() {
    let (first, second) = (read(FIRST).await.unwrap(), read(SECOND).await.unwrap());
    for (from, to) in [(&first, &second), (&second, &first), (&Policy::new(), &second)] {
        let mut policy = from.clone();
        for step in difference(from, to, &author()) {
            policy.apply(step).unwrap();
        }
        assert_eq!(difference(&policy, to, &author()), [], "nothing is left to do");
        assert_eq!(difference(to, &policy, &author()), [], "and nothing is too much");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_role_that_looks_like_another_is_refused_wherever_it_stands() {
    for text in ["CREATE ROLE ace; CREATE ROLE `\u{430}ce`", "CREATE ROLE `\u{430}ce`; CREATE ROLE ace"] {
        let problems = read(text).await.unwrap_err();
        assert_eq!(
            problems.iter().map(|found| found.code).collect::<Vec<_>>(),
            ["look-alike-name"],
            "{text}"
        );
    }
}

#[tokio::test(flavor = "current_thread")]
async fn what_stays_keeps_its_id_and_its_maker() {
    let (first, second) = (read(FIRST).await.unwrap(), read(SECOND).await.unwrap());
    let steps = difference(&first, &second, &author());
    let touches_grant =
        |step: &&Change| matches!(step, Change::PutEntry(entry) if entry.scope.to_string() == "TABLE hr.emp");
    assert_eq!(steps.iter().find(touches_grant), None);
    let denial = steps.iter().find_map(|step| match step {
        Change::PutEntry(entry) => Some(entry),
        _ => None,
    });
    let denial = denial.expect("the denial is new");
    assert_eq!(denial.grantor, Some(Principal::user("root")), "who applies it has made it");
    assert_eq!(denial.created_at, Timestamp(7));
    assert!(denial.id >= first.next_entry_id());
}

#[tokio::test(flavor = "current_thread")]
async fn every_mistake_is_told_with_its_place() {
    let text = "CREATE ROLE r;\nGRANT SELECT ON TABLE t TO ROLE nobody;\nSELECT 1;\nGRNT x TO y;\nSET guardbee.strict = perhaps;\nSET guardbee.nope = 1";
    let problems = read(text).await.unwrap_err();
    let found: Vec<(usize, &str)> = problems
        .iter()
        .map(|problem| (text[..problem.span.start as usize].matches('\n').count() + 1, problem.code))
        .collect();
    assert_eq!(
        found,
        [(2, "unknown-role"), (3, "no-policy-statement"), (4, "syntax"), (5, "setting"), (6, "setting")]
    );
}

#[tokio::test(flavor = "current_thread")]
async fn statements_about_data_are_no_policy() {
    for text in ["DROP TABLE hr.emp", "CREATE DATABASE hr", "INSERT INTO hr.emp SELECT 1", "SELECT 1"] {
        let problems = read(text).await.unwrap_err();
        let found: Vec<(&str, &str)> =
            problems.iter().map(|problem| (problem.code, problem.message.as_str())).collect();
        assert_eq!(found, [("no-policy-statement", "the statement states nothing of a policy")], "{text}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn settings_are_stated_too() {
    let policy = read("SET guardbee.rule_book = sql-standard; GRANT ROLE admin TO USER root").await.unwrap();
    assert_eq!(policy.settings().rule_book, BookName::SqlStandard);
    assert_eq!(policy.memberships().count(), 1, "the author of a file is no administrator of the policy");
}

#[tokio::test(flavor = "current_thread")]
async fn somebody_has_to_administer() {
    let nobody = read("CREATE ROLE r").await.unwrap();
    let nested =
        read("CREATE ROLE r; GRANT ROLE admin TO ROLE r; GRANT ROLE r TO GROUP wheel").await.unwrap();
    let empty = read("CREATE ROLE r; GRANT ROLE admin TO ROLE r").await.unwrap();
    assert!(locks_administrators_out(&nested, &nobody) && locks_administrators_out(&nested, &empty));
    assert!(!locks_administrators_out(&nobody, &empty) && !locks_administrators_out(&empty, &nested));
}

#[tokio::test(flavor = "current_thread")]
async fn files_may_name_roles_and_tags_of_later_ones() {
    let files = [
        PolicyFile { label: "a.sql", text: "GRANT SELECT ON TABLE t TO ROLE r; SET TAG pii ON TABLE t;" },
        PolicyFile { label: "b.sql", text: "create\n  role r; CREATE TAG pii;" },
    ];
    let options = || EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    let policy = desired_policy(&files, &Settings::default(), options()).await.unwrap();
    assert_eq!((policy.entries().count(), policy.tag_assignments().count()), (1, 1));
}
