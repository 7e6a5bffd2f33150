-- Who said that a withdrawal which had arrived came back: each operator once.
CREATE TABLE trading.withdrawal_returns (
  withdrawal_id uuid NOT NULL REFERENCES trading.withdrawals,
  operator_id text NOT NULL CHECK (length(operator_id) BETWEEN 1 AND 200),
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (withdrawal_id, operator_id)
);
-- Custody is asked about a withdrawal that is said to have come back: COMPLETED, and due.
-- contract: the constraint that follows replaces it
ALTER TABLE trading.withdrawals DROP CONSTRAINT withdrawals_check;
ALTER TABLE trading.withdrawals ADD CONSTRAINT withdrawals_due_state CHECK (
  CASE WHEN due_at IS NULL THEN state NOT IN ('READY', 'SENDING', 'SENT') ELSE state IN ('READY', 'SENDING', 'SENT', 'COMPLETED') END) NOT VALID;

-- Whose an address of a company's list is, which the travel rule asks for; null where the company did not say it.
ALTER TABLE trading.withdrawal_addresses
  ADD COLUMN owner_name text CHECK (length(owner_name) BETWEEN 1 AND 200),
  ADD COLUMN owner_tax_id text CHECK (owner_tax_id ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  ADD COLUMN self_custody boolean;
