-- Versions of what is published. A table that keeps them has its rows as they stand, and beside it a table of the rows as they were, with the moments between
-- which each was the one that stood. `shared.keep_versions` sets both up; nothing but its triggers writes to the second.

-- The moment and the act that a transaction records its changes under: set by the program for an import or an act of an operator, else the moment
-- of the transaction and no act, which is the program itself.
CREATE FUNCTION shared.version_moment() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('lastro.moment', true), '')::timestamptz, transaction_timestamp())
$$;

CREATE FUNCTION shared.version_act() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('lastro.act', true), '')::uuid
$$;

-- Called for rows of which something published is another: see the condition of the trigger.
CREATE FUNCTION shared.stamp_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.record_version := OLD.record_version + 1;
  NEW.recorded_at := shared.version_moment();
  NEW.recorded_by := shared.version_act();
  IF coalesce(current_setting('lastro.importing', true), '') = '' THEN
    NEW.source_file := NULL;
    NEW.source_line := NULL;
  END IF;
  RETURN NEW;
END $$;

-- Called for rows of which the key is another, or the record of a version without anything published: neither is what a change of a row may do.
CREATE FUNCTION shared.refuse_forged_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The key of a row of % does not change, and who recorded it when changes with what it says alone', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION shared.refuse_version_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Rows of % are neither changed nor deleted', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

