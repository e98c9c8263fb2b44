-- Average salaries: a small story of where data comes from and where it goes.
--
--   department ─┐
--   employee  ──┼─▶ empinfo ─▶ avgsalary ─┬─▶ an exported copy
--   empinfo.csv ┘                         └─▶ the result of a query, in a folder

SET hivevar:landing=/landing/hr;

CREATE DATABASE IF NOT EXISTS hr COMMENT 'Human resources';
USE hr;

CREATE TABLE department (
  dept_id    INT     COMMENT 'key',
  dept_name  STRING,
  site       STRING
)
ROW FORMAT DELIMITED FIELDS TERMINATED BY ',';

CREATE TABLE employee (
  emp_id    INT            COMMENT 'key',
  emp_name  STRING         COMMENT 'pii: name',
  dept_id   INT            COMMENT 'department.dept_id',
  salary    DECIMAL(10, 2) COMMENT 'a year, in euro'
)
ROW FORMAT DELIMITED FIELDS TERMINATED BY ',';

INSERT INTO department VALUES
  (10, 'Sales',    'Berlin'),
  (20, 'Network',  'Zurich'),
  (30, 'Web shop', 'Warsaw');

INSERT INTO employee VALUES
  (1, 'Ines Albrecht', 10, 52000.00),
  (2, 'Pavel Novak',   20, 61500.00),
  (3, 'Zofia Lis',     30, 58200.00);

CREATE TABLE empinfo (
  emp_id     INT,
  emp_name   STRING,
  dept_name  STRING,
  salary     DECIMAL(10, 2)
)
COMMENT 'Employees with their departments, of Kestrel and of the company it bought'
ROW FORMAT DELIMITED FIELDS TERMINATED BY ',';

-- The people of the company that was bought come as a file.
LOAD DATA INPATH '${hivevar:landing}/empinfo.csv' INTO TABLE empinfo;

INSERT INTO TABLE empinfo
SELECT e.emp_id, e.emp_name, d.dept_name, e.salary
FROM employee e
JOIN department d ON d.dept_id = e.dept_id;

CREATE TABLE avgsalary AS
SELECT dept_name, count(*) AS employees, avg(salary) AS avg_salary
FROM empinfo
GROUP BY dept_name;

EXPORT TABLE avgsalary TO '${hivevar:landing}/out/avgsalary';

INSERT OVERWRITE DIRECTORY '${hivevar:landing}/tmp/well_paid'
SELECT dept_name, avg_salary
FROM avgsalary
WHERE avg_salary > 55000;
