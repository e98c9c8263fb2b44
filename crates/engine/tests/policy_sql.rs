//! Policies written as statements, and built again by running them.

use std::collections::BTreeSet;
use std::sync::Arc;

use guardbee_engine::desired::{PolicyFile, desired_policy};
use guardbee_engine::{Completeness, EngineOptions, policy_sql};
use guardbee_hiveql::keyword::Keyword;
use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::*;

const ROOT: &str = "root";

fn run(test: impl Future<Output = ()> + Send + 'static) {
    // Statements nest deep enough in unoptimised builds to need it.
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    thread.spawn(move || runtime.block_on(test)).unwrap().join().unwrap();
}

/// Nothing but an administrator, in a rule book.
fn start(book: BookName) -> Vec<Change> {
    vec![
        Change::PutSetting { key: "rule_book".into(), value: book.as_str().into() },
        Change::PutMembership(Membership {
            role: Name::fold("admin"),
            member: Principal::user(ROOT),
            admin_option: GrantOption::With,
            grantor: None,
            created_at: Timestamp(0),
        }),
    ]
}

/// The policy that the statements state.
async fn build(sql: &str) -> Policy {
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    let file = PolicyFile { label: "policy.sql", text: sql };
    let policy = desired_policy(&[file], &Settings::default(), options).await;
    policy.unwrap_or_else(|problems| panic!("{problems:#?}\n{sql}"))
}

/// What decides in a policy, one line for each fact.
fn facts(policy: &Policy) -> BTreeSet<String> {
    let sorted = |principals: &[Principal]| {
        let sorted: BTreeSet<String> = principals.iter().map(ToString::to_string).collect();
        format!("{sorted:?}")
    };
    let mut facts = BTreeSet::new();
    facts.extend(policy.roles().map(|role| format!("role {}", role.name)));
    facts
        .extend(policy.memberships().map(|it| format!("{} in {} {:?}", it.member, it.role, it.admin_option)));
    for entry in policy.entries() {
        let privileges: Vec<String> = match entry.privileges {
            Privileges::ALL => vec!["ALL".to_owned()],
            privileges => privileges.iter().map(|privilege| privilege.to_string()).collect(),
        };
        facts.extend(privileges.iter().map(|privilege| {
            format!(
                "{:?} {privilege} on {:?} to {:?} except {} {:?}",
                entry.effect,
                entry.scope,
                entry.principal,
                sorted(&entry.except),
                entry.grant_option
            )
        }));
    }
    facts.extend(
        policy.tags().map(|tag| format!("{:?} {:?} {:?}", tag.name, tag.allowed_values, tag.comment)),
    );
    facts.extend(policy.tag_assignments().map(|assignment| format!("{assignment:?}")));
    facts.extend(policy.data_policies().map(|it| {
        let (principals, except) = (sorted(&it.principals), sorted(&it.except));
        format!(
            "{} {:?} {:?} {} {:?} {principals} {except}",
            it.name, it.rule, it.scope, it.expression, it.state
        )
    }));
    facts
}

/// Draws from a sequence that is the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).unwrap()
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn text(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    fn principal(&mut self) -> Principal {
        match self.below(3) {
            0 => Principal::user(self.text(&["ana", "Ben", "o'neil", "x@y.example", "select"])),
            1 => Principal::group(self.text(&["analysts", "data eng", "ops`"])),
            _ => Principal::role(self.text(&["reader", "writer", "table", "9lives"])),
        }
    }

    fn except(&mut self) -> Arc<[Principal]> {
        let count = self.below(8).saturating_sub(5);
        let mut except: Vec<Principal> = (0..count).map(|_| self.principal()).collect();
        except.sort();
        except.dedup();
        except.into()
    }

    fn pattern(&mut self) -> NamePattern {
        NamePattern::fold(self.text(&["sales", "hr", "fin_*", "*", "order", "ünï", "a b", "x.y"]))
    }

    fn scope(&mut self) -> Scope {
        match self.below(9) {
            0 => Scope::Server,
            1 | 2 => Scope::Database(self.pattern()),
            3 | 4 => Scope::Table { database: self.pattern(), table: self.pattern() },
            5 => Scope::Column { database: self.pattern(), table: self.pattern(), column: self.pattern() },
            6 => {
                let text = self.text(&["hdfs://nn1:8020/in", "file:///it's", "/a\\b;--", "s3a://b"]);
                Scope::Uri(Uri::granted(text, "hdfs://nn1:8020").unwrap())
            }
            7 => Scope::Function { database: self.pattern(), function: self.pattern() },
            _ => Scope::Tag { tag: Name::fold("pii"), value: self.one(&[None, Some("e'mail".into())]) },
        }
    }

    fn resource(&mut self) -> Resource {
        let table = TableName::new(Name::fold("sales"), Name::fold(self.text(&["orders", "a b"])));
        match self.below(4) {
            0 => Resource::Database(Name::fold(self.text(&["hr", "sales"]))),
            1 => Resource::Table(table),
            2 => Resource::Column(ColumnName::new(table, Name::fold(self.text(&["id", "from"])))),
            _ => Resource::Uri(Uri::granted("/in", "hdfs://nn1:8020").unwrap()),
        }
    }
}

