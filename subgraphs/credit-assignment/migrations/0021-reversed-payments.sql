-- Payments that an operator reversed on the assets, as tokenization told of them: each reversal once.
CREATE TABLE credit_assignment.payment_reversals (
  -- Of the reversal, as tokenization calls it.
  id uuid PRIMARY KEY,
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  -- What is open again, in BRL.
  amount numeric(20, 2) NOT NULL CHECK (amount > 0),
  -- The payment of an operator that was reversed; null where it was of a settlement batch.
  payment_id uuid UNIQUE,
  recorded_at timestamptz NOT NULL
);
CREATE INDEX payment_reversals_receivable ON credit_assignment.payment_reversals (receivable_id);

-- An instalment can be paid again once its payment was reversed: a payment is known by an id of its own. Those that are there have none, and each is the
-- one of its instalment.
ALTER TABLE credit_assignment.operator_payments
  DROP CONSTRAINT operator_payments_pkey,
  ADD COLUMN payment_id uuid UNIQUE,
  ADD COLUMN reversed_at timestamptz;
CREATE UNIQUE INDEX operator_payments_stand ON credit_assignment.operator_payments (receivable_id, installment_number) WHERE reversed_at IS NULL;

-- A payment of a batch that an operator reversed: what it took off the balance is open again.
ALTER TABLE credit_assignment.settlements ADD COLUMN reversed_at timestamptz CHECK (reversed_at IS NULL OR NOT repeated);
