//! Random policies over few names, so that everything meets everything.

#![allow(dead_code, reason = "each test uses some of it")]

use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    ActiveRoles, Change, DataPolicy, DataRule, Effect, Entry, EntryId, GrantOption, Identity, Membership,
    NamePattern, Ownership, PolicyState, Principal, Privilege, Privileges, Resource, Role, Scope, Tag,
    TagAssignment, Timestamp, Uri, Validity,
};

/// Numbers that are no pattern, the same for the same seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % bound
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    pub fn word(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }

    pub fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }
}

const ROLES: [&str; 8] = ["r0", "r1", "r2", "r3", "r4", "r5", "public", "admin"];
const USERS: [&str; 4] = ["ana", "Ana", "bo", "cy"];
const GROUPS: [&str; 3] = ["g0", "g1", "G1"];
const DATABASES: [&str; 3] = ["default", "fin", "fin_old"];
const TABLES: [&str; 3] = ["t", "t_raw", "emp"];
const COLUMNS: [&str; 4] = ["a", "ssn", "ssn2", "name"];
const WIDE: [&str; 12] = ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "w11"];
const PATHS: [&str; 5] = ["/", "/data", "/data/in", "/data2", "/data/in/x"];
const PATH_PATTERNS: [&str; 4] = ["/*", "/data/{in,x}", "/d*2", "/*/i?/x"];
const TAGS: [&str; 2] = ["pii", "level"];

/// The steps of a policy; every one can be taken.
pub fn changes(dice: &mut Dice) -> Vec<Change> {
    let book = dice.word(&["sentry", "hive-legacy", "sql-standard", "ranger"]);
    let mut changes = vec![Change::PutSetting { key: "rule_book".into(), value: book.into() }];
    for name in &ROLES[..6] {
        changes.push(Change::PutRole(Role {
            name: Name::fold(name),
            created_by: None,
            created_at: Timestamp(1),
        }));
    }
    for name in TAGS {
        changes.push(Change::PutTag(Tag {
            name: Name::fold(name),
            allowed_values: [].into(),
            comment: None,
            created_by: None,
            created_at: Timestamp(1),
        }));
    }
    for _ in 0..dice.below(14) {
        changes.push(Change::PutMembership(membership(dice)));
    }
    for _ in 0..dice.below(6) {
        let tag = Name::fold(dice.word(&TAGS));
        let value = dice.one_in(2).then(|| dice.word(&["low", "high"]).to_string().into());
        changes.push(Change::PutTagAssignment(TagAssignment { tag, value, resource: resource(dice) }));
    }
    for _ in 0..dice.below(6) {
        let owner = principal(dice);
        changes.push(Change::PutOwner(Ownership { resource: resource(dice), owner }));
    }
    for place in 0..dice.below(12) {
        changes.push(Change::PutDataPolicy(data_policy(dice, place)));
    }
    let count = *dice.pick(&[3, 10, 40, 150]);
    for id in 0..count {
        changes.push(Change::PutEntry(entry(dice, id + 1)));
    }
    changes
}

fn data_policy(dice: &mut Dice, place: usize) -> DataPolicy {
    let rule = if dice.one_in(2) { DataRule::RowFilter } else { DataRule::ColumnMask };
    let scope = loop {
        match scope(dice) {
            found @ (Scope::Table { .. } | Scope::Tag { .. }) => break found,
            found @ Scope::Column { .. } if rule == DataRule::ColumnMask => break found,
            _ => {}
        }
    };
    DataPolicy {
        name: Name::fold(&format!("p{}", place * 7 % 12)),
        rule,
        scope,
        expression: format!("f{place}(value)").into(),
        principals: (0..dice.below(4).saturating_sub(1)).map(|_| principal(dice)).collect(),
        except: (0..dice.below(4).saturating_sub(2)).map(|_| principal(dice)).collect(),
        state: if dice.one_in(6) { PolicyState::Disabled } else { PolicyState::Enabled },
        created_by: None,
        created_at: Timestamp(1),
    }
}

/// Roles are members of roles before them only: no cycles.
fn membership(dice: &mut Dice) -> Membership {
    let place = dice.below(6);
    let member = match dice.below(3) {
        0 => Principal::user(dice.word(&USERS)),
        1 => Principal::group(dice.word(&GROUPS)),
        _ => Principal::role(ROLES[dice.below(place + 1).min(place.saturating_sub(1))]),
    };
    let role = if dice.one_in(12) { "admin" } else { ROLES[place] };
    let member = if member == Principal::role(role) { Principal::user("bo") } else { member };
    Membership {
        role: Name::fold(role),
        member,
        admin_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(1),
    }
}

pub fn principal(dice: &mut Dice) -> Principal {
    match dice.below(4) {
        0 => Principal::user(dice.word(&USERS)),
        1 => Principal::group(dice.word(&GROUPS)),
        _ => Principal::role(dice.word(&ROLES)),
    }
}

pub fn entry(dice: &mut Dice, id: u64) -> Entry {
    let effect = if dice.one_in(4) { Effect::Deny } else { Effect::Grant };
    let with_option = effect == Effect::Grant && dice.one_in(3);
    let mut bound = |chance: usize| dice.one_in(chance).then(|| Timestamp(dice.below(20) as i64));
    let validity = Validity { from: bound(8), until: bound(8) };
    Entry {
        id: EntryId(id),
        effect,
        principal: principal(dice),
        except: (0..dice.below(8).saturating_sub(5)).map(|_| principal(dice)).collect(),
        privileges: privileges(dice),
        scope: scope(dice),
        grant_option: if with_option { GrantOption::With } else { GrantOption::Without },
        grantor: dice.one_in(2).then(|| principal(dice)),
        created_at: Timestamp(id as i64),
        validity,
        purpose: dice.one_in(9).then(|| "audit".into()),
    }
}

