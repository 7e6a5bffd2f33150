-- What the router saw of an order that it refused is kept for 30 days; of one that left for venues for as long as the order.
ALTER TABLE trading.routings ADD COLUMN kept_until timestamptz;
UPDATE trading.routings SET kept_until = orders.created_at + interval '30 days'
  FROM trading.orders WHERE orders.id = order_id AND orders.hold_id IS NULL;
CREATE INDEX routings_kept_until ON trading.routings (kept_until) WHERE kept_until IS NOT NULL;
