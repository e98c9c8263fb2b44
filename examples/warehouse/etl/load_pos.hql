-- Tills: raw.pos_receipts -> cln.pos_item. A receipt holds an array of items; each becomes a row.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;
SET hive.exec.max.dynamic.partitions=200;

-- The day is given, the country comes from the data.
INSERT OVERWRITE TABLE cln.pos_item PARTITION (ds = '${hivevar:ds}', country_code)
SELECT
  r.receipt_no,
  i.position,
  r.store_id,
  sha2(r.loyalty_card, 256)                        AS loyalty_hash,
  upper(i.item.sku)                                AS sku,
  i.item.quantity,
  i.item.price,
  r.ccy,
  coalesce(r.payments['cash'], 0) > 0              AS paid_cash,
  r.printed_at,
  r.country_code
FROM raw.pos_receipts r
LATERAL VIEW posexplode(r.items) i AS position, item
WHERE r.ds = '${hivevar:ds}'
  AND size(r.items) > 0;

-- Receipts without items are kept for the shops to look at.
INSERT OVERWRITE TABLE cln.rejected_row PARTITION (ds = '${hivevar:ds}', source_table)
SELECT 'empty receipt', concat_ws('|', r.receipt_no, CAST(r.store_id AS STRING), means.kind), r.printed_at, 'pos_receipts'
FROM raw.pos_receipts r
LATERAL VIEW OUTER explode(r.payments) means AS kind, paid
WHERE r.ds = '${hivevar:ds}' AND size(r.items) <= 0;
