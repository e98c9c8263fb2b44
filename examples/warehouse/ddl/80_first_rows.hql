-- Rows that are there from the first day: countries, tariffs, the calendar. Runs once, after the tables are made.

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

INSERT INTO ref.country (country_code, country_name, ccy, vat_rate, in_eu) VALUES
  ('DE', 'Germany',     'EUR', 0.190, TRUE),
  ('AT', 'Austria',     'EUR', 0.200, TRUE),
  ('CH', 'Switzerland', 'CHF', 0.081, FALSE),
  ('PL', 'Poland',      'PLN', 0.230, TRUE);

INSERT INTO TABLE ref.tariff VALUES
  ('P0', 'Kestrel Hop',    'prepaid',  0,   4.9000, DATE '2024-01-01'),
  ('F1', 'Kestrel Glide',  'flat',     20,  1.5000, DATE '2024-01-01'),
  ('F2', 'Kestrel Soar',   'flat',     100, 1.0000, DATE '2025-06-01'),
  ('B1', 'Kestrel Office', 'business', 50,  0.8000, DATE '2025-06-01');

-- Ten years of days, out of nothing: a string of blanks splits into as many rows.
INSERT OVERWRITE TABLE dwh.dim_date
SELECT
  CAST(date_format(d.calendar_day, 'yyyyMMdd') AS INT),
  d.calendar_day,
  date_format(d.calendar_day, 'EEEE'),
  weekofyear(d.calendar_day),
  month(d.calendar_day),
  quarter(d.calendar_day),
  year(d.calendar_day),
  date_format(d.calendar_day, 'u') IN ('6', '7')
FROM (
  SELECT date_add('2020-01-01', n.pos) AS calendar_day
  FROM (SELECT 1 AS one) x
  LATERAL VIEW posexplode(split(space(3652), ' ')) n AS pos, blank
) d;

ANALYZE TABLE dwh.dim_date COMPUTE STATISTICS FOR COLUMNS date_key, calendar_day;
