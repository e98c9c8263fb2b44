-- Layer 1: external tables over the files that the source systems drop.
-- Nothing here is typed more strictly than the source is; the cleansed layer does that.

SET hivevar:lake=hdfs://lake/kestrel;

-- Customer relationship management --------------------------------------------------------------

CREATE EXTERNAL TABLE IF NOT EXISTS raw.crm_customers (
  customer_id        BIGINT  COMMENT 'key in the CRM',
  first_name         STRING  COMMENT 'pii: name',
  last_name          STRING  COMMENT 'pii: name',
  email              STRING  COMMENT 'pii: e-mail address as the customer typed it',
  phone              STRING  COMMENT 'pii: phone number in any notation',
  ssn                STRING  COMMENT 'pii: social security number, contract customers only',
  birth_date         STRING  COMMENT 'pii: yyyy-MM-dd, sometimes empty',
  street             STRING  COMMENT 'pii: address',
  postcode           STRING,
  city               STRING,
  country_code       STRING  COMMENT 'ISO 3166, two letters',
  marketing_consent  STRING  COMMENT 'Y, N or empty',
  segment            STRING,
  changed_at         STRING  COMMENT 'yyyy-MM-dd HH:mm:ss, local time of the CRM'
)
COMMENT 'Customers of the CRM, full extract every night'
PARTITIONED BY (ds STRING COMMENT 'day of the extract')
ROW FORMAT DELIMITED
  FIELDS TERMINATED BY '|' ESCAPED BY '\\'
  NULL DEFINED AS ''
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/crm/customers'
TBLPROPERTIES (
  'owner' = 'crm-team',
  'pii' = 'name,email,phone,ssn,birth_date,address',
  'skip.header.line.count' = '1'
);

CREATE EXTERNAL TABLE IF NOT EXISTS raw.support_tickets (
  ticket_id    BIGINT,
  customer_id  BIGINT,
  email        STRING  COMMENT 'pii: address the ticket was opened from',
  subject      STRING,
  messages     ARRAY<STRUCT<author: STRING, sent_at: TIMESTAMP, body: STRING>>  COMMENT 'pii: free text',
  labels       ARRAY<STRING>,
  custom       STRING  COMMENT 'JSON document: {"priority": .., "device": {"imei": ..}}',
  opened_at    TIMESTAMP,
  closed_at    TIMESTAMP
)
COMMENT 'Tickets of the help desk'
PARTITIONED BY (ds STRING)
STORED AS PARQUET
LOCATION '${hivevar:lake}/raw/helpdesk/tickets'
TBLPROPERTIES ('owner' = 'support-team', 'pii' = 'email,free_text', 'parquet.compression' = 'SNAPPY');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.campaign_sends (
  campaign   STRING,
  email      STRING  COMMENT 'pii: recipient',
  sent_at    STRING,
  opened_at  STRING,
  clicks     STRING
)
COMMENT 'Mailings, as the mail provider reports them; every column is text'
PARTITIONED BY (ds STRING)
ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.OpenCSVSerde'
WITH SERDEPROPERTIES ('separatorChar' = ',', 'quoteChar' = '"')
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/marketing/sends'
TBLPROPERTIES ('owner' = 'marketing', 'pii' = 'email');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.erasure_requests (
  request_id    STRING,
  customer_id   BIGINT,
  email         STRING  COMMENT 'pii: address of the person who asks',
  requested_at  TIMESTAMP,
  legal_basis   STRING
)
COMMENT 'Requests for erasure under the GDPR'
PARTITIONED BY (ds STRING)
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
LOCATION '${hivevar:lake}/raw/privacy/erasure_requests'
TBLPROPERTIES ('owner' = 'privacy-office', 'pii' = 'email');

-- Shops and web shop ----------------------------------------------------------------------------

