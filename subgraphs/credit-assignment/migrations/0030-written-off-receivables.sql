-- A credit that was written off is not owed as an open one, and its payments go to the credit that took its place, if there is one.
ALTER TABLE credit_assignment.receivables ADD COLUMN written_off_at timestamptz;
COMMENT ON COLUMN credit_assignment.receivables.written_off_at IS 'When an operator wrote its asset off; null for any other, and for what was written off by an earlier version';
