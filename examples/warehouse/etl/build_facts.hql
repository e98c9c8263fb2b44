-- Facts of the shops and the web shop: everything in euro, everything with keys.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

CREATE TEMPORARY MACRO date_key_of(moment TIMESTAMP)
  CAST(date_format(moment, 'yyyyMMdd') AS INT);

-- The version of the customer that was valid when the order was placed.
INSERT OVERWRITE TABLE dwh.fact_orders PARTITION (ds = '${hivevar:ds}')
SELECT
  o.order_id,
  c.customer_key,
  o.store_id,
  date_key_of(o.ordered_at)                       AS date_key,
  o.channel,
  o.country_code,
  CAST(o.amount * r.rate AS DECIMAL(14, 2))       AS amount_eur,
  CAST(o.discount * r.rate AS DECIMAL(14, 2))     AS discount_eur,
  sha2(o.contact_email, 256)                      AS contact_email_hash,
  o.ordered_at
FROM cln.sales_order o
JOIN ref.rates r
  ON r.ccy = o.ccy AND r.rate_date = o.ds
LEFT JOIN dwh.dim_customer c
  ON c.customer_id = o.customer_id AND o.ordered_at >= c.valid_from AND o.ordered_at < c.valid_to
WHERE o.ds = '${hivevar:ds}'
  AND o.status <> 'CANCELLED';

INSERT OVERWRITE TABLE dwh.fact_order_lines PARTITION (ds = '${hivevar:ds}')
SELECT
  l.order_id,
  l.line_no,
  l.sku,
  date_key_of(o.ordered_at),
  l.quantity,
  CAST(l.quantity * l.net_price * r.rate AS DECIMAL(14, 2)),
  CAST(l.quantity * (l.unit_price - l.net_price) * r.rate AS DECIMAL(14, 2)),
  coalesce(b.pieces, 0)
FROM cln.sales_order_line l
JOIN cln.sales_order o ON o.order_id = l.order_id AND o.ds = l.ds
JOIN ref.rates r ON r.ccy = o.ccy AND r.rate_date = o.ds
LEFT JOIN (
  SELECT order_id, line_no, sum(quantity) AS pieces
  FROM cln.sales_return
  GROUP BY order_id, line_no
) b ON b.order_id = l.order_id AND b.line_no = l.line_no
WHERE l.ds = '${hivevar:ds}';

-- Returns of earlier days change lines that are loaded already.
UPDATE dwh.fact_order_lines
SET returned = quantity
WHERE ds < '${hivevar:ds}'
  AND order_id IN (SELECT order_id FROM cln.sales_return WHERE ds = '${hivevar:ds}' AND reason = 'Whole Order');

INSERT OVERWRITE TABLE dwh.fact_pos_items PARTITION (ds = '${hivevar:ds}')
SELECT
  i.receipt_no,
  i.position,
  i.store_id,
  date_key_of(i.printed_at),
  i.sku,
  i.quantity,
  CAST(i.quantity * i.price * r.rate AS DECIMAL(14, 2)),
  i.paid_cash,
  i.loyalty_hash
FROM cln.pos_item i, ref.rates r
WHERE i.ccy = r.ccy
  AND r.rate_date = '${hivevar:ds}'
  AND i.ds = '${hivevar:ds}';

ALTER MATERIALIZED VIEW mart.mv_category_day REBUILD;

ANALYZE TABLE dwh.fact_orders PARTITION (ds = '${hivevar:ds}') COMPUTE STATISTICS;
ALTER TABLE dwh.fact_order_lines PARTITION (ds = '${hivevar:ds}') COMPACT 'major';

DROP TEMPORARY MACRO date_key_of;
