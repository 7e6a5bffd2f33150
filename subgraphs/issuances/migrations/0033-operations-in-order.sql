-- outside of a transaction
-- A page of public operations by ticker, or by issue date as lists have them by default, is read in its order.
-- contract: one of the same name that an interrupted attempt left is no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS issuances.operations_by_ticker;
CREATE INDEX CONCURRENTLY operations_by_ticker ON issuances.operations (lower(ticker) COLLATE "C", id) WHERE is_public;
-- contract: as above
DROP INDEX CONCURRENTLY IF EXISTS issuances.operations_by_emission;
CREATE INDEX CONCURRENTLY operations_by_emission ON issuances.operations (emission_date DESC NULLS LAST, id DESC) WHERE is_public;
