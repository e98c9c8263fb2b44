-- mart.campaign_audience: who gets which mailing. Two campaigns are filled in one pass.

FROM (
  SELECT
    v.email,
    v.full_name,
    v.segment,
    v.country_code,
    x.last_order_at,
    x.lifetime_eur,
    x.active_contracts
  FROM mart.v_contactable v
  JOIN mart.customer_360 x ON x.customer_id = v.customer_id
) a
INSERT OVERWRITE TABLE mart.campaign_audience PARTITION (campaign = 'winter_win_back')
SELECT
  a.email,
  concat('Dear ', a.full_name),
  a.segment,
  concat('no order since ', date_format(a.last_order_at, 'yyyy-MM-dd'))
WHERE datediff(current_date(), a.last_order_at) > 180
INSERT OVERWRITE TABLE mart.campaign_audience PARTITION (campaign = 'first_contract')
SELECT
  a.email,
  concat('Dear ', a.full_name),
  a.segment,
  'buys phones, has no contract'
WHERE a.active_contracts = 0 AND a.lifetime_eur > 500;
