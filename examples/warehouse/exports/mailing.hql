-- Audiences for the mail provider, and the hashed list for the advertising partner, in one pass.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:campaign=winter_win_back;
SET hivevar:lake=hdfs://lake/kestrel;

FROM (
  SELECT a.email, a.greeting, a.segment, a.campaign
  FROM mart.campaign_audience a
  WHERE a.campaign = '${hivevar:campaign}'
) t
INSERT OVERWRITE DIRECTORY '${hivevar:lake}/export/mail_provider/${hivevar:campaign}'
SELECT t.email, t.greeting, t.campaign
INSERT OVERWRITE DIRECTORY '${hivevar:lake}/export/ad_partner/${hivevar:campaign}'
SELECT sha2(t.email, 256), t.segment
WHERE t.segment <> 'business';

dfs -chmod -R 640 ${hivevar:lake}/export/mail_provider/${hivevar:campaign};
