SELECT sum(amount) FROM stage.recent;
SELECT nmae FROM sales.orders;
