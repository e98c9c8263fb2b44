//! Steps to try a store with.

use std::sync::Arc;

use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::{
    Change, DataPolicy, DataRule, Effect, Entry, EntryId, GrantOption, Membership, NamePattern, Ownership,
    PolicyState, Principal, Privilege, Privileges, Resource, Role, Scope, Tag, TagAssignment, Timestamp, Uri,
    Validity,
};

/// Numbers that look random and are the same in every run (xorshift64*).
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub const fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).expect("small")]
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// Changes, removes or adds some bytes.
pub fn spoil(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.below(3) {
        let place = usize::try_from(dice.below(bytes.len() as u64 + 1)).expect("small");
        let byte = dice.next().to_le_bytes()[0];
        match dice.below(5) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, byte),
            2 => bytes.extend([byte; 3]),
            _ => bytes.iter_mut().skip(place).take(1).for_each(|at| *at = byte),
        }
    }
}

const NAMES: &[&str] =
    &["a", "sales", "größe", "it's", "x\"y", "a b", "\u{1f41d}", "%_\\", "länger als 23 Zeichen, sicher"];

fn name(dice: &mut Dice) -> Name {
    Name::fold(dice.pick(NAMES))
}

fn pattern(dice: &mut Dice) -> NamePattern {
    NamePattern::fold(if dice.below(4) == 0 { "*" } else { dice.pick(NAMES) })
}

fn principal(dice: &mut Dice) -> Principal {
    match dice.below(3) {
        0 => Principal::user(dice.pick(&["Ana", "ana", "o'hara", "role x", "ünal"])),
        1 => Principal::group(dice.pick(NAMES)),
        _ => Principal::role(dice.pick(NAMES)),
    }
}

fn principals(dice: &mut Dice) -> Arc<[Principal]> {
    (0..dice.below(3)).map(|_| principal(dice)).collect()
}

fn time(dice: &mut Dice) -> Timestamp {
    Timestamp(i64::try_from(dice.below(1 << 42)).expect("small") - 1000)
}

fn option(dice: &mut Dice) -> GrantOption {
    if dice.coin() { GrantOption::With } else { GrantOption::Without }
}

fn uri(dice: &mut Dice) -> Uri {
    Uri::granted(dice.pick(&["/data", "s3a://bucket/a=1/%2e", "/ä/ö"]), "hdfs://nn:8020").expect("an address")
}

fn scope(dice: &mut Dice) -> Scope {
    match dice.below(8) {
        0 => Scope::Server,
        1 => Scope::Database(pattern(dice)),
        2 => Scope::Table { database: pattern(dice), table: pattern(dice) },
        3 => Scope::Column { database: pattern(dice), table: pattern(dice), column: pattern(dice) },
        4 => Scope::Uri(uri(dice)),
        5 => Scope::Function { database: pattern(dice), function: pattern(dice) },
        6 => Scope::Connector(pattern(dice)),
        _ => Scope::Tag { tag: name(dice), value: dice.coin().then(|| dice.pick(NAMES).into()) },
    }
}

fn resource(dice: &mut Dice) -> Resource {
    let table = |dice: &mut Dice| TableName::new(name(dice), name(dice));
    match dice.below(9) {
        0 => Resource::Server,
        1 => Resource::Database(name(dice)),
        2 => Resource::Table(table(dice)),
        3 => Resource::Column(ColumnName::new(table(dice), name(dice))),
        4 => Resource::Uri(uri(dice)),
        5 => Resource::Function { database: Some(name(dice)), function: name(dice) },
        6 => Resource::Function { database: None, function: name(dice) },
        7 => Resource::Connector(name(dice)),
        _ => Resource::Service(name(dice)),
    }
}

pub fn entry(dice: &mut Dice, id: u64) -> Entry {
    Entry {
        id: EntryId(id),
        effect: if dice.below(4) == 0 { Effect::Deny } else { Effect::Grant },
        principal: principal(dice),
        except: principals(dice),
        privileges: match dice.below(3) {
            0 => Privileges::ALL,
            1 => Privileges::ALL.without(Privileges::of(Privilege::Select)),
            _ => Privileges::of(dice.pick(Privilege::EACH)),
        },
        scope: scope(dice),
        grant_option: option(dice),
        grantor: dice.coin().then(|| principal(dice)),
        created_at: time(dice),
        validity: Validity {
            from: (dice.below(4) == 0).then(|| time(dice)),
            until: (dice.below(4) == 0).then(|| time(dice)),
        },
        purpose: (dice.below(4) == 0).then(|| Arc::from("audit, 2nd quarter")),
    }
}

pub fn role(text: &str) -> Change {
    Change::PutRole(Role {
        name: Name::fold(text),
        created_by: Some("root".into()),
        created_at: Timestamp(1),
    })
}

pub fn setting(value: &str) -> Change {
    Change::PutSetting { key: "server".into(), value: value.into() }
}

/// A step of any kind. Ids of entries are below `ids`.
pub fn change(dice: &mut Dice, ids: u64) -> Change {
    match dice.below(20) {
        0 => Change::PutRole(Role {
            name: name(dice),
            created_by: dice.coin().then(|| "root".into()),
            created_at: time(dice),
        }),
        1 => Change::RemoveRole(name(dice)),
        2 => Change::PutMembership(Membership {
            role: name(dice),
            member: principal(dice),
            admin_option: option(dice),
            grantor: dice.coin().then(|| principal(dice)),
            created_at: time(dice),
        }),
        3 => Change::RemoveMembership { role: name(dice), member: principal(dice) },
        4..=7 => {
            let id = 1 + dice.below(ids);
            Change::PutEntry(entry(dice, id))
        }
        8 | 9 => Change::RemoveEntry(EntryId(1 + dice.below(ids))),
        10 => Change::PutDataPolicy(DataPolicy {
            name: name(dice),
            rule: if dice.coin() { DataRule::RowFilter } else { DataRule::ColumnMask },
            scope: scope(dice),
            expression: "mask(value, 'x')".into(),
            principals: principals(dice),
            except: principals(dice),
            state: if dice.coin() { PolicyState::Enabled } else { PolicyState::Disabled },
            created_by: dice.coin().then(|| "root".into()),
            created_at: time(dice),
        }),
        11 => Change::RemoveDataPolicy {
            rule: if dice.coin() { DataRule::RowFilter } else { DataRule::ColumnMask },
            name: name(dice),
        },
        12 => Change::PutTag(Tag {
            name: name(dice),
            allowed_values: (0..dice.below(3)).map(|_| dice.pick(NAMES).into()).collect(),
            comment: dice.coin().then(|| Arc::from("")),
            created_by: dice.coin().then(|| "root".into()),
            created_at: time(dice),
        }),
        13 => Change::RemoveTag(name(dice)),
        14 | 15 => Change::PutTagAssignment(TagAssignment {
            tag: name(dice),
            value: dice.coin().then(|| dice.pick(NAMES).into()),
            resource: resource(dice),
        }),
        16 => Change::RemoveTagAssignment { tag: name(dice), resource: resource(dice) },
        17 => Change::PutOwner(Ownership { resource: resource(dice), owner: principal(dice) }),
        18 => Change::RemoveOwner(resource(dice)),
        _ if dice.coin() => Change::RemoveSetting("server".into()),
        _ => setting(dice.pick(NAMES)),
    }
}
