-- mart.kpi_daily: the figures on the wall.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

FROM mart.revenue r
INSERT OVERWRITE TABLE mart.kpi_daily PARTITION (ds = '${hivevar:ds}')
SELECT concat('revenue ', r.channel), CAST(sum(r.amount_eur) AS DOUBLE)
WHERE r.revenue_day = DATE '${hivevar:ds}'
GROUP BY r.channel
INSERT INTO TABLE mart.kpi_daily PARTITION (ds = '${hivevar:ds}')
SELECT 'countries with sales', CAST(count(DISTINCT r.country_code) AS DOUBLE)
WHERE r.revenue_day = DATE '${hivevar:ds}';

INSERT INTO TABLE mart.kpi_daily PARTITION (ds = '${hivevar:ds}')
SELECT kpi, kpi_value
FROM (
  SELECT 'conversion' AS kpi, CAST(avg(conversion) AS DOUBLE) AS kpi_value FROM mart.web_funnel WHERE ds = '${hivevar:ds}'
  UNION ALL
  SELECT 'open tickets', CAST(count(*) AS DOUBLE) FROM mart.support_backlog
  UNION ALL
  SELECT concat('stock ', m.category), CAST(sum(m.units) AS DOUBLE)
  FROM mart.mv_category_day m
  GROUP BY m.category
  UNION ALL
  SELECT 'busiest hour', CAST(max(hour_of_day) AS DOUBLE)
  FROM mart.network_load n
  WHERE n.ds = '${hivevar:ds}' AND n.gigabytes = (SELECT max(gigabytes) FROM mart.network_load WHERE ds = '${hivevar:ds}')
) figures;
