-- Tables that grow are divided by time: what is past its retention is dropped a partition at a time, no index grows with the years, and no row is
-- deleted one by one.

-- The tables that the functions below divide. A table has, besides the partitions by time, one for what was there before (its name ends in _before) and one for
-- what belongs to no other (_default), so that no write fails for lack of a partition.
CREATE TABLE shared.partitioned_tables (
  name text PRIMARY KEY CHECK (name ~ '^[a-z_]+\.[a-z_]+$'),
  -- The column that decides: a UUIDv7, which begins with the time, or a time.
  key text NOT NULL CHECK (key ~ '^[a-z_]+$'),
  step text NOT NULL CHECK (step IN ('week', 'year')),
  -- How many partitions follow the present one.
  ahead integer NOT NULL CHECK (ahead BETWEEN 1 AND 50),
  -- The first moment that is not in the partition _before.
  begins timestamptz NOT NULL
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
  SELECT coalesce(max(until), v_plan.begins) INTO v_from FROM shared.partitions_of(p_table) WHERE NOT is_default;
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

-- How a table is divided without moving a row and without holding up those who use it, in three steps of one transaction each; any may be repeated.

-- 1. From a moment in the future on, the table takes no rows: far enough ahead that it is divided by then.
CREATE FUNCTION shared.prepare_partitions(p_table text, p_key text, p_step text, p_ahead integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  v_greatest text;
  v_begins timestamptz;
BEGIN
  -- A table that somebody else has divided is theirs to keep.
  IF EXISTS (SELECT FROM shared.partitioned_tables WHERE name = p_table) OR (SELECT relkind FROM pg_class WHERE oid = p_table::regclass) = 'p' THEN
    RETURN;
  END IF;
  EXECUTE format('SELECT %1$I::text FROM %2$s ORDER BY %1$I DESC LIMIT 1', p_key, p_table) INTO v_greatest;
  v_begins := date_trunc(p_step, greatest(now() + interval '14 days', shared.moment_of_key(v_greatest))) + ('1 ' || p_step)::interval;
  INSERT INTO shared.partitioned_tables (name, key, step, ahead, begins) VALUES (p_table, p_key, p_step, p_ahead, v_begins);
  EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%I < %L) NOT VALID', p_table, split_part(p_table, '.', 2) || '_until', p_key,
    shared.key_at(p_table::regclass, p_key, v_begins));
END $$;
REVOKE EXECUTE ON FUNCTION shared.prepare_partitions(text, text, text, integer) FROM PUBLIC;

