-- What operators see of batches whose processing fails, and which of them they hold back.
ALTER TABLE credit_assignment.credit_batches
  -- How often processing began, and why it failed the last time.
  ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  ADD COLUMN last_error text CHECK (length(last_error) BETWEEN 1 AND 500),
  ADD COLUMN quarantined_at timestamptz,
  ADD CONSTRAINT credit_batches_quarantined_processing CHECK (quarantined_at IS NULL OR lease IS NOT NULL);
CREATE INDEX credit_batches_quarantined ON credit_assignment.credit_batches (quarantined_at) WHERE quarantined_at IS NOT NULL;
ALTER TABLE credit_assignment.settlement_batches
  ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  ADD COLUMN last_error text CHECK (length(last_error) BETWEEN 1 AND 500),
  ADD COLUMN quarantined_at timestamptz,
  ADD CONSTRAINT settlement_batches_quarantined_processing CHECK (quarantined_at IS NULL OR lease IS NOT NULL);
CREATE INDEX settlement_batches_quarantined ON credit_assignment.settlement_batches (quarantined_at) WHERE quarantined_at IS NOT NULL;
