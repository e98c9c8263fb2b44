-- mart.customer_360: one row a customer, for the service desk.

SET hive.auto.convert.join=true;

WITH spending AS (
  SELECT
    c.customer_id,
    min(o.ordered_at)  AS first_order_at,
    max(o.ordered_at)  AS last_order_at,
    count(o.order_id)  AS order_count,
    sum(o.amount_eur)  AS lifetime_eur
  FROM dwh.dim_customer c
  JOIN dwh.fact_orders o ON o.customer_key = c.customer_key
  GROUP BY c.customer_id
),
brands AS (
  SELECT DISTINCT
    c.customer_id,
    first_value(p.brand) OVER (PARTITION BY c.customer_id ORDER BY l.net_eur DESC) AS favourite_brand
  FROM dwh.fact_order_lines l
  JOIN dwh.fact_orders o ON o.order_id = l.order_id
  JOIN dwh.dim_customer c ON c.customer_key = o.customer_key
  JOIN dwh.dim_product p ON p.sku = l.sku
)
INSERT OVERWRITE TABLE mart.customer_360
SELECT
  c.customer_id,
  c.full_name,
  c.email,
  c.phone,
  c.segment,
  c.country_code,
  s.first_order_at,
  s.last_order_at,
  coalesce(s.order_count, 0),
  coalesce(s.lifetime_eur, 0),
  b.favourite_brand,
  coalesce(t.open_tickets, 0),
  coalesce(m.active_contracts, 0),
  ntile(10) OVER (ORDER BY coalesce(s.lifetime_eur, 0))
FROM dwh.v_current_customer c
LEFT JOIN spending s ON s.customer_id = c.customer_id
LEFT JOIN brands b ON b.customer_id = c.customer_id
LEFT JOIN (
  SELECT customer_id, count(*) AS open_tickets
  FROM cln.support_ticket
  WHERE closed_at IS NULL
  GROUP BY customer_id
) t ON t.customer_id = c.customer_id
LEFT JOIN (
  SELECT customer_id, count(*) AS active_contracts
  FROM dwh.dim_subscription
  WHERE ended_on IS NULL
  GROUP BY customer_id
) m ON m.customer_id = c.customer_id;
