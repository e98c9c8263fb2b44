-- mart.network_load: where and when the network is busy.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

INSERT OVERWRITE TABLE mart.network_load PARTITION (ds = '${hivevar:ds}')
SELECT
  region,
  cell_id,
  hour_of_day,
  CAST(bytes_total / 1073741824 AS DECIMAL(14, 3)),
  calls,
  CAST(bytes_total / avg(bytes_total) OVER (PARTITION BY cell_id) AS DECIMAL(9, 3))
FROM (
  SELECT
    region,
    cell_id,
    hour(begun_at)                                 AS hour_of_day,
    sum(bytes_total)                               AS bytes_total,
    count(IF(record_type = 'voice', 1, NULL))      AS calls
  FROM cln.call_record
  WHERE ds = '${hivevar:ds}'
  GROUP BY region, cell_id, hour(begun_at)
) hourly;

-- A sample to look at, without reading the whole day.
SELECT cell_id, avg(seconds) AS mean_seconds
FROM cln.call_record TABLESAMPLE (1 PERCENT) c
WHERE ds = '${hivevar:ds}' AND record_type = 'voice'
GROUP BY cell_id;
