-- mart.support_backlog: tickets that wait, in the order in which they should be answered.

INSERT OVERWRITE TABLE mart.support_backlog
SELECT
  t.ticket_id,
  t.priority,
  t.subject,
  t.reporter_email,
  c.segment,
  CAST((unix_timestamp() - unix_timestamp(t.opened_at)) / 3600 AS INT),
  row_number() OVER (PARTITION BY t.priority ORDER BY c.value_decile DESC, t.opened_at)
FROM cln.support_ticket t
LEFT JOIN mart.customer_360 c ON c.customer_id = t.customer_id
WHERE t.closed_at IS NULL
  AND t.first_reply_at IS NULL;
