CREATE TABLE source_two (x INT);
CREATE TEMPORARY TABLE stage AS SELECT x FROM source_two;
CREATE TABLE target_two AS SELECT x FROM stage;
