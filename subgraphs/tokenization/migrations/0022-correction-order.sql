-- Corrections are listed by their moment, and within it by their key: an act may change hundreds of thousands of rows at one moment, and a page of the list
-- is to cost as much as the page is long.
CREATE INDEX ON tokenization.patrimonies_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.tranches_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.schedule_entries_versions (superseded_at, tranche_id, installment_number)
  WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.assets_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.asset_installments_versions (superseded_at, asset_id, installment_number)
  WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON tokenization.index_values (recorded_at, index_name, date, version) WHERE version > 1;
DROP INDEX tokenization.unit_prices_corrected;
CREATE INDEX unit_prices_corrected ON tokenization.unit_prices (calculated_at, tranche_id, date, version) WHERE version > 1;

-- Those of one estate: so many assets are of no other thing.
DROP INDEX tokenization.assets_versions_patrimony_id_superseded_at_idx;
CREATE INDEX ON tokenization.assets_versions (patrimony_id, superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
