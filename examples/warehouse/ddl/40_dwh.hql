-- Layer 3: star schema. Facts are in euro and point to dimensions by key.

CREATE TABLE IF NOT EXISTS dwh.dim_date (
  date_key      INT      COMMENT 'yyyyMMdd',
  calendar_day  DATE,
  day_name      STRING,
  week_of_year  INT,
  month_no      INT,
  quarter_no    INT,
  year_no       INT,
  is_weekend    BOOLEAN,
  PRIMARY KEY (date_key) DISABLE NOVALIDATE RELY
)
STORED AS ORC
TBLPROPERTIES ('owner' = 'warehouse-team', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS dwh.dim_customer (
  customer_key  STRING     COMMENT 'one for each version of a customer',
  customer_id   BIGINT,
  full_name     STRING     COMMENT 'pii: name',
  email         STRING     COMMENT 'pii: e-mail',
  email_hash    STRING,
  phone         STRING     COMMENT 'pii: phone',
  ssn_hash      STRING,
  age_band      STRING     COMMENT 'under 25, 25-44, 45-64, 65 and over',
  city          STRING,
  country_code  STRING,
  may_contact   BOOLEAN,
  segment       STRING,
  valid_from    TIMESTAMP,
  valid_to      TIMESTAMP  COMMENT '9999-12-31 while the version is current',
  is_current    BOOLEAN,
  CONSTRAINT dim_customer_key PRIMARY KEY (customer_key) DISABLE NOVALIDATE RELY
)
COMMENT 'Customers with history (slowly changing, type 2)'
CLUSTERED BY (customer_id) INTO 8 BUCKETS
STORED AS ORC
TBLPROPERTIES ('transactional' = 'true', 'owner' = 'warehouse-team', 'pii' = 'name,email,phone');

CREATE TABLE IF NOT EXISTS dwh.dim_product (
  sku         STRING,
  title       STRING,
  brand       STRING,
  department  STRING,
  category    STRING,
  list_price  DECIMAL(10, 2),
  price_band  STRING,
  color       STRING,
  CONSTRAINT dim_product_key PRIMARY KEY (sku) DISABLE NOVALIDATE RELY
)
STORED AS ORC
TBLPROPERTIES ('transactional' = 'true', 'owner' = 'warehouse-team');

CREATE TABLE IF NOT EXISTS dwh.dim_store (
  store_id       INT,
  store_name     STRING,
  city           STRING,
  country_code   STRING,
  country_name   STRING,
  opened_on      DATE,
  floor_area_m2  INT,
  repairs        BOOLEAN  COMMENT 'repairs phones',
  sunday_hours   STRING,
  CONSTRAINT dim_store_key PRIMARY KEY (store_id) DISABLE NOVALIDATE RELY
)
STORED AS ORC
TBLPROPERTIES ('owner' = 'warehouse-team', 'transactional' = 'true');

CREATE TABLE IF NOT EXISTS dwh.dim_subscription (
  subscription_id  BIGINT,
  customer_id      BIGINT,
  msisdn           STRING         COMMENT 'pii: phone',
  msisdn_hash      STRING,
  plan_name        STRING,
  plan_family      STRING,
  monthly_fee_eur  DECIMAL(10, 2),
  started_on       DATE,
  ended_on         DATE,
  tenure_months    INT
)
STORED AS ORC
TBLPROPERTIES ('owner' = 'warehouse-team', 'pii' = 'phone', 'transactional' = 'true');

CREATE TABLE IF NOT EXISTS dwh.fact_orders (
  order_id            BIGINT,
  customer_key        STRING,
  store_id            INT,
  date_key            INT,
  channel             STRING,
  country_code        STRING,
  amount_eur          DECIMAL(14, 2),
  discount_eur        DECIMAL(14, 2),
  contact_email_hash  STRING          COMMENT 'SHA-256, to find guests who have an account',
  ordered_at          TIMESTAMP,
  CONSTRAINT fact_orders_customer FOREIGN KEY (customer_key) REFERENCES dwh.dim_customer (customer_key) DISABLE NOVALIDATE RELY,
  CONSTRAINT fact_orders_date FOREIGN KEY (date_key) REFERENCES dwh.dim_date (date_key) DISABLE NOVALIDATE RELY
)
COMMENT 'Orders of the web shop that were not cancelled'
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'warehouse-team', 'transactional' = 'true');

CREATE TABLE IF NOT EXISTS dwh.fact_order_lines (
  order_id     BIGINT,
  line_no      INT,
  sku          STRING,
  date_key     INT,
  quantity     INT             CHECK (quantity >= 0),
  net_eur      DECIMAL(14, 2),
  vat_eur      DECIMAL(14, 2),
  returned     INT             DEFAULT 0  COMMENT 'pieces sent back',
  CONSTRAINT fact_order_lines_product FOREIGN KEY (sku) REFERENCES dwh.dim_product (sku) DISABLE NOVALIDATE RELY
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'warehouse-team', 'transactional' = 'true');

CREATE TABLE IF NOT EXISTS dwh.fact_pos_items (
  receipt_no    STRING,
  position      INT,
  store_id      INT,
  date_key      INT,
  sku           STRING,
  quantity      INT,
  amount_eur    DECIMAL(14, 2),
  paid_cash     BOOLEAN,
  loyalty_hash  STRING
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'warehouse-team', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS dwh.fact_payments (
  payment_id   STRING,
  order_id     BIGINT,
  method       STRING,
  card_tail    STRING,
  amount_eur   DECIMAL(14, 2),
  succeeded    BOOLEAN,
  days_to_pay  INT
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'finance-it', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS dwh.fact_usage (
  subscription_id   BIGINT,
  voice_minutes     DECIMAL(12, 1),
  messages          BIGINT,
  gigabytes         DECIMAL(14, 3),
  distinct_callees  BIGINT,
  home_cell         STRING          COMMENT 'pii: cell used most',
  overage_eur       DECIMAL(12, 2)  COMMENT 'price of what goes beyond the tariff'
)
COMMENT 'Use of the mobile network, one row a subscription and month'
PARTITIONED BY (usage_month STRING COMMENT 'yyyy-MM')
STORED AS ORC
TBLPROPERTIES ('owner' = 'network-ops', 'pii' = 'location', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS dwh.fact_web_sessions (
  visitor_id    STRING,
  session_no    INT,
  started_at    TIMESTAMP,
  ended_at      TIMESTAMP,
  page_count    INT,
  landing_page  STRING,
  converted     BOOLEAN
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'web-team', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS dwh.fact_inventory (
  sku          STRING,
  store_id     INT,
  available    INT,
  stock_value  DECIMAL(14, 2)
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'retail-it', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS dwh.fact_campaign_response (
  campaign      STRING,
  customer_key  STRING,
  sent_at       TIMESTAMP,
  opened        BOOLEAN,
  clicks        INT,
  order_id      BIGINT  COMMENT 'first order within seven days'
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'marketing', 'transactional' = 'false');
