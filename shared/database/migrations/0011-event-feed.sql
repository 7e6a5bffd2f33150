-- The order in which events were published, for readers who resume. The relay numbers events in the transaction that publishes them, as the last thing
-- that it does before the commit, and holds the row of the head until then: numbers become visible in their order and without gaps, so
-- a reader who has seen one has missed none before it, however late the transaction that announced an event was committed.
CREATE TABLE shared.outbox_head (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- The number of the last published event.
  last bigint NOT NULL CHECK (last >= 0)
);
INSERT INTO shared.outbox_head (last) VALUES (0);

-- Events that were published before have no number, and internal ones get none.
ALTER TABLE shared.outbox ADD COLUMN feed_position bigint,
  ADD CONSTRAINT outbox_feed_published CHECK (feed_position IS NULL OR (published_at IS NOT NULL AND NOT internal));
-- What a process reads that follows the feed.
CREATE UNIQUE INDEX outbox_feed ON shared.outbox (feed_position) WHERE feed_position IS NOT NULL;
-- What is replayed: events about some subjects, and those of some originators.
CREATE INDEX outbox_feed_subject ON shared.outbox (topic, key, feed_position) WHERE feed_position IS NOT NULL;
CREATE INDEX outbox_feed_originator ON shared.outbox (topic, (payload ->> 'originatorId'), feed_position)
  WHERE feed_position IS NOT NULL AND (payload ->> 'originatorId') IS NOT NULL;
