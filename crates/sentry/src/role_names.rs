//! Which name a role of a file gets here.
//!
//! Sentry's file provider tells `Reader` from `reader`, keeps the roles of each file apart, and lets a role have
//! any name. Here names are folded, roles are known everywhere, and some names are taken. Rights must not grow
//! by that: roles become one only where the same principals hold them.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_model::Name;
use guardbee_policy::Principal;

/// A role where it is written.
#[derive(Debug, Clone)]
pub(crate) struct WrittenRole<'t> {
    pub(crate) name: &'t str,
    /// The database whose file it stands in; none: the global file.
    pub(crate) database: Option<&'t str>,
    pub(crate) holders: &'t BTreeSet<Principal>,
}

/// Names that mean something here or in `SET ROLE`.
const TAKEN: [&str; 6] = ["public", "admin", "all", "none", "default", "superuser"];

/// The name of each role, in their order.
pub(crate) fn names(roles: &[WrittenRole<'_>]) -> Vec<Name> {
    let mut used: BTreeSet<Name> = TAKEN.into_iter().map(Name::fold).collect();
    used.extend(roles.iter().map(|role| Name::fold(role.name)));
    let mut holders_of: BTreeMap<Name, &BTreeSet<Principal>> = BTreeMap::new();
    let mut names = Vec::with_capacity(roles.len());
    for role in roles {
        let folded = Name::fold(role.name);
        let is_taken = TAKEN.contains(&&*folded);
        let same_holders = holders_of.get(&folded).is_none_or(|holders| *holders == role.holders);
        let name = if !is_taken && same_holders { folded } else { free_name(&folded, role.database, &used) };
        used.insert(name.clone());
        holders_of.entry(name.clone()).or_insert(role.holders);
        names.push(name);
    }
    names
}

/// `reader_sales` for the role `reader` of the file of `sales`, else `reader_role`; with a number where that is
/// used as well.
fn free_name(folded: &Name, database: Option<&str>, used: &BTreeSet<Name>) -> Name {
    let base = format!("{folded}_{}", database.unwrap_or("role"));
    let first = Name::fold(&base);
    if !used.contains(&first) {
        return first;
    }
    (2_u64..)
        .map(|number| Name::fold(&format!("{base}_{number}")))
        .find(|name| !used.contains(name))
        .unwrap_or(first)
}
