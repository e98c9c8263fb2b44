-- Network: call records -> cln.call_record -> use of each subscription and month.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;
SET hivevar:usage_month=2026-11;

SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

-- The other party is none of our customers: only a hash of the number is kept.
INSERT OVERWRITE TABLE cln.call_record PARTITION (ds, region, record_type)
SELECT
  record_id,
  util.normalize_phone(caller_msisdn, NULL),
  mask_hash(callee_msisdn),
  cell_id,
  seconds,
  nvl(bytes_up, 0) + nvl(bytes_down, 0),
  begun_at,
  ds,
  region,
  record_type
FROM raw.call_records
WHERE ds = '${hivevar:ds}' AND record_type IN ('voice', 'sms', 'data');

WITH used AS (
  SELECT
    c.caller,
    sum(IF(c.record_type = 'voice', c.seconds, 0)) / 60           AS voice_minutes,
    sum(IF(c.record_type = 'sms', 1, 0))                          AS messages,
    sum(c.bytes_total) / 1073741824                               AS gigabytes,
    count(DISTINCT c.callee_hash)                                 AS distinct_callees
  FROM cln.call_record c
  WHERE c.ds LIKE '${hivevar:usage_month}-%'
  GROUP BY c.caller
),
cells AS (
  SELECT caller, cell_id, row_number() OVER (PARTITION BY caller ORDER BY count(*) DESC) AS place
  FROM cln.call_record
  WHERE ds LIKE '${hivevar:usage_month}-%'
  GROUP BY caller, cell_id
)
INSERT OVERWRITE TABLE dwh.fact_usage PARTITION (usage_month = '${hivevar:usage_month}')
SELECT
  s.subscription_id,
  CAST(u.voice_minutes AS DECIMAL(12, 1)),
  u.messages,
  CAST(u.gigabytes AS DECIMAL(14, 3)),
  u.distinct_callees,
  h.cell_id,
  CAST(greatest(u.gigabytes - t.included_gb, 0) * t.price_per_gb AS DECIMAL(12, 2))
FROM used u
JOIN cln.subscription s ON s.msisdn = u.caller
JOIN ref.tariff t ON t.plan_code = s.plan_code
LEFT JOIN cells h ON h.caller = u.caller AND h.place = 1;
