-- Comes before what it needs, and alters a table that another script makes.
SELECT id, extra FROM d.final;
ALTER TABLE d.t ADD COLUMNS (late STRING);
SELECT * FROM d.t;
