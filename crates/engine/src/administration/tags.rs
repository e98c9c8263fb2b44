//! Tags: which there are, and what carries them. Only administrators may change either, since entries and
//! data policies stand on tags.

use std::sync::Arc;

use guardbee_hiveql::tree::{
    Existence, Identifier, PolicyStatement, PrivilegeObject, StringLiteral, TagChange, TagValue,
};
use guardbee_model::Name;
use guardbee_policy::{Change, DataPolicy, Entry, Scope, Tag, TagAssignment};
use smol_str::SmolStr;

use super::declassifiers::{self, Approval};
use super::draft::Draft;
use super::{Context, Plan, Refusal, objects, who_may};

pub(super) fn plan(context: Context<'_>, statement: &PolicyStatement<'_>) -> Result<Plan, Refusal> {
    match statement {
        PolicyStatement::CreateTag { name, if_not_exists, allowed_values, comment } => {
            create(context, *name, *if_not_exists, allowed_values, comment.as_ref())
        }
        PolicyStatement::AlterTag { name, change } => alter(context, *name, change),
        PolicyStatement::DropTag { name, if_exists } => drop(context, *name, *if_exists),
        PolicyStatement::SetTags { tags, object } => set(context, tags, object),
        PolicyStatement::UnsetTags { tags, object } => unset(context, tags, object),
        PolicyStatement::Create(_) | PolicyStatement::Alter { .. } | PolicyStatement::Drop { .. } => {
            Err(Refusal::error("not-administration", "not a statement about tags"))
        }
    }
}

