-- cln.customer -> dwh.dim_customer: a new version whenever something that matters changed.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

CREATE TEMPORARY TABLE stage_dim_customer STORED AS ORC AS
SELECT
  c.customer_id,
  c.full_name,
  c.email,
  c.email_hash,
  c.phone,
  c.ssn_hash,
  CASE
    WHEN c.birth_date IS NULL THEN 'unknown'
    WHEN floor(months_between(DATE '${hivevar:ds}', c.birth_date) / 12) < 25 THEN 'under 25'
    WHEN floor(months_between(DATE '${hivevar:ds}', c.birth_date) / 12) < 45 THEN '25-44'
    WHEN floor(months_between(DATE '${hivevar:ds}', c.birth_date) / 12) < 65 THEN '45-64'
    ELSE '65 and over'
  END AS age_band,
  c.city,
  c.country_code,
  c.may_contact,
  c.segment,
  c.changed_at
FROM cln.customer c;

-- A changed customer comes twice: once with his key, to close the version that was current,
-- and once without, so that he does not match and is inserted as a new version.
MERGE INTO dwh.dim_customer AS d
USING (
  SELECT s.customer_id AS merge_id, s.*
  FROM stage_dim_customer s
  UNION ALL
  SELECT CAST(NULL AS BIGINT) AS merge_id, s.*
  FROM stage_dim_customer s
  JOIN dwh.dim_customer old ON old.customer_id = s.customer_id
  WHERE old.is_current
    AND (NOT old.email <=> s.email OR NOT old.phone <=> s.phone OR old.segment <> s.segment OR old.may_contact <> s.may_contact)
) AS n
ON d.customer_id = n.merge_id
WHEN MATCHED AND d.is_current
  AND (NOT d.email <=> n.email OR NOT d.phone <=> n.phone OR d.segment <> n.segment OR d.may_contact <> n.may_contact)
THEN UPDATE SET
  valid_to   = n.changed_at,
  is_current = FALSE
WHEN NOT MATCHED THEN INSERT VALUES (
  sha2(concat_ws('|', CAST(n.customer_id AS STRING), CAST(n.changed_at AS STRING)), 256),
  n.customer_id, n.full_name, n.email, n.email_hash, n.phone, n.ssn_hash, n.age_band, n.city, n.country_code,
  n.may_contact, n.segment, n.changed_at, CAST('9999-12-31 00:00:00' AS TIMESTAMP), TRUE
);

DROP TABLE stage_dim_customer;
