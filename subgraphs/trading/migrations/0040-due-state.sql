ALTER TABLE trading.withdrawals VALIDATE CONSTRAINT withdrawals_due_state;
