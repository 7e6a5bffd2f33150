-- Events about an estate may come in any order: the one with the greatest number counts (`shared.outbox.position`). Estates that are stored have 0, and so do those that
-- the previous version stores: any later event counts more.
ALTER TABLE credit_assignment.estates ADD COLUMN event_sequence bigint NOT NULL DEFAULT 0;
