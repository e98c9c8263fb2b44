-- mart.revenue: what Kestrel earned, a day, country and channel.
-- Three streams meet here: orders of the web shop, receipts of the shops, fees of mobile contracts.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

WITH web AS (
  SELECT to_date(f.ordered_at) AS revenue_day, f.country_code, f.channel, count(*) AS sales, sum(f.amount_eur) AS amount_eur
  FROM dwh.fact_orders f
  WHERE f.ds = '${hivevar:ds}'
  GROUP BY to_date(f.ordered_at), f.country_code, f.channel
),
shops AS (
  SELECT d.calendar_day AS revenue_day, s.country_code, 'shop' AS channel, count(DISTINCT p.receipt_no) AS sales, sum(p.amount_eur) AS amount_eur
  FROM dwh.fact_pos_items p
  JOIN dwh.dim_date d ON d.date_key = p.date_key
  JOIN dwh.dim_store s ON s.store_id = p.store_id
  WHERE p.ds = '${hivevar:ds}'
  GROUP BY d.calendar_day, s.country_code
),
mobile AS (
  SELECT DATE '${hivevar:ds}' AS revenue_day, c.country_code, 'mobile' AS channel, count(*) AS sales, sum(s.monthly_fee_eur / 30) AS amount_eur
  FROM dwh.dim_subscription s
  JOIN dwh.v_current_customer c ON c.customer_id = s.customer_id
  WHERE s.ended_on IS NULL OR s.ended_on > DATE '${hivevar:ds}'
  GROUP BY c.country_code
),
streams AS (
  SELECT * FROM web
  UNION ALL
  SELECT * FROM shops
  UNION ALL
  SELECT * FROM mobile
)
INSERT OVERWRITE TABLE mart.revenue PARTITION (month)
SELECT
  revenue_day,
  country_code,
  channel,
  sales,
  CAST(amount_eur AS DECIMAL(18, 2)),
  CAST(amount_eur / sum(amount_eur) OVER (PARTITION BY revenue_day) AS DECIMAL(7, 4)),
  date_format(revenue_day, 'yyyy-MM')
FROM streams;
