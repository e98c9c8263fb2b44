//! Random small worlds and questions. The pools of names are small, so that entries, exceptions, tags and
//! questions meet: the same name is a user, a group and a role, databases are called like their tables.

use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    BookName, Change, DataPolicy, DataRule, Effect, Entry, EntryId, GrantOption, Membership, NamePattern,
    Ownership, PolicyState, Principal, Privilege, Privileges, Resource, Role, Scope, Tag, TagAssignment,
    Timestamp, Uri, Validity,
};
use smol_str::SmolStr;

use super::names::Pools;
use super::{Active, Asker, World};
use crate::generate::Random;

/// The moment at which all questions are asked.
pub const NOW: Timestamp = Timestamp(1_000);

const PATTERNS: &[&str] = &["*", "**", "*", "a*", "a*", "*b", "*b*", "a*b", "*a*b*", "t*", "d*t", "aa*"];
const VALUES: &[&str] = &["1", "a"];
const PRIVILEGES: &[Privilege] = &[
    Privilege::Select,
    Privilege::Select,
    Privilege::Select,
    Privilege::Insert,
    Privilege::Insert,
    Privilege::Update,
    Privilege::Alter,
    Privilege::Create,
    Privilege::Drop,
    Privilege::Owner,
    Privilege::Super,
];

/// How much there is of what in a world.
#[derive(Debug, Clone, Copy)]
struct Mood {
    entries: usize,
    denials: usize,
    patterns: usize,
    tags: usize,
    exceptions: usize,
    limits: usize,
}

/// Draws changes.
#[derive(Debug)]
pub struct WorldMaker<'r> {
    random: &'r mut Random,
    pools: &'static Pools,
    mood: Mood,
    next_entry: u64,
}

impl<'r> WorldMaker<'r> {
    pub fn new(random: &'r mut Random, pools: &'static Pools) -> Self {
        let mut chance = |choices: &[usize]| *random.pick(choices);
        let mood = Mood {
            entries: chance(&[1, 6, 12, 20, 30, 45]),
            denials: chance(&[0, 5, 15, 30]),
            patterns: chance(&[0, 20, 50]),
            tags: chance(&[0, 15, 40]),
            exceptions: chance(&[0, 10, 30]),
            limits: chance(&[0, 20]),
        };
        let mood = Mood { entries: mood.entries * pools.width * pools.width, ..mood };
        Self { random, pools, mood, next_entry: 1 }
    }

    /// Goes on where others have been at work.
    pub fn going_on(random: &'r mut Random, pools: &'static Pools, so_far: &[Change]) -> Self {
        let highest = so_far.iter().map(|change| match change {
            Change::PutEntry(entry) => entry.id.0,
            _ => 0,
        });
        let next_entry = highest.max().unwrap_or(0) + 1;
        Self { next_entry, ..Self::new(random, pools) }
    }

    /// The steps that build a world, all of them sound.
    pub fn world(&mut self) -> Vec<Change> {
        let mut world = World::default();
        let mut changes = self.drawn();
        changes.retain(|change| {
            let sound = !world.refuses(change);
            if sound {
                world.apply(change);
            }
            sound
        });
        changes
    }

    fn drawn(&mut self) -> Vec<Change> {
        let mut changes = vec![self.book()];
        changes.extend(self.pools.roles.iter().map(|role| put_role(role)));
        changes.extend(self.pools.tags.iter().map(|tag| put_tag(tag)));
        for _ in 0..self.some(14) {
            changes.push(self.membership());
        }
        for _ in 0..self.mood.entries {
            changes.push(self.entry());
        }
        if self.mood.tags > 0 {
            for _ in 0..self.some(6) + 1 {
                changes.push(self.assignment());
            }
        }
        for _ in 0..self.some(4) {
            changes.push(self.owner());
        }
        for _ in 0..self.some(8) {
            changes.push(self.data_policy());
        }
        changes
    }

    /// A number below the bound, in a wide world more.
    fn some(&mut self, bound: usize) -> usize {
        self.random.below(bound) * self.pools.width
    }

    /// One more step on the way of a world that has lived through some. It may have to be refused.
    pub fn step(&mut self, so_far: &[Change]) -> Change {
        match self.random.weighted(&[8, 4, 3, 3, 3, 1, 6, 2]) {
            0 => self.entry(),
            1 => self.membership(),
            2 => self.assignment(),
            3 => self.data_policy(),
            4 => self.owner(),
            5 => self.book(),
            6 => self.removal(so_far),
            _ => self.of_roles_and_tags(),
        }
    }

