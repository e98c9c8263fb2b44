//! Roles, privileges, data policies, resource plans.

use guardbee_hiveql::tree::{
    PolicyStatement, PrivilegeAction, PrivilegeObject, PrivilegeStatement, ResourcePlanStatement,
    RoleStatement, TriggerChange,
};
use guardbee_model::Operation;

use crate::effects::{FunctionName, Object, WriteAction};

use super::Analyzer;
use crate::partition::optional;

impl Analyzer<'_, '_> {
    /// Hive counts switching roles on among the statements that show roles.
    pub(super) fn role(&mut self, role: &RoleStatement<'_>) {
        self.operation(match role {
            RoleStatement::Create { .. } => Operation::CreateRole,
            RoleStatement::Drop { .. } => Operation::DropRole,
            RoleStatement::Set(_) => Operation::ShowRoles,
            RoleStatement::Grant(_) => Operation::GrantRole,
            RoleStatement::Revoke(_) => Operation::RevokeRole,
        });
    }

    pub(super) fn privilege(&mut self, statement: &PrivilegeStatement<'_>) {
        self.operation(match statement.action {
            PrivilegeAction::Grant => Operation::GrantPrivilege,
            PrivilegeAction::Revoke => Operation::RevokePrivilege,
            PrivilegeAction::Deny | PrivilegeAction::RevokeDeny => Operation::DenyPrivilege,
        });
        match &statement.object {
            Some(PrivilegeObject::Table { name, partition, .. }) => {
                let table = self.existing_table(name);
                self.write_table(&table, WriteAction::Touch, optional(partition.as_ref()));
            }
            Some(PrivilegeObject::View(name)) => {
                let view = self.existing_table(name);
                self.write_table(&view, WriteAction::Touch, None);
            }
            Some(object) => self.check_privilege_object(object),
            None => {}
        }
    }

    /// Tables and databases have to exist for a privilege on them to be granted.
    fn check_privilege_object(&mut self, object: &PrivilegeObject<'_>) {
        match object {
            PrivilegeObject::Table { name, .. } | PrivilegeObject::View(name) => {
                self.existing_table(name);
            }
            PrivilegeObject::Database(database)
            | PrivilegeObject::AllInDatabase(database)
            | PrivilegeObject::AllTablesIn(database) => {
                self.existing_database(*database);
            }
            PrivilegeObject::Column { table, .. } => {
                self.existing_table(table);
            }
            _ => {}
        }
    }

    pub(super) fn policy(&mut self, statement: &PolicyStatement<'_>) {
        self.operation(Operation::DataPolicy);
        match statement {
            PolicyStatement::Create(policy) => self.write_governed(&policy.on),
            PolicyStatement::SetTags { object, .. } | PolicyStatement::UnsetTags { object, .. } => {
                self.write_governed(object);
            }
            _ => {}
        }
    }

    /// The object that a policy or tag is put on.
    fn write_governed(&mut self, object: &PrivilegeObject<'_>) {
        match object {
            PrivilegeObject::Table { name, .. }
            | PrivilegeObject::View(name)
            | PrivilegeObject::Column { table: name, .. } => {
                let table = self.existing_table(name);
                self.write_table(&table, WriteAction::Touch, None);
            }
            PrivilegeObject::Database(database) => {
                let name = self.existing_database(*database);
                self.write_database(&name, WriteAction::Touch);
            }
            PrivilegeObject::Uri(uri) => self.write_path(uri, WriteAction::Touch),
            PrivilegeObject::Function(name) => {
                let database = name.database.as_ref().map(guardbee_hiveql::tree::Identifier::name);
                let function = FunctionName { database, name: name.name.name() };
                self.write_object(Object::Function(function), WriteAction::Touch);
            }
            PrivilegeObject::DataConnector(name) => {
                self.write_object(Object::DataConnector(name.name()), WriteAction::Touch);
            }
            _ => {}
        }
    }

    pub(super) fn resource_plan(&mut self, statement: &ResourcePlanStatement<'_>) {
        self.operation(match statement {
            ResourcePlanStatement::CreatePlan { .. } => Operation::CreateResourcePlan,
            ResourcePlanStatement::AlterPlan { .. }
            | ResourcePlanStatement::EnableWorkloadManagement
            | ResourcePlanStatement::DisableWorkloadManagement
            | ResourcePlanStatement::ReplacePlan { .. } => Operation::AlterResourcePlan,
            ResourcePlanStatement::DropPlan { .. } => Operation::DropResourcePlan,
            ResourcePlanStatement::CreateTrigger { .. } => Operation::CreateTrigger,
            // Moving a trigger between pools goes by the name of the pool's change.
            ResourcePlanStatement::AlterTrigger {
                change: TriggerChange::AddTo(_) | TriggerChange::DropFrom(_),
                ..
            } => Operation::AlterPool,
            ResourcePlanStatement::AlterTrigger { .. } => Operation::AlterTrigger,
            ResourcePlanStatement::DropTrigger { .. } => Operation::DropTrigger,
            ResourcePlanStatement::CreatePool { .. } => Operation::CreatePool,
            ResourcePlanStatement::AlterPool { .. } => Operation::AlterPool,
            ResourcePlanStatement::DropPool { .. } => Operation::DropPool,
            ResourcePlanStatement::CreateMapping(_) => Operation::CreateMapping,
            ResourcePlanStatement::AlterMapping(_) => Operation::AlterMapping,
            ResourcePlanStatement::DropMapping { .. } => Operation::DropMapping,
        });
    }
}
