//! The documented shapes of what `guardbee policy`, `who-can`, `what-can` and `why` write as JSON.

use std::borrow::Cow;

use guardbee_engine::comparison::{
    GroupDifference, Touch as EngineTouch, Touched as EngineTouched, statement_difference, touched,
};
use guardbee_engine::desired::{FileProblem, PolicyFile};
use guardbee_engine::explain::{Explained, Held, Remedy, of_holding};
use guardbee_engine::impact::{Case, Impact, Shift as EngineShift};
use guardbee_engine::store::{PolicyVersion, VersionRecord};
use guardbee_policy::reverse::Holdings;
use guardbee_policy::{Entry, Identity, Policy, Principal, Privileges, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::{Advice, DataObligation, HeldEntry, PrincipalName, Reason};
use crate::clock;
use crate::place::{Place, Places};

/// The version of these shapes.
const VERSION: u32 = 1;

/// `policy history`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryDocument {
    pub version: u32,
    /// Newest first.
    pub versions: Vec<VersionLine>,
}

impl HistoryDocument {
    #[must_use]
    pub const fn of(versions: Vec<VersionLine>) -> Self {
        Self { version: VERSION, versions }
    }
}

/// A version of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersionLine {
    pub version: u64,
    /// As `2026-11-29T02:14:05Z`.
    pub at: String,
    pub author: String,
    pub reason: String,
    /// How many steps it took.
    pub changes: u64,
}

impl From<&VersionRecord> for VersionLine {
    fn from(record: &VersionRecord) -> Self {
        Self {
            version: record.version.0,
            at: clock::of(record.at),
            author: record.author.to_string(),
            reason: record.reason.to_string(),
            changes: record.change_count,
        }
    }
}

/// What two policies differ in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Differences {
    /// The statements that come and go, by kind.
    pub groups: Vec<StatementGroup>,
    pub touched: Vec<Touched>,
}

impl Differences {
    #[must_use]
    pub fn of(before: &Policy, after: &Policy) -> Self {
        Self {
            groups: statement_difference(before, after).into_iter().map(StatementGroup::from).collect(),
            touched: touched(before, after).iter().map(Touched::from).collect(),
        }
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.touched.is_empty()
    }

    #[must_use]
    pub fn added(&self) -> usize {
        self.groups.iter().map(|group| group.added.len()).sum()
    }

    #[must_use]
    pub fn removed(&self) -> usize {
        self.groups.iter().map(|group| group.removed.len()).sum()
    }
}

/// `policy diff`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceDocument {
    pub version: u32,
    #[serde(flatten)]
    pub differences: Differences,
}

impl DifferenceDocument {
    #[must_use]
    pub fn of(before: &Policy, after: &Policy) -> Self {
        Self { version: VERSION, differences: Differences::of(before, after) }
    }
}

/// `policy apply` and `policy restore`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeDocument {
    pub version: u32,
    /// The version of the policy that was made; where there was nothing to change, the one that stays.
    pub policy_version: u64,
    /// How many steps it took; 0 where there was nothing to change.
    pub changes: u64,
    #[serde(flatten)]
    pub differences: Differences,
}

impl ChangeDocument {
    #[must_use]
    pub const fn of(version: PolicyVersion, changes: u64, differences: Differences) -> Self {
        Self { version: VERSION, policy_version: version.0, changes, differences }
    }
}

/// Something in the text of a policy that makes none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextProblem {
    /// The text as it was labelled.
    pub file: String,
    /// Where it stands, from 1 on; columns count characters.
    pub line: u32,
    pub column: u32,
    /// The same in bytes.
    pub start: u32,
    pub end: u32,
    /// A stable name, such as `syntax`.
    pub code: Cow<'static, str>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl TextProblem {
    #[must_use]
    pub fn of(file: PolicyFile<'_>, problem: &FileProblem) -> Self {
        let start = Place { line: 1, column: 1 };
        let place = Places::starting_at(file.text, start).of(problem.span.start);
        Self {
            file: file.label.to_owned(),
            line: place.line,
            column: place.column,
            start: problem.span.start,
            end: problem.span.end,
            code: problem.code.into(),
            message: problem.message.clone(),
            hint: problem.hint.clone(),
        }
    }
}

/// `policy plan`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanDocument {
    pub version: u32,
    /// The version of the policy that it was planned against.
    pub policy_version: u64,
    #[serde(flatten)]
    pub differences: Differences,
    /// Could nobody administer the policy any more?
    pub locks_administrators_out: bool,
    /// What the log says; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub past: Option<PastDocument>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatementGroup {
    pub heading: Cow<'static, str>,
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

