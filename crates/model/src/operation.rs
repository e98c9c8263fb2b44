//! Hive's operation types.

use std::fmt;

macro_rules! operations {
    ($($variant:ident = $text:literal,)*) => {
        /// What kind of statement it is, by the name that Hive's hooks and plug-ins are given.
        ///
        /// Beside Hive's own there are the commands of its clients, and statements that only Guardbee,
        /// Sentry or AuthDev know.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operation {
            $($variant,)*
        }

        impl Operation {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name as Hive prints it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// The operation of a name; none where it is nobody's. Where Hive prints blanks, plug-ins are given
            /// underscores.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                let exact = |name: &str| match name {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                };
                exact(name).or_else(|| name.contains('_').then(|| exact(&name.replace('_', " ")))?)
            }
        }
    };
}

operations! {
    Query = "QUERY",
    Explain = "EXPLAIN",
    Load = "LOAD",
    Export = "EXPORT",
    Import = "IMPORT",
    ReplicationDump = "REPLDUMP",
    ReplicationLoad = "REPLLOAD",
    ReplicationStatus = "REPLSTATUS",
    CreateCatalog = "CREATECATALOG",
    DropCatalog = "DROPCATALOG",
    AlterCatalogLocation = "ALTERCATALOG_LOCATION",
    AlterCatalogProperties = "ALTERCATALOG_PROPERTIES",
    ShowCatalogs = "SHOWCATALOGS",
    DescribeCatalog = "DESCCATALOG",
    CreateDatabase = "CREATEDATABASE",
    DropDatabase = "DROPDATABASE",
    SwitchDatabase = "SWITCHDATABASE",
    LockDatabase = "LOCKDATABASE",
    UnlockDatabase = "UNLOCKDATABASE",
    DropTable = "DROPTABLE",
    DescribeTable = "DESCTABLE",
    DescribeFunction = "DESCFUNCTION",
    Msck = "MSCK",
    AlterTableAddColumns = "ALTERTABLE_ADDCOLS",
    AlterTableReplaceColumns = "ALTERTABLE_REPLACECOLS",
    AlterTableRenameColumn = "ALTERTABLE_RENAMECOL",
    AlterTableRenamePartition = "ALTERTABLE_RENAMEPART",
    AlterTableUpdatePartitionStatistics = "ALTERTABLE_UPDATEPARTSTATS",
    AlterTableUpdateTableStatistics = "ALTERTABLE_UPDATETABLESTATS",
    AlterTableRename = "ALTERTABLE_RENAME",
    AlterTableDropPartitions = "ALTERTABLE_DROPPARTS",
    AlterTableAddPartitions = "ALTERTABLE_ADDPARTS",
    AlterTableTouch = "ALTERTABLE_TOUCH",
    AlterTableArchive = "ALTERTABLE_ARCHIVE",
    AlterTableUnarchive = "ALTERTABLE_UNARCHIVE",
    AlterTableProperties = "ALTERTABLE_PROPERTIES",
    AlterTableOwner = "ALTERTABLE_OWNER",
    AlterTableSerializer = "ALTERTABLE_SERIALIZER",
    AlterTablePartitionColumnType = "ALTERTABLE_PARTCOLTYPE",
    AlterTableDropConstraint = "ALTERTABLE_DROPCONSTRAINT",
    AlterTableAddConstraint = "ALTERTABLE_ADDCONSTRAINT",
    AlterTableUpdateColumns = "ALTERTABLE_UPDATECOLUMNS",
    AlterPartitionSerializer = "ALTERPARTITION_SERIALIZER",
    AlterTableSerdeProperties = "ALTERTABLE_SERDEPROPERTIES",
    AlterPartitionSerdeProperties = "ALTERPARTITION_SERDEPROPERTIES",
    AlterTableClusterSort = "ALTERTABLE_CLUSTER_SORT",
    AnalyzeTable = "ANALYZE_TABLE",
    CacheMetadata = "CACHE_METADATA",
    AlterTableBucketCount = "ALTERTABLE_BUCKETNUM",
    AlterPartitionBucketCount = "ALTERPARTITION_BUCKETNUM",
    ShowDatabases = "SHOWDATABASES",
    ShowDataConnectors = "SHOWDATACONNECTORS",
    ShowTables = "SHOWTABLES",
    ShowColumns = "SHOWCOLUMNS",
    ShowTableStatus = "SHOW_TABLESTATUS",
    ShowTableProperties = "SHOW_TBLPROPERTIES",
    ShowCreateDatabase = "SHOW_CREATEDATABASE",
    ShowCreateTable = "SHOW_CREATETABLE",
    ShowFunctions = "SHOWFUNCTIONS",
    ShowIndexes = "SHOWINDEXES",
    ShowPartitions = "SHOWPARTITIONS",
    ShowLocks = "SHOWLOCKS",
    ShowConf = "SHOWCONF",
    ShowViews = "SHOWVIEWS",
    ShowMaterializedViews = "SHOWMATERIALIZEDVIEWS",
    CreateFunction = "CREATEFUNCTION",
    DropFunction = "DROPFUNCTION",
    ReloadFunction = "RELOADFUNCTION",
    CreateMacro = "CREATEMACRO",
    DropMacro = "DROPMACRO",
    CreateView = "CREATEVIEW",
    CreateMaterializedView = "CREATE_MATERIALIZED_VIEW",
    DropView = "DROPVIEW",
    DropMaterializedView = "DROP_MATERIALIZED_VIEW",
    AlterMaterializedViewRewrite = "ALTER_MATERIALIZED_VIEW_REWRITE",
    AlterMaterializedViewRebuild = "ALTER_MATERIALIZED_VIEW_REBUILD",
    CreateIndex = "CREATEINDEX",
    DropIndex = "DROPINDEX",
    AlterIndexRebuild = "ALTERINDEX_REBUILD",
    AlterIndexProperties = "ALTERINDEX_PROPS",
    AlterViewProperties = "ALTERVIEW_PROPERTIES",
    DropViewProperties = "DROPVIEW_PROPERTIES",
    AlterViewRename = "ALTERVIEW_RENAME",
    AlterViewAs = "ALTERVIEW_AS",
    LockTable = "LOCKTABLE",
    UnlockTable = "UNLOCKTABLE",
    CreateRole = "CREATEROLE",
    DropRole = "DROPROLE",
    GrantPrivilege = "GRANT_PRIVILEGE",
    RevokePrivilege = "REVOKE_PRIVILEGE",
    DenyPrivilege = "DENY_PRIVILEGE",
    ShowGrant = "SHOW_GRANT",
    GrantRole = "GRANT_ROLE",
    RevokeRole = "REVOKE_ROLE",
    ShowRoles = "SHOW_ROLES",
    ShowRolePrincipals = "SHOW_ROLE_PRINCIPALS",
    ShowRoleGrant = "SHOW_ROLE_GRANT",
    AlterTableProtectMode = "ALTERTABLE_PROTECTMODE",
    AlterPartitionProtectMode = "ALTERPARTITION_PROTECTMODE",
    AlterTableFileFormat = "ALTERTABLE_FILEFORMAT",
    AlterPartitionFileFormat = "ALTERPARTITION_FILEFORMAT",
    AlterTableLocation = "ALTERTABLE_LOCATION",
    AlterPartitionLocation = "ALTERPARTITION_LOCATION",
    CreateTable = "CREATETABLE",
    TruncateTable = "TRUNCATETABLE",
    CreateTableAsSelect = "CREATETABLE_AS_SELECT",
    AlterDatabase = "ALTERDATABASE",
    AlterDatabaseOwner = "ALTERDATABASE_OWNER",
    AlterDatabaseLocation = "ALTERDATABASE_LOCATION",
    DescribeDatabase = "DESCDATABASE",
    CreateDataConnector = "CREATEDATACONNECTOR",
    DropDataConnector = "DROPDATACONNECTOR",
    AlterDataConnector = "ALTERDATACONNECTOR",
    AlterDataConnectorOwner = "ALTERDATACONNECTOR_OWNER",
    // Hive leaves out what changes.
    AlterDataConnectorUrl = "ALTERDATACONNECTOR_",
    DescribeDataConnector = "DESCDATACONNECTOR",
    AlterTableMerge = "ALTER_TABLE_MERGE",
    AlterPartitionMerge = "ALTER_PARTITION_MERGE",
    AlterTableSkewed = "ALTERTABLE_SKEWED",
    AlterTableOrPartitionSkewedLocation = "ALTERTBLPART_SKEWED_LOCATION",
    AlterTableCompact = "ALTERTABLE_COMPACT",
    ShowCompactions = "SHOW COMPACTIONS",
    ShowTransactions = "SHOW TRANSACTIONS",
    AbortTransactions = "ABORT TRANSACTIONS",
    AbortCompactions = "ABORT COMPACTIONS",
    StartTransaction = "START TRANSACTION",
    Commit = "COMMIT",
    Rollback = "ROLLBACK",
    SetAutocommit = "SET AUTOCOMMIT",
    AlterTableExchangePartition = "ALTERTABLE_EXCHANGEPARTITION",
    KillQuery = "KILL QUERY",
    CreateResourcePlan = "CREATE RESOURCEPLAN",
    ShowResourcePlan = "SHOW RESOURCEPLAN",
    AlterResourcePlan = "ALTER RESOURCEPLAN",
    DropResourcePlan = "DROP RESOURCEPLAN",
    CreateTrigger = "CREATE TRIGGER",
    AlterTrigger = "ALTER TRIGGER",
    DropTrigger = "DROP TRIGGER",
    CreatePool = "CREATE POOL",
    AlterPool = "ALTER POOL",
    DropPool = "DROP POOL",
    CreateMapping = "CREATE MAPPING",
    AlterMapping = "ALTER MAPPING",
    DropMapping = "DROP MAPPING",
    CreateScheduledQuery = "CREATE SCHEDULED QUERY",
    AlterScheduledQuery = "ALTER SCHEDULED QUERY",
    DropScheduledQuery = "DROP SCHEDULED QUERY",
    PrepareQuery = "PREPARE QUERY",
    ExecuteQuery = "EXECUTE QUERY",
    AlterTableSetPartitionSpec = "ALTERTABLE_SETPARTSPEC",
    AlterTableExecute = "ALTERTABLE_EXECUTE",
    AlterTableConvert = "ALTERTABLE_CONVERT",
    AlterTableCreateBranch = "ALTERTABLE_CREATEBRANCH",
    AlterTableDropBranch = "ALTERTABLE_DROPBRANCH",
    AlterTableRenameBranch = "ALTERTABLE_RENAMEBRANCH",
    AlterTableReplaceSnapshotReference = "ALTERTABLE_REPLACESNAPSHOTREF",
    AlterTableCreateTag = "ALTERTABLE_CREATETAG",
    AlterTableDropTag = "ALTERTABLE_DROPTAG",
    AlterTableDropColumn = "ALTERTABLE_DROPCOL",
    ShowProcessList = "SHOW PROCESSLIST",
    DataPolicy = "DATA_POLICY",
    Set = "SET",
    Reset = "RESET",
    FileSystem = "DFS",
    AddResource = "ADD",
    ListResources = "LIST",
    DeleteResource = "DELETE",
    Compile = "COMPILE",
    Shell = "SHELL",
    Source = "SOURCE",
    Reload = "RELOAD",
    Crypto = "CRYPTO",
    Erasure = "ERASURE",
    LlapClusterInfo = "LLAP_CLUSTER_INFO",
    LlapCachePurge = "LLAP_CACHE_PURGE",
    Beeline = "BEELINE",
    Help = "HELP",
    Quit = "QUIT",
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_name_of_its_own() {
        for operation in Operation::ALL {
            assert_eq!(Operation::named(operation.as_str()), Some(*operation));
        }
        assert_eq!(Operation::named("SHOW_COMPACTIONS"), Some(Operation::ShowCompactions));
        assert_eq!(Operation::named("QUERY_"), None);
    }
}