fn random_policy(draw: &mut Draw, book: BookName) -> Policy {
    let at = Timestamp(0);
    let mut policy = Policy::from_changes(start(book)).unwrap();
    let mut make = |change| drop(policy.apply(change));
    for role in ["reader", "writer", "table", "9lives"] {
        make(Change::PutRole(Role { name: Name::fold(role), created_by: None, created_at: at }));
    }
    for name in ["pii", "owner"] {
        let values: [&[&str]; 2] = [&[], &["e'mail", "b"]];
        let allowed_values = draw.one(&values).iter().map(|value| (*value).into()).collect();
        let comment = draw.one(&[None, Some(Arc::from("what's it; about"))]);
        make(Change::PutTag(Tag {
            name: Name::fold(name),
            allowed_values,
            comment,
            created_by: None,
            created_at: at,
        }));
    }
    for _ in 0..draw.below(6) {
        make(Change::PutMembership(Membership {
            role: Name::fold(draw.text(&["reader", "writer", "table"])),
            member: draw.principal(),
            admin_option: draw.one(&[GrantOption::With, GrantOption::Without]),
            grantor: None,
            created_at: at,
        }));
        make(Change::PutTagAssignment(TagAssignment {
            tag: Name::fold(draw.text(&["pii", "owner"])),
            value: draw.one(&[None, Some("b".into())]),
            resource: draw.resource(),
        }));
    }
    for id in 1..1 + draw.below(12) as u64 {
        let effect = draw.one(&[Effect::Grant, Effect::Grant, Effect::Deny]);
        let privileges = match draw.below(4) {
            0 => Privileges::ALL,
            1 => Privileges::of(draw.one(Privilege::EACH)),
            _ => Privileges::of(Privilege::Select).with(draw.one(&[Privilege::Insert, Privilege::Drop])),
        };
        let with = effect == Effect::Grant && draw.below(2) == 0;
        make(Change::PutEntry(Entry {
            id: EntryId(id),
            effect,
            principal: draw.principal(),
            except: draw.except(),
            privileges,
            scope: draw.scope(),
            grant_option: if with { GrantOption::With } else { GrantOption::Without },
            grantor: None,
            created_at: at,
            validity: Validity::ALWAYS,
            purpose: None,
        }));
    }
    for name in ["f", "m", "select"] {
        let rule = draw.one(&[DataRule::RowFilter, DataRule::ColumnMask]);
        make(Change::PutDataPolicy(DataPolicy {
            name: Name::fold(name),
            rule,
            scope: draw.scope(),
            expression: Arc::from(draw.text(&["a = ';' OR (b > 1)", "mask(value, -- hide it\n 1)"])),
            principals: draw.except(),
            except: draw.except(),
            state: draw.one(&[PolicyState::Enabled, PolicyState::Disabled]),
            created_by: None,
            created_at: at,
        }));
    }
    policy
}

