-- mart.credit_risk: who may buy on account.

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

TRUNCATE TABLE mart.credit_risk;

WITH debts AS (
  SELECT
    o.customer_key,
    sum(CASE WHEN p.succeeded THEN 0 ELSE 1 END)            AS failed_payments,
    sum(o.amount_eur) - sum(IF(p.succeeded, p.amount_eur, 0)) AS unpaid_eur
  FROM dwh.fact_orders o
  LEFT JOIN dwh.fact_payments p ON p.order_id = o.order_id
  GROUP BY o.customer_key
)
INSERT INTO mart.credit_risk
SELECT
  c.customer_id,
  c.ssn_hash,
  sum(d.failed_payments),
  sum(d.unpaid_eur),
  CASE
    WHEN sum(d.unpaid_eur) > 1000 THEN 'refuse'
    WHEN sum(d.failed_payments) > 2 THEN 'prepay'
    ELSE 'account'
  END
FROM debts d
JOIN dwh.dim_customer c ON c.customer_key = d.customer_key
GROUP BY c.customer_id, c.ssn_hash;

-- Customers of long standing are never refused.
UPDATE mart.credit_risk
SET risk_class = 'prepay'
WHERE risk_class = 'refuse'
  AND customer_id IN (SELECT customer_id FROM dwh.dim_subscription WHERE tenure_months >= 60 AND ended_on IS NULL);
