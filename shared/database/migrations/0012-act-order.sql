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
