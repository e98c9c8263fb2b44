//! The privilege tables of Hive's metastore, read into policies and written back.
