CREATE ROLE analyst;
GRANT ROLE admin TO USER root;
GRANT ROLE analyst TO GROUP analysts;
GRANT ALL ON SERVER server1 TO USER etl;
GRANT SELECT ON DATABASE mart TO ROLE analyst;

CREATE TAG pii COMMENT 'names one person';
SET TAG pii ON COLUMN raw.people.ssn;
DENY SELECT ON TAG pii TO ROLE analyst;
ALTER TAG pii ADD DECLASSIFIER FUNCTION util.pseudonym REASON 'salted, ticket 4711' REVIEW '2027-06-30' OWNER 'dpo';
