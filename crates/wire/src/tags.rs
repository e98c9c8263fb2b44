//! The documented shapes of what `tags`, `leaks` and `who-could` write as JSON.

use std::collections::HashMap;

use guardbee_engine::Viewer;
use guardbee_engine::tags::{CarriedTag, Leak, TagPathStep};
use guardbee_lineage::{NodeName, Run, RunKey, utc};
use guardbee_policy::{Principal, Privileges, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::PrincipalName;
use crate::lineage::RunLine;

/// The version of these shapes.
const VERSION: u32 = 1;

/// `tags`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TagsDocument {
    pub version: u32,
    /// As it was asked for.
    pub dataset: String,
    /// By object and tag.
    pub tags: Vec<TagLine>,
}

/// A tag on a dataset or a column of it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TagLine {
    pub object: String,
    pub tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What somebody put it on: the object, what it lies in, or what it was made of; absent where the viewer may not know
    /// of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub put_on: Option<String>,
    /// How it came from there with data; empty where it did not.
    pub path: Vec<StepLine>,
}

/// From one thing to another by a run; what the viewer may not know of is absent.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct StepLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The key of the run.
    pub key: String,
    pub operation: String,
    pub ended_at: String,
    /// Absent where the run is forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunLine>,
}

fn steps(path: &[TagPathStep], runs: &HashMap<RunKey, Run>, viewer: &Viewer) -> Vec<StepLine> {
    let line = |step: &TagPathStep| StepLine {
        from: viewer.name(&step.from),
        to: viewer.name(&step.to),
        key: step.run.0.to_string(),
        operation: step.operation.to_string(),
        ended_at: utc::text(step.ended_at),
        run: runs.get(&step.run).map(RunLine::of),
    };
    path.iter().map(line).collect()
}

impl TagsDocument {
    #[must_use]
    pub fn of(dataset: &str, tags: &[CarriedTag], runs: &HashMap<RunKey, Run>, viewer: &Viewer) -> Self {
        let line = |tag: &CarriedTag| TagLine {
            object: tag.object.to_string(),
            tag: tag.tag.to_string(),
            value: tag.value.as_ref().map(ToString::to_string),
            put_on: viewer.resource(&tag.put_on),
            path: steps(&tag.path, runs, viewer),
        };
        Self { version: VERSION, dataset: dataset.to_owned(), tags: tags.iter().map(line).collect() }
    }
}

/// `leaks`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeaksDocument {
    pub version: u32,
    /// How many there are; as many are listed as was asked for.
    pub count: usize,
    /// The worst first.
    pub leaks: Vec<LeakLine>,
}

/// Something that more may read than what it was made of; what the viewer may not know of is absent.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeakLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The tags of the source.
    pub tags: Vec<TagOfSource>,
    /// Everybody may read what was derived.
    pub everybody: bool,
    /// The users and groups that the policy names who may read what was derived and not the source.
    pub who: Vec<PrincipalName>,
    /// From the source to what was derived.
    pub path: Vec<StepLine>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TagOfSource {
    pub tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl LeaksDocument {
    #[must_use]
    pub fn of(count: usize, leaks: &[Leak], runs: &HashMap<RunKey, Run>, viewer: &Viewer) -> Self {
        let line = |leak: &Leak| LeakLine {
            derived: viewer.name(&leak.derived),
            source: viewer.name(&leak.source),
            tags: leak
                .tags
                .iter()
                .filter(|_| viewer.sees(&leak.source.dataset))
                .map(|(tag, value)| TagOfSource {
                    tag: tag.to_string(),
                    value: value.as_ref().map(ToString::to_string),
                })
                .collect(),
            everybody: leak.everybody && viewer.sees(&leak.derived.dataset),
            who: names(&leak.who, viewer.sees(&leak.derived.dataset)),
            path: steps(&leak.path, runs, viewer),
        };
        Self { version: VERSION, count, leaks: leaks.iter().map(line).collect() }
    }
}

/// Who may is not told of what may not be known.
fn names(principals: &[Principal], is_known: bool) -> Vec<PrincipalName> {
    principals.iter().filter(|_| is_known).map(PrincipalName::from).collect()
}

/// `who-could`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct WhoCouldDocument {
    pub version: u32,
    pub privilege: String,
    /// As it was asked for.
    pub dataset: String,
    /// The moment of the policy and of the runs.
    pub at: String,
    /// What was asked about, and what was made of it, by steps.
    pub objects: Vec<CouldLine>,
}

/// Who could, of one thing.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct CouldLine {
    /// Absent where the viewer may not know of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    pub steps: u32,
    /// Everybody could, unless a denial names them.
    pub everybody: bool,
    /// The users, groups and roles of which each could by itself.
    pub who: Vec<PrincipalName>,
}

/// Who could, of one thing.
pub struct Holders {
    pub name: NodeName,
    /// How many steps it is away from what was asked about.
    pub steps: u32,
    pub everybody: bool,
    /// Users, groups and roles of which each could by itself.
    pub principals: Vec<Principal>,
}

impl WhoCouldDocument {
    #[must_use]
    pub fn of(
        privilege: Privileges,
        dataset: &str,
        at: Timestamp,
        holders: &[Holders],
        viewer: &Viewer,
    ) -> Self {
        let line = |one: &Holders| CouldLine {
            object: viewer.name(&one.name),
            steps: one.steps,
            everybody: one.everybody && viewer.sees(&one.name.dataset),
            who: names(&one.principals, viewer.sees(&one.name.dataset)),
        };
        Self {
            version: VERSION,
            privilege: privilege.to_string(),
            dataset: dataset.to_owned(),
            at: utc::text(at),
            objects: holders.iter().map(line).collect(),
        }
    }
}
