-- The span in which the event was announced (shared.outbox), to which its deliveries are linked; null where its trace is not recorded.
ALTER TABLE webhooks.events ADD COLUMN traceparent text;
