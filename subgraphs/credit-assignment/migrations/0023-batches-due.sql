-- When a batch is to be decided: at the end of its grace, or at the end of a lease under which it was not.
DROP INDEX credit_assignment.credit_batches_due;
DROP INDEX credit_assignment.credit_batches_processing;
CREATE INDEX credit_batches_due ON credit_assignment.credit_batches (coalesce(leased_until, process_after))
  WHERE status = 'SUBMITTED' OR lease IS NOT NULL;
DROP INDEX credit_assignment.settlement_batches_due;
DROP INDEX credit_assignment.settlement_batches_processing;
CREATE INDEX settlement_batches_due ON credit_assignment.settlement_batches (coalesce(leased_until, process_after))
  WHERE status = 'SUBMITTED' OR lease IS NOT NULL;
