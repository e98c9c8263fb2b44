//! May somebody know that there is such a thing?

use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    BookName, GrantOption, Policy, Privilege, Privileges, Resource, Subject, Timestamp, decide,
};

/// What somebody may know of a warehouse.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub policy: &'a Policy,
    pub subject: &'a Subject,
    pub now: Timestamp,
}

impl Sight<'_> {
    /// May they know what there is inside? Hive's own modes hide nothing. Otherwise whoever holds any right
    /// there, around it or inside it may, and so may administrators; and everybody may look into `default`,
    /// unless the settings say otherwise.
    pub(crate) fn sees(self, resource: &Resource) -> bool {
        let settings = self.policy.settings();
        if matches!(settings.rule_book, BookName::HiveLegacy | BookName::SqlStandard) {
            return true;
        }
        let is_open = !settings.restrict_default_database.is_on()
            && matches!(resource, Resource::Database(name) if name.as_str() == "default");
        is_open || self.subject.is_administrator() || self.holds_anything(resource)
    }

    fn holds_anything(self, resource: &Resource) -> bool {
        let reach = match resource {
            // What is inside the server is everything; that opens no look at all its databases.
            Resource::Server => Reach::Around,
            _ => Reach::AroundOrInside,
        };
        let privileges: Privileges = Privilege::EACH.iter().copied().collect();
        let requirement = Requirement {
            right: Right::AnyOf { privileges, grant_option: GrantOption::Without },
            resource: resource.clone(),
            columns: Columns::Whole,
            reach,
            side: Side::Input,
        };
        decide(self.policy, self.subject, &[requirement], self.now).is_allowed()
    }
}

/// What a thing lies in, which one must be allowed to look into to learn that it is not there.
pub(crate) fn parent(resource: &Resource) -> Resource {
    match resource {
        Resource::Table(table) => Resource::Database(table.database.clone()),
        Resource::Column(column) => Resource::Table(column.table.clone()),
        Resource::Function { database: Some(database), .. } => Resource::Database(database.clone()),
        _ => Resource::Server,
    }
}
