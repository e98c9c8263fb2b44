CREATE TABLE sales.orders (id BIGINT);
CREATE TABEL sales.lines (id BIGINT);
