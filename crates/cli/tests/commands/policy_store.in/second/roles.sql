CREATE ROLE reader;
CREATE ROLE loader;
GRANT ROLE admin TO USER root;
GRANT ROLE reader TO GROUP analysts;
GRANT ROLE loader TO USER etl;
