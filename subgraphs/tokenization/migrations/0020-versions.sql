-- Estates, series, instalments and credits keep their versions: see `shared.keep_versions`. Unit prices and index values are versions already.
SELECT shared.keep_versions('tokenization.patrimonies', '{id}', '{created_at,updated_at}');
SELECT shared.keep_versions('tokenization.tranches', '{id}',
  '{created_at,updated_at,priced_through,priced_policy_version,priced_calendar_version,priced_index_revision}');
SELECT shared.keep_versions('tokenization.schedule_entries', '{tranche_id,installment_number}');
SELECT shared.keep_versions('tokenization.assets', '{id}', '{search_text,created_at,updated_at}');
SELECT shared.keep_versions('tokenization.asset_installments', '{asset_id,installment_number}');

-- The act that recorded it, an entry of `shared.audit_log`; null for the program, and for what was there before this was kept.
ALTER TABLE tokenization.unit_prices ADD COLUMN recorded_by uuid;
ALTER TABLE tokenization.unit_prices ALTER COLUMN recorded_by SET DEFAULT shared.version_act();
ALTER TABLE tokenization.index_values ADD COLUMN recorded_by uuid;
ALTER TABLE tokenization.index_values ALTER COLUMN recorded_by SET DEFAULT shared.version_act();
ALTER TABLE tokenization.index_values ADD COLUMN source_file integer, ADD COLUMN source_line integer;

-- Both as they were known at a moment, every version of them until then.
CREATE FUNCTION tokenization.unit_prices(moment timestamptz) RETURNS SETOF tokenization.unit_prices LANGUAGE sql STABLE AS $$
  SELECT * FROM tokenization.unit_prices WHERE calculated_at <= moment
$$;
CREATE FUNCTION tokenization.index_values(moment timestamptz) RETURNS SETOF tokenization.index_values LANGUAGE sql STABLE AS $$
  SELECT * FROM tokenization.index_values WHERE recorded_at <= moment
$$;

-- Totals of an estate that goes stay behind, at nothing.
ALTER TABLE tokenization.asset_totals DROP CONSTRAINT asset_totals_patrimony_id_fkey;
