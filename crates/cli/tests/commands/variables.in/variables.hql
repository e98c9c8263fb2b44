CREATE TABLE orders (id INT, ds STRING);
SET hivevar:name=${table};
SELECT id FROM ${hivevar:name} WHERE ds = '${env:DAY}' AND id < ${hiveconf:my.limit};
SELECT id FROM orders WHERE ds = '${day}';
