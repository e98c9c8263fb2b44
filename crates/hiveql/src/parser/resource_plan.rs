//! Workload management: resource plans, pools, triggers and mappings, from Hive 3.1 on.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Existence, Identifier, Mapping, MappingKind, PlanChange, PlanContent, PlanSetting, PlanSettingKey,
    PoolChange, PoolSetting, PoolTarget, ResourcePlanStatement, Statement, TriggerAction, TriggerChange,
    TriggerCondition,
};

/// The kinds of thing that workload management is made of.
#[derive(Clone, Copy)]
enum Part {
    Plan,
    Trigger,
    Pool,
    Mapping(MappingKind),
}

impl<'a> Parser<'a> {
    /// What follows `CREATE`, if it is a part of workload management.
    pub(crate) fn create_workload_part(&mut self) -> Parse<Option<Statement<'a>>> {
        let Some(part) = self.workload_part()? else { return Ok(None) };
        let statement = match part {
            Part::Plan => self.create_plan()?,
            Part::Trigger => self.create_trigger()?,
            Part::Pool => self.create_pool()?,
            Part::Mapping(kind) => {
                ResourcePlanStatement::CreateMapping(self.arena.alloc(self.mapping(kind)?))
            }
        };
        Ok(Some(self.resource_plan_statement(statement)))
    }

    /// What follows `ALTER`, if it is a part of workload management.
    pub(crate) fn alter_workload_part(&mut self) -> Parse<Option<Statement<'a>>> {
        let Some(part) = self.workload_part()? else { return Ok(None) };
        let statement = match part {
            Part::Plan => self.alter_plan()?,
            Part::Trigger => self.alter_trigger()?,
            Part::Pool => self.alter_pool()?,
            Part::Mapping(kind) => ResourcePlanStatement::AlterMapping(self.arena.alloc(self.mapping(kind)?)),
        };
        Ok(Some(self.resource_plan_statement(statement)))
    }

    /// What follows `DROP`, if it is a part of workload management.
    pub(crate) fn drop_workload_part(&mut self) -> Parse<Option<Statement<'a>>> {
        let Some(part) = self.workload_part()? else { return Ok(None) };
        let statement = match part {
            Part::Plan => {
                let if_exists = self.plan_existence(Self::if_exists)?;
                ResourcePlanStatement::DropPlan { name: self.plan_name()?, if_exists }
            }
            Part::Trigger => {
                let (plan, name) = self.trigger_name()?;
                ResourcePlanStatement::DropTrigger { plan, name }
            }
            Part::Pool => {
                let (plan, path) = self.pool_name()?;
                ResourcePlanStatement::DropPool { plan, path }
            }
            Part::Mapping(kind) => {
                let name = self.mapped_name()?;
                ResourcePlanStatement::DropMapping { kind, name, plan: self.plan_name()? }
            }
        };
        Ok(Some(self.resource_plan_statement(statement)))
    }

    /// `ENABLE|DISABLE WORKLOAD MANAGEMENT`.
    pub(crate) fn workload_management_statement(&mut self) -> Parse<Statement<'a>> {
        let enables = self.at_keyword(Keyword::Enable);
        self.bump();
        self.expect_keywords(&[Keyword::Workload, Keyword::Management])?;
        Ok(self.resource_plan_statement(if enables {
            ResourcePlanStatement::EnableWorkloadManagement
        } else {
            ResourcePlanStatement::DisableWorkloadManagement
        }))
    }

    /// `REPLACE RESOURCE PLAN a WITH b`, `REPLACE ACTIVE RESOURCE PLAN WITH b`.
    pub(crate) fn replace_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Replace)?;
        let is_active = self.eat_keyword(Keyword::Active);
        self.expect_keywords(&[Keyword::Resource, Keyword::Plan])?;
        let name = if is_active { None } else { Some(self.plan_name()?) };
        self.expect_keyword(Keyword::With)?;
        let with = self.plan_name()?;
        Ok(self.resource_plan_statement(ResourcePlanStatement::ReplacePlan { name, with }))
    }

    fn resource_plan_statement(&self, statement: ResourcePlanStatement<'a>) -> Statement<'a> {
        Statement::ResourcePlan(self.arena.alloc(statement))
    }

    /// Takes the words that name a part of workload management, if they stand next.
    fn workload_part(&mut self) -> Parse<Option<Part>> {
        if self.version() < HiveVersion::V3_1 {
            return Ok(None);
        }
        let part = match self.keyword() {
            Some(Keyword::Resource) => {
                self.bump();
                self.expect_keyword(Keyword::Plan)?;
                return Ok(Some(Part::Plan));
            }
            Some(Keyword::Trigger) => Part::Trigger,
            Some(Keyword::Pool) => Part::Pool,
            Some(Keyword::User) => Part::Mapping(MappingKind::User),
            Some(Keyword::Group) => Part::Mapping(MappingKind::Group),
            Some(Keyword::Application) => Part::Mapping(MappingKind::Application),
            _ => return Ok(None),
        };
        self.bump();
        if let Part::Mapping(_) = part {
            self.expect_keyword(Keyword::Mapping)?;
        }
        Ok(Some(part))
    }

    fn plan_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Database, "a resource plan name")
    }

    /// Plans know `IF [NOT] EXISTS` from Hive 4 on.
    fn plan_existence(&mut self, rule: impl FnOnce(&mut Self) -> Existence) -> Parse<Existence> {
        if self.at_keyword(Keyword::If) {
            self.requires(HiveVersion::V4_0, "`IF` behind `RESOURCE PLAN`", self.start())?;
        }
        Ok(rule(self))
    }

    fn create_plan(&mut self) -> Parse<ResourcePlanStatement<'a>> {
        let if_not_exists = self.plan_existence(Self::if_not_exists)?;
        let name = self.plan_name()?;
        let content = if self.eat_keyword(Keyword::Like) {
            PlanContent::Like(self.plan_name()?)
        } else if self.eat_keyword(Keyword::With) {
            PlanContent::Settings(self.comma_list(Self::plan_setting)?)
        } else {
            PlanContent::Settings(&[])
        };
        Ok(ResourcePlanStatement::CreatePlan { name, if_not_exists, content })
    }

    fn alter_plan(&mut self) -> Parse<ResourcePlanStatement<'a>> {
        let name = self.plan_name()?;
        let change = self.plan_change()?;
        Ok(ResourcePlanStatement::AlterPlan { name, change })
    }

    fn plan_change(&mut self) -> Parse<PlanChange<'a>> {
        const CHANGES: [Keyword; 7] = [
            Keyword::Validate,
            Keyword::Enable,
            Keyword::Disable,
            Keyword::Activate,
            Keyword::Set,
            Keyword::Unset,
            Keyword::Rename,
        ];
        let change = match self.keyword() {
            Some(Keyword::Activate) => return Ok(self.activation()),
            Some(Keyword::Enable) if self.peek_keyword(1) == Some(Keyword::Activate) => {
                return Ok(self.activation());
            }
            Some(Keyword::Validate) => PlanChange::Validate,
            Some(Keyword::Enable) => PlanChange::Enable,
            Some(Keyword::Disable) => PlanChange::Disable,
            Some(Keyword::Set) => {
                self.bump();
                return Ok(PlanChange::Set(self.comma_list(Self::plan_setting)?));
            }
            Some(Keyword::Unset) => {
                self.bump();
                return Ok(PlanChange::Unset(self.comma_list(Self::plan_setting_key)?));
            }
            Some(Keyword::Rename) => {
                self.bump();
                self.expect_keyword(Keyword::To)?;
                return Ok(PlanChange::RenameTo(self.plan_name()?));
            }
            _ => return Err(self.expected_keywords(&CHANGES)),
        };
        self.bump();
        Ok(change)
    }

    /// `ACTIVATE [WITH REPLACE]`, with `ENABLE` on either side.
    fn activation(&mut self) -> PlanChange<'a> {
        let enabled_before = self.eat_keyword(Keyword::Enable);
        self.bump();
        let with_replace = self.eat_keywords(&[Keyword::With, Keyword::Replace]);
        let enabled_behind = !enabled_before && self.eat_keyword(Keyword::Enable);
        PlanChange::Activate { enable: enabled_before || enabled_behind, with_replace }
    }

    fn plan_setting(&mut self) -> Parse<PlanSetting<'a>> {
        let key = self.plan_setting_key()?;
        self.expect(TokenKind::Equal, "`=`")?;
        Ok(match key {
            PlanSettingKey::QueryParallelism => PlanSetting::QueryParallelism(self.number("a number")?),
            PlanSettingKey::DefaultPool => PlanSetting::DefaultPool(self.pool_path()?),
        })
    }

    fn plan_setting_key(&mut self) -> Parse<PlanSettingKey> {
        if self.eat_keyword(Keyword::QueryParallelism) {
            return Ok(PlanSettingKey::QueryParallelism);
        }
        if self.eat_keyword(Keyword::Default) {
            self.expect_keyword(Keyword::Pool)?;
            return Ok(PlanSettingKey::DefaultPool);
        }
        Err(self.expected_keywords(&[Keyword::QueryParallelism, Keyword::Default]))
    }

    fn pool_path(&mut self) -> Parse<&'a [Identifier<'a>]> {
        self.name_path("a pool name")
    }

    /// `plan.trigger`.
    fn trigger_name(&mut self) -> Parse<(Identifier<'a>, Identifier<'a>)> {
        let plan = self.plan_name()?;
        self.expect(TokenKind::Dot, "`.`")?;
        Ok((plan, self.identifier(Place::Database, "a trigger name")?))
    }

    fn create_trigger(&mut self) -> Parse<ResourcePlanStatement<'a>> {
        let (plan, name) = self.trigger_name()?;
        let (condition, action) = self.trigger_rule()?;
        Ok(ResourcePlanStatement::CreateTrigger { plan, name, condition, action })
    }

    fn alter_trigger(&mut self) -> Parse<ResourcePlanStatement<'a>> {
        let (plan, name) = self.trigger_name()?;
        let change = match self.keyword() {
            Some(Keyword::Add) => {
                self.bump();
                self.expect_keyword(Keyword::To)?;
                TriggerChange::AddTo(self.trigger_target()?)
            }
            Some(Keyword::Drop) => {
                self.bump();
                self.expect_keyword(Keyword::From)?;
                TriggerChange::DropFrom(self.trigger_target()?)
            }
            Some(Keyword::When) => {
                let (condition, action) = self.trigger_rule()?;
                TriggerChange::When { condition, action }
            }
            _ => return Err(self.expected_keywords(&[Keyword::When, Keyword::Add, Keyword::Drop])),
        };
        Ok(ResourcePlanStatement::AlterTrigger { plan, name, change })
    }

    /// `POOL path`, `UNMANAGED`.
    fn trigger_target(&mut self) -> Parse<PoolTarget<'a>> {
        if self.eat_keyword(Keyword::Unmanaged) {
            return Ok(PoolTarget::Unmanaged);
        }
        if self.eat_keyword(Keyword::Pool) {
            return self.pool_path().map(PoolTarget::Pool);
        }
        Err(self.expected_keywords(&[Keyword::Pool, Keyword::Unmanaged]))
    }

    /// `WHEN counter > limit DO action`.
    fn trigger_rule(&mut self) -> Parse<(TriggerCondition<'a>, TriggerAction<'a>)> {
        self.expect_keyword(Keyword::When)?;
        let counter = self.identifier(Place::Column, "the name of a counter")?;
        self.expect(TokenKind::Greater, "`>`")?;
        let limit = self.string_or_number("a number, or a limit in quotes")?;
        self.expect_keyword(Keyword::Do)?;
        let action = if self.eat_keyword(Keyword::Kill) {
            TriggerAction::Kill
        } else if self.eat_keyword(Keyword::Move) {
            self.expect_keyword(Keyword::To)?;
            TriggerAction::MoveTo(self.pool_path()?)
        } else {
            return Err(self.expected_keywords(&[Keyword::Kill, Keyword::Move]));
        };
        Ok((TriggerCondition { counter, limit }, action))
    }

    /// `plan.pool.pool...`.
    fn pool_name(&mut self) -> Parse<(Identifier<'a>, &'a [Identifier<'a>])> {
        let plan = self.plan_name()?;
        self.expect(TokenKind::Dot, "`.`")?;
        Ok((plan, self.pool_path()?))
    }

    fn create_pool(&mut self) -> Parse<ResourcePlanStatement<'a>> {
        let (plan, path) = self.pool_name()?;
        self.expect_keyword(Keyword::With)?;
        let settings = self.comma_list(Self::pool_setting)?;
        Ok(ResourcePlanStatement::CreatePool { plan, path, settings })
    }

    fn alter_pool(&mut self) -> Parse<ResourcePlanStatement<'a>> {
        let (plan, path) = self.pool_name()?;
        let change = if self.eat_keyword(Keyword::Set) {
            PoolChange::Set(self.comma_list(Self::pool_setting)?)
        } else if self.eat_keyword(Keyword::Unset) {
            self.expect_keyword(Keyword::SchedulingPolicy)?;
            PoolChange::UnsetSchedulingPolicy
        } else if self.eat_keywords(&[Keyword::Add, Keyword::Trigger]) {
            PoolChange::AddTrigger(self.identifier(Place::Database, "a trigger name")?)
        } else if self.eat_keywords(&[Keyword::Drop, Keyword::Trigger]) {
            PoolChange::DropTrigger(self.identifier(Place::Database, "a trigger name")?)
        } else {
            let changes = [Keyword::Set, Keyword::Unset, Keyword::Add, Keyword::Drop];
            return Err(self.expected_keywords(&changes));
        };
        Ok(ResourcePlanStatement::AlterPool { plan, path, change })
    }

    fn pool_setting(&mut self) -> Parse<PoolSetting<'a>> {
        const KEYS: [Keyword; 4] =
            [Keyword::AllocFraction, Keyword::QueryParallelism, Keyword::SchedulingPolicy, Keyword::Path];
        let Some(key) = self.keyword().filter(|key| KEYS.contains(key)) else {
            return Err(self.expected_keywords(&KEYS));
        };
        self.bump();
        self.expect(TokenKind::Equal, "`=`")?;
        Ok(match key {
            Keyword::AllocFraction => PoolSetting::AllocFraction(self.number("a number")?),
            Keyword::QueryParallelism => PoolSetting::QueryParallelism(self.number("a number")?),
            Keyword::SchedulingPolicy => PoolSetting::SchedulingPolicy(self.string("a policy in quotes")?),
            _ => PoolSetting::Path(self.pool_path()?),
        })
    }

    /// `'name' IN`, which the plan follows.
    fn mapped_name(&mut self) -> Parse<crate::tree::StringLiteral<'a>> {
        let name = self.string("the name of a user, group or application in quotes")?;
        self.expect_keyword(Keyword::In)?;
        Ok(name)
    }

    /// `'name' IN plan TO pool|UNMANAGED [WITH ORDER n]`.
    fn mapping(&mut self, kind: MappingKind) -> Parse<Mapping<'a>> {
        let name = self.mapped_name()?;
        let plan = self.plan_name()?;
        let target = if self.eat_keyword(Keyword::Unmanaged) {
            PoolTarget::Unmanaged
        } else {
            self.expect_keyword(Keyword::To)?;
            PoolTarget::Pool(self.pool_path()?)
        };
        let ordered = self.eat_keyword(Keyword::With);
        let order = if ordered {
            self.expect_keyword(Keyword::Order)?;
            Some(self.number("a number")?)
        } else {
            None
        };
        Ok(Mapping { kind, name, plan, target, order })
    }
}