impl From<GroupDifference> for StatementGroup {
    fn from(group: GroupDifference) -> Self {
        Self { heading: group.heading.into(), removed: group.removed, added: group.added }
    }
}

/// Somebody for whom something changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Touched {
    pub principal: PrincipalName,
    pub effects: Vec<Touch>,
    /// Of a role: the users and groups that are in it.
    pub members: Vec<PrincipalName>,
}

impl From<&EngineTouched> for Touched {
    fn from(touched: &EngineTouched) -> Self {
        Self {
            principal: PrincipalName::from(&touched.principal),
            effects: touched.effects.iter().copied().map(Touch::from).collect(),
            members: touched.members.iter().map(PrincipalName::from).collect(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum Touch {
    #[serde(rename = "gains")]
    Gains,
    #[serde(rename = "loses")]
    Loses,
    #[serde(rename = "may gain or lose")]
    MayGainOrLose,
    #[serde(rename = "sees otherwise")]
    SeesOtherwise,
}

impl Touch {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gains => "gains",
            Self::Loses => "loses",
            Self::MayGainOrLose => "may gain or lose",
            Self::SeesOtherwise => "sees otherwise",
        }
    }
}

impl From<EngineTouch> for Touch {
    fn from(touch: EngineTouch) -> Self {
        match touch {
            EngineTouch::Gains => Self::Gains,
            EngineTouch::Loses => Self::Loses,
            EngineTouch::MayGainOrLose => Self::MayGainOrLose,
            EngineTouch::SeesOtherwise => Self::SeesOtherwise,
        }
    }
}

/// Statements of a log, decided by both policies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PastDocument {
    pub statements: u64,
    pub now_refused: u64,
    pub now_allowed: u64,
    pub seen_otherwise: u64,
    /// Statements that neither policy can judge.
    pub unjudged: u64,
    /// Lines that are no statement of a log.
    pub bad_lines: u64,
    /// Statements decided otherwise that are only counted.
    pub not_kept: u64,
    pub cases: Vec<PastCase>,
}

/// Statements that are decided otherwise in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PastCase {
    pub shift: Shift,
    pub user: String,
    pub groups: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    pub sql: String,
    pub count: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    pub missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obligations_before: Vec<DataObligation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obligations_after: Vec<DataObligation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Shift {
    NowRefused,
    NowAllowed,
    SeenOtherwise,
}

impl PlanDocument {
    #[must_use]
    pub const fn of(
        version: PolicyVersion,
        differences: Differences,
        locks_administrators_out: bool,
        past: Option<PastDocument>,
    ) -> Self {
        Self { version: VERSION, policy_version: version.0, differences, locks_administrators_out, past }
    }
}

impl PastDocument {
    #[must_use]
    pub fn of(impact: &Impact, bad_lines: u64) -> Self {
        let totals = impact.totals();
        Self {
            statements: totals.statements,
            now_refused: totals.now_refused,
            now_allowed: totals.now_allowed,
            seen_otherwise: totals.seen_otherwise,
            unjudged: totals.unjudged,
            bad_lines,
            not_kept: totals.not_kept,
            cases: impact.cases().into_iter().map(PastCase::from).collect(),
        }
    }
}

impl From<&Case> for PastCase {
    fn from(case: &Case) -> Self {
        let (before, after) = case.obligations.clone().unwrap_or_default();
        Self {
            shift: match case.shift {
                EngineShift::NowRefused => Shift::NowRefused,
                EngineShift::NowAllowed => Shift::NowAllowed,
                EngineShift::SeenOtherwise => Shift::SeenOtherwise,
            },
            user: case.statement.user.to_string(),
            groups: case.statement.groups.iter().map(ToString::to_string).collect(),
            database: case.statement.database.as_ref().map(ToString::to_string),
            sql: case.statement.sql.clone(),
            count: case.count,
            first: case.first.as_ref().map(ToString::to_string),
            last: case.last.as_ref().map(ToString::to_string),
            missing: case.missing.clone(),
            obligations_before: before.iter().map(DataObligation::from).collect(),
            obligations_after: after.iter().map(DataObligation::from).collect(),
        }
    }
}

/// `who-can`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WhoCanDocument {
    pub version: u32,
    pub privilege: String,
    pub object: String,
    /// Everybody can, unless a denial names them.
    pub everybody: bool,
    /// The users, groups and roles of which each can by itself.
    pub holders: Vec<HolderLine>,
    /// Grants at single columns of a table, which do not add up to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<HeldEntry>,
    /// Denials that take it, there or inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denials: Vec<HeldEntry>,
}

/// Somebody who can, and by what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HolderLine {
    pub principal: PrincipalName,
    pub entries: Vec<HeldEntry>,
}

