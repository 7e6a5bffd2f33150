-- Who asked to be told of what, what there was to tell, and every attempt to tell it.

CREATE TABLE webhooks.subscriptions (
  id uuid PRIMARY KEY,
  -- Whose it is: the owner of the credential that made it.
  owner_id text NOT NULL CHECK (owner_id <> ''),
  url text NOT NULL CHECK (length(url) BETWEEN 8 AND 2048),
  events text[] NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 100),
  description text CHECK (length(description) BETWEEN 1 AND 500),
  -- Sealed by the key ring.
  secret bytea NOT NULL,
  -- The secret before the last rotation, which signs beside the new one until then.
  previous_secret bytea,
  previous_until timestamptz,
  status text NOT NULL CHECK (status IN ('active', 'deactivated')),
  -- Whether its last attempt failed.
  failing boolean NOT NULL DEFAULT false,
  -- The last attempt that succeeded, to the second.
  last_success_at timestamptz,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
CREATE INDEX subscriptions_owner ON webhooks.subscriptions (owner_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX subscriptions_events ON webhooks.subscriptions USING gin (events) WHERE deleted_at IS NULL;
CREATE INDEX subscriptions_deleted ON webhooks.subscriptions (deleted_at) WHERE deleted_at IS NOT NULL;

-- What there was to tell, with the body exactly as it is sent. Only events that someone asked for are here.
CREATE TABLE webhooks.events (
  id uuid PRIMARY KEY,
  type text NOT NULL CHECK (type <> ''),
  body text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX events_created ON webhooks.events (created_at);

-- An event for a subscription: at most one, however often the event comes in.
CREATE TABLE webhooks.deliveries (
  event_id uuid NOT NULL REFERENCES webhooks.events,
  subscription_id uuid NOT NULL REFERENCES webhooks.subscriptions,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
  -- Attempts made in all.
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- Steps of the schedule that have failed since it last began.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- When the next attempt is due; while one is under way, when it counts as lost.
  next_attempt_at timestamptz,
  -- Who may say how the attempt under way ended.
  lease uuid,
  -- Whether the next attempt is signed by the secret before the rotation.
  by_previous boolean NOT NULL DEFAULT false,
  -- The first attempt of the schedule that runs.
  begun_at timestamptz,
  -- That of the event.
  created_at timestamptz NOT NULL,
  PRIMARY KEY (event_id, subscription_id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK (lease IS NULL OR status = 'pending')
);
CREATE INDEX deliveries_subscription ON webhooks.deliveries (subscription_id, event_id);
CREATE INDEX deliveries_due ON webhooks.deliveries (subscription_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_missed ON webhooks.deliveries (subscription_id, created_at) WHERE status IN ('failed', 'skipped');

-- Written before the request leaves, and completed with what came back; one without a duration was cut off with its process.
CREATE TABLE webhooks.attempts (
  event_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  url text NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer CHECK (duration_ms >= 0),
  response_status integer CHECK (response_status BETWEEN 100 AND 999),
  -- The first 2 kB.
  response_body text,
  error text,
  PRIMARY KEY (event_id, subscription_id, number),
  FOREIGN KEY (event_id, subscription_id) REFERENCES webhooks.deliveries
);
