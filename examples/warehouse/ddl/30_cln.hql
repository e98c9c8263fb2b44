-- Layer 2: cleansed.

CREATE TABLE IF NOT EXISTS cln.customer (
  customer_id    BIGINT     NOT NULL DISABLE NOVALIDATE RELY,
  full_name      STRING     COMMENT 'pii: name',
  email          STRING     COMMENT 'pii: e-mail, lower case',
  email_hash     STRING     COMMENT 'SHA-256 of email, to join without showing it',
  phone          STRING     COMMENT 'pii: phone, E.164',
  ssn_hash       STRING     COMMENT 'hash of the social security number',
  ssn_last4      STRING     COMMENT 'pii: last four digits, for identification on the phone',
  birth_date     DATE       COMMENT 'pii',
  postcode       STRING,
  city           STRING,
  country_code   STRING,
  may_contact    BOOLEAN    DEFAULT FALSE,
  segment        STRING,
  changed_at     TIMESTAMP,
  erased         BOOLEAN    COMMENT 'personal data removed on request',
  PRIMARY KEY (customer_id) DISABLE NOVALIDATE RELY
)
COMMENT 'Customers, current state'
CLUSTERED BY (customer_id) INTO 8 BUCKETS
STORED AS ORC
TBLPROPERTIES ('transactional' = 'true', 'owner' = 'data-platform', 'pii' = 'name,email,phone,ssn_last4,birth_date');

