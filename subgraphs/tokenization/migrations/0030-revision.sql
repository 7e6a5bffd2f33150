-- The revision of everything that is published of estates, series and credits, but for events and holders of tokens: the sum of all rows. A transaction that changes any of it adds one to
-- some row, so that what was built at an earlier sum is known to be old. Each writer takes a row that no other one holds, and adds a row where all are held:
-- no writer waits for another. Sums grow in the order of the commits, since a snapshot that sees a transaction sees all that committed before it.
CREATE TABLE tokenization.revision (
  slot integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  value bigint NOT NULL CHECK (value > 0)
) WITH (fillfactor = 50);

CREATE FUNCTION tokenization.raise_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Once in a transaction: a rollback to a savepoint takes the setting back with the row.
  IF current_setting('tokenization.raised', true) IS NOT DISTINCT FROM pg_current_xact_id()::text THEN RETURN NULL; END IF;
  UPDATE tokenization.revision SET value = value + 1
    WHERE slot = (SELECT slot FROM tokenization.revision ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN INSERT INTO tokenization.revision (value) VALUES (1); END IF;
  PERFORM set_config('tokenization.raised', pg_current_xact_id()::text, true);
  RETURN NULL;
END $$;

DO $$
DECLARE
  published text;
BEGIN
  FOREACH published IN ARRAY ARRAY['patrimonies', 'tranches', 'schedule_entries', 'unit_prices', 'index_values', 'assets', 'asset_installments',
    'collections']
  LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tokenization.%I
      FOR EACH STATEMENT EXECUTE FUNCTION tokenization.raise_revision()', published || '_raise_revision', published);
  END LOOP;
END $$;
