-- The volume of a day counts an order on the day on which it closes, and while it is open by what it can come to (orders_open finds those):
-- what closed is found by when it did.
DROP INDEX trading.orders_volume;
CREATE INDEX orders_volume ON trading.orders (company_id, synthetic, closed_at) INCLUDE (wallet_id, quote, filled_value)
  WHERE closed_at IS NOT NULL;
