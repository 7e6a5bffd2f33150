-- Tables that grow are divided by time: what is past its retention is dropped a partition at a time, no index grows with the years, and no row is
-- deleted one by one.

-- The tables that the functions below divide. A table has, besides the partitions by time, one for what is older than the table (its name ends in _before) and one
-- for what belongs to no other (_default), so that no write fails for lack of a partition.
CREATE TABLE shared.partitioned_tables (
  name text PRIMARY KEY CHECK (name ~ '^[a-z_]+\.[a-z_]+$'),
  -- The column that decides: a UUIDv7, which begins with the time, or a time.
  key text NOT NULL CHECK (key ~ '^[a-z_]+$'),
  step text NOT NULL CHECK (step IN ('week', 'year')),
  -- How many partitions follow the present one.
  ahead integer NOT NULL CHECK (ahead BETWEEN 1 AND 50)
);

-- The value of a key at a moment: the one before all that are made in that millisecond, or the moment itself. The last UUID stands for all moments that have none.
CREATE FUNCTION shared.key_at(p_table regclass, p_key text, p_moment timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
  SELECT CASE WHEN atttypid = 'uuid'::regtype
    THEN CASE WHEN extract(epoch FROM p_moment) * 1000 < 2::numeric ^ 48
      THEN (lpad(to_hex(floor(extract(epoch FROM p_moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid::text
      ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff' END
    ELSE p_moment::text END
  FROM pg_attribute WHERE attrelid = p_table AND attname = p_key
$$;

CREATE FUNCTION shared.is_uuid(p_key text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_key ~ '^[0-9a-f]{8}-[0-9a-f]{4}-'
$$;

-- The moment of a key, as text: the other direction.
CREATE FUNCTION shared.moment_of_key(p_key text) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
  SELECT CASE WHEN shared.is_uuid(p_key)
    THEN to_timestamp(('x' || translate(left(p_key, 13), '-', ''))::bit(48)::bigint / 1000.0)
    ELSE p_key::timestamptz END
$$;

-- The partitions of a table: PostgreSQL knows their bounds, and nothing else has to agree with it.
CREATE FUNCTION shared.partitions_of(p_table text)
RETURNS TABLE (partition regclass, is_default boolean, first_key text, end_key text, since timestamptz, until timestamptz)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
  SELECT c.oid::regclass, bound = 'DEFAULT', lower, upper, shared.moment_of_key(lower), shared.moment_of_key(upper)
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) AS b
    CROSS JOIN LATERAL (SELECT substring(bound FROM $re$FROM \('([^']+)'\)$re$) AS lower, substring(bound FROM $re$TO \('([^']+)'\)$re$) AS upper) AS keys
  WHERE i.inhparent = p_table::regclass
$$;

-- Whether pg_partman keeps the partitions of a table: then nothing here touches them. It asks with the rights of the owner, who needs USAGE on pg_partman's
-- schema and SELECT on its part_config.
CREATE FUNCTION shared.is_kept_by_partman(p_table text) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_config record;
  v_kept boolean;
BEGIN
  FOR v_config IN
    SELECT c.oid::regclass AS name, has_schema_privilege(c.relnamespace, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AS is_readable
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'parent_table'
    WHERE c.relname = 'part_config' AND c.relkind = 'r'
  LOOP
    IF NOT v_config.is_readable THEN
      RAISE EXCEPTION 'Whether pg_partman keeps % cannot be read', p_table
        USING HINT = format('Grant the role %s USAGE on the schema of %s and SELECT on that table', current_user, v_config.name);
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE parent_table = $1)', v_config.name) INTO v_kept USING p_table;
    IF v_kept THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;

-- Gives a partition the triggers of its table that PostgreSQL does not give it: those of statements, for statements that name the partition.
CREATE FUNCTION shared.copy_statement_triggers(p_table text, p_partition text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_trigger record;
BEGIN
  FOR v_trigger IN SELECT tgname, tgenabled, pg_get_triggerdef(oid) AS text FROM pg_trigger
    WHERE tgrelid = p_table::regclass AND NOT tgisinternal AND tgtype & 1 = 0 AND tgoldtable IS NULL AND tgnewtable IS NULL
  LOOP
    EXECUTE replace(v_trigger.text, ' ON ' || p_table || ' ', ' ON ' || p_partition || ' ');
    IF v_trigger.tgenabled = 'A' THEN
      EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', p_partition, v_trigger.tgname);
    END IF;
  END LOOP;
END $$;

-- Makes the partitions of a table that are to follow the present one and are not there, and returns how many it made. The limit of a lock is below
-- PostgreSQL's time until it looks for a deadlock, so that it is this that gives way, and never a request.
CREATE FUNCTION shared.make_partitions(p_table text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  v_plan shared.partitioned_tables;
  v_step interval;
  v_from timestamptz;
  v_to timestamptz;
  v_last timestamptz;
  v_bounds text;
  v_partition text;
  v_is_taken boolean;
  v_made integer := 0;
BEGIN
  -- One after the other, where several instances ask.
  PERFORM pg_advisory_xact_lock(7261536172);
  SELECT * INTO STRICT v_plan FROM shared.partitioned_tables WHERE name = p_table;
  IF shared.is_kept_by_partman(p_table) OR (SELECT relkind FROM pg_class WHERE oid = p_table::regclass) <> 'p' THEN
    RETURN 0;
  END IF;
  v_step := ('1 ' || v_plan.step)::interval;
  v_last := date_trunc(v_plan.step, now()) + v_plan.ahead * v_step;
  SELECT max(until) INTO v_from FROM shared.partitions_of(p_table) WHERE NOT is_default;
  WHILE v_from <= v_last LOOP
    v_to := date_trunc(v_plan.step, v_from) + v_step;
    v_bounds := format('%L AND %2$I < %L', shared.key_at(p_table::regclass, v_plan.key, v_from), v_plan.key,
      shared.key_at(p_table::regclass, v_plan.key, v_to));
    EXECUTE format('SELECT EXISTS (SELECT FROM %s_default WHERE %I >= %s)', p_table, v_plan.key, v_bounds) INTO v_is_taken;
    -- What came too early for its partition stays where it is.
    IF NOT v_is_taken THEN
      v_partition := p_table || to_char(v_from, '_YYYY_MM_DD');
      -- Made apart and attached: that lets others write to the table meanwhile.
      EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE)',
        v_partition, p_table);
      PERFORM shared.copy_statement_triggers(p_table, v_partition);
      EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', p_table, v_partition,
        shared.key_at(p_table::regclass, v_plan.key, v_from), shared.key_at(p_table::regclass, v_plan.key, v_to));
      v_made := v_made + 1;
    END IF;
    v_from := v_to;
  END LOOP;
  RETURN v_made;
END $$;
REVOKE EXECUTE ON FUNCTION shared.make_partitions(text) FROM PUBLIC;

-- Drops the oldest partition that ended at a moment or before, unless a query returns a row: it may use the partition as %1$s and its bounds as %2$L and %3$L.
-- Returns its name and the moments of its bounds; no row when none was dropped. Called by functions of the owner, one for each set of tables that may lose rows at all.
-- No DETACH CONCURRENTLY, which is not possible beside a default partition: the table is locked for the moment that a change of the catalogue takes.
CREATE FUNCTION shared.drop_partition(p_table text, p_before timestamptz, p_kept_by text)
RETURNS TABLE (name text, since timestamptz, until timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  v_past record;
  v_query text;
  v_is_kept boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(7261536172);
  IF shared.is_kept_by_partman(p_table) THEN
    RETURN;
  END IF;
  FOR v_past IN SELECT p.partition::text AS name, p.since, p.until, p.end_key,
      coalesce(p.first_key, CASE WHEN shared.is_uuid(p.end_key) THEN '00000000-0000-0000-0000-000000000000' ELSE '-infinity' END) AS first_key
    FROM shared.partitions_of(p_table) AS p WHERE p.until <= p_before ORDER BY p.until
  LOOP
    v_query := 'SELECT EXISTS (' || format(p_kept_by, v_past.name, v_past.first_key, v_past.end_key) || ')';
    EXECUTE v_query INTO v_is_kept;
    CONTINUE WHEN v_is_kept;
    EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', p_table);
    -- Asked again now that nobody can change it.
    EXECUTE v_query INTO v_is_kept;
    CONTINUE WHEN v_is_kept;
    EXECUTE format('DROP TABLE %s', v_past.name);
    RETURN QUERY SELECT v_past.name, v_past.since, v_past.until;
    RETURN;
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION shared.drop_partition(text, timestamptz, text) FROM PUBLIC;

-- Makes the first partitions of a new table, which was created with PARTITION BY RANGE of its key.
CREATE FUNCTION shared.divide(p_table text, p_key text, p_step text, p_ahead integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
BEGIN
  INSERT INTO shared.partitioned_tables (name, key, step, ahead) VALUES (p_table, p_key, p_step, p_ahead);
  EXECUTE format('CREATE TABLE %1$s_before PARTITION OF %1$s FOR VALUES FROM (MINVALUE) TO (%2$L)', p_table,
    shared.key_at(p_table::regclass, p_key, date_trunc(p_step, now())));
  EXECUTE format('CREATE TABLE %1$s_default PARTITION OF %1$s DEFAULT', p_table);
  PERFORM shared.copy_statement_triggers(p_table, p_table || '_before'), shared.copy_statement_triggers(p_table, p_table || '_default'),
    shared.make_partitions(p_table);
END $$;
REVOKE EXECUTE ON FUNCTION shared.divide(text, text, text, integer) FROM PUBLIC;

-- Divides the audit log by year, by the id of an entry, which begins with its time. Nothing drops its partitions: it has no retention. They keep its indexes small, and
-- let an operator move a year elsewhere. Each has the triggers that refuse changes.
SELECT shared.divide('shared.audit_log', 'id', 'year', 2);

-- Drops one partition of the outbox whose events were all published before a moment; its name, or null when there is none to drop.
CREATE FUNCTION shared.drop_event_partition(p_before timestamptz) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT name FROM shared.drop_partition('shared.outbox', p_before, format(
    'SELECT FROM %%1$s WHERE published_at IS NULL UNION ALL SELECT FROM %%1$s WHERE published_at >= %L', p_before))
$$;
REVOKE EXECUTE ON FUNCTION shared.drop_event_partition(timestamptz) FROM PUBLIC;
-- Divides the outbox by week, by the id of an event, which begins with its time.
SELECT shared.divide('shared.outbox', 'id', 'week', 4);
