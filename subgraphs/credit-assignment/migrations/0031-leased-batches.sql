-- outside of a transaction
-- Which originators have a batch that is being decided: no second one of theirs is claimed meanwhile.
-- contract: one of the same name that an interrupted attempt left is no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS credit_assignment.credit_batches_leased;
CREATE INDEX CONCURRENTLY credit_batches_leased ON credit_assignment.credit_batches (originator_id) WHERE lease IS NOT NULL;
-- contract: one of the same name that an interrupted attempt left is no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS credit_assignment.settlement_batches_leased;
CREATE INDEX CONCURRENTLY settlement_batches_leased ON credit_assignment.settlement_batches (originator_id) WHERE lease IS NOT NULL;