-- Lets a table keep its versions. `keys` name a row; a change of the columns in `quiet` alone makes no version. Called again after columns were added to the
-- table, it brings everything up to date. What it makes for a table `t`:
--   `record_version`, `recorded_at`, `recorded_by` (an entry of `shared.audit_log`; null for the program), `source_file`, `source_line` (of an import);
--   the table `t_versions` of the rows as they were, with `superseded_at` and `superseded_by`, and whether the row was voided;
--   the function `t(moment)`, the rows as they stood at a moment. A row that was voided, and not brought back, stood at none: what should never have
--   been published is not shown by asking for the past.
-- A row that was there before has `-infinity` as `recorded_at`: since when it stood was not kept.
CREATE FUNCTION shared.keep_versions(target regclass, keys text[], quiet text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  schema_name text := (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = target);
  table_name text := (SELECT relname FROM pg_class WHERE oid = target);
  kept text := format('%I.%I', schema_name, table_name || '_versions');
  own text[] := '{record_version,recorded_at,recorded_by,source_file,source_line}';
  names text[];
  watched text[];
  same_row text := (SELECT string_agg(format('o.%1$I = n.%1$I', key), ' AND ') FROM unnest(keys) AS key);
  lacking record;
BEGIN
  IF to_regclass(kept) IS NULL THEN
    EXECUTE format('ALTER TABLE %s ADD COLUMN record_version integer NOT NULL DEFAULT 1 CHECK (record_version > 0),
      ADD COLUMN recorded_at timestamptz NOT NULL DEFAULT ''-infinity'', ADD COLUMN recorded_by uuid,
      ADD COLUMN source_file integer, ADD COLUMN source_line integer', target);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN recorded_at SET DEFAULT shared.version_moment(), ALTER COLUMN recorded_by SET DEFAULT shared.version_act()', target);
    EXECUTE format('CREATE TABLE %s (superseded_at timestamptz NOT NULL, superseded_by uuid, voided boolean NOT NULL DEFAULT false, LIKE %s)', kept, target);
    EXECUTE format('CREATE INDEX ON %s (%s, superseded_at)', kept, (SELECT string_agg(quote_ident(key), ', ') FROM unnest(keys) AS key));
    EXECUTE format('CREATE INDEX ON %s (superseded_by) WHERE superseded_by IS NOT NULL', kept);
    EXECUTE format('CREATE INDEX ON %s (%s) WHERE voided', kept, (SELECT string_agg(quote_ident(key), ', ') FROM unnest(keys) AS key));
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION shared.refuse_version_change()',
      table_name || '_versions_stand', kept);
  END IF;
  FOR lacking IN
    SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type FROM pg_attribute a
    WHERE a.attrelid = target AND a.attnum > 0 AND NOT a.attisdropped AND NOT EXISTS (
      SELECT FROM pg_attribute v WHERE v.attrelid = kept::regclass AND v.attname = a.attname AND NOT v.attisdropped)
    ORDER BY a.attnum
  LOOP
    EXECUTE format('ALTER TABLE %s ADD COLUMN %I %s', kept, lacking.name, lacking.type);
  END LOOP;

  names := ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = target AND attnum > 0 AND NOT attisdropped ORDER BY attnum);
  watched := ARRAY(SELECT name FROM unnest(names) AS name WHERE name <> ALL (own || keys || quiet));
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE UPDATE ON %s FOR EACH ROW WHEN (ROW(%s) IS DISTINCT FROM ROW(%s)) EXECUTE FUNCTION shared.stamp_version()',
    -- Before the other triggers of the row, in the order of names.
    '0_stamp_version', target,
    (SELECT string_agg(format('OLD.%I', name), ', ') FROM unnest(watched) AS name),
    (SELECT string_agg(format('NEW.%I', name), ', ') FROM unnest(watched) AS name));

  -- Before the stamp, which sets these columns itself.
  EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE UPDATE ON %s FOR EACH ROW
    WHEN (ROW(%s) IS DISTINCT FROM ROW(%s) OR (ROW(%s) IS NOT DISTINCT FROM ROW(%s) AND ROW(%s) IS DISTINCT FROM ROW(%s)))
    EXECUTE FUNCTION shared.refuse_forged_version()', '0_refuse_forged', target,
    (SELECT string_agg(format('OLD.%I', name), ', ') FROM unnest(keys) AS name),
    (SELECT string_agg(format('NEW.%I', name), ', ') FROM unnest(keys) AS name),
    (SELECT string_agg(format('OLD.%I', name), ', ') FROM unnest(watched) AS name),
    (SELECT string_agg(format('NEW.%I', name), ', ') FROM unnest(watched) AS name),
    (SELECT string_agg(format('OLD.%I', name), ', ') FROM unnest(own) AS name),
    (SELECT string_agg(format('NEW.%I', name), ', ') FROM unnest(own) AS name));

  -- As the owner: the role of the program reads versions, and cannot write any. A session keeps the plan that it made for its first rows: by nested loops
  -- a thousand rows after one take a million steps.
  EXECUTE format('CREATE OR REPLACE FUNCTION %I.%I() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET enable_nestloop = off AS $body$
    BEGIN
      IF TG_OP = ''UPDATE'' THEN
        INSERT INTO %s (superseded_at, superseded_by, %s) SELECT n.recorded_at, n.recorded_by, %s
        FROM before_rows o JOIN after_rows n ON %s WHERE n.record_version <> o.record_version;
      ELSE
        INSERT INTO %s (superseded_at, superseded_by, voided, %s)
        SELECT shared.version_moment(), shared.version_act(), coalesce(current_setting(''lastro.voiding'', true), '''') <> '''', %s FROM before_rows o;
      END IF;
      RETURN NULL;
    END $body$',
    schema_name, 'keep_' || table_name, kept, (SELECT string_agg(quote_ident(name), ', ') FROM unnest(names) AS name),
    (SELECT string_agg(format('o.%I', name), ', ') FROM unnest(names) AS name), same_row,
    kept, (SELECT string_agg(quote_ident(name), ', ') FROM unnest(names) AS name),
    (SELECT string_agg(format('o.%I', name), ', ') FROM unnest(names) AS name));
  EXECUTE format('REVOKE ALL ON FUNCTION %I.%I() FROM PUBLIC', schema_name, 'keep_' || table_name);
  EXECUTE format('CREATE OR REPLACE TRIGGER keep_changed AFTER UPDATE ON %s REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION %I.%I()', target, schema_name, 'keep_' || table_name);
  EXECUTE format('CREATE OR REPLACE TRIGGER keep_removed AFTER DELETE ON %s REFERENCING OLD TABLE AS before_rows
    FOR EACH STATEMENT EXECUTE FUNCTION %I.%I()', target, schema_name, 'keep_' || table_name);

  EXECUTE format('DROP FUNCTION IF EXISTS %I.%I(timestamptz)', schema_name, table_name);
  EXECUTE format('CREATE FUNCTION %I.%I(moment timestamptz) RETURNS SETOF %s LANGUAGE sql STABLE AS $body$
    SELECT %s FROM %s WHERE recorded_at <= moment
    UNION ALL SELECT %s FROM %s o WHERE recorded_at <= moment AND superseded_at > moment AND NOT EXISTS (
      SELECT FROM %s n WHERE %s AND n.voided AND NOT EXISTS (SELECT FROM shared.imports r WHERE r.reverts = n.superseded_by)) $body$',
    schema_name, table_name, target, (SELECT string_agg(quote_ident(name), ', ') FROM unnest(names) AS name), target,
    (SELECT string_agg('o.' || quote_ident(name), ', ') FROM unnest(names) AS name), kept, kept, same_row);
END $$;

-- What an act changed is read by pages, in the order of its records' keys: an import may change hundreds of thousands of rows, and a page costs as much as it is long.
-- Called for each table with versions (`shared.keep_versions`), with the same key as the importer reads it by. The index on the act alone is contained in the new one.
CREATE FUNCTION shared.order_by_act(target regclass, keys text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  schema_name text := (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = target);
  table_name text := (SELECT relname FROM pg_class WHERE oid = target);
  columns text := (SELECT string_agg(quote_ident(key), ', ') FROM unnest(keys) AS key);
BEGIN
  EXECUTE format('CREATE INDEX %I ON %s (recorded_by, %s) WHERE recorded_by IS NOT NULL', table_name || '_of_act', target, columns);
  EXECUTE format('CREATE INDEX %I ON %I.%I (recorded_by, %s) WHERE recorded_by IS NOT NULL',
    table_name || '_left_by_act', schema_name, table_name || '_versions', columns);
  EXECUTE format('CREATE INDEX %I ON %I.%I (superseded_by, %s) WHERE superseded_by IS NOT NULL',
    table_name || '_before_act', schema_name, table_name || '_versions', columns);
  EXECUTE format('DROP INDEX %I.%I', schema_name, table_name || '_versions_superseded_by_idx');
END $$;
REVOKE ALL ON FUNCTION shared.order_by_act(regclass, text[]) FROM PUBLIC;

-- An import, and an act that takes one back. Its id is that of its entry in the audit log, which says who did it, from where and when.
CREATE TABLE shared.imports (
  id uuid PRIMARY KEY,
  recorded_at timestamptz NOT NULL,
  -- The operator, as in the audit log.
  actor_id text NOT NULL,
  actor_name text,
  -- Why something settled was changed; null where nothing was.
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- `[{"name": "prices.csv", "bytes": 1234, "sha256": "…"}]`, in the order of `source_file`.
  files jsonb NOT NULL,
  -- `[{"kind": "unitPrices", "created": 2, "changed": 0, "unchanged": 0, "removed": 0}]`
  counts jsonb NOT NULL,
  -- The import that this one takes back.
  reverts uuid UNIQUE REFERENCES shared.imports (id)
);
CREATE INDEX imports_recorded ON shared.imports (recorded_at, id);
CREATE TRIGGER imports_stand BEFORE UPDATE OR DELETE OR TRUNCATE ON shared.imports
  FOR EACH STATEMENT EXECUTE FUNCTION shared.refuse_version_change();

-- Statistics after a large import are made by the owner of the table: the role of the program is none.
CREATE FUNCTION shared.analyze_table(of_table regclass) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('ANALYZE %s', of_table);
END $$;
