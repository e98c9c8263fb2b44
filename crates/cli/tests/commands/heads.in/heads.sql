/* a comment */ -- and another
FROM ref.country INSERT INTO TABLE t SELECT country_code;
WITH c AS (SELECT country_code FROM ref.country) INSERT INTO t SELECT * FROM c;
WITH c AS (SELECT country_code FROM ref.country) SELECT * FROM c;
-- The first thing is a parenthesis.
(SELECT country_code FROM ref.country) UNION ALL (SELECT 'x');
FROM ref.country SELECT country_code;
EXPLAIN SELECT country_code FROM ref.country;
EXPLAIN AUTHORIZATION DROP TABLE ref.country;
select country_code from ref.country
