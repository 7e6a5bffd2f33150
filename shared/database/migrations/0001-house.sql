-- What every domain stands on: the outbox, mail, idempotent answers, job ticks, holidays.

CREATE TABLE shared.outbox (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  topic text NOT NULL CHECK (topic <> ''),
  key text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  published_at timestamptz
);
CREATE INDEX outbox_waiting ON shared.outbox (position) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON shared.outbox (published_at) WHERE published_at IS NOT NULL;

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
  CHECK (sent_at IS NULL OR failed_at IS NULL)
);
CREATE INDEX mails_waiting ON shared.mails (next_attempt_at) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX mails_recipient ON shared.mails (lower(recipient), created_at DESC);
CREATE INDEX mails_ended ON shared.mails (created_at) WHERE sent_at IS NOT NULL OR failed_at IS NOT NULL;

CREATE TABLE shared.idempotent_answers (
  owner text NOT NULL,
  key text NOT NULL CHECK (key ~ '^[A-Za-z0-9_-]{1,64}$'),
  operation text NOT NULL,
  digest bytea NOT NULL,
  -- Sealed: an answer may show a secret that is shown once.
  answer bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (owner, key)
);
CREATE INDEX idempotent_answers_expiry ON shared.idempotent_answers (expires_at);

CREATE TABLE shared.job_ticks (
  job text NOT NULL,
  scheduled_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  error text,
  PRIMARY KEY (job, scheduled_at)
);

CREATE TABLE shared.holidays (
  day date PRIMARY KEY,
  name text NOT NULL,
  -- The version of the table, kept with what was computed from it.
  version integer NOT NULL
);
