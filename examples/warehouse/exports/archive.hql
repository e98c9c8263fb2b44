-- End of the month: tables leave for the archive, and one comes back to prove that they can.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:month=2026-11;
SET hivevar:ds=2026-11-29;
SET hivevar:lake=hdfs://lake/kestrel;

EXPORT TABLE mart.revenue TO '${hivevar:lake}/archive/${hivevar:month}/revenue';

EXPORT TABLE dwh.fact_usage PARTITION (usage_month = '${hivevar:month}')
TO '${hivevar:lake}/archive/${hivevar:month}/fact_usage';

-- The regulator wants call records of the day, untouched.
EXPORT TABLE cln.call_record PARTITION (ds = '${hivevar:ds}', region = 'north', record_type = 'voice')
TO '${hivevar:lake}/archive/regulator/${hivevar:ds}';

IMPORT TABLE ops.revenue_restored
FROM '${hivevar:lake}/archive/${hivevar:month}/revenue'
LOCATION '${hivevar:lake}/restore/revenue';

dfs -du -s -h ${hivevar:lake}/archive/${hivevar:month};
