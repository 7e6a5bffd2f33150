-- What operators see of price requests that fail, and which of them they hold back.
ALTER TABLE tokenization.reprice_requests
  -- How often the computation failed, and why the last time.
  ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  ADD COLUMN last_error text CHECK (length(last_error) BETWEEN 1 AND 500),
  ADD COLUMN quarantined_at timestamptz,
  ADD CONSTRAINT reprice_requests_quarantined_open CHECK (quarantined_at IS NULL OR finished_at IS NULL);
CREATE INDEX reprice_requests_quarantined ON tokenization.reprice_requests (quarantined_at) WHERE quarantined_at IS NOT NULL;