fn privileges(dice: &mut Dice) -> Privileges {
    match dice.below(20) {
        0..3 => Privileges::ALL,
        3 => Privileges::ALL.without(Privileges::of(Privilege::Select)),
        4 if dice.one_in(2) => Privileges::of(Privilege::Super),
        5 => Privileges::of(Privilege::Owner),
        6..9 => Privileges::of(Privilege::Insert),
        9 => Privileges::of(Privilege::Select).with(Privilege::Alter),
        10 => Privileges::of(Privilege::Create),
        _ => Privileges::of(Privilege::Select),
    }
}

fn name(dice: &mut Dice, names: &[&'static str]) -> NamePattern {
    NamePattern::fold(match dice.below(8) {
        0 => dice.word(&["*", "f*", "*_*", "ssn*", "t*w", "w1*", "e*p"]),
        _ => dice.word(names),
    })
}

fn column_names(dice: &mut Dice) -> &'static [&'static str] {
    if dice.one_in(3) { &WIDE } else { &COLUMNS }
}

pub fn scope(dice: &mut Dice) -> Scope {
    match dice.below(16) {
        0 => Scope::Server,
        1..4 => Scope::Database(name(dice, &DATABASES)),
        4..8 => Scope::Table { database: name(dice, &DATABASES), table: name(dice, &TABLES) },
        8..12 => {
            let columns = column_names(dice);
            Scope::Column {
                database: name(dice, &DATABASES),
                table: name(dice, &TABLES),
                column: name(dice, columns),
            }
        }
        12 => Scope::Uri(uri(dice)),
        13 => Scope::Function { database: name(dice, &DATABASES), function: name(dice, &["f", "fun"]) },
        14 => Scope::Tag {
            tag: Name::fold(dice.word(&TAGS)),
            value: dice.one_in(2).then(|| dice.word(&["low", "high"]).to_string().into()),
        },
        _ => Scope::Connector(name(dice, &["pg"])),
    }
}

fn uri(dice: &mut Dice) -> Uri {
    Uri::granted(dice.word(&PATHS), "hdfs://nn1:8020").expect("an address")
}

fn table(dice: &mut Dice) -> TableName {
    TableName::new(Name::fold(dice.word(&DATABASES)), Name::fold(dice.word(&TABLES)))
}

pub fn resource(dice: &mut Dice) -> Resource {
    match dice.below(16) {
        0 => Resource::Server,
        1..4 => Resource::Database(Name::fold(dice.word(&DATABASES))),
        4..9 => Resource::Table(table(dice)),
        9..12 => {
            let columns = column_names(dice);
            Resource::Column(ColumnName::new(table(dice), Name::fold(dice.word(columns))))
        }
        12 => Resource::Uri(uri(dice)),
        13 => Resource::Function {
            database: (!dice.one_in(4)).then(|| Name::fold(dice.word(&DATABASES))),
            function: Name::fold(dice.word(&["f", "fun"])),
        },
        14 => Resource::Connector(Name::fold("pg")),
        _ => Resource::Service(Name::fold("plan")),
    }
}

pub fn identity(dice: &mut Dice) -> Identity {
    let roles = match dice.below(4) {
        0 => ActiveRoles::None,
        1 => ActiveRoles::Only((0..dice.below(3) + 1).map(|_| Name::fold(dice.word(&ROLES))).collect()),
        _ => ActiveRoles::All,
    };
    Identity {
        user: dice.word(&USERS).to_string().into(),
        groups: GROUPS.iter().filter(|_| dice.one_in(2)).map(|group| group.to_string().into()).collect(),
        roles,
    }
}

pub fn requirement(dice: &mut Dice) -> Requirement {
    let grant_option = if dice.one_in(5) { GrantOption::With } else { GrantOption::Without };
    let right = match dice.below(14) {
        0 => Right::Ownership,
        1 => Right::Administration,
        2 if dice.one_in(4) => Right::Nobody("forbidden".into()),
        3 => Right::AnyOf { privileges: Privileges::ALL, grant_option },
        4..7 => Right::AnyOf {
            privileges: Privileges::of(Privilege::Select).with(Privilege::Insert).with(Privilege::Alter),
            grant_option,
        },
        7 => Right::AnyOf { privileges: Privileges::of(Privilege::Create), grant_option },
        _ => Right::AnyOf { privileges: Privileges::of(Privilege::Select), grant_option },
    };
    let resource = match resource(dice) {
        Resource::Uri(_) if dice.one_in(2) => {
            Resource::Uri(Uri::requested(dice.word(&PATH_PATTERNS), "hdfs://nn1").expect("an address"))
        }
        other => other,
    };
    let columns = if matches!(resource, Resource::Table(_)) && !dice.one_in(3) {
        let names = column_names(dice);
        Columns::Named(names.iter().filter(|_| dice.one_in(2)).map(|column| Name::fold(column)).collect())
    } else {
        Columns::Whole
    };
    Requirement {
        right,
        resource,
        columns,
        reach: if dice.one_in(3) { Reach::AroundOrInside } else { Reach::Around },
        side: if dice.one_in(6) { Side::Output } else { Side::Input },
    }
}
