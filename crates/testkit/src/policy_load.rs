//! Large policies for measurements: entries over servers, databases, tables, columns and addresses, held by
//! users, groups and ten thousand roles nested three deep. The same for the same size and seed.

use guardbee_model::{Name, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    ActiveRoles, Change, Effect, Entry, EntryId, GrantOption, Identity, Membership, Principal, Privilege,
    Privileges, Resource, Role, Scope, Timestamp, Uri, Validity,
};
use smol_str::{SmolStr, format_smolstr};

/// How many columns every table has.
pub const COLUMNS: usize = 50;

const TOP_ROLES: usize = 1_000;
const MIDDLE_ROLES: usize = 3_000;
const LEAF_ROLES: usize = 6_000;
const ROLES: usize = TOP_ROLES + MIDDLE_ROLES + LEAF_ROLES;
const GROUPS: usize = 5_000;
const USERS: usize = 20_000;

/// A policy of a size.
#[derive(Debug, Clone, Copy)]
pub struct PolicyLoad {
    pub entries: usize,
    pub seed: u64,
}

/// A user who asks for something.
#[derive(Debug, Clone)]
pub struct Question {
    pub identity: Identity,
    pub requirement: Requirement,
}

/// Numbers that are no pattern.
#[derive(Debug, Clone)]
struct Dice(u64);

