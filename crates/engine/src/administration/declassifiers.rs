//! Where tags end that go with data: functions and columns. Somebody answers for each, says why, and by when it is
//! to be looked at again.

use std::sync::Arc;

use guardbee_analysis::functions;
use guardbee_hiveql::tree::{PrivilegeObject, StringLiteral};
use guardbee_model::Name;
use guardbee_policy::{Change, Declassifier, Resource, TagBoundary, declassifier_key, is_day};
use smol_str::SmolStr;

use super::draft::Draft;
use super::{Context, Refusal, objects};

/// What `ADD DECLASSIFIER` says.
pub(super) struct Approval<'s, 'a> {
    pub at: &'s PrivilegeObject<'a>,
    pub reason: &'s StringLiteral<'a>,
    pub review: &'s StringLiteral<'a>,
    pub owner: Option<&'s StringLiteral<'a>>,
}

pub(super) fn add(
    context: Context<'_>,
    draft: &mut Draft<'_>,
    tag: &Name,
    approval: &Approval<'_, '_>,
) -> Result<(), Refusal> {
    let at = boundary(context, approval.at)?;
    let (reason, review) = (approval.reason.value(), approval.review.value());
    if reason.trim().is_empty() {
        return Err(Refusal::error("declassifier-reason", "a declassifier has a reason"));
    }
    if !is_day(&review) {
        let message = format!("`{review}` is no day such as 2027-01-01");
        return Err(Refusal::error("declassifier-review", message));
    }
    let owner = match approval.owner.map(StringLiteral::value) {
        Some(owner) if owner.trim().is_empty() => {
            return Err(Refusal::error("declassifier-owner", "the owner of a declassifier has a name"));
        }
        Some(owner) => SmolStr::new(owner),
        None => context.identity.user.clone(),
    };
    put(
        draft,
        &Declassifier {
            tag: tag.clone(),
            at,
            owner,
            reason: Arc::from(reason.trim()),
            review: SmolStr::new(review),
        },
    )
}

pub(super) fn drop(
    context: Context<'_>,
    draft: &mut Draft<'_>,
    tag: &Name,
    at: &PrivilegeObject<'_>,
) -> Result<(), Refusal> {
    let at = boundary(context, at)?;
    if context.settings().declassifiers.get(tag, &at).is_none() {
        draft.notice(format!("the tag `{tag}` does not end at the {at}"));
        return Ok(());
    }
    draft.make(Change::RemoveSetting(declassifier_key(tag, &at)))
}

/// All of a tag, under another name of it.
pub(super) fn rename(
    context: Context<'_>,
    draft: &mut Draft<'_>,
    from: &Name,
    to: &Name,
) -> Result<(), Refusal> {
    let known: Vec<Declassifier> = context.settings().declassifiers.of_tag(from).cloned().collect();
    for declassifier in known {
        draft.make(Change::RemoveSetting(declassifier.key()))?;
        put(draft, &Declassifier { tag: to.clone(), ..declassifier })?;
    }
    Ok(())
}

pub(super) fn drop_all(context: Context<'_>, draft: &mut Draft<'_>, tag: &Name) -> Result<(), Refusal> {
    let mut known = context.settings().declassifiers.of_tag(tag);
    known.try_for_each(|declassifier| draft.make(Change::RemoveSetting(declassifier.key())))
}

fn put(draft: &mut Draft<'_>, declassifier: &Declassifier) -> Result<(), Refusal> {
    draft.make(Change::PutSetting { key: declassifier.key(), value: declassifier.value() })
}

/// A function without a database is a built-in one where there is one of that name.
fn boundary(context: Context<'_>, at: &PrivilegeObject<'_>) -> Result<TagBoundary, Refusal> {
    if let PrivilegeObject::Function(name) = at
        && name.database.is_none()
    {
        let function = name.name.name();
        if functions::built_in(&function, context.hive_version).is_some() {
            return Ok(TagBoundary::Function { database: None, function });
        }
    }
    match objects::resource(context, at)? {
        Resource::Function { database, function } => Ok(TagBoundary::Function { database, function }),
        Resource::Column(column) => Ok(TagBoundary::Column(column)),
        _ => Err(Refusal::error("unsupported-object", "a tag ends at a function or a column")),
    }
}
