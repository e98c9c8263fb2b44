CREATE TABLE sales.orders (id BIGINT, amount DECIMAL(12, 2), customer STRUCT<name: STRING, mail: STRING>)
PARTITIONED BY (ds STRING);
CREATE VIEW sales.paid AS SELECT id, amount FROM sales.orders WHERE amount > 0;
