-- Digests by mail of what was published about followed operations.

CREATE TABLE accounts.operation_news (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id uuid NOT NULL UNIQUE,
  ticker text NOT NULL CHECK (ticker = upper(ticker)),
  kind text NOT NULL CHECK (kind ~ '^[A-Z_]{1,40}$'),
  correction boolean NOT NULL,
  series_ticker text,
  reference date NOT NULL,
  unit_price numeric,
  occurred_at timestamptz NOT NULL
);
COMMENT ON TABLE accounts.operation_news IS 'What was published about operations, for digests; kept for 31 days';
COMMENT ON COLUMN accounts.operation_news.position IS 'Order in which transactions commit: they take a lock before they write, so that none shows up below one that was read';
COMMENT ON COLUMN accounts.operation_news.event_id IS 'Event that announced it';
COMMENT ON COLUMN accounts.operation_news.ticker IS 'Operation, in upper case as in follows';
COMMENT ON COLUMN accounts.operation_news.kind IS 'UpdateKind of the event';
COMMENT ON COLUMN accounts.operation_news.correction IS 'Whether it corrects what was published before';
COMMENT ON COLUMN accounts.operation_news.series_ticker IS 'Series; null for what belongs to none';
COMMENT ON COLUMN accounts.operation_news.reference IS 'Day that it is about';
COMMENT ON COLUMN accounts.operation_news.unit_price IS 'Unit price of that day in BRL; null for other kinds';
COMMENT ON COLUMN accounts.operation_news.occurred_at IS 'When it was published';
CREATE INDEX operation_news_ticker ON accounts.operation_news (ticker, position);
CREATE INDEX operation_news_age ON accounts.operation_news (occurred_at);

ALTER TABLE accounts.accounts
  ADD COLUMN digest text NOT NULL DEFAULT 'NONE' CHECK (digest IN ('NONE', 'DAILY', 'WEEKLY')),
  ADD COLUMN digest_after bigint,
  ADD COLUMN digest_day date,
  ADD CONSTRAINT accounts_digest CHECK (digest = 'NONE' OR (digest_after IS NOT NULL AND digest_day IS NOT NULL));
COMMENT ON COLUMN accounts.accounts.digest IS 'How often it gets digests of the operations that it follows: NONE, DAILY, WEEKLY';
COMMENT ON COLUMN accounts.accounts.digest_after IS 'Position in operation_news of the last that its digests have covered';
COMMENT ON COLUMN accounts.accounts.digest_day IS 'Civil day in São Paulo of its last digest, or of its choice';
CREATE INDEX accounts_digests ON accounts.accounts (id) WHERE digest <> 'NONE';
