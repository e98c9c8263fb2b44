-- mart.churn_features: input of the churn model, built anew every month. The model knows numbers, not people.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:usage_month=2026-11;

DROP TABLE IF EXISTS mart.churn_features;

CREATE TABLE mart.churn_features
COMMENT 'Features of the churn model, one row a subscription'
STORED AS PARQUET
TBLPROPERTIES ('owner' = 'data-science', 'transactional' = 'false')
AS
WITH use_of_month AS (
  SELECT
    u.*,
    avg(u.gigabytes)  OVER last_quarter AS gigabytes_quarter,
    sum(u.overage_eur) OVER last_quarter AS overage_quarter,
    lag(u.voice_minutes, 1, CAST(0 AS DECIMAL(12, 1))) OVER (PARTITION BY u.subscription_id ORDER BY u.usage_month) AS minutes_before
  FROM dwh.fact_usage u
  WINDOW last_quarter AS (PARTITION BY u.subscription_id ORDER BY u.usage_month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)
)
SELECT
  s.subscription_id,
  s.msisdn_hash,
  s.plan_family,
  s.tenure_months,
  s.monthly_fee_eur,
  m.gigabytes,
  m.gigabytes_quarter,
  m.overage_quarter,
  m.voice_minutes - m.minutes_before                              AS minutes_change,
  coalesce(t.tickets, 0)                                          AS tickets,
  percent_rank() OVER (PARTITION BY s.plan_family ORDER BY m.gigabytes) AS usage_rank,
  s.ended_on IS NOT NULL                                          AS churned
FROM dwh.dim_subscription s
JOIN use_of_month m ON m.subscription_id = s.subscription_id AND m.usage_month = '${hivevar:usage_month}'
LEFT JOIN (
  SELECT customer_id, count(*) AS tickets
  FROM cln.support_ticket
  WHERE date_format(opened_at, 'yyyy-MM') = '${hivevar:usage_month}'
  GROUP BY customer_id
  HAVING count(*) > 0
) t ON t.customer_id = s.customer_id;
