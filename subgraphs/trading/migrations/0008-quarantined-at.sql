-- Since when a deposit is in quarantine; null for the others.
ALTER TABLE trading.deposits ADD COLUMN quarantined_at timestamptz;
UPDATE trading.deposits SET quarantined_at = updated_at WHERE state = 'QUARANTINED';
