CREATE DATABASE util;
CREATE FUNCTION util.pseudonym AS 'org.example.Pseudonym';
CREATE DATABASE mart;
CREATE TABLE mart.staged AS SELECT ssn, city FROM raw.people;
CREATE TABLE mart.customers AS SELECT ssn AS tax_id, util.pseudonym(ssn) AS person, city FROM mart.staged;
DROP TABLE mart.staged;
CREATE TABLE mart.contacts AS SELECT name FROM raw.people;
CREATE TABLE mart.cities AS SELECT city, count(*) AS people FROM raw.people GROUP BY city;
CREATE TABLE mart.hidden AS SELECT mask_hash(ssn) AS person FROM raw.people;
