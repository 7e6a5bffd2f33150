-- Contracts of a draft can be removed and replaced: those behind move up, in one statement.
ALTER TABLE credit_assignment.receivables DROP CONSTRAINT receivables_batch_id_position_key;
ALTER TABLE credit_assignment.receivables
  ADD CONSTRAINT receivables_place UNIQUE (batch_id, position) DEFERRABLE INITIALLY IMMEDIATE;

-- Contracts are looked up by their originator's name for them.
CREATE INDEX receivables_external_id ON credit_assignment.receivables (external_id, id);

-- Lists of batches by estate and status, in the order of their ids, which is that of their creation.
CREATE INDEX credit_batches_patrimony_status ON credit_assignment.credit_batches (originator_id, patrimony_id, status, id);
ALTER TABLE credit_assignment.settlement_batches ADD COLUMN patrimony_id uuid REFERENCES credit_assignment.estates;
UPDATE credit_assignment.settlement_batches AS settlement SET patrimony_id = credit.patrimony_id
  FROM credit_assignment.credit_batches AS credit WHERE credit.id = settlement.credit_batch_id;
ALTER TABLE credit_assignment.settlement_batches ALTER COLUMN patrimony_id SET NOT NULL;
CREATE INDEX settlement_batches_patrimony ON credit_assignment.settlement_batches (originator_id, patrimony_id, id);
CREATE INDEX settlement_batches_patrimony_status
  ON credit_assignment.settlement_batches (originator_id, patrimony_id, status, id);

-- What the originator calls a payment, by which it is known when it comes again.
ALTER TABLE credit_assignment.settlements
  ADD COLUMN payment_reference text CHECK (payment_reference ~ '^[A-Za-z0-9._:/-]{1,100}$'),
  -- It was recorded before by its reference, and is not taken off the balance again.
  ADD COLUMN repeated boolean NOT NULL DEFAULT false;

-- The payments that were taken off balances, by their reference: each once for its receivable.
CREATE TABLE credit_assignment.payment_references (
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  payment_reference text NOT NULL,
  settled_amount numeric(20, 2) NOT NULL,
  settled_date date NOT NULL,
  -- The batch that it came in first, and its place there.
  batch_id uuid NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (receivable_id, payment_reference),
  FOREIGN KEY (batch_id, position) REFERENCES credit_assignment.settlements (batch_id, position)
);

-- Payments of assigned credits that operators recorded on the assets, as tokenization told of them: each once.
CREATE TABLE credit_assignment.operator_payments (
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  installment_number integer NOT NULL CHECK (installment_number > 0),
  -- What the asset took in, and what of it was still open of the receivable by then, in BRL.
  amount numeric(20, 2) NOT NULL CHECK (amount >= 0),
  taken numeric(20, 2) NOT NULL CHECK (taken BETWEEN 0 AND amount),
  paid_on date NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (receivable_id, installment_number)
);
