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
  -- Null for one that is active.
  deactivated_at timestamptz,
  deactivated_why text CHECK (deactivated_why IN ('FAILED', 'GONE')),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
  CONSTRAINT subscriptions_deactivated CHECK (
    (deactivated_at IS NULL) = (deactivated_why IS NULL) AND (deactivated_at IS NULL OR status = 'deactivated'))
);
CREATE INDEX subscriptions_owner ON webhooks.subscriptions (owner_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX subscriptions_events ON webhooks.subscriptions USING gin (events) WHERE deleted_at IS NULL;
CREATE INDEX subscriptions_deleted ON webhooks.subscriptions (deleted_at) WHERE deleted_at IS NOT NULL;
-- The list of all webhooks by their health, worst first.
CREATE INDEX subscriptions_health ON webhooks.subscriptions
  ((CASE WHEN status = 'deactivated' THEN 0 WHEN failing THEN 1 ELSE 2 END), id) WHERE deleted_at IS NULL;

-- What there was to tell, with the body exactly as it is sent. Only events that someone asked for are here.
CREATE TABLE webhooks.events (
  id uuid PRIMARY KEY,
  type text NOT NULL CHECK (type <> ''),
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  -- The span in which the event was announced (shared.outbox), to which its deliveries are linked; null where its trace is not recorded.
  traceparent text
);
CREATE INDEX events_created ON webhooks.events (created_at);

-- An event for a subscription: at most one, however often the event comes in. Nothing that is read or changed at once grows with what has gathered.
CREATE TABLE webhooks.deliveries (
  event_id uuid NOT NULL,
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
-- What waits, told apart by whether a step of the schedule has failed: each lane of the engine reads no other's.
CREATE INDEX deliveries_waiting ON webhooks.deliveries (subscription_id, least(failures, 1), next_attempt_at)
  WHERE status = 'pending';
-- A list of deliveries, of one status or of all, reads the newest of each status that it shows, however many others there are; a redelivery the oldest.
CREATE INDEX deliveries_listed ON webhooks.deliveries (subscription_id, status, event_id);
-- Which deliveries are due, whatever waits for a later time. Those of `deliveries_waiting` are found by their subscription.
CREATE INDEX deliveries_due ON webhooks.deliveries (next_attempt_at) INCLUDE (subscription_id) WHERE status = 'pending';

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
  PRIMARY KEY (event_id, subscription_id, number)
);
-- The newest attempts of a subscription, for its health.
CREATE INDEX attempts_recent ON webhooks.attempts (subscription_id, started_at DESC);

-- A request to send the deliveries of a filter again, kept for 30 days.
CREATE TABLE webhooks.redeliveries (
  id uuid PRIMARY KEY,
  subscription_id uuid NOT NULL REFERENCES webhooks.subscriptions,
  -- Whether it is what was missed since a moment: those merge, and have no limit.
  is_replay boolean NOT NULL,
  statuses text[] NOT NULL CHECK (cardinality(statuses) BETWEEN 1 AND 3 AND statuses <@ ARRAY['delivered', 'failed', 'skipped']),
  -- Name of the event; null for all.
  type text,
  -- Events at this moment or later.
  events_from timestamptz NOT NULL,
  -- Events up to this moment, which is not after the request.
  events_until timestamptz NOT NULL CHECK (events_until >= events_from),
  -- Deliveries that the filter had when it was requested.
  matched integer NOT NULL CHECK (matched >= 0 AND (is_replay OR matched <= 100000)),
  -- Deliveries that were made due.
  started integer NOT NULL DEFAULT 0 CHECK (started >= 0),
  -- Event up to which all were made due, in the order of ids: each delivery is started once.
  position uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- running, done, or ended by a deactivation or deletion of the webhook.
  status text NOT NULL CHECK (status IN ('running', 'done', 'ended')),
  created_at timestamptz NOT NULL,
  finished_at timestamptz CHECK ((finished_at IS NULL) = (status = 'running'))
);
-- One of each at a time, so that two cannot start the same deliveries in turn; and what the engines continue.
CREATE UNIQUE INDEX redeliveries_running ON webhooks.redeliveries (subscription_id) WHERE status = 'running' AND NOT is_replay;
CREATE UNIQUE INDEX redeliveries_replaying ON webhooks.redeliveries (subscription_id) WHERE status = 'running' AND is_replay;
CREATE INDEX redeliveries_listed ON webhooks.redeliveries (subscription_id, created_at DESC);
CREATE INDEX redeliveries_age ON webhooks.redeliveries (created_at);

-- How many deliveries a subscription has. Whoever adds or deletes deliveries appends what changes, and locks nothing that others write; a job adds the changes
-- up. Both together always equal a recount.
CREATE TABLE webhooks.delivery_tallies (
  subscription_id uuid PRIMARY KEY,
  count bigint NOT NULL
);

CREATE TABLE webhooks.delivery_tally_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id uuid NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX delivery_tally_changes_subscription ON webhooks.delivery_tally_changes (subscription_id);

CREATE FUNCTION webhooks.count_added_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO webhooks.delivery_tally_changes (subscription_id, change) SELECT subscription_id, count(*) FROM added GROUP BY 1;
  RETURN NULL;
END $$;

CREATE FUNCTION webhooks.count_removed_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO webhooks.delivery_tally_changes (subscription_id, change) SELECT subscription_id, -count(*) FROM removed GROUP BY 1;
  RETURN NULL;
END $$;
CREATE TRIGGER deliveries_added AFTER INSERT ON webhooks.deliveries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhooks.count_added_deliveries();
CREATE TRIGGER deliveries_removed AFTER DELETE ON webhooks.deliveries REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION webhooks.count_removed_deliveries();

-- Adds some of the changes to the numbers, at most p_limit, and returns how many.
CREATE FUNCTION webhooks.add_up_tallies(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_taken integer;
  v_subscriptions uuid[];
BEGIN
  -- One after the other, so that none takes what another has taken.
  PERFORM pg_advisory_xact_lock(7261536173);
  WITH taken AS (
    DELETE FROM webhooks.delivery_tally_changes WHERE id IN (SELECT id FROM webhooks.delivery_tally_changes ORDER BY id LIMIT p_limit)
    RETURNING subscription_id, change
  ), added AS (
    INSERT INTO webhooks.delivery_tallies AS t (subscription_id, count)
    SELECT subscription_id, sum(change) FROM taken GROUP BY 1
    ON CONFLICT (subscription_id) DO UPDATE SET count = t.count + EXCLUDED.count
  )
  SELECT count(*)::integer, array_agg(DISTINCT subscription_id) INTO v_taken, v_subscriptions FROM taken;
  DELETE FROM webhooks.delivery_tallies WHERE count = 0 AND subscription_id = ANY (v_subscriptions);
  RETURN v_taken;
END $$;
REVOKE EXECUTE ON FUNCTION webhooks.add_up_tallies(integer) FROM PUBLIC;
