CREATE TABLE ref.country (country_code STRING);
CREATE TABLE t (a STRING);
