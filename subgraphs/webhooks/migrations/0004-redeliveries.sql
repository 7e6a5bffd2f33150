-- Redeliveries of many deliveries by a filter, and what the health of a receiver is read from.

CREATE TABLE webhooks.redeliveries (
  id uuid PRIMARY KEY,
  subscription_id uuid NOT NULL REFERENCES webhooks.subscriptions,
  statuses text[] NOT NULL CHECK (cardinality(statuses) BETWEEN 1 AND 3 AND statuses <@ ARRAY['delivered', 'failed', 'skipped']),
  type text,
  events_from timestamptz NOT NULL,
  events_until timestamptz NOT NULL CHECK (events_until >= events_from),
  matched integer NOT NULL CHECK (matched BETWEEN 0 AND 100000),
  started integer NOT NULL DEFAULT 0 CHECK (started >= 0),
  position uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  status text NOT NULL CHECK (status IN ('running', 'done', 'ended')),
  created_at timestamptz NOT NULL,
  finished_at timestamptz CHECK ((finished_at IS NULL) = (status = 'running'))
);
COMMENT ON TABLE webhooks.redeliveries IS 'A request to send the deliveries of a filter again, kept for 30 days';
COMMENT ON COLUMN webhooks.redeliveries.statuses IS 'Statuses of the deliveries';
COMMENT ON COLUMN webhooks.redeliveries.type IS 'Name of the event; null for all';
COMMENT ON COLUMN webhooks.redeliveries.events_from IS 'Events at this moment or later';
COMMENT ON COLUMN webhooks.redeliveries.events_until IS 'Events up to this moment, which is not after the request';
COMMENT ON COLUMN webhooks.redeliveries.matched IS 'Deliveries that the filter had when it was requested';
COMMENT ON COLUMN webhooks.redeliveries.started IS 'Deliveries that were made due';
COMMENT ON COLUMN webhooks.redeliveries.position IS 'Event up to which all were made due, in the order of ids: each delivery is started once';
COMMENT ON COLUMN webhooks.redeliveries.status IS 'running, done, or ended by a deactivation or deletion of the webhook';
-- One at a time, so that two cannot start the same deliveries in turn; and what the engines continue.
CREATE UNIQUE INDEX redeliveries_running ON webhooks.redeliveries (subscription_id) WHERE status = 'running';
CREATE INDEX redeliveries_listed ON webhooks.redeliveries (subscription_id, created_at DESC);
CREATE INDEX redeliveries_age ON webhooks.redeliveries (created_at);

-- The newest attempts of a subscription, for its health.
CREATE INDEX attempts_recent ON webhooks.attempts (subscription_id, started_at DESC);