fn values(literals: &[StringLiteral<'_>]) -> Arc<[SmolStr]> {
    let mut values: Vec<SmolStr> = literals.iter().map(|literal| SmolStr::new(literal.value())).collect();
    values.dedup();
    values.into()
}

fn create(
    context: Context<'_>,
    name: Identifier<'_>,
    if_not_exists: Existence,
    allowed_values: &[StringLiteral<'_>],
    comment: Option<&StringLiteral<'_>>,
) -> Result<Plan, Refusal> {
    let name = name.name();
    let grounds = who_may::administer(context, "create tags")?;
    let mut draft = Draft::new(context);
    match context.policy.tag(&name) {
        Some(_) if if_not_exists == Existence::Required => {
            return Err(Refusal::error("tag-exists", format!("the tag `{name}` already exists")));
        }
        Some(_) => draft.notice(format!("the tag `{name}` already exists")),
        None => draft.make(Change::PutTag(Tag {
            name,
            allowed_values: values(allowed_values),
            comment: comment.map(|comment| Arc::from(&*comment.value())),
            created_by: Some(context.identity.user.clone()),
            created_at: context.now,
        }))?,
    }
    Ok(draft.finish(grounds))
}

fn known(context: Context<'_>, name: &Name) -> Result<Tag, Refusal> {
    context
        .policy
        .tag(name)
        .cloned()
        .ok_or_else(|| Refusal::error("unknown-tag", format!("there is no tag `{name}`")))
}

fn alter(context: Context<'_>, name: Identifier<'_>, change: &TagChange<'_>) -> Result<Plan, Refusal> {
    let name = name.name();
    let grounds = who_may::administer(context, "change tags")?;
    let tag = known(context, &name)?;
    let mut draft = Draft::new(context);
    match change {
        TagChange::Rename(to) => rename(context, &mut draft, tag, to.name())?,
        TagChange::Comment(comment) => {
            draft.make(Change::PutTag(Tag { comment: Some(Arc::from(&*comment.value())), ..tag }))?;
        }
        TagChange::AnyValue => draft.make(Change::PutTag(Tag { allowed_values: Arc::from([]), ..tag }))?,
        TagChange::AllowedValues(allowed) => {
            let allowed_values = values(allowed);
            must_allow_what_is_there(context, &name, &allowed_values)?;
            draft.make(Change::PutTag(Tag { allowed_values, ..tag }))?;
        }
        TagChange::AddDeclassifier { at, reason, review, owner } => {
            let approval = Approval { at, reason, review, owner: owner.as_ref() };
            declassifiers::add(context, &mut draft, &name, &approval)?;
        }
        TagChange::DropDeclassifier(at) => declassifiers::drop(context, &mut draft, &name, at)?,
    }
    Ok(draft.finish(grounds))
}

fn must_allow_what_is_there(context: Context<'_>, name: &Name, allowed: &[SmolStr]) -> Result<(), Refusal> {
    let other = context.policy.tag_assignments().find(|assignment| {
        assignment.tag == *name && assignment.value.as_ref().is_some_and(|value| !allowed.contains(value))
    });
    match other {
        None => Ok(()),
        Some(TagAssignment { value, resource, .. }) => Err(Refusal::error(
            "tag-value",
            format!("`{resource}` carries the tag with the value `{}`", value.as_deref().unwrap_or_default()),
        )),
    }
}

/// What carries the tag, and what stands on it, goes along.
fn rename(context: Context<'_>, draft: &mut Draft<'_>, tag: Tag, to: Name) -> Result<(), Refusal> {
    let from = tag.name.clone();
    if to == from {
        return Ok(());
    }
    if context.policy.tag(&to).is_some() {
        return Err(Refusal::error("tag-exists", format!("the tag `{to}` already exists")));
    }
    draft.make(Change::PutTag(Tag { name: to.clone(), ..tag }))?;
    for assignment in context.policy.tag_assignments().filter(|assignment| assignment.tag == from) {
        let moved = TagAssignment { tag: to.clone(), ..assignment.clone() };
        draft.make(Change::PutTagAssignment(moved))?;
        let resource = assignment.resource.clone();
        draft.make(Change::RemoveTagAssignment { tag: from.clone(), resource })?;
    }
    let renamed = |scope: &Scope| match scope {
        Scope::Tag { tag, value } if *tag == from => {
            Some(Scope::Tag { tag: to.clone(), value: value.clone() })
        }
        _ => None,
    };
    for entry in context.policy.entries() {
        if let Some(scope) = renamed(&entry.scope) {
            draft.make(Change::PutEntry(Entry { scope, ..entry }))?;
        }
    }
    for policy in context.policy.data_policies() {
        if let Some(scope) = renamed(&policy.scope) {
            draft.make(Change::PutDataPolicy(DataPolicy { scope, ..policy.clone() }))?;
        }
    }
    declassifiers::rename(context, draft, &from, &to)?;
    draft.make(Change::RemoveTag(from))
}

/// What carries the tag loses it; entries and data policies on it have to go first.
fn drop(context: Context<'_>, name: Identifier<'_>, if_exists: Existence) -> Result<Plan, Refusal> {
    let name = name.name();
    let grounds = who_may::administer(context, "drop tags")?;
    let mut draft = Draft::new(context);
    if context.policy.tag(&name).is_none() && if_exists == Existence::Tolerated {
        draft.notice(format!("there is no tag `{name}`"));
        return Ok(draft.finish(grounds));
    }
    known(context, &name)?;
    for assignment in context.policy.tag_assignments().filter(|assignment| assignment.tag == name) {
        let resource = assignment.resource.clone();
        draft.make(Change::RemoveTagAssignment { tag: name.clone(), resource })?;
    }
    declassifiers::drop_all(context, &mut draft, &name)?;
    draft.make(Change::RemoveTag(name))?;
    Ok(draft.finish(grounds))
}

fn set(context: Context<'_>, tags: &[TagValue<'_>], object: &PrivilegeObject<'_>) -> Result<Plan, Refusal> {
    let grounds = who_may::administer(context, "set tags")?;
    let resource = objects::resource(context, object)?;
    let mut draft = Draft::new(context);
    for tag in tags {
        let name = objects::must_be_tag(context, tag.name)?;
        draft.make(Change::PutTagAssignment(TagAssignment {
            tag: name,
            value: tag.value.map(|value| SmolStr::new(value.value())),
            resource: resource.clone(),
        }))?;
    }
    Ok(draft.finish(grounds))
}

fn unset(
    context: Context<'_>,
    tags: &[Identifier<'_>],
    object: &PrivilegeObject<'_>,
) -> Result<Plan, Refusal> {
    let grounds = who_may::administer(context, "unset tags")?;
    let resource = objects::resource(context, object)?;
    let mut draft = Draft::new(context);
    for tag in tags {
        let name = objects::must_be_tag(context, *tag)?;
        if context.policy.tags_on(&resource).any(|assignment| assignment.tag == name) {
            draft.make(Change::RemoveTagAssignment { tag: name, resource: resource.clone() })?;
        } else {
            draft.notice(format!("`{resource}` does not carry the tag `{name}`"));
        }
    }
    Ok(draft.finish(grounds))
}
