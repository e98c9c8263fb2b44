-- What is done now and then by one process alone: of each job a row for each period in which it was begun. Times are
-- milliseconds since 1970 (UTC). Who does the jobs holds an advisory lock, which ends with its connection.
CREATE TABLE guardbee.job_runs (
    job TEXT NOT NULL,
    period BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    holder TEXT NOT NULL,
    begun_at BIGINT NOT NULL,
    ended_at BIGINT,
    is_done BIGINT,
    outcome TEXT,
    PRIMARY KEY (job, period)
);
