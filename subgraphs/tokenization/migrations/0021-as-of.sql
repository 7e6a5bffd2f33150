-- What `asOf` reads beside the versions: see `shared/as-of/README.md`.

-- The totals of the assets as they stood at a moment: added up anew.
CREATE FUNCTION tokenization.asset_totals(moment timestamptz) RETURNS SETOF tokenization.asset_totals LANGUAGE sql STABLE AS $$
  SELECT patrimony_id, type, status, count(*), sum(original_value)::numeric(24, 2), sum(current_balance)::numeric(24, 2),
    sum(received)::numeric(24, 2)
  FROM tokenization.assets(moment) GROUP BY patrimony_id, type, status
$$;

-- Versions are found by the estate, as the rows are.
CREATE INDEX ON tokenization.tranches_versions (patrimony_id);
CREATE INDEX ON tokenization.assets_versions (patrimony_id);

-- Corrections: what acts changed, of an estate; and further versions.
CREATE INDEX ON tokenization.assets_versions (patrimony_id, superseded_at) WHERE superseded_by IS NOT NULL;
CREATE INDEX unit_prices_corrected ON tokenization.unit_prices (calculated_at) WHERE version > 1;
