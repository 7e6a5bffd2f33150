-- Journals by which operators corrected the ledger: why, and who. What they moved is in their entries.
CREATE TABLE trading.corrections (
  -- Given by the operator. The key of the journal has `correction:` before it.
  key text PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 200),
  journal_id uuid NOT NULL UNIQUE,
  synthetic boolean NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  operator_id text NOT NULL CHECK (operator_id <> ''),
  posted_at timestamptz NOT NULL,
  FOREIGN KEY (journal_id, synthetic) REFERENCES trading.journals (id, synthetic)
);
