-- Which estates an originator may assign credits to: those that an operator named for it. Nothing is permitted by itself.
CREATE TABLE credit_assignment.originator_permits (
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  patrimony_id uuid NOT NULL REFERENCES credit_assignment.estates,
  permitted_at timestamptz NOT NULL,
  PRIMARY KEY (originator_id, patrimony_id)
);

-- A CLOSED estate takes nothing in. Tokenization announces the status with the name.
ALTER TABLE credit_assignment.estates
  ADD COLUMN status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('DRAFT', 'ACTIVE', 'CLOSED'));
ALTER TABLE credit_assignment.estates ALTER COLUMN status DROP DEFAULT;
