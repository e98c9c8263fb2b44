//! The documented shapes of what is said of datasets as such: found, described, and who can do what with them.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::HeldEntry;
use crate::is_false;
use crate::policy::{HolderLine, WhoCanDocument};

/// The version of these shapes.
const VERSION: u32 = 1;

/// `search`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DatasetsDocument {
    pub version: u32,
    /// What was searched for.
    pub query: String,
    /// The best first, and those that fit alike by name.
    pub datasets: Vec<FoundDataset>,
    /// There are more: the cursor that they follow after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A dataset that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundDataset {
    /// `db.table`, a database, or a path.
    pub name: String,
    #[schemars(extend("enum" = ["database", "table", "view", "materialized_view", "path"]))]
    pub kind: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// What the words were found in; where several are found in the same, as the first of them is.
    pub found_in: Vec<FoundIn>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundIn {
    #[schemars(extend("enum" = ["name", "column", "tag", "owner", "comment"]))]
    pub field: Cow<'static, str>,
    pub text: String,
    /// All of a name, its beginning, a word in it, or nearly one.
    #[schemars(extend("enum" = ["exact", "prefix", "word", "typo"]))]
    pub how: Cow<'static, str>,
}

impl DatasetsDocument {
    #[must_use]
    pub fn of(query: &str, datasets: Vec<FoundDataset>, next: Option<String>) -> Self {
        Self { version: VERSION, query: query.to_owned(), datasets, next }
    }
}

/// `describe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DescribeDocument {
    pub version: u32,
    /// As it was asked for.
    pub dataset: String,
    #[serde(flatten)]
    pub described: Described,
}

/// What is known of a dataset; what the viewer may not know of is absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Described {
    /// `db.table`, a database, or a path.
    pub name: String,
    #[schemars(extend("enum" = ["database", "table", "view", "materialized_view", "path"]))]
    pub kind: Cow<'static, str>,
    /// It is no more.
    pub closed: bool,
    /// The catalog has it; else only the recorded runs tell of it.
    pub in_catalog: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// In the order of `SELECT *` where the catalog has them, else by name; of a column that is asked about only that one.
    pub columns: Vec<DescribedColumn>,
    /// On the whole of it.
    pub tags: Vec<TagOn>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_write: Option<Touch>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_read: Option<Touch>,
    pub counts: Counts,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DescribedColumn {
    pub name: String,
    /// As SQL writes it; absent where it is not known.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub data_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// It stands in the names of directories.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partition: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<TagOn>,
}

/// A tag on something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TagOn {
    pub tag: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// How it comes to be there: somebody put it on, it is on what this lies in, or it came with data.
    #[schemars(extend("enum" = ["own", "around", "data"]))]
    pub by: Cow<'static, str>,
}

/// A run that read or wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Touch {
    /// The key of the run.
    pub run: String,
    pub at: String,
    pub operation: String,
    /// Absent where the viewer may not know of all that the run touched, and where the run is forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    pub columns: usize,
    /// States after a write.
    pub versions: u32,
    /// Runs that wrote to it, and that read it.
    pub writes: usize,
    pub reads: usize,
}

impl DescribeDocument {
    #[must_use]
    pub fn of(dataset: &str, described: Described) -> Self {
        Self { version: VERSION, dataset: dataset.to_owned(), described }
    }
}

/// `GET /api/v1/dataset/access`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessDocument {
    pub version: u32,
    /// As it was asked for.
    pub dataset: String,
    /// As the policy names it.
    pub object: String,
    /// Those that anybody has, or that anything denies.
    pub privileges: Vec<AccessLine>,
}

/// Who has a privilege.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessLine {
    pub privilege: String,
    /// Everybody can, unless a denial names them.
    pub everybody: bool,
    /// The users, groups and roles of which each can by itself.
    pub holders: Vec<HolderLine>,
    /// Grants at single columns, which do not add up to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<HeldEntry>,
    /// Denials that take it, there or inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denials: Vec<HeldEntry>,
}

impl AccessDocument {
    /// Made of what `who-can` answers to each privilege on an object.
    #[must_use]
    pub fn of(dataset: &str, object: String, answers: Vec<WhoCanDocument>) -> Self {
        let is_anything = |answer: &WhoCanDocument| {
            answer.is_anybody() || !answer.columns.is_empty() || !answer.denials.is_empty()
        };
        let line = |answer: WhoCanDocument| AccessLine {
            privilege: answer.privilege,
            everybody: answer.everybody,
            holders: answer.holders,
            columns: answer.columns,
            denials: answer.denials,
        };
        let privileges = answers.into_iter().filter(is_anything).map(line).collect();
        Self { version: VERSION, dataset: dataset.to_owned(), object, privileges }
    }
}
