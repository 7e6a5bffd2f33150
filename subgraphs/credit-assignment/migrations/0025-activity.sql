-- What was done in the name of an originator is listed by the times of its batches, newest first.
CREATE INDEX credit_batches_created ON credit_assignment.credit_batches (originator_id, created_at, id);
CREATE INDEX credit_batches_submitted ON credit_assignment.credit_batches (originator_id, submitted_at, id) WHERE submitted_at IS NOT NULL;
CREATE INDEX credit_batches_cancelled ON credit_assignment.credit_batches (originator_id, cancelled_at, id) WHERE cancelled_at IS NOT NULL;
CREATE INDEX settlement_batches_created ON credit_assignment.settlement_batches (originator_id, created_at, id);
CREATE INDEX settlement_batches_submitted ON credit_assignment.settlement_batches (originator_id, submitted_at, id)
  WHERE submitted_at IS NOT NULL;
CREATE INDEX settlement_batches_cancelled ON credit_assignment.settlement_batches (originator_id, cancelled_at, id)
  WHERE cancelled_at IS NOT NULL;
