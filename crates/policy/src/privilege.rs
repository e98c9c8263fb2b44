//! What a right allows.

use std::fmt;

macro_rules! privileges {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)*) => {
        /// One privilege. The union of Hive's two modes, Sentry, AuthDev and Ranger.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Privilege {
            $($(#[$doc])* $variant,)*
        }

        impl Privilege {
            pub const EACH: &'static [Self] = &[$(Self::$variant,)*];

            /// The word as SQL writes it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
}

privileges! {
    Select = "SELECT",
    Insert = "INSERT",
    /// SQL standard: change rows. Hive's legacy mode: any change of data.
    Update = "UPDATE",
    Delete = "DELETE",
    Create = "CREATE",
    Drop = "DROP",
    Alter = "ALTER",
    Index = "INDEX",
    Lock = "LOCK",
    ShowDatabase = "SHOW_DATABASE",
    CreateView = "CREATE VIEW",
    ShowView = "SHOW VIEW",
    /// Passes every check but a denial of itself (AuthDev).
    Super = "SUPER",
    /// Sentry's right of the owner: as good as all others.
    Owner = "OWNER",
    Read = "READ",
    Write = "WRITE",
    Refresh = "REFRESH",
    Usage = "USAGE",
    ReplicationAdmin = "REPLADMIN",
    ServiceAdmin = "SERVICEADMIN",
    TemporaryFunctionAdmin = "TEMPUDFADMIN",
}

impl fmt::Display for Privilege {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of privileges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Privileges(u32);

impl Privileges {
    pub const NONE: Self = Self(0);

    /// Every privilege, those that later versions add as well.
    pub const ALL: Self = Self(u32::MAX);

    #[must_use]
    pub const fn of(privilege: Privilege) -> Self {
        Self(1 << privilege as u8)
    }

    #[must_use]
    pub const fn with(self, privilege: Privilege) -> Self {
        Self(self.0 | 1 << privilege as u8)
    }

    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in this set and not in the other; of [`Self::ALL`], too: the rest, later ones included.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[must_use]
    pub const fn contains(self, privilege: Privilege) -> bool {
        self.0 & (1 << privilege as u8) != 0
    }

    #[must_use]
    pub const fn contains_all(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn is_all(self) -> bool {
        self.0 == u32::MAX
    }

    /// Does it name every privilege that it has, rather than be ALL or what is left of it?
    #[must_use]
    pub const fn is_named(self) -> bool {
        self.0 >> Privilege::EACH.len() == 0
    }

    /// Does it name OWNER, which is as good as all others?
    #[must_use]
    pub const fn counts_as_all(self) -> bool {
        self.is_named() && self.contains(Privilege::Owner)
    }

    /// The bits, as a store keeps them. [`Self::ALL`] is all of them.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The privileges known today that are in the set, in their order.
    pub fn iter(self) -> impl Iterator<Item = Privilege> {
        Privilege::EACH.iter().copied().filter(move |&privilege| self.contains(privilege))
    }
}

impl FromIterator<Privilege> for Privileges {
    fn from_iter<T: IntoIterator<Item = Privilege>>(privileges: T) -> Self {
        privileges.into_iter().fold(Self::NONE, Self::with)
    }
}

/// `ALL`, or the privileges with commas between them.
impl From<Privilege> for Privileges {
    fn from(privilege: Privilege) -> Self {
        Self::of(privilege)
    }
}

impl fmt::Display for Privileges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_all() {
            return f.write_str("ALL");
        }
        for (place, privilege) in self.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            f.write_str(privilege.as_str())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_less_one_is_the_rest() {
        let rest = Privileges::ALL.without(Privileges::of(Privilege::Select));
        assert!(!rest.contains(Privilege::Select) && rest.contains(Privilege::Drop) && !rest.is_all());
        assert_eq!(rest.iter().count(), Privilege::EACH.len() - 1);
    }
}
