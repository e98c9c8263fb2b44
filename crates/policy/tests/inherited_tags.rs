//! Tags that came with data count in decisions as assigned ones do, and are no part of what is administered.

mod random;

use guardbee_model::ColumnName;
use guardbee_policy::{Change, Policy, Resource, Tag, TagAssignment, Timestamp, decide};
use random::Dice;

const POLICIES: u64 = 400;

#[test]
fn an_inherited_tag_decides_as_an_assigned_one() {
    let mut moved = 0;
    for seed in 0..POLICIES {
        let mut dice = Dice::new(seed);
        let assigned = Policy::from_changes(random::changes(&mut dice)).expect("a policy");
        let mut inherited = assigned.clone();
        for assignment in assigned.tag_assignments().cloned() {
            let TagAssignment { tag, resource, .. } = assignment.clone();
            inherited.apply(Change::RemoveTagAssignment { tag, resource }).expect("a removal");
            inherited.inherit_tag(assignment);
            moved += 1;
        }
        for _ in 0..30 {
            let (identity, requirement) = (random::identity(&mut dice), random::requirement(&mut dice));
            let now = Timestamp(dice.below(20) as i64);
            let ask = |policy: &Policy| {
                decide(policy, &policy.subject(&identity), std::slice::from_ref(&requirement), now)
            };
            assert_eq!(ask(&assigned), ask(&inherited), "seed {seed}\n{identity:#?}\n{requirement:#?}");
        }
        for assignment in assigned.tag_assignments() {
            inherited.disinherit_tags(std::iter::once(assignment.clone()));
        }
        assert_eq!(inherited.inherited_tags().count(), 0);
    }
    assert!(moved > 100, "only {moved} tags were moved");
}

fn pii(value: &str) -> TagAssignment {
    let column = ColumnName::new(guardbee_model::TableName::new("d".into(), "t".into()), "c".into());
    TagAssignment { tag: "pii".into(), resource: Resource::Column(column), value: Some(value.into()) }
}

#[test]
fn a_resource_inherits_several_values_beside_its_own() {
    let mut policy = Policy::new();
    policy
        .apply(Change::PutTag(Tag {
            name: "pii".into(),
            allowed_values: [].into(),
            comment: None,
            created_by: None,
            created_at: Timestamp(1),
        }))
        .expect("a tag");
    policy.apply(Change::PutTagAssignment(pii("own"))).expect("an assignment");
    policy.inherit_tag(pii("one"));
    policy.inherit_tag(pii("two"));
    policy.inherit_tag(pii("two"));
    let resource = pii("own").resource;
    let values = |policy: &Policy| -> Vec<String> {
        policy
            .inherited_tags_on(&resource)
            .filter_map(|tag| tag.value.as_ref().map(ToString::to_string))
            .collect()
    };
    assert_eq!(values(&policy), ["one", "two"]);
    policy.disinherit_tags(std::iter::once(pii("one")));
    policy.disinherit_tags(std::iter::once(pii("own")));
    assert_eq!(values(&policy), ["two"]);
    assert_eq!(policy.tags_on(&resource).count(), 1);
    let administered: Vec<Change> = policy.changes().collect();
    assert_eq!(administered.iter().filter(|change| matches!(change, Change::PutTagAssignment(_))).count(), 1);
}
