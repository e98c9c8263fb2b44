-- Layer 4: marts.

CREATE TABLE IF NOT EXISTS mart.revenue (
  revenue_day   DATE,
  country_code  STRING,
  channel       STRING          COMMENT 'web, app, phone, shop, mobile',
  sales         BIGINT          COMMENT 'orders, receipts or contracts',
  amount_eur    DECIMAL(18, 2),
  share_of_day  DECIMAL(7, 4)   COMMENT 'part of the revenue of that day'
)
COMMENT 'Revenue of all channels; finance reports from it'
PARTITIONED BY (month STRING COMMENT 'yyyy-MM')
STORED AS ORC
TBLPROPERTIES ('owner' = 'finance-analytics', 'transactional' = 'false', 'certified' = 'true');

CREATE TABLE IF NOT EXISTS mart.customer_360 (
  customer_id      BIGINT,
  full_name        STRING          COMMENT 'pii: name',
  email            STRING          COMMENT 'pii: e-mail',
  phone            STRING          COMMENT 'pii: phone',
  segment          STRING,
  country_code     STRING,
  first_order_at   TIMESTAMP,
  last_order_at    TIMESTAMP,
  order_count      BIGINT,
  lifetime_eur     DECIMAL(18, 2),
  favourite_brand  STRING,
  open_tickets     BIGINT,
  active_contracts BIGINT,
  value_decile     INT
)
COMMENT 'All we know of a customer, for the service desk'
STORED AS ORC
TBLPROPERTIES ('owner' = 'analytics', 'pii' = 'name,email,phone', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS mart.campaign_audience (
  email         STRING  COMMENT 'pii: e-mail',
  greeting      STRING,
  segment       STRING,
  reason        STRING  COMMENT 'why this customer is in the audience'
)
PARTITIONED BY (campaign STRING)
STORED AS PARQUET
TBLPROPERTIES ('owner' = 'marketing', 'pii' = 'email', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS mart.product_cube (
  department    STRING,
  category      STRING,
  brand         STRING,
  grouping_no   BIGINT          COMMENT 'grouping__id of the row',
  units         BIGINT,
  net_eur       DECIMAL(18, 2),
  return_rate   DECIMAL(7, 4)
)
PARTITIONED BY (month STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'product-data', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS mart.store_performance (
  store_id         INT,
  store_name       STRING,
  country_name     STRING,
  amount_eur       DECIMAL(18, 2),
  eur_per_m2       DECIMAL(12, 2),
  median_receipt   DECIMAL(12, 2),
  rank_in_country  INT,
  change_to_prior  DECIMAL(12, 2)  COMMENT 'against the month before'
)
PARTITIONED BY (month STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'retail-analytics', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS mart.web_funnel (
  utm_campaign     STRING,
  device_os        STRING,
  visitors         BIGINT,
  product_viewers  BIGINT,
  cart_users       BIGINT,
  buyers           BIGINT,
  conversion       DECIMAL(7, 4)
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'web-team', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS mart.network_load (
  region       STRING,
  cell_id      STRING,
  hour_of_day  INT,
  gigabytes    DECIMAL(14, 3),
  calls        BIGINT,
  peak_ratio   DECIMAL(9, 3)  COMMENT 'this hour against the mean of the cell'
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'network-ops', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS mart.support_backlog (
  ticket_id       BIGINT,
  priority        STRING,
  subject         STRING,
  reporter_email  STRING,
  segment         STRING,
  waiting_hours   INT,
  position        INT  COMMENT 'place in the queue of its priority'
)
STORED AS ORC
TBLPROPERTIES ('owner' = 'support-team', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS mart.credit_risk (
  customer_id      BIGINT,
  ssn_hash         STRING  COMMENT 'to ask the credit agency',
  failed_payments  BIGINT,
  unpaid_eur       DECIMAL(18, 2),
  risk_class       STRING
)
STORED AS ORC
TBLPROPERTIES ('owner' = 'finance-analytics', 'transactional' = 'true');

CREATE TABLE IF NOT EXISTS mart.kpi_daily (
  kpi         STRING,
  kpi_value   DOUBLE
)
COMMENT 'One row a figure, for the board on the wall'
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'analytics', 'transactional' = 'false');
