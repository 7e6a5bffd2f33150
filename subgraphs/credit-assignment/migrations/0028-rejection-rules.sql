-- The rules behind the reason of a rejection, each with its values, for texts in other languages; null for batches that were rejected before.
ALTER TABLE credit_assignment.credit_batches
  ADD COLUMN rejection_rules jsonb CHECK (rejection_rules IS NULL OR status = 'REJECTED');
ALTER TABLE credit_assignment.settlement_batches
  ADD COLUMN rejection_rules jsonb CHECK (rejection_rules IS NULL OR status = 'REJECTED');
