-- What each role may do.

-- Loads read what comes in and write layer 2 to 4.
GRANT ALL ON DATABASE raw TO ROLE loader;
GRANT ALL ON DATABASE ref TO ROLE loader;
GRANT ALL ON DATABASE cln TO ROLE loader;
GRANT ALL ON DATABASE dwh TO ROLE loader;
GRANT ALL ON DATABASE mart TO ROLE loader;
GRANT ALL ON DATABASE ops TO ROLE loader;
GRANT SELECT ON DATABASE util TO ROLE loader;
GRANT ALL ON URI 'hdfs://lake/kestrel/landing' TO ROLE loader;
GRANT ALL ON URI 'hdfs://lake/kestrel/raw' TO ROLE loader;
-- Temporary tables and macros live in `default` while a script runs.
GRANT ALL ON DATABASE default TO ROLE loader;

-- Exports write outside the warehouse, and nothing else may.
GRANT SELECT ON DATABASE mart TO ROLE exporter;
GRANT ALL ON URI 'hdfs://lake/kestrel/export' TO ROLE exporter;

-- Analysts read the star schema and the marts, whole.
GRANT SELECT ON DATABASE dwh TO ROLE analyst;
GRANT SELECT ON DATABASE mart TO ROLE analyst;
GRANT SELECT ON DATABASE ref TO ROLE analyst;

-- Marketing makes its own audiences.
GRANT INSERT ON TABLE mart.campaign_audience TO ROLE marketing;

-- The help desk sees its view and its backlog.
GRANT SELECT ON TABLE mart.v_service_desk TO ROLE support;
GRANT SELECT ON TABLE mart.support_backlog TO ROLE support;
GRANT SELECT (customer_id, full_name, phone, ssn_last4) ON TABLE cln.customer TO ROLE support;

-- Erasures need everything about customers.
GRANT SELECT ON DATABASE raw TO ROLE privacy_office;
GRANT SELECT ON DATABASE cln TO ROLE privacy_office;
