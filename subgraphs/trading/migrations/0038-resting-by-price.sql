-- outside of a transaction
-- Before a quote is priced, resting orders at the prices that a book shows are taken off it, and those that ended since it was read.
-- contract: those of the same name that an interrupted attempt left are no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS trading.executions_resting_price;
CREATE INDEX CONCURRENTLY executions_resting_price ON trading.executions (symbol, synthetic, venue, side, limit_price)
  INCLUDE (amount, filled_amount, updated_at) WHERE state IN ('SENDING', 'OPEN', 'UNKNOWN') AND time_in_force = 'GTC';
-- contract: as above
DROP INDEX CONCURRENTLY IF EXISTS trading.executions_rested;
CREATE INDEX CONCURRENTLY executions_rested ON trading.executions (symbol, synthetic, venue, side, updated_at)
  INCLUDE (limit_price, amount) WHERE state IN ('FILLED', 'CANCELLED') AND time_in_force = 'GTC';
-- contract: the previous version finds the same rows by executions_resting_price, which begins with the same columns
DROP INDEX CONCURRENTLY IF EXISTS trading.executions_resting;
