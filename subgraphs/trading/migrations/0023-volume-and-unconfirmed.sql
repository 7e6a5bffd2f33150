-- The volume of a day counts an order on the day on which it closes, and while it is open by what it can come to (orders_open finds those):
-- what closed is found by when it did.
DROP INDEX trading.orders_volume;
CREATE INDEX orders_volume ON trading.orders (company_id, synthetic, closed_at) INCLUDE (wallet_id, quote, filled_value)
  WHERE closed_at IS NOT NULL;

-- UNCONFIRMED: it was sent, and custody does not know of it. An operator finds out.
ALTER TABLE trading.withdrawals
  DROP CONSTRAINT withdrawals_state_check,
  ADD CONSTRAINT withdrawals_state_check CHECK (state IN
    ('AWAITING_APPROVAL', 'READY', 'SENDING', 'SENT', 'QUARANTINED', 'UNCONFIRMED', 'COMPLETED', 'FAILED', 'REJECTED')),
  ADD CONSTRAINT withdrawals_unconfirmed_sent CHECK (state <> 'UNCONFIRMED' OR sent_at IS NOT NULL);
DROP INDEX trading.withdrawals_waiting;
CREATE INDEX withdrawals_waiting ON trading.withdrawals (state, id) WHERE state IN ('AWAITING_APPROVAL', 'QUARANTINED', 'UNCONFIRMED');
