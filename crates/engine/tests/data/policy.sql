-- Roles
CREATE ROLE auditor;
CREATE ROLE reader;
CREATE ROLE `table`;

-- Members of roles
GRANT ROLE admin TO USER root WITH ADMIN OPTION;
GRANT ROLE auditor TO ROLE reader;
GRANT ROLE reader TO USER Ana WITH ADMIN OPTION;
GRANT ROLE reader TO GROUP `data eng`;

-- Tags
CREATE TAG pii ALLOWED_VALUES 'email', 'phone' COMMENT 'what names a person';
CREATE TAG raw;

-- What carries them
SET TAG raw ON DATABASE landing;
SET TAG pii = 'email' ON COLUMN sales.customers.mail;

-- Where they end
ALTER TAG pii ADD DECLASSIFIER COLUMN sales.totals.`e-mails` REASON 'how many' REVIEW '2027-01-01' OWNER 'dpo';
ALTER TAG pii ADD DECLASSIFIER FUNCTION util.hash_id REASON 'salted; see 7' REVIEW '2028-02-29' OWNER 'Ana S.';

-- Privileges
GRANT ALL ON SERVER server1 TO USER root;
GRANT SELECT, INSERT ON DATABASE sales TO GROUP `data eng` EXCEPT USER ben;
GRANT SELECT ON TABLE `fin_*`.`*_public` TO ROLE reader;
GRANT SELECT ON ALL TABLES IN DATABASE hr TO ROLE reader WITH GRANT OPTION;
GRANT SELECT ON TABLE hr.emp TO ROLE reader;
GRANT ALL ON URI 'hdfs://nn1:8020/in' TO ROLE reader;
GRANT SELECT ON TAG raw TO ROLE reader;
GRANT SELECT (id, name) ON TABLE hr.emp TO ROLE `table`;

-- Denials
DENY ALL ON DATABASE secret TO USER ben;
DENY SELECT ON TAG pii = 'email' TO ROLE public EXCEPT ROLE auditor;

-- Row filters and column masks
CREATE ROW FILTER own_country ON TABLE sales.orders
    USING (country = 'DE' OR is_public)
    TO GROUP analysts_de EXCEPT ROLE auditor;
CREATE COLUMN MASK hide_mail ON TAG pii = 'email'
    USING (mask_show_last_n(value, 4)) EXCEPT ROLE auditor;
ALTER COLUMN MASK hide_mail DISABLE;
CREATE COLUMN MASK hide_name ON TABLE hr.emp (name)
    USING ('x');
