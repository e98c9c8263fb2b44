-- Web shop: raw.orders, raw.order_lines, raw.order_returns -> cln.sales_*.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

-- One pass over the day's changes: the last state of each order, and what cannot be used.
FROM (
  SELECT
    o.*,
    row_number() OVER (PARTITION BY o.id ORDER BY o.ts DESC) AS newest
  FROM raw.orders o
  WHERE o.ds = '${hivevar:ds}'
) r
INSERT OVERWRITE TABLE cln.sales_order PARTITION (ds = '${hivevar:ds}')
SELECT
  r.id,
  r.customer_id,
  r.store_id,
  lower(r.channel),
  r.country_code,
  upper(r.ccy),
  r.amount,
  nvl(r.discount, 0),
  lower(trim(r.contact_email)),
  r.status,
  r.ts
WHERE r.newest = 1 AND r.amount >= 0
INSERT OVERWRITE TABLE cln.rejected_row PARTITION (ds = '${hivevar:ds}', source_table = 'orders')
SELECT
  'negative amount',
  concat_ws('|', CAST(r.id AS STRING), CAST(r.amount AS STRING), r.contact_email),
  current_timestamp()
WHERE r.newest = 1 AND r.amount < 0
INSERT INTO TABLE ops.load_audit PARTITION (ds = '${hivevar:ds}')
SELECT 'load_orders', 'cln.sales_order', count(DISTINCT r.id), max(r.ts);

-- Lines of orders that were kept. The price without VAT is worked out once, here.
INSERT OVERWRITE TABLE cln.sales_order_line PARTITION (ds = '${hivevar:ds}')
SELECT
  l.order_id,
  l.line_no,
  upper(l.sku),
  l.quantity,
  l.unit_price,
  round(l.unit_price / (1 + coalesce(l.vat_rate, k.vat_rate)), 2),
  coalesce(l.vat_rate, k.vat_rate)
FROM raw.order_lines l
JOIN cln.sales_order o ON o.order_id = l.order_id AND o.ds = l.ds
LEFT OUTER JOIN ref.country k ON k.country_code = o.country_code
WHERE l.ds = '${hivevar:ds}' AND l.quantity > 0;

-- Returns arrive late: each goes to the partition of the day it came back.
SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

INSERT INTO TABLE cln.sales_return PARTITION (ds)
SELECT n.return_id, n.order_id, n.line_no, n.quantity, initcap(n.reason), n.returned_at, date_format(n.returned_at, 'yyyy-MM-dd')
FROM raw.order_returns n
WHERE n.ds = '${hivevar:ds}'
  AND EXISTS (
    SELECT 1
    FROM cln.sales_order_line l
    WHERE l.order_id = n.order_id AND l.line_no = n.line_no
  )
DISTRIBUTE BY date_format(n.returned_at, 'yyyy-MM-dd')
SORT BY order_id;
