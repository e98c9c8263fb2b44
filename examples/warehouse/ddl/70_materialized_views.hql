-- Sales of a category and day, kept ready because half the dashboards ask for it.

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

CREATE MATERIALIZED VIEW IF NOT EXISTS mart.mv_category_day
COMMENT 'Sales a category and day; rebuilt after every load of the facts'
STORED AS ORC
TBLPROPERTIES ('owner' = 'analytics')
AS
SELECT
  p.department,
  p.category,
  l.date_key,
  count(*)        AS line_count,
  sum(l.quantity) AS units,
  sum(l.net_eur)  AS net_eur
FROM dwh.fact_order_lines l
JOIN dwh.dim_product p ON p.sku = l.sku
GROUP BY p.department, p.category, l.date_key;
