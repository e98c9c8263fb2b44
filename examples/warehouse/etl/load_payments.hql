-- raw.card_payments -> cln.payment. Card numbers end here: only the last four digits go on.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

INSERT OVERWRITE TABLE cln.payment PARTITION (ds = '${hivevar:ds}')
SELECT
  payment_id,
  order_id,
  CASE method WHEN 'debit' THEN 'card' ELSE method END,
  mask_show_last_n(card_number, 4, 'x', 'x', '*'),
  util.mask_iban(iban),
  amount,
  ccy,
  status IN ('SETTLED', 'PAID'),
  paid_at
FROM raw.card_payments
WHERE ds = '${hivevar:ds}';

-- Payments in euro; the rate of the day of payment counts.
INSERT OVERWRITE TABLE dwh.fact_payments PARTITION (ds = '${hivevar:ds}')
SELECT
  p.payment_id,
  p.order_id,
  p.method,
  p.card_tail,
  CAST(p.amount * r.rate AS DECIMAL(14, 2)),
  p.succeeded,
  datediff(p.paid_at, o.ordered_at)
FROM cln.payment p
JOIN ref.rates r ON r.ccy = p.ccy AND r.rate_date = p.ds
LEFT JOIN cln.sales_order o ON o.order_id = p.order_id
WHERE p.ds = '${hivevar:ds}';
