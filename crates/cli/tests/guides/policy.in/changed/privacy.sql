-- Personal data, wherever it is.

CREATE TAG pii ALLOWED_VALUES 'contact', 'identity', 'bank' COMMENT 'data about a person';

SET TAG pii = 'contact'  ON COLUMN raw.crm_customers.email;
SET TAG pii = 'contact'  ON COLUMN raw.crm_customers.phone;
SET TAG pii = 'identity' ON COLUMN raw.crm_customers.ssn;
SET TAG pii = 'bank'     ON COLUMN raw.card_payments.iban;
SET TAG pii = 'contact'  ON COLUMN cln.customer.email;
SET TAG pii = 'contact'  ON COLUMN cln.customer.phone;
SET TAG pii = 'identity' ON COLUMN cln.customer.ssn_last4;
SET TAG pii = 'contact'  ON COLUMN cln.sales_order.contact_email;
SET TAG pii = 'contact'  ON COLUMN mart.campaign_audience.email;

-- Analysts never see who somebody is, whatever else they are granted.
DENY SELECT ON TAG pii = 'identity' TO ROLE analyst;
DENY SELECT ON TAG pii = 'bank' TO ROLE analyst;

-- Addresses are shown as hashes, but to those who write to people.
CREATE COLUMN MASK hide_contact ON TAG pii = 'contact'
    USING (sha2(value, 256))
    EXCEPT ROLE marketing, ROLE support, ROLE privacy_office, USER svc_etl;

-- Interns work on the home market.
CREATE ROW FILTER home_market ON TABLE mart.revenue
    USING (country_code = 'DE')
    TO GROUP interns;

-- Partners get files, never a look inside.
DENY ALL ON SERVER server1 TO GROUP partners;
