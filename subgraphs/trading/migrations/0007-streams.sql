-- What happened in a wallet, numbered, so that who listens can tell what was missed.

-- The number of the last event of a channel of a wallet. Whoever adds an event has this row locked until the change is committed:
-- numbers have no gaps, and become visible in their order.
CREATE TABLE trading.stream_heads (
  wallet_id uuid NOT NULL,
  synthetic boolean NOT NULL,
  channel text NOT NULL CHECK (channel IN ('orders', 'balance')),
  last_event_id bigint NOT NULL CHECK (last_event_id > 0),
  -- When that event happened; never earlier than the one before.
  last_at timestamptz NOT NULL,
  PRIMARY KEY (wallet_id, channel),
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic)
) WITH (fillfactor = 50);

-- The events of the last 24 hours. Older ones are deleted: who asks for them gets a snapshot instead.
CREATE TABLE trading.stream_events (
  wallet_id uuid NOT NULL,
  channel text NOT NULL,
  event_id bigint NOT NULL CHECK (event_id > 0),
  occurred_at timestamptz NOT NULL,
  -- As it is sent: `json` keeps the text as it was written.
  data json NOT NULL,
  PRIMARY KEY (wallet_id, channel, event_id),
  FOREIGN KEY (wallet_id, channel) REFERENCES trading.stream_heads
);
CREATE INDEX stream_events_age ON trading.stream_events (occurred_at);
