-- An order that may not wait, and whose executions ended with a rest, is routed again: each round has executions and a routing of its own.
-- The worst price at which any part of it may be executed, in every round; null where it is sent once.
ALTER TABLE trading.orders
  ADD COLUMN worst_price numeric CONSTRAINT orders_worst_price CHECK (worst_price IS NULL
    OR worst_price > 0 AND time_in_force = 'IOC'
      AND (price IS NULL OR CASE side WHEN 'BUY' THEN worst_price <= price ELSE worst_price >= price END));

ALTER TABLE trading.executions
  ADD COLUMN round smallint NOT NULL DEFAULT 1 CONSTRAINT executions_round CHECK (round BETWEEN 1 AND 3),
  -- What may rest is sent once, and so is what is filled whole or not at all.
  ADD CONSTRAINT executions_again CHECK (round = 1 OR (time_in_force = 'IOC' AND NOT post_only));
-- Finds the executions of an order. A round is planned once, with one execution for a venue.
CREATE UNIQUE INDEX executions_round_venue ON trading.executions (order_id, round, venue);
DROP INDEX trading.executions_order;

ALTER TABLE trading.routings
  ADD COLUMN round smallint NOT NULL DEFAULT 1 CONSTRAINT routings_round CHECK (round BETWEEN 1 AND 3),
  -- An order that was refused has no further round.
  ADD CONSTRAINT routings_refused CHECK (round = 1 OR kept_until IS NULL),
  DROP CONSTRAINT routings_pkey,
  ADD PRIMARY KEY (order_id, round);
