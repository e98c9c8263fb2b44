-- Views, some of them over other views.

CREATE VIEW IF NOT EXISTS cln.v_customer_masked
COMMENT 'Customers for people who may not see personal data'
TBLPROPERTIES ('owner' = 'privacy-office')
AS
SELECT
  customer_id,
  mask_first_n(full_name, 4)         AS full_name,
  mask(email)                        AS email,
  mask_show_last_n(phone, 2)         AS phone,
  mask_hash(ssn_hash)                AS ssn_hash,
  year(birth_date)                   AS birth_year,
  substr(postcode, 1, 2)             AS postcode_area,
  country_code,
  segment
FROM cln.customer
WHERE NOT coalesce(erased, FALSE);

CREATE VIEW IF NOT EXISTS dwh.v_current_customer (
  customer_key COMMENT 'of the current version',
  customer_id,
  full_name    COMMENT 'pii: name',
  email        COMMENT 'pii: e-mail',
  email_hash,
  phone        COMMENT 'pii: phone',
  ssn_hash,
  segment,
  country_code,
  may_contact
)
COMMENT 'Current version of each customer'
AS
SELECT customer_key, customer_id, full_name, email, email_hash, phone, ssn_hash, segment, country_code, may_contact
FROM dwh.dim_customer
WHERE is_current;

CREATE VIEW IF NOT EXISTS dwh.v_sales
COMMENT 'Sales of web shop and shops in one shape'
PARTITIONED ON (ds)
AS
SELECT 'order' AS sale_kind, CAST(order_id AS STRING) AS sale_no, store_id, country_code, channel, amount_eur, date_key, ds
FROM dwh.fact_orders
UNION ALL
SELECT 'receipt', p.receipt_no, p.store_id, s.country_code, 'shop', p.amount_eur, p.date_key, p.ds
FROM dwh.fact_pos_items p
JOIN dwh.dim_store s ON s.store_id = p.store_id;

CREATE VIEW IF NOT EXISTS mart.v_revenue_month
COMMENT 'Revenue a month and country'
AS
SELECT r.month, r.country_code, c.country_name, sum(r.amount_eur) AS amount_eur, sum(r.sales) AS sales
FROM mart.revenue r
LEFT JOIN ref.country c ON c.country_code = r.country_code
GROUP BY r.month, r.country_code, c.country_name;

-- A view over a view: growth against the month before and against the year before.
CREATE VIEW IF NOT EXISTS mart.v_revenue_growth
COMMENT 'Growth of revenue a country'
AS
WITH prior AS (
  SELECT
    month,
    country_name,
    amount_eur,
    lag(amount_eur, 1)  OVER country_months AS month_before,
    lag(amount_eur, 12) OVER country_months AS year_before
  FROM mart.v_revenue_month
  WINDOW country_months AS (PARTITION BY country_code ORDER BY month)
)
SELECT
  month,
  country_name,
  amount_eur,
  round(100 * (amount_eur - month_before) / month_before, 1) AS growth_month_pct,
  round(100 * (amount_eur - year_before) / year_before, 1)   AS growth_year_pct
FROM prior;

CREATE VIEW IF NOT EXISTS mart.v_contactable
COMMENT 'Customers that marketing may write to'
AS
SELECT customer_id, customer_key, full_name, email, segment, country_code
FROM dwh.v_current_customer
WHERE may_contact AND email IS NOT NULL;

CREATE VIEW IF NOT EXISTS mart.v_service_desk
COMMENT 'What an agent at the service desk sees'
AS
SELECT
  customer_id,
  full_name,
  email,
  concat('** ', substr(phone, -3)) AS phone_tail,
  segment,
  CASE WHEN value_decile >= 9 THEN 'gold' WHEN value_decile >= 6 THEN 'silver' ELSE 'standard' END AS service_level,
  open_tickets
FROM mart.customer_360;

ALTER VIEW mart.v_service_desk SET TBLPROPERTIES ('owner' = 'support-team', 'pii' = 'name,email');
