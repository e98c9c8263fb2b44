-- Databases of the Kestrel warehouse, one for each layer.
-- Kestrel sells phones and electronics in shops and on the web, and runs a mobile network.

-- Root of the data lake; each environment has its own.
SET hivevar:lake=hdfs://lake/kestrel;

CREATE DATABASE IF NOT EXISTS raw
COMMENT 'Files as the source systems deliver them, never changed by hand'
LOCATION '${hivevar:lake}/raw'
WITH DBPROPERTIES ('owner' = 'data-platform', 'layer' = '1', 'retention.days' = '90');

CREATE DATABASE IF NOT EXISTS ref
COMMENT 'Small reference data: currencies, countries, tariffs'
WITH DBPROPERTIES ('owner' = 'finance-data', 'layer' = '1');

CREATE DATABASE IF NOT EXISTS cln
COMMENT 'Cleansed: typed, deduplicated, one name for one thing'
WITH DBPROPERTIES ('owner' = 'data-platform', 'layer' = '2');

CREATE DATABASE IF NOT EXISTS dwh
COMMENT 'Star schema: dimensions with history, facts in euro'
WITH DBPROPERTIES ('owner' = 'warehouse-team', 'layer' = '3');

CREATE DATABASE IF NOT EXISTS mart
COMMENT 'What the departments see: one table for one purpose'
WITH DBPROPERTIES ('owner' = 'analytics', 'layer' = '4');

CREATE DATABASE IF NOT EXISTS ops
COMMENT 'The warehouse about itself: loads and erasures'
WITH DBPROPERTIES ('owner' = 'data-platform');

CREATE DATABASE IF NOT EXISTS util
COMMENT 'Functions shared by all scripts';

ALTER DATABASE mart SET DBPROPERTIES ('contact' = 'analytics@kestrel.example');