    /// Takes away or replaces what some earlier step put there.
    fn removal(&mut self, so_far: &[Change]) -> Change {
        match self.random.pick(so_far).clone() {
            Change::PutMembership(old) => Change::RemoveMembership { role: old.role, member: old.member },
            Change::PutEntry(old) if self.random.percent(30) => match self.entry() {
                Change::PutEntry(new) => Change::PutEntry(Entry { id: old.id, ..new }),
                other => other,
            },
            Change::PutEntry(old) => Change::RemoveEntry(old.id),
            Change::PutDataPolicy(old) => Change::RemoveDataPolicy { rule: old.rule, name: old.name },
            Change::PutTagAssignment(old) => {
                Change::RemoveTagAssignment { tag: old.tag, resource: old.resource }
            }
            Change::PutOwner(old) => Change::RemoveOwner(old.resource),
            Change::PutSetting { key, .. } => Change::RemoveSetting(key),
            _ => self.entry(),
        }
    }

    fn of_roles_and_tags(&mut self) -> Change {
        let role = self.random.text(&self.pools.roles);
        let tag = self.random.text(&self.pools.tags);
        match self.random.below(4) {
            0 => put_role(role),
            1 => Change::RemoveRole(role.into()),
            2 => put_tag(tag),
            _ => Change::RemoveTag(tag.into()),
        }
    }

    fn book(&mut self) -> Change {
        let book = *self.random.pick(&BookName::ALL);
        Change::PutSetting { key: "rule_book".into(), value: book.as_str().into() }
    }

    /// Whoever builds the world leaves out what would close a circle.
    fn membership(&mut self) -> Change {
        let role = match self.random.below(20) {
            0..3 => "admin",
            3 if self.random.percent(20) => "public",
            _ => self.random.text(&self.pools.roles),
        };
        let member = match self.random.below(10) {
            0..3 => Principal::user(self.random.text(&self.pools.users)),
            3..5 => Principal::group(self.random.text(&self.pools.groups)),
            5 => Principal::public(),
            6 if self.random.percent(20) => Principal::role("admin"),
            _ => Principal::role(self.random.text(&self.pools.roles)),
        };
        Change::PutMembership(Membership {
            role: role.into(),
            member,
            admin_option: GrantOption::Without,
            grantor: None,
            created_at: NOW,
        })
    }

    fn entry(&mut self) -> Change {
        let id = EntryId(self.next_entry);
        self.next_entry += 1;
        let effect = if self.random.percent(self.mood.denials) { Effect::Deny } else { Effect::Grant };
        let with_option = effect == Effect::Grant && self.random.percent(25);
        Change::PutEntry(Entry {
            id,
            effect,
            principal: self.principal(),
            except: self.exceptions().into(),
            privileges: held(self.random),
            scope: self.scope(),
            grant_option: if with_option { GrantOption::With } else { GrantOption::Without },
            grantor: None,
            created_at: NOW,
            validity: self.validity(),
            purpose: None,
        })
    }

    fn principal(&mut self) -> Principal {
        match self.random.below(10) {
            0..3 => Principal::user(self.random.text(&self.pools.users)),
            3..5 => Principal::group(self.random.text(&self.pools.groups)),
            5 => Principal::public(),
            6 if self.random.percent(30) => Principal::role("admin"),
            _ => Principal::role(self.random.text(&self.pools.roles)),
        }
    }

    fn exceptions(&mut self) -> Vec<Principal> {
        if !self.random.percent(self.mood.exceptions) {
            return Vec::new();
        }
        (0..self.random.between(1, 2)).map(|_| self.principal()).collect()
    }

    fn validity(&mut self) -> Validity {
        let mut limit = |near: [i64; 3]| {
            let set = self.random.percent(self.mood.limits);
            set.then(|| Timestamp(*self.random.pick(&near)))
        };
        Validity { from: limit([999, 1_000, 1_001]), until: limit([1_001, 1_000, 2_000]) }
    }

    fn pattern(&mut self, names: &[&str]) -> NamePattern {
        let text = if self.random.percent(self.mood.patterns) { PATTERNS } else { names };
        NamePattern::fold(self.random.text(text))
    }

    fn scope(&mut self) -> Scope {
        if self.random.percent(self.mood.tags) {
            return self.tag_scope();
        }
        match self.random.weighted(&[2, 4, 8, 7, 3, 2, 1]) {
            0 => Scope::Server,
            1 => Scope::Database(self.pattern(&self.pools.databases)),
            2 => self.table_scope(),
            3 => self.column_scope(),
            4 => Scope::Uri(Uri::from_normalised(self.random.text(&self.pools.places))),
            5 => Scope::Function {
                database: self.pattern(&self.pools.databases),
                function: self.pattern(&self.pools.functions),
            },
            _ => Scope::Connector(self.pattern(&["a", "c"])),
        }
    }

