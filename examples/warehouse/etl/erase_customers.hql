-- Erasure under the GDPR: personal data of those who asked goes, the figures stay.
-- Marts are rebuilt every night and need no erasure of their own.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;
SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

CREATE TEMPORARY TABLE to_erase STORED AS ORC AS
SELECT DISTINCT q.request_id, coalesce(q.customer_id, c.customer_id) AS customer_id, sha2(lower(q.email), 256) AS email_hash
FROM raw.erasure_requests q
LEFT JOIN cln.customer c ON c.email_hash = sha2(lower(q.email), 256)
WHERE q.ds = '${hivevar:ds}' AND q.legal_basis = 'GDPR-17';

UPDATE cln.customer
SET full_name = NULL, email = NULL, phone = NULL, ssn_hash = NULL, ssn_last4 = NULL, birth_date = NULL,
    may_contact = FALSE, erased = TRUE
WHERE customer_id IN (SELECT customer_id FROM to_erase);

-- Every version, not only the current one.
UPDATE dwh.dim_customer
SET full_name = 'erased', email = NULL, phone = NULL, ssn_hash = NULL
WHERE customer_id IN (SELECT customer_id FROM to_erase);

DELETE FROM cln.support_ticket
WHERE customer_id IN (SELECT customer_id FROM to_erase) AND closed_at IS NOT NULL;

-- Tables that are not transactional are written again without the rows.
INSERT OVERWRITE TABLE cln.campaign_send PARTITION (ds)
SELECT s.campaign, s.email, s.email_hash, s.sent_at, s.opened_at, s.clicks, s.ds
FROM cln.campaign_send s
LEFT JOIN to_erase e ON e.email_hash = s.email_hash
WHERE e.email_hash IS NULL;

INSERT OVERWRITE TABLE raw.crm_customers PARTITION (ds)
SELECT *
FROM raw.crm_customers c
WHERE NOT EXISTS (SELECT 1 FROM to_erase e WHERE e.customer_id = c.customer_id);

INSERT INTO ops.erasure_log
SELECT request_id, customer_id, email_hash, current_timestamp()
FROM to_erase;

DROP TABLE to_erase PURGE;
