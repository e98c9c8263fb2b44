-- Who is who at Kestrel. Groups come from the directory of the company; roles are ours.

GRANT ROLE admin TO GROUP data_platform;

CREATE ROLE loader;
CREATE ROLE exporter;
CREATE ROLE analyst;
CREATE ROLE marketing;
CREATE ROLE support;
CREATE ROLE privacy_office;

-- The nightly jobs run as one user.
GRANT ROLE loader TO USER svc_etl;
GRANT ROLE exporter TO USER svc_etl;

GRANT ROLE analyst TO GROUP analysts;
GRANT ROLE marketing TO GROUP marketing;
GRANT ROLE support TO GROUP help_desk;
GRANT ROLE privacy_office TO GROUP privacy;

-- Whoever is in marketing is an analyst, too.
GRANT ROLE analyst TO ROLE marketing;
