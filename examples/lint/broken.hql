-- Three mistakes that everybody makes once. Try:  guardbee analyze examples/lint/broken.hql

CREATE TABLE shop_order (
  id      BIGINT,
  ccy     STRING,
  amount  DECIMAL(12, 2),
  ts      TIMESTAMP
)
PARTITIONED BY (ds STRING)
STORED AS ORC;

-- 1. A misspelt keyword.
SELECT id, amount
FORM shop_order
WHERE ds = '2026-11-29';

-- 2. A column that does not exist, but another has nearly the same name.
SELECT id, amout
FROM shop_order
WHERE ds = '2026-11-29';

-- 3. A reserved word as a name.
CREATE TABLE daily_sales (
  date    STRING,
  ccy     STRING,
  amount  DECIMAL(18, 2)
);

-- This one is right, and is read all the same.
SELECT ccy, sum(amount) AS amount
FROM shop_order
WHERE ds = '2026-11-29'
GROUP BY ccy;