-- 2. Reads the table beside those who write to it, so that it need not be read under a lock.
CREATE FUNCTION shared.validate_partitions(p_table text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_constraint text;
BEGIN
  SELECT conname INTO v_constraint FROM pg_constraint
  WHERE conrelid = p_table::regclass AND conname = split_part(p_table, '.', 2) || '_until' AND NOT convalidated;
  IF v_constraint IS NOT NULL THEN
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', p_table, v_constraint);
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION shared.validate_partitions(text) FROM PUBLIC;

-- 3. Puts a divided table into its place, of which it is the first partition. Foreign keys of other tables to it are taken away: with them, dropping a
-- partition would look for its rows in those tables. What is unique without the key is unique in its partition alone from now on, or not at all: whoever
-- calls this has made a plain index for it.
CREATE FUNCTION shared.partition_table(p_table text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
  v_plan shared.partitioned_tables;
  v_name text := split_part(p_table, '.', 2);
  v_before text := p_table || '_before';
  v_old regclass := p_table::regclass;
  v_remake text[];
  v_key smallint;
  v_text text;
  v_is_empty boolean;
  v_each record;
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = v_old) = 'p' THEN
    RETURN;
  END IF;
  SELECT * INTO STRICT v_plan FROM shared.partitioned_tables WHERE name = p_table;
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', p_table);
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', p_table) INTO v_is_empty;
  IF v_is_empty THEN
    UPDATE shared.partitioned_tables SET begins = date_trunc(step, now()) WHERE name = p_table RETURNING * INTO v_plan;
  END IF;

  SELECT attnum INTO STRICT v_key FROM pg_attribute WHERE attrelid = v_old AND attname = v_plan.key;
  FOR v_each IN SELECT conrelid::regclass AS referrer, conname FROM pg_constraint WHERE contype = 'f' AND confrelid = v_old LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', v_each.referrer, v_each.conname);
  END LOOP;

  -- What the table has besides its columns and checks, to be made again under the same names.
  SELECT array_agg(text ORDER BY turn, text) INTO v_remake FROM (
    SELECT 1 AS turn, format('ALTER TABLE %s ADD CONSTRAINT %I %s', p_table, conname, pg_get_constraintdef(oid)) AS text
      FROM pg_constraint WHERE conrelid = v_old AND (contype = 'f' OR (contype IN ('p', 'u') AND v_key = ANY (conkey)))
    UNION ALL
    SELECT 2, pg_get_indexdef(indexrelid) FROM pg_index
      WHERE indrelid = v_old AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = v_old)
        AND (NOT indisunique OR v_key = ANY (indkey::smallint[]))
    UNION ALL
    SELECT 3, pg_get_triggerdef(oid) || CASE tgenabled WHEN 'A' THEN format('; ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', p_table, tgname) ELSE '' END
      FROM pg_trigger WHERE tgrelid = v_old AND NOT tgisinternal
    UNION ALL
    SELECT 4, format('GRANT %s ON %s TO %s', privilege_type, place, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)
      FROM pg_class CROSS JOIN LATERAL aclexplode(relacl) CROSS JOIN unnest(ARRAY[p_table, p_table || '_default']) AS place
      WHERE oid = v_old AND grantee <> relowner
    UNION ALL
    SELECT 5, format('COMMENT ON TABLE %s IS %L', p_table, obj_description(v_old, 'pg_class'))
  ) AS made;

  EXECUTE format('ALTER TABLE %s RENAME TO %I', p_table, v_name || '_before');
  FOR v_each IN SELECT indexrelid::regclass AS index, relname FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = v_old LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', v_each.index, left(v_each.relname, 56) || '_before');
  END LOOP;
  -- It gets those of the divided table; triggers of statements that see no rows stay, for statements that name it.
  FOR v_each IN SELECT tgname FROM pg_trigger
    WHERE tgrelid = v_old AND NOT tgisinternal AND (tgtype & 1 = 1 OR tgoldtable IS NOT NULL OR tgnewtable IS NOT NULL)
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', v_each.tgname, v_before);
  END LOOP;

  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING IDENTITY INCLUDING STORAGE INCLUDING COMMENTS)
    PARTITION BY RANGE (%I)', p_table, v_before, v_plan.key);
  EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', p_table, v_name || '_until');
  -- Numbers go on where they are.
  FOR v_each IN SELECT attname FROM pg_attribute WHERE attrelid = v_old AND attidentity <> '' AND NOT attisdropped LOOP
    EXECUTE format('SELECT setval(%L, last_value, is_called) FROM %s', pg_get_serial_sequence(p_table, v_each.attname),
      pg_get_serial_sequence(v_before, v_each.attname));
    EXECUTE format('ALTER TABLE %s ALTER %I DROP IDENTITY', v_before, v_each.attname);
  END LOOP;
  EXECUTE format('CREATE TABLE %s_default (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE)', p_table, p_table);
  FOREACH v_text IN ARRAY v_remake LOOP
    EXECUTE v_text;
  END LOOP;
  PERFORM shared.copy_statement_triggers(p_table, p_table || '_default');
  -- Its indexes and foreign keys are recognized as those of the divided table, and its check proves its bounds: nothing is read.
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L)', p_table, v_before,
    shared.key_at(p_table::regclass, v_plan.key, v_plan.begins));
  EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', v_before, v_name || '_until');
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s_default DEFAULT', p_table, p_table);
  PERFORM shared.make_partitions(p_table);
END $$;
REVOKE EXECUTE ON FUNCTION shared.partition_table(text) FROM PUBLIC;

-- Divides the audit log by year, by the id of an entry, which begins with its time. Nothing drops its partitions: it has no retention. They keep its indexes small, and
-- let an operator move a year elsewhere. Each has the triggers that refuse changes.
SELECT shared.prepare_partitions('shared.audit_log', 'id', 'year', 2);
SELECT shared.partition_table('shared.audit_log');

-- Drops one partition of the outbox whose events were all published before a moment; its name, or null when there is none to drop.
CREATE FUNCTION shared.drop_event_partition(p_before timestamptz) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT name FROM shared.drop_partition('shared.outbox', p_before, format(
    'SELECT FROM %%1$s WHERE published_at IS NULL UNION ALL SELECT FROM %%1$s WHERE published_at >= %L', p_before))
$$;
REVOKE EXECUTE ON FUNCTION shared.drop_event_partition(timestamptz) FROM PUBLIC;
-- Divides the outbox by week, by the id of an event, which begins with its time.
SELECT shared.prepare_partitions('shared.outbox', 'id', 'week', 4);
SELECT shared.partition_table('shared.outbox');