impl Dice {
    fn of(seed: u64, place: usize) -> Self {
        let mut dice = Self((seed ^ (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1);
        dice.below(2);
        dice.below(2);
        dice
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((mixed >> 33) as usize) % bound
    }
}

/// The roles that a role is in directly: leaves are in middle roles, those in top roles.
fn parent(role: usize) -> Option<usize> {
    if role < TOP_ROLES {
        None
    } else if role < TOP_ROLES + MIDDLE_ROLES {
        Some((role - TOP_ROLES) % TOP_ROLES)
    } else {
        Some(TOP_ROLES + (role - TOP_ROLES - MIDDLE_ROLES) % MIDDLE_ROLES)
    }
}

/// A leaf role that is in a role over at most two others.
fn leaf_of(role: usize) -> usize {
    let middle = if role < TOP_ROLES { TOP_ROLES + role } else { role };
    let leaf = if middle < TOP_ROLES + MIDDLE_ROLES { middle + MIDDLE_ROLES } else { middle };
    debug_assert!((TOP_ROLES + MIDDLE_ROLES..ROLES).contains(&leaf));
    leaf
}

fn role_name(role: usize) -> Name {
    Name::fold(&format!("role_{role}"))
}

fn user_name(user: usize) -> SmolStr {
    format_smolstr!("user_{user}")
}

fn group_name(group: usize) -> SmolStr {
    format_smolstr!("group_{group}")
}

/// The groups of a user: one that many are in, one of their own.
fn groups_of(user: usize) -> Vec<SmolStr> {
    vec![group_name(user % GROUPS), group_name((user * 7 + 3) % GROUPS)]
}

fn membership(role: usize, member: Principal) -> Change {
    Change::PutMembership(Membership {
        role: role_name(role),
        member,
        admin_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(1),
    })
}

impl PolicyLoad {
    fn databases(self) -> usize {
        self.entries / 1_000 + 1
    }

    fn tables(self) -> usize {
        self.entries / 8 + 1
    }

    fn table(self, table: usize) -> TableName {
        let database = Name::fold(&format!("db_{}", table % self.databases()));
        TableName::new(database, Name::fold(&format!("table_{table}")))
    }

    /// The steps that build the policy, one by one.
    pub fn changes(self) -> impl Iterator<Item = Change> {
        let roles = (0..ROLES).map(|role| {
            Change::PutRole(Role { name: role_name(role), created_by: None, created_at: Timestamp(1) })
        });
        let nested =
            (0..ROLES).filter_map(|role| Some(membership(parent(role)?, Principal::Role(role_name(role)))));
        let leaf = |number: usize| TOP_ROLES + MIDDLE_ROLES + number % LEAF_ROLES;
        let groups =
            (0..GROUPS).map(move |group| membership(leaf(group * 5), Principal::group(group_name(group))));
        let users = (0..USERS).map(move |user| membership(leaf(user), Principal::user(user_name(user))));
        let entries = (0..self.entries).map(move |place| Change::PutEntry(self.entry(place)));
        roles.chain(nested).chain(groups).chain(users).chain(entries)
    }

    /// Three blocks of fifty in ten are columns.
    fn is_column(self, place: usize) -> bool {
        place >= COLUMNS && Dice::of(!self.seed, place / COLUMNS).below(10) < 3
    }

    /// An entry.
    #[must_use]
    pub fn entry(self, place: usize) -> Entry {
        let is_column = self.is_column(place);
        // The holder of a column holds all columns of its table, an entry each.
        let mut dice = Dice::of(self.seed, if is_column { place - place % COLUMNS } else { place });
        let principal = match dice.below(20) {
            0 => Principal::user(user_name(dice.below(USERS))),
            1..4 => Principal::group(group_name(dice.below(GROUPS))),
            _ => Principal::Role(role_name(dice.below(ROLES))),
        };
        let privileges = match dice.below(8) {
            _ if is_column => Privileges::of(Privilege::Select),
            0 => Privileges::ALL,
            1 => Privileges::of(Privilege::Insert),
            _ => Privileges::of(Privilege::Select),
        };
        Entry {
            id: EntryId(place as u64 + 1),
            effect: if dice.below(50) == 0 { Effect::Deny } else { Effect::Grant },
            principal,
            except: [].into(),
            privileges,
            scope: self.scope(place, &mut dice),
            grant_option: GrantOption::Without,
            grantor: Some(Principal::user("admin")),
            created_at: Timestamp(1_700_000_000_000 + place as i64),
            validity: Validity::ALWAYS,
            purpose: None,
        }
    }

    fn scope(self, place: usize, dice: &mut Dice) -> Scope {
        let table = self.table(dice.below(self.tables()));
        let (database, table) = (table.database.into(), table.table.into());
        match dice.below(100) {
            _ if place < 10 => Scope::Server,
            _ if self.is_column(place) => {
                Scope::Column { database, table, column: column_name(place % COLUMNS).into() }
            }
            0..3 => Scope::Database(database),
            3..88 => Scope::Table { database, table },
            _ => {
                let path = format!("hdfs://nn1:8020/data/{}/{}", dice.below(97), dice.below(self.tables()));
                Scope::Uri(Uri::from_normalised(&path))
            }
        }
    }

    /// A question that has to do with an entry: somebody who holds it asks for what it stands on.
    #[must_use]
    pub fn question(self, place: usize) -> Question {
        let entry = self.entry(place);
        let mut dice = Dice::of(self.seed ^ 0x5bd1_e995, place);
        let user = match &entry.principal {
            Principal::User(name) => number(name),
            Principal::Group(name) => number(name),
            Principal::Role(name) => leaf_of(number(name)) - TOP_ROLES - MIDDLE_ROLES,
        };
        let identity = Identity { user: user_name(user), groups: groups_of(user), roles: ActiveRoles::All };
        let table = |database: &str| {
            let table = self.table(dice.below(self.tables()));
            TableName::new(Name::fold(database), table.table)
        };
        let resource = match &entry.scope {
            Scope::Database(database) => Resource::Table({ table }(database.as_str())),
            Scope::Table { database, table } | Scope::Column { database, table, .. } => {
                Resource::Table(TableName::new(Name::fold(database.as_str()), Name::fold(table.as_str())))
            }
            Scope::Uri(place) => Resource::Uri(Uri::from_normalised(&format!("{place}/part"))),
            _ => Resource::Table(self.table(dice.below(self.tables()))),
        };
        let privileges = match &resource {
            Resource::Uri(_) => Privileges::ALL,
            _ => Privileges::of(Privilege::Select),
        };
        let columns = match &resource {
            Resource::Table(_) => Columns::Named((0..COLUMNS).map(column_name).collect()),
            _ => Columns::Whole,
        };
        let right = Right::AnyOf { privileges, grant_option: GrantOption::Without };
        let requirement = Requirement { right, resource, columns, reach: Reach::Around, side: Side::Input };
        Question { identity, requirement }
    }

    /// Questions drawn evenly over all entries.
    pub fn questions(self, count: usize) -> impl Iterator<Item = Question> {
        let mut dice = Dice::of(self.seed ^ 0xdead_beef, 0);
        (0..count).map(move |_| self.question(dice.below(self.entries)))
    }
}

fn column_name(column: usize) -> Name {
    Name::fold(&format!("column_{column:02}"))
}

fn number(name: &str) -> usize {
    name.rsplit('_').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
