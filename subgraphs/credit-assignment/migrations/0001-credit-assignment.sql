-- formerly 5450f1cfa7621f59fd068ca466a4b94e6fda1e4c41fcf7bf0c1e929815178f42
-- Who assigns credits, the batches in which they come, what became of each credit, and what was received for it.
-- Money is in BRL. Days are civil days in São Paulo.

-- A client of the credit-assignment interface. It signs its requests.
CREATE TABLE credit_assignment.originators (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- The account whose people and keys may look at its batches, and whose webhooks are told of them.
  account_id text CHECK (account_id <> ''),
  -- Requests a minute; null is what the configuration says.
  rate_limit integer CHECK (rate_limit BETWEEN 1 AND 10000000),
  status text NOT NULL CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX originators_account ON credit_assignment.originators (account_id) WHERE account_id IS NOT NULL;

-- A public key that requests may be signed by. Several may be live, so that a client can change over.
CREATE TABLE credit_assignment.originator_keys (
  id uuid PRIMARY KEY,
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  -- SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), DER.
  spki bytea NOT NULL,
  -- SHA-256 of it: one key belongs to one client.
  fingerprint bytea NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
  bits integer NOT NULL CHECK (bits BETWEEN 2048 AND 8192),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX originator_keys_live ON credit_assignment.originator_keys (originator_id) WHERE revoked_at IS NULL;

-- The estates that there are, as tokenization announced them.
CREATE TABLE credit_assignment.estates (
  id uuid PRIMARY KEY,
  ticker text NOT NULL CHECK (ticker <> ''),
  name text NOT NULL CHECK (name <> '')
);
CREATE INDEX estates_ticker ON credit_assignment.estates (lower(ticker));

-- What an estate takes in. What is null is not asked.
CREATE TABLE credit_assignment.eligibility_criteria (
  patrimony_id uuid PRIMARY KEY,
  min_face_value numeric(20, 2) CHECK (min_face_value > 0),
  max_face_value numeric(20, 2) CHECK (max_face_value > 0),
  -- Days from the day of processing to the due date.
  max_term_days integer CHECK (max_term_days > 0),
  -- Percent of the face value of a batch.
  max_debtor_share numeric(7, 4) CHECK (max_debtor_share > 0 AND max_debtor_share <= 100),
  updated_at timestamptz NOT NULL,
  CHECK (min_face_value <= max_face_value)
);

CREATE TABLE credit_assignment.credit_batches (
  id uuid PRIMARY KEY,
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  patrimony_id uuid NOT NULL REFERENCES credit_assignment.estates,
  name text NOT NULL CHECK (name <> ''),
  status text NOT NULL CHECK (status IN ('DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED')),
  receivable_count integer NOT NULL CHECK (receivable_count BETWEEN 1 AND 50000),
  total_face_value numeric(24, 2) NOT NULL CHECK (total_face_value > 0),
  rejection_reason text,
  -- What was wrong with single contracts, at most 1,000: [{"index", "externalId", "path", "message"}], and how many there were.
  errors jsonb NOT NULL DEFAULT '[]',
  error_count integer NOT NULL DEFAULT 0 CHECK (error_count >= 0),
  created_at timestamptz NOT NULL,
  submitted_at timestamptz,
  -- When its processing may begin: until then it can be cancelled.
  process_after timestamptz,
  -- When it was processed or rejected.
  processed_at timestamptz,
  cancelled_at timestamptz,
  -- Who processes it, and when that counts as lost.
  lease uuid,
  leased_until timestamptz,
  CHECK ((status = 'REJECTED') = (rejection_reason IS NOT NULL)),
  CHECK (status = 'REJECTED' OR error_count = 0),
  CHECK (status IN ('DRAFT', 'CANCELLED') OR submitted_at IS NOT NULL),
  CHECK (status <> 'SUBMITTED' OR process_after IS NOT NULL),
  CHECK ((status IN ('PROCESSED', 'REJECTED')) = (processed_at IS NOT NULL)),
  CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL)),
  CHECK (lease IS NULL OR status = 'PROCESSING'),
  CHECK ((lease IS NULL) = (leased_until IS NULL))
);
CREATE INDEX credit_batches_list ON credit_assignment.credit_batches (originator_id, status, id);
CREATE INDEX credit_batches_newest ON credit_assignment.credit_batches (originator_id, id);
CREATE INDEX credit_batches_patrimony ON credit_assignment.credit_batches (originator_id, patrimony_id, id);
CREATE INDEX credit_batches_due ON credit_assignment.credit_batches (process_after) WHERE status = 'SUBMITTED';
CREATE INDEX credit_batches_processing ON credit_assignment.credit_batches (leased_until) WHERE status = 'PROCESSING';

