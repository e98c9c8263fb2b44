CREATE TABLE emp (name STRING, salary INT, dept STRING);
CREATE VIEW rich AS SELECT name, salary * 12 AS yearly, dept FROM emp WHERE salary > 1000;
CREATE VIEW rich_names AS SELECT name, yearly FROM rich;
SELECT name FROM rich_names;
SELECT n FROM (SELECT name AS n, dept FROM emp) e;
