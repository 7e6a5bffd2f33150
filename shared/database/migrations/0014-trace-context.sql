-- The span in which an event was announced, as the header `traceparent` of W3C Trace Context; null where its trace is not recorded. The relay's work and
-- the deliveries of webhooks are linked to it.
ALTER TABLE shared.outbox ADD COLUMN traceparent text;
