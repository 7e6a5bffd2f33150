-- outside of a transaction
-- Plain indexes beside those of the two numbers of an event, which cannot be unique over partitions by its id: the position is an identity that nobody writes, and the
-- number in the feed is given under the lock of the head.
-- contract: one of the same name that an interrupted attempt left is no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS shared.outbox_position;
CREATE INDEX CONCURRENTLY outbox_position ON shared.outbox (position);
-- contract: one of the same name that an interrupted attempt left is no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS shared.outbox_feed_position;
CREATE INDEX CONCURRENTLY outbox_feed_position ON shared.outbox (feed_position) WHERE feed_position IS NOT NULL;