CREATE EXTERNAL TABLE IF NOT EXISTS raw.orders (
  id             BIGINT,
  customer_id    BIGINT,
  store_id       INT             COMMENT 'shop of collection, NULL for delivery',
  channel        STRING          COMMENT 'web, app, phone',
  country_code   STRING,
  ccy            STRING          COMMENT 'ISO 4217',
  amount         DECIMAL(12, 2)  COMMENT 'gross, in ccy',
  discount       DECIMAL(12, 2)  COMMENT 'in ccy',
  contact_email  STRING          COMMENT 'pii: address for order updates',
  status         STRING,
  ts             TIMESTAMP       COMMENT 'UTC'
)
COMMENT 'Orders of the web shop, changes of the day'
PARTITIONED BY (ds STRING)
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' LINES TERMINATED BY '\n'
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/shop/orders'
TBLPROPERTIES ('owner' = 'shop-team', 'pii' = 'email');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.order_lines (
  order_id    BIGINT,
  line_no     INT,
  sku         STRING,
  quantity    INT,
  unit_price  DECIMAL(10, 2)  COMMENT 'gross, in the currency of the order',
  vat_rate    DECIMAL(4, 3)
)
PARTITIONED BY (ds STRING)
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/shop/order_lines'
TBLPROPERTIES ('owner' = 'shop-team');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.order_returns (
  return_id    BIGINT,
  order_id     BIGINT,
  line_no      INT,
  quantity     INT,
  reason       STRING,
  returned_at  TIMESTAMP
)
PARTITIONED BY (ds STRING)
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
STORED AS SEQUENCEFILE
LOCATION '${hivevar:lake}/raw/shop/order_returns'
TBLPROPERTIES ('owner' = 'shop-team');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.pos_receipts (
  receipt_no    STRING,
  store_id      INT,
  till          INT,
  loyalty_card  STRING  COMMENT 'pii: number of the customer''s loyalty card',
  items         ARRAY<STRUCT<sku: STRING, quantity: INT, price: DECIMAL(10, 2)>>,
  payments      MAP<STRING, DECIMAL(10, 2)>  COMMENT 'means of payment to amount',
  ccy           STRING,
  printed_at    TIMESTAMP
)
COMMENT 'Receipts of the tills in the shops, one JSON document a line'
PARTITIONED BY (ds STRING, country_code STRING)
ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.JsonSerDe'
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/pos/receipts'
TBLPROPERTIES ('owner' = 'retail-it', 'pii' = 'loyalty_card');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.products (
  sku         STRING,
  title       STRING,
  brand       STRING,
  category    STRING  COMMENT 'path: phones/smartphones/android',
  list_price  STRING,
  weight_g    STRING,
  attributes  STRING  COMMENT 'color=black;storage=128',
  changed_at  STRING
)
COMMENT 'Product catalogue, full extract; every column is text'
PARTITIONED BY (ds STRING)
ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.OpenCSVSerde'
WITH SERDEPROPERTIES ('separatorChar' = ';', 'quoteChar' = '"', 'escapeChar' = '\\')
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/pim/products'
TBLPROPERTIES ('owner' = 'product-data', 'skip.header.line.count' = '1');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.stores (
  store_id       INT,
  store_name     STRING,
  city           STRING,
  country_code   STRING,
  opened_on      DATE,
  floor_area_m2  INT,
  services       ARRAY<STRING>,
  opening_hours  MAP<STRING, STRING>
)
COMMENT 'Shops'
ROW FORMAT DELIMITED
  FIELDS TERMINATED BY '|'
  COLLECTION ITEMS TERMINATED BY ','
  MAP KEYS TERMINATED BY '='
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/retail/stores'
TBLPROPERTIES ('owner' = 'retail-it');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.inventory (
  sku         STRING,
  store_id    INT,
  on_hand     INT,
  reserved    INT,
  counted_at  TIMESTAMP
)
PARTITIONED BY (ds STRING)
STORED AS ORC
LOCATION '${hivevar:lake}/raw/retail/inventory'
TBLPROPERTIES ('owner' = 'retail-it', 'orc.compress' = 'ZLIB');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.card_payments (
  payment_id   STRING,
  order_id     BIGINT,
  method       STRING          COMMENT 'card, debit, wallet, invoice',
  card_number  STRING          COMMENT 'pii: primary account number',
  iban         STRING          COMMENT 'pii: bank account',
  amount       DECIMAL(12, 2),
  ccy          STRING,
  status       STRING,
  paid_at      TIMESTAMP
)
COMMENT 'Settlements of the payment provider'
PARTITIONED BY (ds STRING)
STORED AS PARQUET
LOCATION '${hivevar:lake}/raw/payments/settlements'
TBLPROPERTIES ('owner' = 'finance-it', 'pii' = 'card_number,iban', 'pci' = 'true');

