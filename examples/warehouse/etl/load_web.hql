-- Web tracking: JSON documents -> cln.web_event -> sessions (by a script) in dwh.fact_web_sessions.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

FROM (
  SELECT
    j.event_id,
    j.visitor_id,
    j.event_type,
    CAST(j.event_time AS TIMESTAMP)                                AS event_time,
    j.page,
    u.host                                                         AS referrer,
    CAST(get_json_object(j.account, '$.id') AS BIGINT)             AS customer_id,
    lower(get_json_object(j.account, '$.email'))                   AS email,
    get_json_object(w.payload, '$.product.sku')                    AS sku,
    CAST(get_json_object(w.payload, '$.cart.value') AS DECIMAL(12, 2)) AS cart_value,
    get_json_object(w.payload, '$.device.os')                      AS device_os,
    u.campaign                                                     AS utm_campaign,
    w.payload
  FROM raw.web_events w
  LATERAL VIEW json_tuple(w.payload, 'id', 'visitor', 'type', 'time', 'page', 'referrer', 'account') j
    AS event_id, visitor_id, event_type, event_time, page, referrer_url, account
  LATERAL VIEW OUTER parse_url_tuple(j.referrer_url, 'HOST', 'QUERY:utm_campaign') u
    AS host, campaign
  WHERE w.ds = '${hivevar:ds}'
) e
INSERT OVERWRITE TABLE cln.web_event PARTITION (ds = '${hivevar:ds}', event_type)
SELECT
  e.event_id, e.visitor_id, e.customer_id, sha2(e.email, 256), e.event_time, e.page, e.referrer, e.sku, e.cart_value,
  e.device_os, e.utm_campaign, e.event_type
WHERE e.event_id IS NOT NULL AND e.event_type IN ('view', 'product', 'cart', 'checkout', 'order')
INSERT OVERWRITE TABLE cln.rejected_row PARTITION (ds = '${hivevar:ds}', source_table = 'web_events')
SELECT 'unknown event', e.payload, e.event_time
WHERE e.event_id IS NULL OR e.event_type NOT IN ('view', 'product', 'cart', 'checkout', 'order');

-- Sessions: a gap of half an hour starts a new one. The script sees the events of a visitor in order.
ADD FILE scripts/sessionize.py;

INSERT OVERWRITE TABLE dwh.fact_web_sessions PARTITION (ds = '${hivevar:ds}')
SELECT
  s.visitor_id,
  s.session_no,
  CAST(s.started_at AS TIMESTAMP),
  CAST(s.ended_at AS TIMESTAMP),
  s.page_count,
  s.landing_page,
  s.converted = 'true'
FROM (
  FROM (
    SELECT visitor_id, event_time, page, event_type
    FROM cln.web_event
    WHERE ds = '${hivevar:ds}'
    DISTRIBUTE BY visitor_id
    SORT BY visitor_id, event_time
  ) ordered_events
  SELECT TRANSFORM (visitor_id, event_time, page, event_type)
  USING 'python3 sessionize.py --gap-minutes 30'
  AS (visitor_id STRING, session_no INT, started_at STRING, ended_at STRING, page_count INT, landing_page STRING, converted STRING)
) s;

-- Robots show in the access log; their number goes to the audit, the addresses do not.
INSERT INTO TABLE ops.load_audit PARTITION (ds = '${hivevar:ds}')
SELECT 'load_web', 'robots', count(DISTINCT client_ip), current_timestamp()
FROM raw.web_access_log
WHERE ds = '${hivevar:ds}' AND lower(user_agent) LIKE '%bot%';