-- A contract of a batch. Once its batch is processed it is a receivable of the estate, and an asset with the same id.
CREATE TABLE credit_assignment.receivables (
  id uuid PRIMARY KEY,
  batch_id uuid NOT NULL REFERENCES credit_assignment.credit_batches,
  -- Its place in the batch, from 0.
  position integer NOT NULL CHECK (position >= 0),
  external_id text NOT NULL CHECK (length(external_id) BETWEEN 1 AND 100),
  debtor_document text NOT NULL CHECK (debtor_document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  face_value numeric(20, 2) NOT NULL CHECK (face_value > 0),
  due_date date NOT NULL,
  -- PENDING until the batch is processed; what was rejected or cancelled stays PENDING with its batch.
  status text NOT NULL CHECK (status IN ('PENDING', 'OPEN', 'SETTLED')),
  -- What is still to be paid.
  open_balance numeric(20, 2) NOT NULL CHECK (open_balance BETWEEN 0 AND face_value),
  settled_at timestamptz,
  UNIQUE (batch_id, position),
  UNIQUE (batch_id, external_id),
  CHECK ((status = 'SETTLED') = (open_balance = 0)),
  CHECK ((status = 'SETTLED') = (settled_at IS NOT NULL))
);

-- The contracts that are assigned in a batch that is processed or being processed: each one once for its client.
CREATE TABLE credit_assignment.assigned_contracts (
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  external_id text NOT NULL,
  receivable_id uuid NOT NULL UNIQUE REFERENCES credit_assignment.receivables,
  PRIMARY KEY (originator_id, external_id)
);

CREATE TABLE credit_assignment.settlement_batches (
  id uuid PRIMARY KEY,
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  credit_batch_id uuid NOT NULL REFERENCES credit_assignment.credit_batches,
  status text NOT NULL CHECK (status IN ('DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED')),
  settlement_count integer NOT NULL CHECK (settlement_count BETWEEN 1 AND 50000),
  total_settled_amount numeric(24, 2) NOT NULL CHECK (total_settled_amount > 0),
  rejection_reason text,
  errors jsonb NOT NULL DEFAULT '[]',
  error_count integer NOT NULL DEFAULT 0 CHECK (error_count >= 0),
  created_at timestamptz NOT NULL,
  submitted_at timestamptz,
  process_after timestamptz,
  processed_at timestamptz,
  cancelled_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  CHECK ((status = 'REJECTED') = (rejection_reason IS NOT NULL)),
  CHECK (status = 'REJECTED' OR error_count = 0),
  CHECK (status IN ('DRAFT', 'CANCELLED') OR submitted_at IS NOT NULL),
  CHECK (status <> 'SUBMITTED' OR process_after IS NOT NULL),
  CHECK ((status IN ('PROCESSED', 'REJECTED')) = (processed_at IS NOT NULL)),
  CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL)),
  CHECK (lease IS NULL OR status = 'PROCESSING'),
  CHECK ((lease IS NULL) = (leased_until IS NULL))
);
CREATE INDEX settlement_batches_list ON credit_assignment.settlement_batches (originator_id, status, id);
CREATE INDEX settlement_batches_newest ON credit_assignment.settlement_batches (originator_id, id);
CREATE INDEX settlement_batches_credit_batch ON credit_assignment.settlement_batches (credit_batch_id);
CREATE INDEX settlement_batches_due ON credit_assignment.settlement_batches (process_after) WHERE status = 'SUBMITTED';
CREATE INDEX settlement_batches_processing ON credit_assignment.settlement_batches (leased_until) WHERE status = 'PROCESSING';

-- What was received for one receivable on one day. A batch may hold several for one.
CREATE TABLE credit_assignment.settlements (
  batch_id uuid NOT NULL REFERENCES credit_assignment.settlement_batches,
  -- Its place in the batch, from 0.
  position integer NOT NULL CHECK (position >= 0),
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  settled_amount numeric(20, 2) NOT NULL CHECK (settled_amount > 0),
  settled_date date NOT NULL,
  PRIMARY KEY (batch_id, position)
);
CREATE INDEX settlements_receivable ON credit_assignment.settlements (receivable_id);

-- Pieces of a batch, of either kind, that tokenization was told of and has not answered yet. With the last one the batch is processed.
CREATE TABLE credit_assignment.outstanding_pieces (
  batch_id uuid NOT NULL,
  piece integer NOT NULL CHECK (piece >= 0),
  PRIMARY KEY (batch_id, piece)
);