-- Web tracking ----------------------------------------------------------------------------------

CREATE EXTERNAL TABLE IF NOT EXISTS raw.web_events (
  payload  STRING  COMMENT 'pii: JSON document of the tracker, holds the e-mail address of logged-in users'
)
PARTITIONED BY (ds STRING, hh STRING)
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/web/events'
TBLPROPERTIES ('owner' = 'web-team', 'pii' = 'payload');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.web_access_log (
  client_ip   STRING  COMMENT 'pii: address of the visitor',
  logged_at   STRING,
  request     STRING,
  http_code   STRING,
  bytes_sent  STRING,
  user_agent  STRING
)
COMMENT 'Access log of the web servers'
PARTITIONED BY (ds STRING)
ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.RegexSerDe'
WITH SERDEPROPERTIES (
  'input.regex' = '^(\\S+) \\S+ \\S+ \\[([^\\]]+)\\] "([^"]*)" (\\d{3}) (\\d+|-) "[^"]*" "([^"]*)"$'
)
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/web/access_log'
TBLPROPERTIES ('owner' = 'web-team', 'pii' = 'ip');

-- Mobile network --------------------------------------------------------------------------------

CREATE EXTERNAL TABLE IF NOT EXISTS raw.subscriptions (
  subscription_id  BIGINT,
  customer_id      BIGINT,
  msisdn           STRING          COMMENT 'pii: phone number of the SIM card',
  plan_code        STRING,
  monthly_fee      DECIMAL(8, 2),
  ccy              STRING,
  started_on       DATE,
  ended_on         DATE,
  change_type      STRING          COMMENT 'I, U or D'
)
COMMENT 'Changes of mobile contracts, from the billing system'
PARTITIONED BY (ds STRING)
ROW FORMAT SERDE 'org.apache.hadoop.hive.ql.io.orc.OrcSerde'
STORED AS
  INPUTFORMAT 'org.apache.hadoop.hive.ql.io.orc.OrcInputFormat'
  OUTPUTFORMAT 'org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat'
LOCATION '${hivevar:lake}/raw/billing/subscriptions'
TBLPROPERTIES ('owner' = 'billing', 'pii' = 'phone');

CREATE EXTERNAL TABLE IF NOT EXISTS raw.call_records (
  record_id      STRING,
  caller_msisdn  STRING  COMMENT 'pii: phone number of our customer',
  callee_msisdn  STRING  COMMENT 'pii: phone number of the other party',
  cell_id        STRING  COMMENT 'pii: place of the caller',
  record_type    STRING  COMMENT 'voice, sms, data',
  seconds        INT,
  bytes_up       BIGINT,
  bytes_down     BIGINT,
  begun_at       TIMESTAMP
)
COMMENT 'Call detail records of the network'
PARTITIONED BY (ds STRING, region STRING)
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\001'
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/network/call_records'
TBLPROPERTIES ('owner' = 'network-ops', 'pii' = 'phone,location');

-- Finance ---------------------------------------------------------------------------------------

CREATE EXTERNAL TABLE IF NOT EXISTS raw.fx_rates (
  ccy   STRING,
  rate  STRING  COMMENT 'euro for one unit of ccy'
)
COMMENT 'Daily reference rates, one file a day, loaded by etl/load_reference.hql'
PARTITIONED BY (ds STRING)
ROW FORMAT DELIMITED FIELDS TERMINATED BY ','
STORED AS TEXTFILE
LOCATION '${hivevar:lake}/raw/finance/fx_rates'
TBLPROPERTIES ('owner' = 'finance-data', 'skip.header.line.count' = '1');
