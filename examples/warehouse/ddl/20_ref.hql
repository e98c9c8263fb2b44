-- Reference data.

CREATE TABLE IF NOT EXISTS ref.rates (
  ccy   STRING         NOT NULL DISABLE NOVALIDATE RELY  COMMENT 'ISO 4217',
  rate  DECIMAL(18, 8)                                   COMMENT 'euro for one unit of ccy'
)
COMMENT 'Exchange rates, one partition a day'
PARTITIONED BY (rate_date STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC
TBLPROPERTIES ('owner' = 'finance-data', 'transactional' = 'false');

CREATE TABLE IF NOT EXISTS ref.country (
  country_code  STRING         COMMENT 'ISO 3166, two letters',
  country_name  STRING,
  ccy           STRING,
  vat_rate      DECIMAL(4, 3)  DEFAULT CAST(0.2 AS DECIMAL(4, 3)),
  in_eu         BOOLEAN        DEFAULT TRUE,
  PRIMARY KEY (country_code) DISABLE NOVALIDATE RELY
)
COMMENT 'Countries where Kestrel sells'
STORED AS ORC
TBLPROPERTIES ('owner' = 'finance-data', 'transactional' = 'true');

CREATE TABLE IF NOT EXISTS ref.tariff (
  plan_code      STRING,
  plan_name      STRING,
  family         STRING         COMMENT 'prepaid, flat, business',
  included_gb    INT,
  price_per_gb   DECIMAL(8, 4)  COMMENT 'euro, beyond what is included',
  valid_from     DATE,
  CONSTRAINT tariff_key PRIMARY KEY (plan_code) DISABLE NOVALIDATE,
  CONSTRAINT tariff_name UNIQUE (plan_name) DISABLE NOVALIDATE
)
COMMENT 'Mobile tariffs'
STORED AS PARQUET
TBLPROPERTIES ('owner' = 'product-data', 'transactional' = 'true', 'transactional_properties' = 'insert_only');
