-- raw.crm_customers -> cln.customer: newest row of each customer, checked, hashed, merged.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;
SET hivevar:lake=hdfs://lake/kestrel;

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

ADD JAR ${hivevar:lake}/lib/kestrel-hive-udf-1.8.0.jar;

CREATE TEMPORARY FUNCTION clean_name AS 'com.kestrel.hive.udf.CleanName';

CREATE TEMPORARY MACRO clean_email(address STRING)
  CASE WHEN trim(address) RLIKE '^[^@ ]+@[^@ ]+\\.[a-zA-Z]+$' THEN lower(trim(address)) END;

CREATE TEMPORARY TABLE stage_customer STORED AS ORC AS
SELECT
  customer_id,
  clean_name(concat_ws(' ', first_name, last_name))   AS full_name,
  clean_email(email)                                  AS email,
  util.normalize_phone(phone, country_code)           AS phone,
  regexp_replace(ssn, '[^0-9]', '')                   AS ssn,
  CAST(birth_date AS DATE)                            AS birth_date,
  postcode,
  city,
  upper(country_code)                                 AS country_code,
  coalesce(marketing_consent = 'Y', FALSE)            AS may_contact,
  segment,
  CAST(changed_at AS TIMESTAMP)                       AS changed_at,
  concat_ws('|', CAST(customer_id AS STRING), first_name, last_name, email, phone) AS row_text
FROM (
  SELECT c.*, row_number() OVER (PARTITION BY customer_id ORDER BY changed_at DESC) AS newest
  FROM raw.crm_customers c
  WHERE c.ds = '${hivevar:ds}'
) ranked
WHERE newest = 1;

INSERT OVERWRITE TABLE cln.rejected_row PARTITION (ds = '${hivevar:ds}', source_table = 'crm_customers')
SELECT
  CASE WHEN customer_id IS NULL THEN 'no key' ELSE 'unknown country' END,
  row_text,
  current_timestamp()
FROM stage_customer
WHERE customer_id IS NULL
   OR country_code NOT IN (SELECT country_code FROM ref.country);

MERGE INTO cln.customer AS t
USING (
  SELECT
    s.*,
    sha2(s.email, 256)   AS email_hash,
    mask_hash(s.ssn)     AS ssn_hash,
    substr(s.ssn, -4)    AS ssn_last4
  FROM stage_customer s
  LEFT SEMI JOIN ref.country k ON s.country_code = k.country_code
  WHERE s.customer_id IS NOT NULL
) AS n
ON t.customer_id = n.customer_id
WHEN MATCHED AND NOT t.erased AND t.changed_at < n.changed_at THEN UPDATE SET
  full_name    = n.full_name,
  email        = n.email,
  email_hash   = n.email_hash,
  phone        = n.phone,
  ssn_hash     = n.ssn_hash,
  ssn_last4    = n.ssn_last4,
  birth_date   = n.birth_date,
  postcode     = n.postcode,
  city         = n.city,
  country_code = n.country_code,
  may_contact  = n.may_contact,
  segment      = n.segment,
  changed_at   = n.changed_at
WHEN NOT MATCHED THEN INSERT VALUES (
  n.customer_id, n.full_name, n.email, n.email_hash, n.phone, n.ssn_hash, n.ssn_last4, n.birth_date,
  n.postcode, n.city, n.country_code, n.may_contact, n.segment, n.changed_at, FALSE
);

INSERT INTO ops.load_audit PARTITION (ds = '${hivevar:ds}')
SELECT 'load_customers', 'cln.customer', count(*), current_timestamp()
FROM stage_customer;

DROP TABLE stage_customer;
DROP TEMPORARY MACRO clean_email;
DROP TEMPORARY FUNCTION IF EXISTS clean_name;
