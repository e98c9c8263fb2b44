//! The tables of the metastore that a policy can be made of, and their columns.

use guardbee_exchange::dump::WantedTable;

/// Where the tables stand in [`WANTED`].
pub(crate) mod place {
    pub(crate) const DATABASES: usize = 0;
    pub(crate) const TABLES: usize = 1;
    pub(crate) const PARTITIONS: usize = 2;
    pub(crate) const ROLES: usize = 3;
    pub(crate) const MEMBERS: usize = 4;
    pub(crate) const SEQUENCES: usize = 5;
    /// From here on the grants, in the order of `Level::ALL`.
    pub(crate) const GRANTS: usize = 6;
}

/// What a table of grants is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Level {
    Global,
    Database,
    Table,
    Column,
    Partition,
    PartitionColumn,
}

impl Level {
    pub(crate) const ALL: [Self; 6] =
        [Self::Global, Self::Database, Self::Table, Self::Column, Self::Partition, Self::PartitionColumn];

    pub(crate) const fn table(self) -> &'static str {
        match self {
            Self::Global => "GLOBAL_PRIVS",
            Self::Database => "DB_PRIVS",
            Self::Table => "TBL_PRIVS",
            Self::Column => "TBL_COL_PRIVS",
            Self::Partition => "PART_PRIVS",
            Self::PartitionColumn => "PART_COL_PRIVS",
        }
    }

    /// The column with the row's own number.
    pub(crate) const fn id_column(self) -> &'static str {
        match self {
            Self::Global => "USER_GRANT_ID",
            Self::Database => "DB_GRANT_ID",
            Self::Table => "TBL_GRANT_ID",
            Self::Column => "TBL_COLUMN_GRANT_ID",
            Self::Partition => "PART_GRANT_ID",
            Self::PartitionColumn => "PART_COLUMN_GRANT_ID",
        }
    }

    pub(crate) const fn privilege_column(self) -> &'static str {
        match self {
            Self::Global => "USER_PRIV",
            Self::Database => "DB_PRIV",
            Self::Table => "TBL_PRIV",
            Self::Column => "TBL_COL_PRIV",
            Self::Partition => "PART_PRIV",
            Self::PartitionColumn => "PART_COL_PRIV",
        }
    }

    /// The column with the number of what the grant is on.
    pub(crate) const fn object_column(self) -> Option<&'static str> {
        match self {
            Self::Global => None,
            Self::Database => Some("DB_ID"),
            Self::Table | Self::Column => Some("TBL_ID"),
            Self::Partition | Self::PartitionColumn => Some("PART_ID"),
        }
    }

    pub(crate) const fn has_column(self) -> bool {
        matches!(self, Self::Column | Self::PartitionColumn)
    }

    /// The name under which the metastore counts the numbers of the table.
    pub(crate) const fn sequence(self) -> &'static str {
        match self {
            Self::Global => "org.apache.hadoop.hive.metastore.model.MGlobalPrivilege",
            Self::Database => "org.apache.hadoop.hive.metastore.model.MDBPrivilege",
            Self::Table => "org.apache.hadoop.hive.metastore.model.MTablePrivilege",
            Self::Column => "org.apache.hadoop.hive.metastore.model.MTableColumnPrivilege",
            Self::Partition => "org.apache.hadoop.hive.metastore.model.MPartitionPrivilege",
            Self::PartitionColumn => "org.apache.hadoop.hive.metastore.model.MPartitionColumnPrivilege",
        }
    }
}

pub(crate) const ROLE_SEQUENCE: &str = "org.apache.hadoop.hive.metastore.model.MRole";
pub(crate) const MEMBER_SEQUENCE: &str = "org.apache.hadoop.hive.metastore.model.MRoleMap";

