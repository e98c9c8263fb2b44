-- Extract for the telephone system: it shows the caller's name when the phone rings.

-- Defaults for a run by hand; the scheduler cuts this block and starts with --hivevar instead.
SET hivevar:lake=hdfs://lake/kestrel;

INSERT OVERWRITE DIRECTORY '${hivevar:lake}/export/telephony/callers'
STORED AS ORC
SELECT v.customer_id, v.full_name, v.phone_tail, v.service_level, p.msisdn
FROM mart.v_service_desk v
JOIN dwh.dim_subscription p ON p.customer_id = v.customer_id;
