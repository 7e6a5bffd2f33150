-- Events that one domain hands another: consumers get them, and nobody who listens on the bus.
ALTER TABLE shared.outbox ADD COLUMN internal boolean NOT NULL DEFAULT false;
