//! Resource plans, their pools, mappings and triggers.

use super::{Print, Printer};
use crate::tree::{
    Identifier, Mapping, MappingKind, PlanChange, PlanContent, PlanSetting, PlanSettingKey, PoolChange,
    PoolSetting, PoolTarget, ResourcePlanStatement, TriggerAction, TriggerChange, TriggerCondition,
};

impl Print for ResourcePlanStatement<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::CreatePlan { name, if_not_exists, content } => {
                printer.word("CREATE RESOURCE PLAN");
                printer.if_not_exists(*if_not_exists);
                name.print(printer);
                content.print(printer);
            }
            Self::AlterPlan { name, change } => {
                printer.worded("ALTER RESOURCE PLAN", name);
                change.print(printer);
            }
            Self::EnableWorkloadManagement => printer.word("ENABLE WORKLOAD MANAGEMENT"),
            Self::DisableWorkloadManagement => printer.word("DISABLE WORKLOAD MANAGEMENT"),
            Self::ReplacePlan { name, with } => {
                match name {
                    Some(name) => printer.worded("REPLACE RESOURCE PLAN", name),
                    None => printer.word("REPLACE ACTIVE RESOURCE PLAN"),
                }
                printer.worded("WITH", with);
            }
            Self::DropPlan { name, if_exists } => {
                printer.word("DROP RESOURCE PLAN");
                printer.if_exists(*if_exists);
                name.print(printer);
            }
            Self::CreateTrigger { plan, name, condition, action } => {
                printer.inside_plan("CREATE TRIGGER", plan, &[*name]);
                printer.trigger_rule(condition, action);
            }
            Self::AlterTrigger { plan, name, change } => {
                printer.inside_plan("ALTER TRIGGER", plan, &[*name]);
                change.print(printer);
            }
            Self::DropTrigger { plan, name } => printer.inside_plan("DROP TRIGGER", plan, &[*name]),
            Self::CreatePool { plan, path, settings } => {
                printer.inside_plan("CREATE POOL", plan, path);
                printer.word("WITH");
                printer.nodes(settings);
            }
            Self::AlterPool { plan, path, change } => {
                printer.inside_plan("ALTER POOL", plan, path);
                change.print(printer);
            }
            Self::DropPool { plan, path } => printer.inside_plan("DROP POOL", plan, path),
            Self::CreateMapping(mapping) => printer.worded("CREATE", *mapping),
            Self::AlterMapping(mapping) => printer.worded("ALTER", *mapping),
            Self::DropMapping { kind, name, plan } => {
                printer.worded("DROP", kind);
                name.print(printer);
                printer.worded("IN", plan);
            }
        }
    }
}

impl Print for PlanContent<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Like(plan) => printer.worded("LIKE", plan),
            Self::Settings([]) => {}
            Self::Settings(settings) => {
                printer.word("WITH");
                printer.nodes(settings);
            }
        }
    }
}

impl Print for PlanSetting<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::QueryParallelism(number) => printer.optional_text("QUERY_PARALLELISM =", Some(number)),
            Self::DefaultPool(path) => {
                printer.word("DEFAULT POOL =");
                printer.path(path);
            }
        }
    }
}

impl Print for PlanSettingKey {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::QueryParallelism => "QUERY_PARALLELISM",
            Self::DefaultPool => "DEFAULT POOL",
        });
    }
}

impl Print for PoolSetting<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::AllocFraction(number) => printer.optional_text("ALLOC_FRACTION =", Some(number)),
            Self::QueryParallelism(number) => printer.optional_text("QUERY_PARALLELISM =", Some(number)),
            Self::SchedulingPolicy(policy) => printer.worded("SCHEDULING_POLICY =", policy),
            Self::Path(path) => {
                printer.word("PATH =");
                printer.path(path);
            }
        }
    }
}

impl Print for PlanChange<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Set(settings) => {
                printer.word("SET");
                printer.nodes(settings);
            }
            Self::Unset(keys) => {
                printer.word("UNSET");
                printer.nodes(keys);
            }
            Self::RenameTo(name) => printer.worded("RENAME TO", name),
            Self::Validate => printer.word("VALIDATE"),
            Self::Enable => printer.word("ENABLE"),
            Self::Disable => printer.word("DISABLE"),
            Self::Activate { enable, with_replace } => {
                printer.word_if(*enable, "ENABLE");
                printer.word("ACTIVATE");
                printer.word_if(*with_replace, "WITH REPLACE");
            }
        }
    }
}

impl Print for TriggerAction<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Kill => printer.word("KILL"),
            Self::MoveTo(path) => {
                printer.word("MOVE TO");
                printer.path(path);
            }
        }
    }
}

impl Print for TriggerChange<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::When { condition, action } => printer.trigger_rule(condition, action),
            Self::AddTo(target) => printer.worded("ADD TO", &TriggerTarget(target)),
            Self::DropFrom(target) => printer.worded("DROP FROM", &TriggerTarget(target)),
        }
    }
}

/// A target as triggers name it: with the word `POOL`.
struct TriggerTarget<'t>(&'t PoolTarget<'t>);

impl Print for TriggerTarget<'_> {
    fn print(&self, printer: &mut Printer) {
        match self.0 {
            PoolTarget::Pool(path) => {
                printer.word("POOL");
                printer.path(path);
            }
            PoolTarget::Unmanaged => printer.word("UNMANAGED"),
        }
    }
}

impl Print for PoolChange<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Set(settings) => {
                printer.word("SET");
                printer.nodes(settings);
            }
            Self::UnsetSchedulingPolicy => printer.word("UNSET SCHEDULING_POLICY"),
            Self::AddTrigger(name) => printer.worded("ADD TRIGGER", name),
            Self::DropTrigger(name) => printer.worded("DROP TRIGGER", name),
        }
    }
}

impl Print for Mapping<'_> {
    fn print(&self, printer: &mut Printer) {
        self.kind.print(printer);
        self.name.print(printer);
        printer.worded("IN", &self.plan);
        match &self.target {
            PoolTarget::Pool(path) => {
                printer.word("TO");
                printer.path(path);
            }
            PoolTarget::Unmanaged => printer.word("UNMANAGED"),
        }
        printer.optional_text("WITH ORDER", self.order);
    }
}

impl Print for MappingKind {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::User => "USER MAPPING",
            Self::Group => "GROUP MAPPING",
            Self::Application => "APPLICATION MAPPING",
        });
    }
}

impl Printer {
    fn inside_plan(&mut self, words: &str, plan: &Identifier<'_>, path: &[Identifier<'_>]) {
        self.worded(words, plan);
        self.dot();
        self.path(path);
    }

    fn trigger_rule(&mut self, condition: &TriggerCondition<'_>, action: &TriggerAction<'_>) {
        self.worded("WHEN", &condition.counter);
        self.worded(">", &condition.limit);
        self.worded("DO", action);
    }
}
