GRANT ROLE admin TO USER root; GRANT SELECT ON TABLE sales.orders TO USER eve;
