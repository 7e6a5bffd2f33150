-- What operators see of the background work, and how they steer it.

-- The jobs of the scheduler that started last.
CREATE TABLE shared.jobs (
  name text PRIMARY KEY CHECK (name <> ''),
  cron text NOT NULL CHECK (cron <> '')
);

-- A tick that has not started was requested by an operator: the first scheduler that is free takes it. A job has one at most.
ALTER TABLE shared.job_ticks ALTER COLUMN started_at DROP NOT NULL,
  -- The last sign of life of the process that runs it.
  ADD COLUMN alive_at timestamptz,
  ADD CONSTRAINT job_ticks_finished_started CHECK (started_at IS NOT NULL OR finished_at IS NULL);
CREATE UNIQUE INDEX job_ticks_requested ON shared.job_ticks (job) WHERE started_at IS NULL;
-- The failures of a job, and the runs that have not ended.
CREATE INDEX job_ticks_failed ON shared.job_ticks (job, scheduled_at) WHERE error IS NOT NULL;
CREATE INDEX job_ticks_open ON shared.job_ticks (job, scheduled_at) WHERE started_at IS NOT NULL AND finished_at IS NULL;

-- A message that an operator holds back is not sent until it is released.
ALTER TABLE shared.mails ADD COLUMN quarantined_at timestamptz,
  ADD CONSTRAINT mails_quarantined_open CHECK (quarantined_at IS NULL OR (sent_at IS NULL AND failed_at IS NULL));
CREATE INDEX mails_quarantined ON shared.mails (quarantined_at) WHERE quarantined_at IS NOT NULL;
-- Messages that were given up: operators see them, and can have them sent after all.
CREATE INDEX mails_given_up ON shared.mails (next_attempt_at) WHERE failed_at IS NOT NULL;