    fn table_scope(&mut self) -> Scope {
        Scope::Table {
            database: self.pattern(&self.pools.databases),
            table: self.pattern(&self.pools.tables),
        }
    }

    fn column_scope(&mut self) -> Scope {
        Scope::Column {
            database: self.pattern(&self.pools.databases),
            table: self.pattern(&self.pools.tables),
            column: self.pattern(&self.pools.columns),
        }
    }

    fn tag_scope(&mut self) -> Scope {
        let value = self.random.percent(50).then(|| SmolStr::new(self.random.text(VALUES)));
        Scope::Tag { tag: self.random.text(&self.pools.tags).into(), value }
    }

    fn assignment(&mut self) -> Change {
        let resource = match self.random.below(12) {
            0..2 => Resource::Database(self.random.text(&self.pools.databases).into()),
            2..6 => Resource::Table(table(self.random, self.pools)),
            6..10 => Resource::Column(column(self.random, self.pools)),
            10 => Resource::Uri(Uri::from_normalised(self.random.text(&self.pools.places))),
            _ => function(self.random, self.pools),
        };
        let value = self.random.percent(60).then(|| SmolStr::new(self.random.text(VALUES)));
        Change::PutTagAssignment(TagAssignment {
            tag: self.random.text(&self.pools.tags).into(),
            value,
            resource,
        })
    }

    fn owner(&mut self) -> Change {
        let resource = if self.random.percent(30) {
            Resource::Database(self.random.text(&self.pools.databases).into())
        } else {
            Resource::Table(table(self.random, self.pools))
        };
        Change::PutOwner(Ownership { resource, owner: self.principal() })
    }

    fn data_policy(&mut self) -> Change {
        let rule = if self.random.percent(40) { DataRule::RowFilter } else { DataRule::ColumnMask };
        // Wide, so that several of them meet.
        let patterns = std::mem::replace(&mut self.mood.patterns, 75);
        let scope = match (self.random.percent(30), rule) {
            (true, _) => self.tag_scope(),
            (false, DataRule::RowFilter) => self.table_scope(),
            (false, DataRule::ColumnMask) if self.random.percent(20) => self.table_scope(),
            (false, DataRule::ColumnMask) => self.column_scope(),
        };
        self.mood.patterns = patterns;
        let name: Name = self.random.text(&["p1", "p2", "p3", "p4", "p5"]).into();
        let principals =
            (0..*self.random.pick(&[0, 0, 0, 1, 2])).map(|_| self.principal()).collect::<Vec<_>>();
        let disabled = self.random.percent(15);
        Change::PutDataPolicy(DataPolicy {
            expression: format!("{name}(value)").into(),
            name,
            rule,
            scope,
            principals: principals.into(),
            except: self.exceptions().into(),
            state: if disabled { PolicyState::Disabled } else { PolicyState::Enabled },
            created_by: None,
            created_at: NOW,
        })
    }
}

fn put_role(name: &str) -> Change {
    Change::PutRole(Role { name: name.into(), created_by: None, created_at: NOW })
}

fn put_tag(name: &str) -> Change {
    Change::PutTag(Tag {
        name: name.into(),
        allowed_values: [].into(),
        comment: None,
        created_by: None,
        created_at: NOW,
    })
}

/// What an entry holds: mostly one privilege or ALL; sometimes what a REVOKE has left of ALL.
fn held(random: &mut Random) -> Privileges {
    match random.below(20) {
        0..5 => Privileges::ALL,
        5 => Privileges::ALL.without(one(random)),
        6..9 => one(random).union(one(random)),
        _ => one(random),
    }
}

fn one(random: &mut Random) -> Privileges {
    Privileges::of(*random.pick(PRIVILEGES))
}

fn table(random: &mut Random, pools: &Pools) -> TableName {
    TableName::new(random.text(&pools.databases).into(), random.text(&pools.tables).into())
}

fn column(random: &mut Random, pools: &Pools) -> ColumnName {
    ColumnName::new(table(random, pools), random.text(&pools.columns).into())
}

fn function(random: &mut Random, pools: &Pools) -> Resource {
    let database = random.percent(80).then(|| random.text(&pools.databases).into());
    Resource::Function { database, function: random.text(&pools.functions).into() }
}

/// Somebody in some session; mostly one of those whom an entry of the world names.
#[must_use]
pub fn asker(random: &mut Random, pools: &Pools, world: &[Change]) -> Asker {
    let mut groups: Vec<SmolStr> = (0..random.below(3)).map(|_| random.text(&pools.groups).into()).collect();
    let mut user = random.text(&pools.users).into();
    match entry_of(random, world).map(|entry| &entry.principal) {
        Some(Principal::User(name)) => user = name.clone(),
        Some(Principal::Group(name)) => groups.push(name.clone()),
        _ => {}
    }
    let active = match random.below(10) {
        0..6 => Active::All,
        6 => Active::None,
        7 => Active::Only(vec!["admin".into()]),
        _ => Active::Only((0..random.between(1, 2)).map(|_| random.text(&pools.roles).into()).collect()),
    };
    Asker { user, groups, active }
}

