-- mart.product_cube: sales on every level from brand to the whole company.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:month=2026-11;

INSERT OVERWRITE TABLE mart.product_cube PARTITION (month = '${hivevar:month}')
SELECT
  p.department,
  p.category,
  p.brand,
  CAST(grouping__id AS BIGINT),
  sum(l.quantity),
  sum(l.net_eur),
  CAST(sum(l.returned) / sum(l.quantity) AS DECIMAL(7, 4))
FROM dwh.fact_order_lines l
JOIN dwh.dim_product p ON p.sku = l.sku
WHERE l.ds LIKE concat('${hivevar:month}', '-%')
GROUP BY p.department, p.category, p.brand
GROUPING SETS (
  (p.department, p.category, p.brand),
  (p.department, p.category),
  (p.department),
  (p.brand),
  ()
);

-- The same levels of stock, as a rollup, for a look by hand.
SELECT
  coalesce(p.department, 'all') AS department,
  coalesce(p.category, 'all')   AS category,
  sum(i.available)              AS pieces,
  sum(i.stock_value)            AS stock_value
FROM dwh.fact_inventory i
JOIN dwh.dim_product p ON p.sku = i.sku
GROUP BY p.department, p.category WITH ROLLUP
ORDER BY department, category
LIMIT 100;
