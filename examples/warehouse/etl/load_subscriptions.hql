-- Mobile contracts: change records of the billing system, applied to cln.subscription; then the dimension.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

MERGE INTO cln.subscription AS t
USING (
  SELECT *
  FROM (
    SELECT
      s.subscription_id, s.customer_id, s.msisdn, s.plan_code, s.monthly_fee, s.ccy, s.started_on, s.ended_on, s.change_type,
      rank() OVER (PARTITION BY s.subscription_id ORDER BY CASE s.change_type WHEN 'D' THEN 1 WHEN 'U' THEN 2 ELSE 3 END) AS weight
    FROM raw.subscriptions s
    WHERE s.ds = '${hivevar:ds}'
  ) changes
  WHERE weight = 1
) AS c
ON t.subscription_id = c.subscription_id
WHEN MATCHED AND c.change_type = 'D' THEN DELETE
WHEN MATCHED AND c.change_type IN ('U', 'I') THEN UPDATE SET
  customer_id = c.customer_id,
  msisdn      = util.normalize_phone(c.msisdn, NULL),
  plan_code   = c.plan_code,
  monthly_fee = c.monthly_fee,
  ccy         = c.ccy,
  ended_on    = c.ended_on,
  changed_on  = '${hivevar:ds}'
WHEN NOT MATCHED AND c.change_type <> 'D' THEN INSERT VALUES (
  c.subscription_id, c.customer_id, util.normalize_phone(c.msisdn, NULL), c.plan_code, c.monthly_fee, c.ccy,
  c.started_on, c.ended_on, '${hivevar:ds}'
);

INSERT OVERWRITE TABLE dwh.dim_subscription
SELECT
  s.subscription_id,
  s.customer_id,
  s.msisdn,
  mask_hash(s.msisdn),
  t.plan_name,
  t.family,
  CAST(s.monthly_fee * r.rate AS DECIMAL(10, 2)),
  s.started_on,
  s.ended_on,
  CAST(months_between(coalesce(s.ended_on, DATE '${hivevar:ds}'), s.started_on) AS INT)
FROM cln.subscription s
LEFT JOIN ref.tariff t ON t.plan_code = s.plan_code
JOIN ref.rates r ON r.ccy = s.ccy
WHERE r.rate_date = '${hivevar:ds}';
