-- Asked by an operator: that prices are made now. Who asks is answered at once; a run answers the request.
CREATE TABLE tokenization.reprice_requests (
  id uuid PRIMARY KEY,
  -- The one series to price from its start; null for all that are due.
  tranche_id uuid REFERENCES tokenization.tranches (id),
  -- How many series were marked.
  series integer NOT NULL CHECK (series >= 0),
  requested_at timestamptz NOT NULL,
  -- When a run took it; one that was killed loses it after ten minutes.
  claimed_at timestamptz,
  finished_at timestamptz,
  -- Rows that were written, and what lacked: `[{"input": "IPCA 2026-03", "series": 2}]`.
  prices integer CHECK (prices >= 0),
  missing jsonb NOT NULL DEFAULT '[]',
  -- Why some series could not be priced.
  fault text CHECK (fault <> ''),
  CHECK ((finished_at IS NOT NULL) = (prices IS NOT NULL OR fault IS NOT NULL))
);
CREATE INDEX reprice_requests_open ON tokenization.reprice_requests (requested_at) WHERE finished_at IS NULL;
