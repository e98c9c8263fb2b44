-- Permanent functions. The jar is built from the repository kestrel-hive-udf.

SET hivevar:lake=hdfs://lake/kestrel;

-- normalize_phone(phone, country): E.164 notation, NULL for what is no phone number.
CREATE FUNCTION util.normalize_phone
AS 'com.kestrel.hive.udf.NormalizePhone'
USING JAR '${hivevar:lake}/lib/kestrel-hive-udf-1.8.0.jar';

-- mask_iban(iban): country and last four digits, the rest as stars.
CREATE FUNCTION util.mask_iban
AS 'com.kestrel.hive.udf.MaskIban'
USING JAR '${hivevar:lake}/lib/kestrel-hive-udf-1.8.0.jar';

-- approx_median(value): aggregate, exact up to 10,000 values.
CREATE FUNCTION util.approx_median
AS 'com.kestrel.hive.udaf.ApproxMedian'
USING JAR '${hivevar:lake}/lib/kestrel-hive-udf-1.8.0.jar', FILE '${hivevar:lake}/lib/quantiles.conf';
