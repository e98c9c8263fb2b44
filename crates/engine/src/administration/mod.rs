//! The statements that show and change the policy: roles, privileges, denials, tags, row filters, column
//! masks.
//!
//! Nothing is changed here. A statement becomes a [`Plan`]: the steps to be made and the rows to be shown,
//! all from one policy. Whoever carries it out makes it anew where the policy has changed meanwhile, so that a
//! plan is never made from what is no longer so.

mod data_policies;
mod declassifiers;
mod denials;
mod draft;
mod look_alike;
mod names;
mod objects;
pub(crate) mod privilege_kinds;
mod privileges;
mod revoke;
mod roles;
mod show;
mod show_grant;
mod tags;
mod who_may;

use guardbee_analysis::Catalog;
use guardbee_hiveql::tree::{PrivilegeAction, PrivilegeObject, RoleStatement, Show, Statement};
use guardbee_model::{HiveVersion, Name, Operation};
use guardbee_policy::requirement::Requirement;
use guardbee_policy::{
    ActiveRoles, BookName, Change, Decision, Identity, Policy, Principal, Resource, Settings, Subject,
    Timestamp, Verdict,
};

use crate::engine::Completeness;
use crate::groups::GroupMapping;
use crate::outcome::{Answer, Problem, bare_decision};

/// All that a plan is made from.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub policy: &'a Policy,
    pub catalog: &'a Catalog,
    pub completeness: Completeness,
    pub hive_version: HiveVersion,
    /// The session's current database.
    pub database: &'a Name,
    pub identity: &'a Identity,
    /// Who asks, with the roles that are switched on.
    pub subject: &'a Subject,
    pub groups: &'a dyn GroupMapping,
    pub now: Timestamp,
    pub authority: Authority,
}

/// Is it asked whether somebody may administer?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Authority {
    Asked,
    /// Somebody else has said yes.
    Given,
}

impl Context<'_> {
    pub(crate) fn settings(&self) -> &Settings {
        self.policy.settings()
    }

    pub(crate) fn book(&self) -> BookName {
        self.settings().rule_book
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.settings().strict.is_on()
    }

    pub(crate) fn user(&self) -> Principal {
        Principal::User(self.identity.user.clone())
    }
}

/// What an administration statement comes to.
#[derive(Debug)]
pub(crate) struct Plan {
    pub grounds: Grounds,
    pub changes: Vec<Change>,
    pub answer: Answer,
    /// What `SET ROLE` switches on.
    pub roles: Option<ActiveRoles>,
}

/// On what grounds somebody may administer, or may not.
#[derive(Debug)]
pub(crate) struct Grounds {
    pub requirements: Vec<Requirement>,
    pub decision: Decision,
}

impl Grounds {
    /// Everybody may.
    pub(crate) fn none_needed() -> Self {
        Self { requirements: Vec::new(), decision: bare_decision(Verdict::Allowed) }
    }

    /// The same, but they may not.
    pub(crate) fn refused(mut self) -> Self {
        self.decision.verdict = Verdict::Denied;
        self
    }
}

/// Why there is no plan.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// They may not.
    Denied { grounds: Box<Grounds>, problem: Problem },
    /// Nobody could.
    Error(Problem),
}

impl Refusal {
    pub(crate) fn denied(grounds: Grounds, problem: Problem) -> Self {
        Self::Denied { grounds: Box::new(grounds), problem }
    }

    pub(crate) fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::Error(Problem::new(code, message))
    }
}

/// Is it a statement of administration?
pub(crate) fn is_administration(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::Role(_) | Statement::Privilege(_) | Statement::Policy(_) => true,
        Statement::Show(show) => matches!(
            show,
            Show::Roles
                | Show::CurrentRoles
                | Show::RoleGrant(_)
                | Show::Principals(_)
                | Show::Grant { .. }
                | Show::Tags(_)
                | Show::RowFilters(_)
                | Show::ColumnMasks(_)
        ),
        _ => false,
    }
}

/// Is it an operation of statements of administration alone?
pub(crate) const fn administers(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::CreateRole
            | Operation::DropRole
            | Operation::ShowRoles
            | Operation::GrantRole
            | Operation::RevokeRole
            | Operation::ShowRoleGrant
            | Operation::ShowRolePrincipals
            | Operation::GrantPrivilege
            | Operation::RevokePrivilege
            | Operation::DenyPrivilege
            | Operation::ShowGrant
            | Operation::DataPolicy
    )
}

/// The one thing that an object of a statement stands for.
pub(crate) fn resource(context: Context<'_>, object: &PrivilegeObject<'_>) -> Result<Resource, Refusal> {
    objects::resource(context, object)
}

/// Plans a statement for which [`is_administration`] holds.
pub(crate) fn plan(context: Context<'_>, statement: &Statement<'_>) -> Result<Plan, Refusal> {
    match statement {
        Statement::Role(role) => match role {
            RoleStatement::Create { name, if_not_exists } => roles::create(context, *name, *if_not_exists),
            RoleStatement::Drop { name, if_exists } => roles::drop(context, *name, *if_exists),
            RoleStatement::Set(choice) => roles::set(context, choice),
            RoleStatement::Grant(grant) => roles::grant(context, grant),
            RoleStatement::Revoke(revoke) => roles::revoke(context, revoke),
        },
        Statement::Privilege(statement) => match statement.action {
            PrivilegeAction::Grant => privileges::grant(context, statement),
            PrivilegeAction::Revoke => revoke::revoke(context, statement),
            PrivilegeAction::Deny => denials::deny(context, statement),
            PrivilegeAction::RevokeDeny => denials::revoke_deny(context, statement),
        },
        Statement::Policy(statement) => data_policies::plan(context, statement),
        Statement::Show(show) => show::plan(context, show),
        _ => Err(Refusal::error("not-administration", "the statement does not administer anything")),
    }
}
