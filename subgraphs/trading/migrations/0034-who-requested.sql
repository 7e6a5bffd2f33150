-- The credential by which a withdrawal was requested, so that the operator who issued it, and has seen its secret, does not approve it. Null for
-- withdrawals from before this column.
ALTER TABLE trading.withdrawals ADD COLUMN requested_with uuid REFERENCES trading.credentials;
