-- Corrections are listed by their moment, and within it by their key: an act may change hundreds of thousands of rows at one moment, and a page of the list
-- is to cost as much as the page is long.
CREATE INDEX ON issuances.operations_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.series_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.unit_prices_versions (superseded_at, series_id, date) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.trustee_unit_prices_versions (superseded_at, series_id, date) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.guarantees_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.documents_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.obligations_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.payments_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.operation_accounts_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.permitted_investments_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.assemblies_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.communications_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.participants_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.provisioning_bands_versions (superseded_at, operation_id, from_days) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.covenants_versions (superseded_at, operation_id, external_id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