/// What the statements build is written as the same statements, and nothing that is written is lost.
#[test]
fn statements_build_the_policy_that_they_were_written_from() {
    run(async {
        let mut draw = Draw(0x2545_f491_4f6c_dd1d);
        let mut compared = 0;
        for round in 0..200 {
            let book = BookName::ALL[round % BookName::ALL.len()];
            let policy = random_policy(&mut draw, book);
            let first = policy_sql(&policy);
            let again = build(&first.text()).await;
            let second = policy_sql(&again);
            assert_eq!(first.text(), second.text(), "{book:?}");
            let left_out: Vec<&str> = first.left_out.iter().map(|left_out| left_out.code).collect();
            if left_out.is_empty() && is_plain(&policy) {
                assert_eq!(facts(&policy), facts(&again), "{book:?}\n{}", first.text());
                compared += 1;
            }
        }
        assert!(compared > 20, "only {compared} policies have a statement for everything");
    });
}

/// Has nobody the same right twice, so that every entry is one of its own in the statements, too?
fn is_plain(policy: &Policy) -> bool {
    let mut holders = BTreeSet::new();
    policy.entries().all(|entry| {
        holders.insert((entry.effect, entry.principal.clone(), entry.scope.clone(), entry.except.to_vec()))
    })
}

/// Names that are words of the language, in every place where a name can stand.
#[test]
fn keywords_can_be_names() {
    run(async {
        let mut policy = Policy::from_changes(start(BookName::HiveLegacy)).unwrap();
        for (id, keyword) in (1..).zip(Keyword::all()) {
            let word = keyword.as_str().to_ascii_lowercase();
            let role = Role { name: Name::fold(&word), created_by: None, created_at: Timestamp(0) };
            if policy.apply(Change::PutRole(role)).is_err() {
                continue;
            }
            let entry = |id, scope| Entry {
                id: EntryId(id),
                effect: Effect::Grant,
                principal: Principal::role(&word),
                except: Arc::from([Principal::user(&word)]),
                privileges: Privileges::of(Privilege::Select),
                scope,
                grant_option: GrantOption::Without,
                grantor: None,
                created_at: Timestamp(0),
                validity: Validity::ALWAYS,
                purpose: None,
            };
            let scopes = [
                Scope::column(&word, &word, &word),
                Scope::database(&word),
                Scope::Function { database: NamePattern::fold("d"), function: NamePattern::fold(&word) },
            ];
            for (place, scope) in scopes.into_iter().enumerate() {
                policy.apply(Change::PutEntry(entry(id * 10 + place as u64, scope))).unwrap();
            }
        }
        let written = policy_sql(&policy);
        assert!(policy.roles().count() > 300);
        let again = build(&written.text()).await;
        assert_eq!(facts(&policy), facts(&again));
    });
}

#[test]
fn a_policy_is_written_as_people_would() {
    run(async {
        let sql = include_str!("data/policy.sql");
        let written = policy_sql(&build(sql).await);
        assert_eq!(written.text(), sql);
        assert_eq!(written.left_out, []);
    });
}

#[test]
fn what_no_statement_makes_is_named() {
    let mut policy = Policy::from_changes(start(BookName::Sentry)).unwrap();
    let entry = Entry {
        id: EntryId(1),
        effect: Effect::Grant,
        principal: Principal::user("ana"),
        except: Arc::from([]),
        privileges: Privileges::of(Privilege::Select),
        scope: Scope::table("sales", "orders"),
        grant_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(0),
        validity: Validity { from: None, until: Some(Timestamp(5)) },
        purpose: None,
    };
    let owner = Privileges::of(Privilege::Owner);
    let purpose = Some(Arc::from("audit"));
    let changes = [
        Change::PutEntry(entry.clone()),
        Change::PutEntry(Entry {
            id: EntryId(2),
            validity: Validity::ALWAYS,
            privileges: owner,
            ..entry.clone()
        }),
        Change::PutEntry(Entry { id: EntryId(3), validity: Validity::ALWAYS, purpose, ..entry }),
        Change::PutOwner(Ownership {
            resource: Resource::Database(Name::fold("a")),
            owner: Principal::user("b"),
        }),
        Change::PutSetting { key: "strict".into(), value: "true".into() },
    ];
    changes.into_iter().for_each(|change| policy.apply(change).unwrap());
    let written = policy_sql(&policy);
    let codes: Vec<&str> = written.left_out.iter().map(|left_out| left_out.code).collect();
    assert_eq!(codes, ["validity", "privilege", "purpose", "owner"]);
    assert!(written.text().ends_with("-- Privileges\nGRANT SELECT ON TABLE sales.orders TO USER ana;\n"));
}
