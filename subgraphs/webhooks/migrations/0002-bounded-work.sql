-- Nothing that is read or changed at once grows with what has gathered.

-- What waits, told apart by whether a step of the schedule has failed: each lane of the engine reads no other's.
CREATE INDEX deliveries_waiting ON webhooks.deliveries (subscription_id, least(failures, 1), next_attempt_at)
  WHERE status = 'pending';
DROP INDEX webhooks.deliveries_due;

-- What a replay walks along, from the oldest event to the newest.
DROP INDEX webhooks.deliveries_missed;
CREATE INDEX deliveries_missed ON webhooks.deliveries (subscription_id, created_at, event_id)
  WHERE status IN ('failed', 'skipped');

ALTER TABLE webhooks.subscriptions
  -- How far the replay under way has come: what was missed up to this moment, and of this moment up to that event, is done.
  ADD COLUMN replay_since timestamptz,
  ADD COLUMN replay_behind uuid,
  -- When it was asked for: what is missed of later events is none of its.
  ADD COLUMN replay_until timestamptz,
  ADD CHECK (num_nulls(replay_since, replay_behind, replay_until) IN (0, 3)),
  ADD CHECK (replay_until IS NULL OR status = 'active');
CREATE INDEX subscriptions_replayed ON webhooks.subscriptions (id) WHERE replay_until IS NOT NULL;

-- How many deliveries each subscription has, kept by a trigger in the transaction that changes them, so that it always equals
-- a recount.
CREATE TABLE webhooks.delivery_counts (
  subscription_id uuid PRIMARY KEY REFERENCES webhooks.subscriptions,
  count bigint NOT NULL CHECK (count >= 0)
);
INSERT INTO webhooks.delivery_counts (subscription_id, count)
  SELECT subscription_id, count(*) FROM webhooks.deliveries GROUP BY subscription_id;

-- In one order for everyone: two writers then wait for each other, and never in a circle.
CREATE FUNCTION webhooks.count_added_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhooks.delivery_counts AS t (subscription_id, count)
  SELECT subscription_id, count(*) FROM added GROUP BY subscription_id ORDER BY subscription_id
  ON CONFLICT (subscription_id) DO UPDATE SET count = t.count + EXCLUDED.count;
  RETURN NULL;
END $$;
CREATE FUNCTION webhooks.count_removed_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM webhooks.delivery_counts WHERE subscription_id IN (SELECT subscription_id FROM removed)
    ORDER BY subscription_id FOR NO KEY UPDATE;
  UPDATE webhooks.delivery_counts AS t SET count = t.count - g.count
  FROM (SELECT subscription_id, count(*) AS count FROM removed GROUP BY subscription_id) AS g
  WHERE t.subscription_id = g.subscription_id;
  RETURN NULL;
END $$;
CREATE TRIGGER deliveries_added AFTER INSERT ON webhooks.deliveries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhooks.count_added_deliveries();
CREATE TRIGGER deliveries_removed AFTER DELETE ON webhooks.deliveries REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION webhooks.count_removed_deliveries();