/// What a statement needs: mostly rights on things that entries of the world are about.
#[must_use]
pub fn requirements(random: &mut Random, pools: &Pools, world: &[Change]) -> Vec<Requirement> {
    (0..*random.pick(&[1, 1, 1, 1, 2, 3]))
        .map(|_| {
            let mut requirement = requirement(random, pools);
            if random.percent(70)
                && let Some(entry) = entry_of(random, world)
            {
                aim(random, pools, &mut requirement, entry);
            }
            requirement
        })
        .collect()
}

fn entry_of<'w>(random: &mut Random, world: &'w [Change]) -> Option<&'w Entry> {
    let entry_in = |change: &'w Change| match change {
        Change::PutEntry(entry) => Some(entry),
        _ => None,
    };
    let entries: Vec<&Entry> = world.iter().filter_map(entry_in).collect();
    (!entries.is_empty()).then(|| *random.pick(&entries))
}

/// Turns the requirement to what the entry is about.
fn aim(random: &mut Random, pools: &Pools, requirement: &mut Requirement, entry: &Entry) {
    let mut meant = |pattern: &NamePattern, names: &[&str]| -> Name {
        let matching: Vec<&str> =
            names.iter().copied().filter(|name| super::name_matches(pattern.as_str(), name)).collect();
        if matching.is_empty() { names[0].into() } else { (*random.pick(&matching)).into() }
    };
    let resource = match &entry.scope {
        Scope::Table { database, table } | Scope::Column { database, table, .. } => {
            Resource::Table(TableName::new(meant(database, &pools.databases), meant(table, &pools.tables)))
        }
        Scope::Database(database) => {
            Resource::Table(TableName::new(meant(database, &pools.databases), pools.tables[0].into()))
        }
        Scope::Uri(place) => Resource::Uri(place.clone()),
        Scope::Function { database, function } => Resource::Function {
            database: Some(meant(database, &pools.databases)),
            function: meant(function, &pools.functions),
        },
        Scope::Connector(pattern) => Resource::Connector(meant(pattern, &["a", "c"])),
        Scope::Server | Scope::Tag { .. } => requirement.resource.clone(),
    };
    if !matches!(resource, Resource::Table(_)) {
        requirement.columns = Columns::Whole;
    }
    requirement.resource = resource;
    if let Right::AnyOf { privileges, .. } = &mut requirement.right
        && !privileges.intersects(entry.privileges)
    {
        *privileges = entry.privileges;
    }
}

fn requirement(random: &mut Random, pools: &Pools) -> Requirement {
    let resource = match random.below(20) {
        0 => Resource::Server,
        1..4 => Resource::Database(random.text(&pools.databases).into()),
        4..14 => Resource::Table(table(random, pools)),
        14 => Resource::Column(column(random, pools)),
        15 => Resource::Uri(Uri::from_normalised(random.text(&pools.places))),
        16 => Resource::Uri(Uri::from_normalised(random.text(&pools.place_patterns))),
        17 => function(random, pools),
        18 => Resource::Connector(random.text(&["a", "c"]).into()),
        _ => Resource::Service("a".into()),
    };
    let right = right(random);
    let any_of = matches!(right, Right::AnyOf { .. });
    let named = any_of && matches!(resource, Resource::Table(_)) && random.percent(60);
    Requirement {
        right,
        columns: if named { columns(random, pools) } else { Columns::Whole },
        reach: if any_of && random.percent(25) { Reach::AroundOrInside } else { Reach::Around },
        side: if random.percent(70) { Side::Input } else { Side::Output },
        resource,
    }
}

fn columns(random: &mut Random, pools: &Pools) -> Columns {
    let mut names: Vec<Name> = pools.columns.iter().map(|&name| name.into()).collect();
    let chance = 45 / pools.width;
    names.retain(|_| random.percent(chance));
    Columns::Named(names)
}

fn right(random: &mut Random) -> Right {
    let privileges = match random.below(20) {
        0 => return Right::Ownership,
        1 => return Right::Administration,
        2 if random.percent(20) => return Right::Nobody("forbidden".into()),
        3 | 4 => Privileges::ALL,
        5..9 => (0..random.between(2, 4)).fold(Privileges::NONE, |all, _| all.union(one(random))),
        11.. => Privileges::of(Privilege::Select),
        _ => one(random),
    };
    let option = if random.percent(10) { GrantOption::With } else { GrantOption::Without };
    Right::AnyOf { privileges, grant_option: option }
}
