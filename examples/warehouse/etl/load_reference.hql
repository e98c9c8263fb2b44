-- Exchange rates of the day: a file -> raw.fx_rates -> ref.rates.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;
SET hivevar:lake=hdfs://lake/kestrel;

-- The rates come as one small file a day, which moves into the table as it is.
LOAD DATA INPATH '${hivevar:lake}/landing/${hivevar:ds}/fx_rates.csv'
OVERWRITE INTO TABLE raw.fx_rates PARTITION (ds = '${hivevar:ds}');

INSERT OVERWRITE TABLE ref.rates PARTITION (rate_date = '${hivevar:ds}')
SELECT upper(trim(ccy)), CAST(rate AS DECIMAL(18, 8))
FROM raw.fx_rates
WHERE ds = '${hivevar:ds}' AND rate RLIKE '^[0-9.]+$'
UNION ALL
SELECT 'EUR', CAST(1 AS DECIMAL(18, 8));