/// Columns of the tables of grants as they are asked for, so that one function reads them all.
pub(crate) mod grant {
    pub(crate) const ID: usize = 0;
    pub(crate) const TIME: usize = 1;
    pub(crate) const OPTION: usize = 2;
    pub(crate) const GRANTOR: usize = 3;
    pub(crate) const GRANTOR_TYPE: usize = 4;
    pub(crate) const PRINCIPAL: usize = 5;
    pub(crate) const PRINCIPAL_TYPE: usize = 6;
    pub(crate) const PRIVILEGE: usize = 7;
    pub(crate) const AUTHORIZER: usize = 8;
    pub(crate) const OBJECT: usize = 9;
    pub(crate) const COLUMN: usize = 10;
}

macro_rules! grants {
    ($name:literal, [$($wanted:literal),*], [$($before:literal),*]) => {
        WantedTable {
            name: $name,
            columns: &[$($wanted),*],
            // Since Hive 3.0 with the authorizer, which its scripts put last.
            orders: &[&[$($before),*], &[$($before,)* "AUTHORIZER"]],
        }
    };
}

/// The tables, with the orders of their columns as the scripts of Hive 2.3, 3.1 and 4.0 create them.
pub(crate) const WANTED: [WantedTable; 12] = [
    WantedTable {
        name: "DBS",
        columns: &["DB_ID", "NAME", "OWNER_NAME", "OWNER_TYPE", "CTLG_NAME"],
        orders: &[
            &["DB_ID", "DESC", "DB_LOCATION_URI", "NAME", "OWNER_NAME", "OWNER_TYPE"],
            &["DB_ID", "DESC", "DB_LOCATION_URI", "NAME", "OWNER_NAME", "OWNER_TYPE", "CTLG_NAME"],
            &[
                "DB_ID",
                "DESC",
                "DB_LOCATION_URI",
                "NAME",
                "OWNER_NAME",
                "OWNER_TYPE",
                "CTLG_NAME",
                "CREATE_TIME",
                "DB_MANAGED_LOCATION_URI",
                "TYPE",
                "DATACONNECTOR_NAME",
                "REMOTE_DBNAME",
            ],
        ],
    },
    WantedTable {
        name: "TBLS",
        columns: &["TBL_ID", "DB_ID", "TBL_NAME", "OWNER", "OWNER_TYPE"],
        orders: &[
            &[
                "TBL_ID",
                "CREATE_TIME",
                "DB_ID",
                "LAST_ACCESS_TIME",
                "OWNER",
                "RETENTION",
                "SD_ID",
                "TBL_NAME",
                "TBL_TYPE",
                "VIEW_EXPANDED_TEXT",
                "VIEW_ORIGINAL_TEXT",
                "IS_REWRITE_ENABLED",
            ],
            &[
                "TBL_ID",
                "CREATE_TIME",
                "DB_ID",
                "LAST_ACCESS_TIME",
                "OWNER",
                "OWNER_TYPE",
                "RETENTION",
                "SD_ID",
                "TBL_NAME",
                "TBL_TYPE",
                "VIEW_EXPANDED_TEXT",
                "VIEW_ORIGINAL_TEXT",
                "IS_REWRITE_ENABLED",
            ],
            &[
                "TBL_ID",
                "CREATE_TIME",
                "DB_ID",
                "LAST_ACCESS_TIME",
                "OWNER",
                "OWNER_TYPE",
                "RETENTION",
                "SD_ID",
                "TBL_NAME",
                "TBL_TYPE",
                "VIEW_EXPANDED_TEXT",
                "VIEW_ORIGINAL_TEXT",
                "IS_REWRITE_ENABLED",
                "WRITE_ID",
            ],
        ],
    },
    WantedTable {
        name: "PARTITIONS",
        columns: &["PART_ID", "TBL_ID", "PART_NAME"],
        orders: &[
            &["PART_ID", "CREATE_TIME", "LAST_ACCESS_TIME", "PART_NAME", "SD_ID", "TBL_ID"],
            &["PART_ID", "CREATE_TIME", "LAST_ACCESS_TIME", "PART_NAME", "SD_ID", "TBL_ID", "WRITE_ID"],
        ],
    },
    WantedTable {
        name: "ROLES",
        columns: &["ROLE_ID", "CREATE_TIME", "OWNER_NAME", "ROLE_NAME"],
        orders: &[&["ROLE_ID", "CREATE_TIME", "OWNER_NAME", "ROLE_NAME"]],
    },
    WantedTable {
        name: "ROLE_MAP",
        columns: &[
            "ROLE_GRANT_ID",
            "ADD_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "ROLE_ID",
        ],
        orders: &[&[
            "ROLE_GRANT_ID",
            "ADD_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "ROLE_ID",
        ]],
    },
    WantedTable {
        name: "SEQUENCE_TABLE",
        columns: &["SEQUENCE_NAME", "NEXT_VAL"],
        orders: &[&["SEQUENCE_NAME", "NEXT_VAL"]],
    },
    grants!(
        "GLOBAL_PRIVS",
        [
            "USER_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "USER_PRIV",
            "AUTHORIZER"
        ],
        [
            "USER_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "USER_PRIV"
        ]
    ),
    grants!(
        "DB_PRIVS",
        [
            "DB_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "DB_PRIV",
            "AUTHORIZER",
            "DB_ID"
        ],
        [
            "DB_GRANT_ID",
            "CREATE_TIME",
            "DB_ID",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "DB_PRIV"
        ]
    ),
    grants!(
        "TBL_PRIVS",
        [
            "TBL_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "TBL_PRIV",
            "AUTHORIZER",
            "TBL_ID"
        ],
        [
            "TBL_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "TBL_PRIV",
            "TBL_ID"
        ]
    ),
    grants!(
        "TBL_COL_PRIVS",
        [
            "TBL_COLUMN_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "TBL_COL_PRIV",
            "AUTHORIZER",
            "TBL_ID",
            "COLUMN_NAME"
        ],
        [
            "TBL_COLUMN_GRANT_ID",
            "COLUMN_NAME",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "TBL_COL_PRIV",
            "TBL_ID"
        ]
    ),
    grants!(
        "PART_PRIVS",
        [
            "PART_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "PART_PRIV",
            "AUTHORIZER",
            "PART_ID"
        ],
        [
            "PART_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PART_ID",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "PART_PRIV"
        ]
    ),
    grants!(
        "PART_COL_PRIVS",
        [
            "PART_COLUMN_GRANT_ID",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "PART_COL_PRIV",
            "AUTHORIZER",
            "PART_ID",
            "COLUMN_NAME"
        ],
        [
            "PART_COLUMN_GRANT_ID",
            "COLUMN_NAME",
            "CREATE_TIME",
            "GRANT_OPTION",
            "GRANTOR",
            "GRANTOR_TYPE",
            "PART_ID",
            "PRINCIPAL_NAME",
            "PRINCIPAL_TYPE",
            "PART_COL_PRIV"
        ]
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_are_those_of_the_tables() {
        let at = |place: usize| WANTED[place].name;
        assert_eq!(at(place::DATABASES), "DBS");
        assert_eq!(at(place::TABLES), "TBLS");
        assert_eq!(at(place::PARTITIONS), "PARTITIONS");
        assert_eq!(at(place::ROLES), "ROLES");
        assert_eq!(at(place::MEMBERS), "ROLE_MAP");
        assert_eq!(at(place::SEQUENCES), "SEQUENCE_TABLE");
        for (number, level) in Level::ALL.into_iter().enumerate() {
            let table = WANTED[place::GRANTS + number];
            assert_eq!(table.name, level.table());
            assert_eq!(table.columns[grant::ID], level.id_column());
            assert_eq!(table.columns[grant::PRIVILEGE], level.privilege_column());
            assert_eq!(table.columns.get(grant::OBJECT).copied(), level.object_column());
            assert_eq!(table.columns.get(grant::COLUMN).is_some(), level.has_column());
        }
    }

    #[test]
    fn every_order_has_the_wanted_columns_of_its_time() {
        for table in WANTED {
            let lengths: Vec<usize> = table.orders.iter().map(|order| order.len()).collect();
            assert!(lengths.is_sorted_by(|a, b| a < b), "{}", table.name);
            for column in table.columns {
                assert!(table.orders[table.orders.len() - 1].contains(column), "{}.{column}", table.name);
            }
        }
    }
}