CREATE TABLE IF NOT EXISTS cln.rejected_row (
  reason       STRING,
  row_text     STRING  COMMENT 'the row as it came',
  rejected_at  TIMESTAMP
)
COMMENT 'Rows that did not pass the checks of a load script'
PARTITIONED BY (ds STRING, source_table STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'data-platform', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS cln.sales_order (
  order_id       BIGINT          COMMENT 'raw.orders.id',
  customer_id    BIGINT,
  store_id       INT,
  channel        STRING,
  country_code   STRING,
  ccy            STRING,
  amount         DECIMAL(12, 2)  COMMENT 'gross',
  discount       DECIMAL(12, 2),
  contact_email  STRING          COMMENT 'pii: e-mail',
  status         STRING,
  ordered_at     TIMESTAMP
)
COMMENT 'Orders of the web shop, last state of each order'
PARTITIONED BY (ds STRING)
CLUSTERED BY (customer_id) SORTED BY (order_id) INTO 16 BUCKETS
STORED AS ORC
TBLPROPERTIES ('owner' = 'data-platform', 'pii' = 'email', 'transactional' = 'false', 'orc.bloom.filter.columns' = 'order_id');

CREATE TABLE IF NOT EXISTS cln.sales_order_line (
  order_id    BIGINT,
  line_no     INT,
  sku         STRING,
  quantity    INT,
  unit_price  DECIMAL(10, 2),
  net_price   DECIMAL(10, 2)  COMMENT 'without VAT',
  vat_rate    DECIMAL(4, 3)
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'data-platform', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS cln.sales_return (
  return_id    BIGINT,
  order_id     BIGINT,
  line_no      INT,
  quantity     INT,
  reason       STRING,
  returned_at  TIMESTAMP
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'data-platform', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS cln.pos_item (
  receipt_no    STRING,
  position      INT             COMMENT 'place on the receipt, from 0',
  store_id      INT,
  loyalty_hash  STRING          COMMENT 'hash of the loyalty card',
  sku           STRING,
  quantity      INT,
  price         DECIMAL(10, 2),
  ccy           STRING,
  paid_cash     BOOLEAN,
  printed_at    TIMESTAMP
)
COMMENT 'Receipts of the tills, one row an item'
PARTITIONED BY (ds STRING, country_code STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'data-platform', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS cln.product (
  sku         STRING,
  title       STRING,
  brand       STRING,
  department  STRING,
  category    STRING,
  list_price  DECIMAL(10, 2),
  weight_g    INT,
  attributes  MAP<STRING, STRING>,
  changed_at  TIMESTAMP,
  PRIMARY KEY (sku) DISABLE NOVALIDATE RELY
)
STORED AS PARQUET
TBLPROPERTIES ('owner' = 'product-data', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS cln.payment (
  payment_id   STRING,
  order_id     BIGINT,
  method       STRING,
  card_tail    STRING          COMMENT 'card number with all but the last four digits masked',
  iban_masked  STRING,
  amount       DECIMAL(12, 2),
  ccy          STRING,
  succeeded    BOOLEAN,
  paid_at      TIMESTAMP
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'finance-it', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS cln.web_event (
  event_id      STRING,
  visitor_id    STRING,
  customer_id   BIGINT,
  email_hash    STRING          COMMENT 'SHA-256 of the e-mail address of a logged-in user',
  event_time    TIMESTAMP,
  page          STRING,
  referrer      STRING          COMMENT 'host name',
  sku           STRING,
  cart_value    DECIMAL(12, 2),
  device_os     STRING,
  utm_campaign  STRING
)
PARTITIONED BY (ds STRING, event_type STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'web-team', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS cln.subscription (
  subscription_id  BIGINT,
  customer_id      BIGINT,
  msisdn           STRING         COMMENT 'pii: phone',
  plan_code        STRING,
  monthly_fee      DECIMAL(8, 2),
  ccy              STRING,
  started_on       DATE,
  ended_on         DATE,
  changed_on       STRING,
  PRIMARY KEY (subscription_id) DISABLE NOVALIDATE RELY,
  CONSTRAINT subscription_plan FOREIGN KEY (plan_code) REFERENCES ref.tariff (plan_code) DISABLE NOVALIDATE
)
COMMENT 'Mobile contracts, current state'
CLUSTERED BY (subscription_id) INTO 8 BUCKETS
STORED AS ORC
TBLPROPERTIES ('transactional' = 'true', 'owner' = 'billing', 'pii' = 'phone');

CREATE TABLE IF NOT EXISTS cln.call_record (
  record_id    STRING,
  caller       STRING  COMMENT 'pii: phone, needed for billing',
  callee_hash  STRING,
  cell_id      STRING,
  seconds      INT,
  bytes_total  BIGINT,
  begun_at     TIMESTAMP
)
PARTITIONED BY (ds STRING, region STRING, record_type STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'network-ops', 'pii' = 'phone,location', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS cln.support_ticket (
  ticket_id       BIGINT,
  customer_id     BIGINT,
  reporter_email  STRING         COMMENT 'pii: e-mail',
  subject         STRING,
  priority        STRING,
  device_imei     STRING,
  first_label     STRING,
  message_count   INT,
  first_reply_at  TIMESTAMP,
  opened_at       TIMESTAMP,
  closed_at       TIMESTAMP
)
STORED AS ORC
TBLPROPERTIES ('transactional' = 'true', 'owner' = 'support-team', 'pii' = 'email');

CREATE TABLE IF NOT EXISTS cln.campaign_send (
  campaign    STRING,
  email       STRING     COMMENT 'pii: e-mail',
  email_hash  STRING,
  sent_at     TIMESTAMP,
  opened_at   TIMESTAMP,
  clicks      INT
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'marketing', 'pii' = 'email', 'transactional' = 'false');

-- What the warehouse knows about itself ---------------------------------------------------------

CREATE TABLE IF NOT EXISTS ops.load_audit (
  script        STRING,
  target_table  STRING,
  row_count     BIGINT,
  loaded_at     TIMESTAMP
)
PARTITIONED BY (ds STRING)
STORED AS ORC
TBLPROPERTIES ('owner' = 'data-platform', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS ops.erasure_log (
  request_id   STRING,
  customer_id  BIGINT,
  email_hash   STRING,
  erased_at    TIMESTAMP
)
COMMENT 'Proof that a request for erasure was carried out'
STORED AS ORC
TBLPROPERTIES ('owner' = 'privacy-office', 'transactional' = 'true', 'transactional_properties' = 'default');
