-- mart.store_performance: shops compared with each other and with the month before.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:month=2026-11;

WITH monthly AS (
  SELECT
    v.store_id,
    substr(v.ds, 1, 7)                  AS sales_month,
    sum(v.amount_eur)                   AS amount_eur,
    util.approx_median(v.amount_eur)    AS median_receipt
  FROM dwh.v_sales v
  WHERE v.store_id IS NOT NULL
  GROUP BY v.store_id, substr(v.ds, 1, 7)
),
compared AS (
  SELECT
    m.*,
    m.amount_eur - lag(m.amount_eur) OVER (PARTITION BY m.store_id ORDER BY m.sales_month) AS change_to_prior
  FROM monthly m
)
INSERT OVERWRITE TABLE mart.store_performance PARTITION (month = '${hivevar:month}')
SELECT
  s.store_id,
  s.store_name,
  s.country_name,
  c.amount_eur,
  CAST(c.amount_eur / s.floor_area_m2 AS DECIMAL(12, 2)),
  c.median_receipt,
  dense_rank() OVER (PARTITION BY s.country_code ORDER BY c.amount_eur DESC),
  c.change_to_prior
FROM dwh.dim_store s
JOIN compared c ON c.store_id = s.store_id
WHERE c.sales_month = '${hivevar:month}';
