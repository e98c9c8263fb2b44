//! Privileges by their names.

use guardbee_engine::Problem;
use guardbee_policy::{Privilege, Privileges};

use crate::ground::Unanswered;

/// One privilege, or `ALL` of them, by its name.
///
/// # Errors
/// [`Unanswered::WrongUse`] where there is none of that name.
pub fn privilege(text: &str) -> Result<Privileges, Unanswered> {
    if text.eq_ignore_ascii_case("all") {
        return Ok(Privileges::ALL);
    }
    let wanted = text.replace('_', " ");
    let is_it = |privilege: &&Privilege| privilege.as_str().replace('_', " ").eq_ignore_ascii_case(&wanted);
    Privilege::EACH.iter().find(is_it).copied().map(Privileges::of).ok_or_else(|| {
        let known: Vec<&str> = Privilege::EACH.iter().map(|privilege| privilege.as_str()).collect();
        let message = format!("there is no privilege `{text}`; there are ALL, {}", known.join(", "));
        Unanswered::WrongUse(Problem::new("unknown-privilege", message))
    })
}
