-- What few runs did: runs are asked for by what made, changed or removed a table, and nearly all of them are queries.
CREATE INDEX runs_operation ON runs (operation, ended_at, seq) WHERE operation <> 'QUERY';