/// A user or group that has a privilege, with the grants that give it.
pub struct Holder {
    pub principal: Principal,
    pub entries: Vec<Held>,
}

/// What else there is about a privilege on an object.
#[derive(Debug, Default)]
pub struct Beside {
    /// Grants at single columns of a table, which do not add up to it.
    pub columns: Vec<Entry>,
    /// Denials that take it, there or inside.
    pub denials: Vec<Entry>,
}

impl WhoCanDocument {
    /// Can anybody?
    #[must_use]
    pub const fn is_anybody(&self) -> bool {
        self.everybody || !self.holders.is_empty()
    }

    #[must_use]
    pub fn of(
        policy: &Policy,
        privilege: Privileges,
        resource: &Resource,
        everybody: bool,
        holders: &[Holder],
        beside: &Beside,
    ) -> Self {
        let lines = |entries: &[Entry]| {
            let held = |entry: &Entry| Held {
                entry: entry.clone(),
                path: vec![entry.principal.clone()],
                carrier: None,
            };
            entries.iter().map(|entry| HeldEntry::of(policy, &held(entry))).collect()
        };
        let holders = holders.iter().map(|holder| HolderLine {
            principal: PrincipalName::from(&holder.principal),
            entries: holder.entries.iter().map(|held| HeldEntry::of(policy, held)).collect(),
        });
        Self {
            version: VERSION,
            privilege: privilege.to_string(),
            object: resource.to_string(),
            everybody,
            holders: holders.collect(),
            columns: lines(&beside.columns),
            denials: lines(&beside.denials),
        }
    }
}

/// `what-can`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WhatCanDocument {
    pub version: u32,
    pub user: String,
    pub groups: Vec<String>,
    pub administrator: bool,
    /// The entry by which they pass every check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub super_entry: Option<u64>,
    pub grants: Vec<Holding>,
    pub denials: Vec<Holding>,
    pub owned: Vec<String>,
}

/// An entry that holds for somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Holding {
    #[serde(flatten)]
    pub held: HeldEntry,
    pub privileges: String,
    /// Where it stands, as SQL writes it.
    pub scope: String,
    /// Of an entry on a tag: what carries it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carriers: Vec<String>,
    /// What of a grant does nothing, as a denial takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

impl WhatCanDocument {
    /// Can they do anything?
    #[must_use]
    pub const fn is_anything(&self) -> bool {
        self.administrator || self.super_entry.is_some() || !self.grants.is_empty() || !self.owned.is_empty()
    }

    #[must_use]
    pub fn of(policy: &Policy, identity: &Identity, holdings: &Holdings) -> Self {
        let holding = |held: &guardbee_policy::reverse::Held| {
            let shown: Held = of_holding(identity, held);
            Holding {
                privileges: held.entry.privileges.to_string(),
                scope: held.entry.scope.to_string(),
                carriers: held.carriers.iter().map(ToString::to_string).collect(),
                refused: (!held.refused.is_empty()).then(|| held.refused.to_string()),
                held: HeldEntry::of(policy, &Held { carrier: None, ..shown }),
            }
        };
        Self {
            version: VERSION,
            user: identity.user.to_string(),
            groups: identity.groups.iter().map(ToString::to_string).collect(),
            administrator: holdings.administrator,
            super_entry: holdings.super_entry.map(|entry| entry.0),
            grants: holdings.grants.iter().map(holding).collect(),
            denials: holdings.denials.iter().map(holding).collect(),
            owned: holdings.owned.iter().map(ToString::to_string).collect(),
        }
    }
}

/// `why`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WhyDocument {
    pub version: u32,
    pub user: String,
    pub groups: Vec<String>,
    pub privilege: String,
    pub object: String,
    pub held: bool,
    pub reasons: Vec<Reason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Advice>,
}

/// Whether somebody has a privilege, with every reason.
pub struct Reasons<'p> {
    pub policy: &'p Policy,
    pub identity: Identity,
    pub privilege: Privileges,
    pub resource: Resource,
    pub is_held: bool,
    pub explained: Vec<Explained>,
    pub remedy: Option<Remedy>,
}

impl WhyDocument {
    #[must_use]
    pub fn of(reasons: &Reasons<'_>) -> Self {
        Self {
            version: VERSION,
            user: reasons.identity.user.to_string(),
            groups: reasons.identity.groups.iter().map(ToString::to_string).collect(),
            privilege: reasons.privilege.to_string(),
            object: reasons.resource.to_string(),
            held: reasons.is_held,
            reasons: reasons.explained.iter().map(|reason| Reason::of(reasons.policy, reason)).collect(),
            remedy: reasons.remedy.as_ref().map(|remedy| Advice::of(reasons.policy, remedy)),
        }
    }
}
