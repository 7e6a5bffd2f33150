-- What every domain stands on: events, mail, idempotent responses and jobs.

-- Events, written by the transaction that they report on (README, the outbox).
CREATE TABLE shared.outbox (
  position bigint GENERATED ALWAYS AS IDENTITY,
  -- A UUIDv7, which begins with its time.
  id uuid NOT NULL UNIQUE,
  topic text NOT NULL CHECK (topic <> ''),
  key text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  published_at timestamptz,
  -- For other domains only: nobody who listens on the bus gets it.
  internal boolean NOT NULL DEFAULT false,
  -- An event that a consumer fails on is put off until then, and the others go on.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  retry_at timestamptz,
  -- The order in which events were published (see outbox_head); internal ones have no number.
  feed_position bigint,
  -- The span in which it was announced, as the header `traceparent` of W3C Trace Context; null where its trace is not recorded.
  traceparent text,
  CONSTRAINT outbox_feed_published CHECK (feed_position IS NULL OR (published_at IS NOT NULL AND NOT internal))
);
CREATE INDEX outbox_waiting ON shared.outbox (position) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON shared.outbox (published_at) WHERE published_at IS NOT NULL;
-- What is replayed: events about some subjects, and those of some originators.
CREATE INDEX outbox_feed_subject ON shared.outbox (topic, key, feed_position) WHERE feed_position IS NOT NULL;
CREATE INDEX outbox_feed_originator ON shared.outbox (topic, (payload ->> 'originatorId'), feed_position)
  WHERE feed_position IS NOT NULL AND (payload ->> 'originatorId') IS NOT NULL;
CREATE UNIQUE INDEX outbox_position ON shared.outbox (position);
CREATE UNIQUE INDEX outbox_feed_position ON shared.outbox (feed_position) WHERE feed_position IS NOT NULL;
-- For the hourly retention.
CREATE INDEX outbox_internal ON shared.outbox (published_at) WHERE internal;

-- The order in which events were published, for readers who resume. The relay numbers events in the transaction that publishes them, as the last thing
-- that it does before the commit, and holds the row of the head until then: numbers become visible in their order and without gaps, so
-- a reader who has seen one has missed none before it, however late the transaction that announced an event was committed.
CREATE TABLE shared.outbox_head (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- The number of the last published event.
  last bigint NOT NULL CHECK (last >= 0)
);
INSERT INTO shared.outbox_head (last) VALUES (0);

-- Mail that waits to be sent, and what became of it.
CREATE TABLE shared.mails (
  id uuid PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  -- Sealed: mail carries confirmation links. Emptied once a real server has taken the message.
  body bytea,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text,
  -- The token of the claim under which a message is sent: a claim that ran out writes nothing more.
  lease uuid,
  -- When an operator held it back: it is not sent until it is released.
  quarantined_at timestamptz,
  CHECK (sent_at IS NULL OR failed_at IS NULL),
  CONSTRAINT mails_quarantined_open CHECK (quarantined_at IS NULL OR (sent_at IS NULL AND failed_at IS NULL))
);
CREATE INDEX mails_waiting ON shared.mails (next_attempt_at) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX mails_recipient ON shared.mails (lower(recipient), created_at DESC);
CREATE INDEX mails_ended ON shared.mails (coalesce(sent_at, failed_at)) WHERE sent_at IS NOT NULL OR failed_at IS NOT NULL;
CREATE INDEX mails_quarantined ON shared.mails (quarantined_at) WHERE quarantined_at IS NOT NULL;
-- Messages that were given up: operators see them, and can have them sent after all.
CREATE INDEX mails_given_up ON shared.mails (next_attempt_at) WHERE failed_at IS NOT NULL;

-- Responses by idempotency key: a repeated request gets the stored one.
CREATE TABLE shared.idempotent_answers (
  owner text NOT NULL,
  key text NOT NULL CHECK (key ~ '^[A-Za-z0-9_-]{1,64}$'),
  operation text NOT NULL,
  -- Sealed, with the digest of the request's body: an answer may show a secret that is shown once.
  answer bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The owner whom the response of a caller without a credential is about, such as that of a log-in: it is erased with the data of the owner.
  about text,
  PRIMARY KEY (owner, key)
);
CREATE INDEX idempotent_answers_expiry ON shared.idempotent_answers (expires_at);
CREATE INDEX idempotent_answers_about ON shared.idempotent_answers (about) WHERE about IS NOT NULL;

-- The jobs of the scheduler that started last.
CREATE TABLE shared.jobs (
  name text PRIMARY KEY CHECK (name <> ''),
  cron text NOT NULL CHECK (cron <> '')
);

-- Runs of the jobs. One that has not started was requested by an operator: the first scheduler that is free takes it. A job has one such run at most.
CREATE TABLE shared.job_ticks (
  job text NOT NULL,
  scheduled_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  error text,
  -- The last sign of life of the process that runs it.
  alive_at timestamptz,
  PRIMARY KEY (job, scheduled_at),
  CONSTRAINT job_ticks_finished_started CHECK (started_at IS NOT NULL OR finished_at IS NULL)
);
CREATE UNIQUE INDEX job_ticks_requested ON shared.job_ticks (job) WHERE started_at IS NULL;
-- The failures of a job, and the runs that have not ended.
CREATE INDEX job_ticks_failed ON shared.job_ticks (job, scheduled_at) WHERE error IS NOT NULL;
CREATE INDEX job_ticks_open ON shared.job_ticks (job, scheduled_at) WHERE started_at IS NOT NULL AND finished_at IS NULL;
-- For the hourly retention.
CREATE INDEX job_ticks_age ON shared.job_ticks (scheduled_at);
