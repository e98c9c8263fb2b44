-- mart.web_funnel: from the first page to the order, a campaign and device.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

WITH steps AS (
  SELECT
    visitor_id,
    max(utm_campaign)                            AS utm_campaign,
    max(device_os)                               AS device_os,
    max(IF(event_type = 'product', 1, 0))        AS saw_product,
    max(IF(event_type = 'cart', 1, 0))           AS used_cart,
    max(IF(event_type = 'order', 1, 0))          AS bought
  FROM cln.web_event
  WHERE ds = '${hivevar:ds}'
  GROUP BY visitor_id
)
INSERT OVERWRITE TABLE mart.web_funnel PARTITION (ds = '${hivevar:ds}')
SELECT
  coalesce(s.utm_campaign, 'none'),
  s.device_os,
  count(*),
  sum(s.saw_product),
  sum(s.used_cart),
  sum(s.bought),
  CAST(sum(s.bought) / count(*) AS DECIMAL(7, 4))
FROM steps s
WHERE s.visitor_id IN (SELECT w.visitor_id FROM dwh.fact_web_sessions w WHERE w.ds = '${hivevar:ds}' AND w.page_count > 1)
GROUP BY coalesce(s.utm_campaign, 'none'), s.device_os
HAVING count(*) >= 10;
