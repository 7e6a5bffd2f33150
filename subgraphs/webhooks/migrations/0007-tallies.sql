-- How many deliveries a subscription has, by the week of their events: a partition that is dropped takes its weeks with it. Whoever adds or deletes deliveries
-- appends what changes, and locks nothing that others write; a job adds the changes up. Both together always equal a recount.
CREATE TABLE webhooks.delivery_tallies (
  subscription_id uuid NOT NULL,
  -- The first moment of the week in UTC; -infinity for what was counted before there were weeks.
  week timestamptz NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (subscription_id, week)
);
CREATE INDEX delivery_tallies_week ON webhooks.delivery_tallies (week);
CREATE TABLE webhooks.delivery_tally_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id uuid NOT NULL,
  week timestamptz NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX delivery_tally_changes_subscription ON webhooks.delivery_tally_changes (subscription_id);

-- The functions of the triggers, which stay. A week is the milliseconds of the UUIDv7 by 604,800,000; 1970 began three days after a Monday.
-- They run as the owner: a program of the previous version knows nothing of these tables.
CREATE OR REPLACE FUNCTION webhooks.count_added_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO webhooks.delivery_tally_changes (subscription_id, week, change)
  SELECT subscription_id, to_timestamp(week * 604800 - 259200), change FROM (
    SELECT subscription_id, (('x' || translate(left(event_id::text, 13), '-', ''))::bit(48)::bigint + 259200000) / 604800000 AS week, count(*) AS change
    FROM added GROUP BY 1, 2) AS g;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION webhooks.count_removed_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO webhooks.delivery_tally_changes (subscription_id, week, change)
  SELECT subscription_id, to_timestamp(week * 604800 - 259200), change FROM (
    SELECT subscription_id, (('x' || translate(left(event_id::text, 13), '-', ''))::bit(48)::bigint + 259200000) / 604800000 AS week, -count(*) AS change
    FROM removed GROUP BY 1, 2) AS g;
  RETURN NULL;
END $$;
-- Those who write deliveries at this moment have counted them in the old way and are waited for; the next ones count in the new way.
-- contract: held while one row for each webhook is copied
LOCK TABLE webhooks.deliveries IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO webhooks.delivery_tallies (subscription_id, week, count) SELECT subscription_id, '-infinity', count FROM webhooks.delivery_counts;

-- Adds some of the changes to the numbers, at most p_limit, and returns how many. The former counter follows, for programs of the previous version that still
-- read it.
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
    RETURNING subscription_id, week, change
  ), added AS (
    INSERT INTO webhooks.delivery_tallies AS t (subscription_id, week, count)
    SELECT subscription_id, week, sum(change) FROM taken GROUP BY 1, 2
    ON CONFLICT (subscription_id, week) DO UPDATE SET count = t.count + EXCLUDED.count
  )
  SELECT count(*)::integer, array_agg(DISTINCT subscription_id) INTO v_taken, v_subscriptions FROM taken;
  INSERT INTO webhooks.delivery_counts AS t (subscription_id, count)
  SELECT subscription_id, greatest(0, sum(count)) FROM webhooks.delivery_tallies
  WHERE subscription_id = ANY (v_subscriptions) AND subscription_id IN (SELECT id FROM webhooks.subscriptions) GROUP BY 1
  ON CONFLICT (subscription_id) DO UPDATE SET count = EXCLUDED.count;
  DELETE FROM webhooks.delivery_tallies WHERE count = 0 AND subscription_id = ANY (v_subscriptions);
  RETURN v_taken;
END $$;
REVOKE EXECUTE ON FUNCTION webhooks.add_up_tallies(integer) FROM PUBLIC;

-- Drops one partition of deliveries, attempts or events whose rows are all of events before a moment; its name, or null when there is none to drop.
-- One with a pending delivery stays, and the attempts and events of a delivery go after it.
CREATE FUNCTION webhooks.drop_partition(p_before timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  v_dropped text;
  v_bounds record;
  v_left constant text := 'SELECT FROM webhooks.deliveries WHERE event_id >= %2$L AND event_id < %3$L';
BEGIN
  SELECT dropped.name, dropped.since, dropped.until INTO v_bounds
  FROM shared.drop_partition('webhooks.deliveries', p_before, 'SELECT FROM %1$s WHERE status = ''pending''') AS dropped;
  IF v_bounds.name IS NOT NULL THEN
    -- The table is locked until the commit: nothing is added or deleted beside this.
    INSERT INTO webhooks.delivery_tally_changes (subscription_id, week, change)
    SELECT subscription_id, week, -sum(count) FROM (
      SELECT subscription_id, week, count FROM webhooks.delivery_tallies
      UNION ALL SELECT subscription_id, week, change FROM webhooks.delivery_tally_changes
    ) AS known
    WHERE week >= coalesce(v_bounds.since, '-infinity') AND week < v_bounds.until GROUP BY 1, 2 HAVING sum(count) <> 0;
    RETURN v_bounds.name;
  END IF;
  SELECT dropped.name INTO v_dropped FROM shared.drop_partition('webhooks.attempts', p_before, v_left) AS dropped;
  IF v_dropped IS NULL THEN
    SELECT dropped.name INTO v_dropped FROM shared.drop_partition('webhooks.events', p_before, v_left) AS dropped;
  END IF;
  RETURN v_dropped;
END $$;
REVOKE EXECUTE ON FUNCTION webhooks.drop_partition(timestamptz) FROM PUBLIC;
