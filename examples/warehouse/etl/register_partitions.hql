-- First step of the night: makes the files of the day visible as partitions of the raw tables.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;
SET hivevar:lake=hdfs://lake/kestrel;

dfs -mkdir -p ${hivevar:lake}/landing/${hivevar:ds};

-- Sources that write to a folder named after the day.
ALTER TABLE raw.crm_customers    ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}') LOCATION '${hivevar:lake}/raw/crm/customers/${hivevar:ds}';
ALTER TABLE raw.support_tickets  ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.campaign_sends   ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.erasure_requests ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.orders           ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}') LOCATION '${hivevar:lake}/raw/shop/orders/${hivevar:ds}';
ALTER TABLE raw.order_lines      ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.order_returns    ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.products         ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.inventory        ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.card_payments    ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.subscriptions    ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');
ALTER TABLE raw.web_access_log   ADD IF NOT EXISTS PARTITION (ds = '${hivevar:ds}');

-- Sources with more than one folder a day.
ALTER TABLE raw.pos_receipts ADD IF NOT EXISTS
  PARTITION (ds = '${hivevar:ds}', country_code = 'DE')
  PARTITION (ds = '${hivevar:ds}', country_code = 'CH')
  PARTITION (ds = '${hivevar:ds}', country_code = 'PL');

MSCK REPAIR TABLE raw.web_events;
MSCK REPAIR TABLE raw.call_records;

-- Raw data older than ninety days goes; the files stay with the archive.
ALTER TABLE raw.web_access_log DROP IF EXISTS PARTITION (ds < '2026-08-31');
