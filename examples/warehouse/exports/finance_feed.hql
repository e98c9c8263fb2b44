-- Monthly revenue for the ledger, as a file with semicolons.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:month=2026-11;
SET hivevar:lake=hdfs://lake/kestrel;

INSERT OVERWRITE DIRECTORY '${hivevar:lake}/export/finance/revenue/${hivevar:month}'
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\073'
STORED AS TEXTFILE
SELECT country_code, country_name, amount_eur, sales
FROM mart.v_revenue_month
WHERE month = '${hivevar:month}'
ORDER BY country_code;

-- Growth for the board paper goes to the local disk of the gateway host.
INSERT OVERWRITE LOCAL DIRECTORY '${hivevar:lake}/gateway/board/growth'
ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.OpenCSVSerde'
SELECT month, country_name, amount_eur, growth_month_pct, growth_year_pct
FROM mart.v_revenue_growth
WHERE month >= '2026-01';
