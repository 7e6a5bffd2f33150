-- outside of a transaction
-- Deposits that wait for confirmations, whatever happened to them before. The version before reads deposits_seen.
-- contract: one of the same name that an interrupted attempt left is no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS trading.deposits_unconfirmed;
CREATE INDEX CONCURRENTLY deposits_unconfirmed ON trading.deposits (synthetic, updated_at) WHERE state <> 'CONFIRMED' AND NOT reorganised;
ALTER TABLE trading.deposits VALIDATE CONSTRAINT deposits_taken_back;
