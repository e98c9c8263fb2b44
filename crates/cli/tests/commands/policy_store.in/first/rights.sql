GRANT SELECT (name, dept) ON TABLE hr.emp TO ROLE reader;
GRANT SELECT ON TABLE sales.orders TO ROLE reader;
GRANT ALL ON DATABASE stage TO ROLE loader;
GRANT SELECT ON TABLE sales.orders TO ROLE loader;

CREATE TAG pii;
SET TAG pii ON COLUMN hr.emp.ssn;
DENY SELECT ON TAG pii TO GROUP analysts;

CREATE ROW FILTER home_only ON TABLE sales.orders USING (country = 'DE') TO GROUP analysts;
CREATE COLUMN MASK hide_mail ON TABLE sales.orders (mail) USING (mask(mail)) EXCEPT ROLE loader;
