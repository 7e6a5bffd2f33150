-- The settlement batches of a credit batch are read in the order of their ids.
DROP INDEX credit_assignment.settlement_batches_credit_batch;
CREATE INDEX settlement_batches_credit_batch ON credit_assignment.settlement_batches (credit_batch_id, id);
