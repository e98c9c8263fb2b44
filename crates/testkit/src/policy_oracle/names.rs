//! The names that random worlds are made of.

use std::sync::LazyLock;

const USERS: &[&str] = &["ann", "Ann", "x"];
const GROUPS: &[&str] = &["x", "ops", "Ops"];
const ROLES: &[&str] = &["x", "r1", "r2", "r3", "r4"];
const DATABASES: &[&str] = &["a", "ab", "default"];
const TABLES: &[&str] = &["a", "ab", "ba"];
const COLUMNS: &[&str] = &["a", "ab", "b"];
const FUNCTIONS: &[&str] = &["a", "ab", "f"];
const PLACES: &[&str] = &[
    "hdfs://nn",
    "hdfs://nn/a",
    "hdfs://nn/a/b",
    "hdfs://nn/ab",
    "hdfs://nn:8020/a/b/c",
    "hdfs://nn2/a",
    "file://",
    "file:///a",
];
/// As a statement may name places.
const PLACE_PATTERNS: &[&str] = &[
    "hdfs://nn/*",
    "hdfs://nn/a/{b,x}",
    "hdfs://nn/a?",
    "hdfs://nn/*/b/*",
    "hdfs://nn:8020/a",
    "file:///*b",
];
const TAGS: &[&str] = &["pii", "a"];

/// The names that there are of each kind. The same name is a user, a group and a role, databases are called
/// like tables and columns.
#[derive(Debug)]
pub struct Pools {
    /// How many times as many there are as in a small world.
    pub width: usize,
    pub users: Vec<&'static str>,
    pub groups: Vec<&'static str>,
    pub roles: Vec<&'static str>,
    pub databases: Vec<&'static str>,
    pub tables: Vec<&'static str>,
    pub columns: Vec<&'static str>,
    pub functions: Vec<&'static str>,
    pub places: Vec<&'static str>,
    /// Patterns of places, which nothing stands on but statements ask for.
    pub place_patterns: Vec<&'static str>,
    pub tags: Vec<&'static str>,
}

/// So few names that everything meets.
pub static FEW: LazyLock<Pools> = LazyLock::new(|| Pools::of(1));

/// So many that what holds them has to grow.
pub static MANY: LazyLock<Pools> = LazyLock::new(|| Pools::of(7));

impl Pools {
    fn of(width: usize) -> Self {
        Self {
            width,
            users: numbered(USERS, width),
            groups: numbered(GROUPS, width),
            roles: numbered(ROLES, width),
            databases: numbered(DATABASES, width),
            tables: numbered(TABLES, width),
            columns: numbered(COLUMNS, width),
            functions: numbered(FUNCTIONS, width),
            places: numbered(PLACES, width),
            place_patterns: PLACE_PATTERNS.to_vec(),
            tags: numbered(TAGS, width),
        }
    }
}

/// Each name, and with a number behind it as often as it takes. They live as long as the program does.
fn numbered(names: &[&'static str], width: usize) -> Vec<&'static str> {
    let more = (1..width).flat_map(|number| names.iter().map(move |name| format!("{name}{number}")));
    names.iter().copied().chain(more.map(|name| &*name.leak())).collect()
}
