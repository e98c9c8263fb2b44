CREATE TABLE d AS SELECT 1 AS x;
QUIT;
not even read
