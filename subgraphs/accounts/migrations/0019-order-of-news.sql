-- News may come in any order: the latest of a day is the one with the greatest number of its event (`shared.outbox.position`). News that is stored has 0, and so does
-- news that the previous version stores: it counts less than any other of its day, and among itself by its position.
ALTER TABLE accounts.operation_news ADD COLUMN event_sequence bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN accounts.operation_news.event_sequence IS 'Number of the event in the outbox: of two about the same day, the greater one was published later';
