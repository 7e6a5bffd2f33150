-- What the hourly retention deletes is found by an index: internal events that were published, and old runs of jobs.
-- contract: a divided table takes no index concurrently, and internal events are deleted every hour: they are few
CREATE INDEX outbox_internal ON shared.outbox (published_at) WHERE internal;
-- contract: a run of a job is a row a minute at most, and is deleted after thirty days
CREATE INDEX job_ticks_age ON shared.job_ticks (scheduled_at);
