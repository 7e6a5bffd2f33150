-- What is kept of what changes, and the revision of what is published.

-- Estates, series, instalments and credits keep their versions: see `shared.keep_versions`. Unit prices and index values are versions already.
SELECT shared.keep_versions('tokenization.patrimonies', '{id}', '{created_at,updated_at}');
SELECT shared.keep_versions('tokenization.tranches', '{id}',
  '{created_at,updated_at,priced_through,priced_policy_version,priced_calendar_version,priced_index_revision}');
SELECT shared.keep_versions('tokenization.schedule_entries', '{tranche_id,installment_number}');
SELECT shared.keep_versions('tokenization.assets', '{id}', '{search_text,created_at,updated_at,registration}');
SELECT shared.keep_versions('tokenization.asset_installments', '{asset_id,installment_number}');

-- All as they were known at a moment, every version of them until then.
CREATE FUNCTION tokenization.unit_prices(moment timestamptz) RETURNS SETOF tokenization.unit_prices LANGUAGE sql STABLE AS $$
  SELECT * FROM tokenization.unit_prices WHERE calculated_at <= moment
$$;

CREATE FUNCTION tokenization.index_values(moment timestamptz) RETURNS SETOF tokenization.index_values LANGUAGE sql STABLE AS $$
  SELECT * FROM tokenization.index_values WHERE recorded_at <= moment
$$;

CREATE FUNCTION tokenization.projected_index_values(moment timestamptz) RETURNS SETOF tokenization.projected_index_values LANGUAGE sql STABLE AS $$
  SELECT * FROM tokenization.projected_index_values WHERE recorded_at <= moment
$$;

CREATE FUNCTION tokenization.schedule_payments(moment timestamptz) RETURNS SETOF tokenization.schedule_payments LANGUAGE sql STABLE AS $$
  SELECT id, tranche_id, installment_number, paid_on, amount, expenses, fine, mora, remuneration, interest, principal, premium, reference, recorded_at,
    recorded_by, CASE WHEN reversed_at <= moment THEN reversed_at END, CASE WHEN reversed_at <= moment THEN reversed_by END,
    CASE WHEN reversed_at <= moment THEN reversal_reason END
  FROM tokenization.schedule_payments WHERE recorded_at <= moment
$$;

CREATE FUNCTION tokenization.tranche_events(moment timestamptz) RETURNS SETOF tokenization.tranche_events LANGUAGE sql STABLE AS $$
  SELECT tranche_id, number, kind, day, through, installment_number, percent, amount, quantity, lot, interest_event, premium_rule, premium_percent, reason,
    document, replaced, remaining, declared_at, declared_by, CASE WHEN withdrawn_at <= moment THEN withdrawn_at END, CASE WHEN withdrawn_at <= moment THEN withdrawn_by END,
    CASE WHEN withdrawn_at <= moment THEN withdrawal_reason END
  FROM tokenization.tranche_events WHERE declared_at <= moment
$$;

-- What `asOf` reads beside the versions: see `shared/database/as-of/README.md`.

-- The totals of the assets as they stood at a moment: added up anew.
CREATE FUNCTION tokenization.asset_totals(moment timestamptz) RETURNS SETOF tokenization.asset_totals LANGUAGE sql STABLE AS $$
  SELECT patrimony_id, type, status, count(*), sum(original_value)::numeric(24, 2), sum(current_balance)::numeric(24, 2),
    sum(received)::numeric(24, 2), sum(surplus)::numeric(24, 2), sum(abated)::numeric(24, 2)
  FROM tokenization.assets(moment) GROUP BY patrimony_id, type, status
$$;

-- Versions are found by the estate, as the rows are.
CREATE INDEX ON tokenization.tranches_versions (patrimony_id);
CREATE INDEX ON tokenization.assets_versions (patrimony_id);
CREATE INDEX tranches_versions_series ON tokenization.tranches_versions (lower(series_ticker)) WHERE series_ticker IS NOT NULL;

