-- Help desk: raw.support_tickets -> cln.support_ticket.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:ds=2026-11-29;

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

CREATE TEMPORARY TABLE first_reply (
  ticket_id       BIGINT,
  first_reply_at  TIMESTAMP
)
STORED AS ORC;

INSERT INTO first_reply
SELECT t.ticket_id, min(m.message.sent_at)
FROM raw.support_tickets t
LATERAL VIEW explode(t.messages) m AS message
WHERE t.ds = '${hivevar:ds}' AND m.message.author LIKE '%@kestrel.example'
GROUP BY t.ticket_id;

-- The extract holds every ticket that changed; the old rows make room for it.
DELETE FROM cln.support_ticket
WHERE ticket_id IN (SELECT ticket_id FROM raw.support_tickets WHERE ds = '${hivevar:ds}');

INSERT INTO cln.support_ticket
SELECT
  t.ticket_id,
  t.customer_id,
  lower(t.email),
  t.subject,
  coalesce(get_json_object(t.custom, '$.priority'), 'normal'),
  get_json_object(t.custom, '$.device.imei'),
  t.labels[0],
  size(t.messages),
  f.first_reply_at,
  t.opened_at,
  t.closed_at
FROM raw.support_tickets t
LEFT JOIN first_reply f ON f.ticket_id = t.ticket_id
WHERE t.ds = '${hivevar:ds}';

UPDATE cln.support_ticket
SET priority = 'low'
WHERE closed_at IS NULL AND priority = 'normal' AND first_label = 'question';

DROP TABLE IF EXISTS first_reply;
