USE stage;
CREATE TABLE recent AS SELECT id, amount FROM sales.orders;
INSERT INTO sales.orders SELECT id, 'DE', NULL, amount FROM recent;
