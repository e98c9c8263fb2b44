CREATE TABLE source_one (x INT);
CREATE TEMPORARY TABLE stage AS SELECT x FROM source_one;
CREATE TABLE target_one AS SELECT x FROM stage;
