-- The published series of an operation whose units the tokens are; null where it is none. Issuances decides whether one exists.
ALTER TABLE tokenization.tranches ADD COLUMN series_ticker text CHECK (series_ticker ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$');
-- A series finds its tranches by it, now and as of a moment.
CREATE INDEX tranches_series ON tokenization.tranches (lower(series_ticker)) WHERE series_ticker IS NOT NULL;

SELECT shared.keep_versions('tokenization.tranches', '{id}',
  '{created_at,updated_at,priced_through,priced_policy_version,priced_calendar_version,priced_index_revision}');
CREATE INDEX tranches_versions_series ON tokenization.tranches_versions (lower(series_ticker)) WHERE series_ticker IS NOT NULL;
