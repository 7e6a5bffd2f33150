-- An event that a consumer fails on is put off, and the others go on.
ALTER TABLE shared.outbox
  ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  ADD COLUMN retry_at timestamptz;
