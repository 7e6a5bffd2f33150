-- Hedges that stay open are an operator's business: since when, and why.

ALTER TABLE trading.hedges
  -- Why nothing could be sent for it when that was last tried; null where something was sent since.
  ADD COLUMN reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- When it had been open for too long, which is told once.
  ADD COLUMN overdue_at timestamptz;
