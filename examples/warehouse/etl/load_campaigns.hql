-- Mailings: raw.campaign_sends -> cln.campaign_send -> dwh.fact_campaign_response.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

INSERT OVERWRITE TABLE cln.campaign_send PARTITION (ds = '${hivevar:ds}')
SELECT
  regexp_extract(campaign, '^([a-z0-9_]+)', 1),
  lower(email),
  sha2(lower(email), 256),
  CAST(sent_at AS TIMESTAMP),
  CAST(nullif(opened_at, '') AS TIMESTAMP),
  CAST(clicks AS INT)
FROM raw.campaign_sends
WHERE ds = '${hivevar:ds}' AND email LIKE '%@%';

-- Which order did the mailing bring? The first one within seven days, found by the hash alone.
INSERT OVERWRITE TABLE dwh.fact_campaign_response PARTITION (ds = '${hivevar:ds}')
SELECT campaign, customer_key, sent_at, opened, clicks, order_id
FROM (
  SELECT
    s.campaign,
    c.customer_key,
    s.sent_at,
    s.opened_at IS NOT NULL AS opened,
    s.clicks,
    o.order_id,
    row_number() OVER (PARTITION BY s.campaign, c.customer_key ORDER BY o.ordered_at) AS place
  FROM cln.campaign_send s
  JOIN dwh.v_current_customer c ON c.email_hash = s.email_hash
  LEFT JOIN dwh.fact_orders o
    ON o.customer_key = c.customer_key
    AND o.ordered_at BETWEEN s.sent_at AND s.sent_at + INTERVAL '7' DAY
  WHERE s.ds = '${hivevar:ds}'
) ranked
WHERE place = 1;