-- Corrections are listed by their moment, and within it by their key: an act may change hundreds of thousands of rows at one moment, and a page of the list
-- is to cost as much as the page is long.
CREATE INDEX ON tokenization.patrimonies_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.tranches_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.schedule_entries_versions (superseded_at, tranche_id, installment_number)
  WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.assets_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.asset_installments_versions (superseded_at, asset_id, installment_number)
  WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.assets_versions (patrimony_id, superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;

-- The records that an import changed, by pages: see `shared.order_by_act`.
SELECT shared.order_by_act('tokenization.patrimonies', '{id}');
SELECT shared.order_by_act('tokenization.tranches', '{id}');
SELECT shared.order_by_act('tokenization.schedule_entries', '{tranche_id,installment_number}');
SELECT shared.order_by_act('tokenization.assets', '{id}');
SELECT shared.order_by_act('tokenization.asset_installments', '{asset_id,installment_number}');

-- The series that were voided and whose prices stand, with the act that withdrew each: see the check of names of the import.
CREATE VIEW tokenization.withdrawn_tranches AS
  SELECT * FROM (
    SELECT DISTINCT ON (v.id) v.id, v.ticker, v.token_quantity, v.patrimony_id, v.superseded_by AS act FROM tokenization.tranches_versions v
    WHERE v.voided AND NOT EXISTS (SELECT FROM tokenization.tranches t WHERE t.id = v.id) ORDER BY v.id, v.superseded_at DESC
  ) AS gone
  WHERE EXISTS (SELECT FROM tokenization.unit_prices u WHERE u.tranche_id = gone.id)
    OR EXISTS (SELECT FROM tokenization.collections c WHERE c.tranche_id = gone.id);

-- The estates that were voided with such a series, or with credits that originators had assigned.
CREATE VIEW tokenization.withdrawn_patrimonies AS
  SELECT * FROM (
    SELECT DISTINCT ON (v.id) v.id, v.ticker, v.slug, v.name, v.superseded_by AS act FROM tokenization.patrimonies_versions v
    WHERE v.voided AND NOT EXISTS (SELECT FROM tokenization.patrimonies p WHERE p.id = v.id) ORDER BY v.id, v.superseded_at DESC
  ) AS gone
  WHERE EXISTS (SELECT FROM tokenization.withdrawn_tranches t WHERE t.patrimony_id = gone.id)
    OR EXISTS (SELECT FROM tokenization.assets_versions a WHERE a.patrimony_id = gone.id AND a.originator_id IS NOT NULL);

-- Prices, contracts and price requests name a series that is there when they are written, and no foreign key keeps it from being withdrawn later. As a
-- foreign key does, it waits for whoever removes a series, and keeps the series until the transaction ends.
CREATE FUNCTION tokenization.require_tranches() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lacking uuid;
BEGIN
  PERFORM FROM tokenization.tranches WHERE id IN (SELECT tranche_id FROM added_rows) ORDER BY id FOR KEY SHARE;
  SELECT a.tranche_id INTO lacking FROM added_rows a
    WHERE a.tranche_id IS NOT NULL AND NOT EXISTS (SELECT FROM tokenization.tranches t WHERE t.id = a.tranche_id) LIMIT 1;
  IF lacking IS NOT NULL THEN
    RAISE EXCEPTION '% names a series that there is not: %', TG_TABLE_NAME, lacking USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER require_tranches AFTER INSERT ON tokenization.unit_prices
  REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION tokenization.require_tranches();
CREATE TRIGGER require_tranches AFTER INSERT ON tokenization.collections
  REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION tokenization.require_tranches();
CREATE TRIGGER require_tranches AFTER INSERT ON tokenization.reprice_requests
  REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION tokenization.require_tranches();

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
  FOREACH published IN ARRAY ARRAY['patrimonies', 'tranches', 'schedule_entries', 'schedule_payments', 'tranche_events', 'unit_prices', 'index_values',
    'projected_index_values', 'assets', 'asset_installments',
    'collections']
  LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tokenization.%I
      FOR EACH STATEMENT EXECUTE FUNCTION tokenization.raise_revision()', published || '_raise_revision', published);
  END LOOP;
END $$;
