//! Who can do what with a dataset?

use guardbee_lineage::DatasetName;
use guardbee_policy::{Privilege, Privileges, Resource};
use guardbee_wire::datasets::AccessDocument;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::warehouse::{named, resource_of};
use crate::defaults;
use crate::ground::{Ground, Unanswered};
use crate::policy::who_can_on;

const ON_TABLES: &[Privilege] = &[
    Privilege::Select,
    Privilege::Insert,
    Privilege::Update,
    Privilege::Delete,
    Privilege::Alter,
    Privilege::Drop,
    Privilege::Index,
    Privilege::Lock,
];
const ON_DATABASES: &[Privilege] = &[
    Privilege::Select,
    Privilege::Insert,
    Privilege::Update,
    Privilege::Delete,
    Privilege::Create,
    Privilege::Alter,
    Privilege::Drop,
    Privilege::Index,
    Privilege::Lock,
];
const ON_PATHS: &[Privilege] = &[Privilege::Read, Privilege::Write];

/// Who can do what with a dataset?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccessQuestion {
    /// A table or view (`db.table`), a column (`db.table.column`), a database, or a path.
    pub dataset: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
}

impl AccessQuestion {
    #[must_use]
    pub fn about(dataset: &str) -> Self {
        Self { dataset: dataset.to_owned(), database: defaults::database() }
    }
}

/// Privilege by privilege who has it; `ALL` comes first. It is for those who may read the whole policy.
///
/// # Errors
/// [`Unanswered::NotFound`] where nobody knows the dataset.
pub async fn access(ground: &Ground<'_>, question: &AccessQuestion) -> Result<AccessDocument, Unanswered> {
    let (dataset, column) = named(ground, &question.dataset, &question.database)?;
    let whole = resource_of(&dataset).unwrap_or(Resource::Server);
    let resource = match (whole, column) {
        (Resource::Table(table), Some(column)) => {
            Resource::Column(guardbee_model::ColumnName { table, column })
        }
        (whole, _) => whole,
    };
    let single = match dataset {
        DatasetName::Database(_) => ON_DATABASES,
        DatasetName::Path(_) => ON_PATHS,
        _ => ON_TABLES,
    };
    let asked = std::iter::once(Privileges::ALL).chain(single.iter().copied().map(Privileges::of));
    let answers = asked.map(|privilege| who_can_on(ground.policy, privilege, &resource, ground.now));
    Ok(AccessDocument::of(&question.dataset, resource.to_string(), answers.collect()))
}
