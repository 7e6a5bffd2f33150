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
  updated_at timestamptz NOT NULL,
  -- Whether people of the linked account may send files and submit or cancel batches for the client, which otherwise only signed requests do.
  account_may_send boolean NOT NULL DEFAULT false,
  CONSTRAINT originators_account_that_sends CHECK (account_id IS NOT NULL OR NOT account_may_send)
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
  name text NOT NULL CHECK (name <> ''),
  -- A CLOSED estate takes nothing in. Tokenization announces the status with the name.
  status text NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'CLOSED')),
  -- Events about an estate may come in any order: the one with the greatest number counts (`shared.outbox.position`).
  event_sequence bigint NOT NULL DEFAULT 0
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
  -- Limits of concentration and term: [{"kind", "base", "type", "maxShare", "maxDays"}].
  limits jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_array_length(limits) <= 50),
  -- What limits on NET_WORTH are measured on, and the day of which it is.
  net_worth numeric(24, 2) CHECK (net_worth > 0),
  net_worth_date date,
  updated_at timestamptz NOT NULL,
  CHECK (min_face_value <= max_face_value),
  CHECK ((net_worth IS NULL) = (net_worth_date IS NULL)),
  CHECK (net_worth IS NOT NULL OR NOT limits @> '[{"base": "NET_WORTH"}]')
);

-- Which estates an originator may assign credits to: those that an operator named for it. Nothing is permitted by itself.
CREATE TABLE credit_assignment.originator_permits (
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  patrimony_id uuid NOT NULL REFERENCES credit_assignment.estates,
  permitted_at timestamptz NOT NULL,
  PRIMARY KEY (originator_id, patrimony_id)
);

-- Contracts that an originator sends together. By their mode all of them are assigned or none, or those that are eligible.
CREATE TABLE credit_assignment.credit_batches (
  id uuid PRIMARY KEY,
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  patrimony_id uuid NOT NULL REFERENCES credit_assignment.estates,
  name text NOT NULL CHECK (name <> ''),
  status text NOT NULL CHECK (status IN ('DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED')),
  receivable_count integer NOT NULL CHECK (receivable_count BETWEEN 1 AND 50000),
  total_face_value numeric(24, 2) NOT NULL,
  -- Sum of the prices that its contracts state; null where none does.
  total_purchase_price numeric(24, 2),
  mode text NOT NULL CHECK (mode IN ('ALL_OR_NOTHING', 'ELIGIBLE_ONLY')),
  -- How it was sent; what became of it is written likewise.
  format text NOT NULL CHECK (format IN ('JSON', 'CSV', 'NDJSON', 'CNAB444')),
  -- Its number among all batches of the originator in its year. Others wait for its lock, so that it is given at the end of the transaction that
  -- creates the batch.
  number integer CHECK (number > 0),
  year integer GENERATED ALWAYS AS (extract(year FROM created_at AT TIME ZONE 'America/Sao_Paulo')) STORED,
  -- Who sent it; by a signed request, the SHA-256 of the key in DER.
  sender text NOT NULL CHECK (sender IN ('CLIENT', 'ACCOUNT', 'OPERATOR', 'PLATFORM')),
  sender_key text CHECK (sender_key ~ '^[0-9a-f]{64}$'),
  file_name text CHECK (length(file_name) BETWEEN 1 AND 200),
  -- Where its first line is in that file, while the others follow one by one.
  first_line integer CHECK (first_line > 0),
  -- The contracts that passed the checks, once they did.
  accepted_count integer CHECK (accepted_count BETWEEN 1 AND receivable_count),
  accepted_face_value numeric(24, 2) CHECK (accepted_face_value > 0),
  accepted_purchase_price numeric(24, 2) CHECK (accepted_purchase_price > 0),
  -- The rejected batch of which it has the contracts without errors.
  remade_from_id uuid REFERENCES credit_assignment.credit_batches,
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
  -- How often processing began, and why it failed the last time.
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  last_error text CHECK (length(last_error) BETWEEN 1 AND 500),
  -- When an operator held it back.
  quarantined_at timestamptz,
  -- The rules behind the reason of a rejection, each with its values, for texts in other languages.
  rejection_rules jsonb,
  CHECK ((status = 'REJECTED') = (rejection_reason IS NOT NULL)),
  CHECK (status = 'REJECTED' OR error_count = 0 OR accepted_count < receivable_count),
  CHECK ((accepted_count IS NULL) = (accepted_face_value IS NULL)),
  CHECK (mode = 'ELIGIBLE_ONLY' OR accepted_count = receivable_count OR accepted_count IS NULL),
  CHECK (accepted_count IS NULL OR status IN ('PROCESSING', 'PROCESSED')),
  CHECK (status IN ('DRAFT', 'CANCELLED') OR submitted_at IS NOT NULL),
  CHECK (status <> 'SUBMITTED' OR process_after IS NOT NULL),
  CHECK ((status IN ('PROCESSED', 'REJECTED')) = (processed_at IS NOT NULL)),
  CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL)),
  CHECK (lease IS NULL OR status = 'PROCESSING'),
  CHECK ((lease IS NULL) = (leased_until IS NULL)),
  CHECK (rejection_rules IS NULL OR status = 'REJECTED'),
  CONSTRAINT credit_batches_quarantined_processing CHECK (quarantined_at IS NULL OR lease IS NOT NULL)
);
CREATE UNIQUE INDEX credit_batches_number ON credit_assignment.credit_batches (originator_id, number, year);
-- Lists by estate and status, in the order of their ids, which is that of their creation.
CREATE INDEX credit_batches_list ON credit_assignment.credit_batches (originator_id, status, id);
CREATE INDEX credit_batches_newest ON credit_assignment.credit_batches (originator_id, id);
CREATE INDEX credit_batches_patrimony ON credit_assignment.credit_batches (originator_id, patrimony_id, id);
CREATE INDEX credit_batches_patrimony_status ON credit_assignment.credit_batches (originator_id, patrimony_id, status, id);
-- When a batch is to be decided: at the end of its grace, or at the end of a lease under which it was not.
CREATE INDEX credit_batches_due ON credit_assignment.credit_batches (coalesce(leased_until, process_after))
  WHERE status = 'SUBMITTED' OR lease IS NOT NULL;
-- What was done in the name of an originator is listed by the times of its batches, newest first.
CREATE INDEX credit_batches_created ON credit_assignment.credit_batches (originator_id, created_at, id);
CREATE INDEX credit_batches_submitted ON credit_assignment.credit_batches (originator_id, submitted_at, id) WHERE submitted_at IS NOT NULL;
CREATE INDEX credit_batches_cancelled ON credit_assignment.credit_batches (originator_id, cancelled_at, id) WHERE cancelled_at IS NOT NULL;
CREATE INDEX credit_batches_quarantined ON credit_assignment.credit_batches (quarantined_at) WHERE quarantined_at IS NOT NULL;
-- Each is made again once, unless that was cancelled.
CREATE UNIQUE INDEX credit_batches_remade ON credit_assignment.credit_batches (remade_from_id) WHERE remade_from_id IS NOT NULL AND status <> 'CANCELLED';
-- Which originators have a batch that is being decided: no second one of theirs is claimed meanwhile.
CREATE INDEX credit_batches_leased ON credit_assignment.credit_batches (originator_id) WHERE lease IS NOT NULL;

-- A contract of a batch. Once its batch is processed it is a receivable of the estate, and an asset with the same id.
CREATE TABLE credit_assignment.receivables (
  id uuid PRIMARY KEY,
  batch_id uuid NOT NULL REFERENCES credit_assignment.credit_batches,
  -- Its place in the batch, from 0.
  position integer NOT NULL CHECK (position >= 0),
  external_id text NOT NULL CHECK (length(external_id) BETWEEN 1 AND 100),
  debtor_document text NOT NULL CHECK (debtor_document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  -- The root of a CNPJ; a CPF is a group of its own.
  debtor_group text NOT NULL GENERATED ALWAYS AS (CASE length(debtor_document) WHEN 14 THEN left(debtor_document, 8) ELSE debtor_document END) STORED,
  face_value numeric(20, 2) NOT NULL,
  due_date date NOT NULL,
  debtor_name text CHECK (length(debtor_name) BETWEEN 1 AND 200),
  debtor_uf text CHECK (debtor_uf ~ '^[A-Z]{2}$'),
  purchase_price numeric(20, 2),
  -- The day of which the price is.
  base_date date,
  -- Percent a year.
  interest_rate numeric(14, 8) CHECK (interest_rate >= 0),
  day_count text CHECK (day_count IN ('BUS252', 'CIVIL_365', 'CIVIL_360')),
  -- [{"number", "dueDate", "principal", "interest"}], by number; null for one instalment of the face value.
  installments jsonb CHECK (jsonb_array_length(installments) BETWEEN 1 AND 480),
  -- Whether the assignor answers for the debtor.
  coobligation boolean,
  assignor_document text CHECK (assignor_document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  invoice_key text CHECK (invoice_key ~ '^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$'),
  type text NOT NULL CHECK (type IN ('CCB', 'CRI', 'CRA', 'DEBENTURE', 'PRECATORIO')),
  -- Principal and interest of its instalments; their principal is the face value.
  amount_due numeric(20, 2) NOT NULL,
  -- PENDING until the batch is processed; what was rejected or cancelled stays PENDING with its batch. REFUSED where only eligible ones are assigned.
  status text NOT NULL CHECK (status IN ('PENDING', 'REFUSED', 'OPEN', 'SETTLED')),
  -- What was wrong with it when its batch was processed: [{"field", "rule", "message", "messagePt"}].
  refusal jsonb CHECK (refusal IS NULL OR status IN ('PENDING', 'REFUSED')),
  -- What is still to be paid.
  open_balance numeric(20, 2) NOT NULL,
  -- What of the rest was abated, and what was received beyond it.
  abated numeric(20, 2) NOT NULL DEFAULT 0 CHECK (abated >= 0),
  surplus numeric(20, 2) NOT NULL DEFAULT 0 CHECK (surplus >= 0),
  -- Parts of what was abated, and of what was received.
  discounted numeric(20, 2) NOT NULL DEFAULT 0 CHECK (discounted >= 0),
  substituted numeric(20, 2) NOT NULL DEFAULT 0 CHECK (substituted >= 0),
  repurchased numeric(20, 2) NOT NULL DEFAULT 0 CHECK (repurchased >= 0),
  -- By how much renegotiations raised or lowered what is due, and the last due date since.
  renegotiated numeric(20, 2) NOT NULL DEFAULT 0,
  renegotiated_due_date date,
  -- Due date of its earliest unpaid instalment, or of its last one where nothing is open. A trigger keeps it.
  next_due_date date NOT NULL,
  -- Of the last change of these amounts.
  changed_at timestamptz,
  settled_at timestamptz,
  -- The estate of its batch, once it was assigned: what is open of its receivables is summed up without their batches.
  patrimony_id uuid CHECK (patrimony_id IS NULL OR status IN ('OPEN', 'SETTLED')),
  -- When an operator wrote its asset off: it is not owed as an open one, and its payments go to the credit that took its place, if there is one.
  written_off_at timestamptz,
  -- Contracts of a draft can be removed and replaced: those behind move up, in one statement.
  CONSTRAINT receivables_place UNIQUE (batch_id, position) DEFERRABLE INITIALLY IMMEDIATE,
  -- Contracts are looked up by their originator's name for them.
  UNIQUE (external_id, batch_id),
  -- Before that it may have values that cannot be true: by ELIGIBLE_ONLY it is kept as it was sent, and refused for them.
  CONSTRAINT receivables_assigned CHECK (status IN ('PENDING', 'REFUSED') OR face_value > 0 AND purchase_price > 0 AND base_date < due_date
    AND amount_due - renegotiated >= face_value AND (installments IS NOT NULL OR amount_due - renegotiated = face_value)
    AND (interest_rate IS NULL OR day_count IS NOT NULL) AND open_balance BETWEEN 0 AND amount_due AND abated <= amount_due
    AND (status = 'SETTLED') = (open_balance = 0)),
  CHECK (discounted + substituted <= abated),
  CHECK (status <> 'REFUSED' OR refusal IS NOT NULL),
  CHECK ((status = 'SETTLED') = (settled_at IS NOT NULL))
);
-- An invoice is assigned once for each of its due dates.
CREATE INDEX receivables_invoice ON credit_assignment.receivables (invoice_key) WHERE invoice_key IS NOT NULL;
-- The portfolio of an estate: what its debtors and their groups owe, and in all, without reading the rows.
CREATE INDEX receivables_portfolio ON credit_assignment.receivables (patrimony_id, debtor_group, debtor_document) INCLUDE (open_balance)
  WHERE status = 'OPEN' AND written_off_at IS NULL;

-- The contracts that are assigned in a batch that is processed or being processed: each one once for its client.
CREATE TABLE credit_assignment.assigned_contracts (
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  external_id text NOT NULL,
  receivable_id uuid NOT NULL UNIQUE REFERENCES credit_assignment.receivables,
  PRIMARY KEY (originator_id, external_id)
);

-- Payments of the receivables of one credit batch; decided as credit batches are.
CREATE TABLE credit_assignment.settlement_batches (
  id uuid PRIMARY KEY,
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  credit_batch_id uuid NOT NULL REFERENCES credit_assignment.credit_batches,
  -- The estate of that batch.
  patrimony_id uuid NOT NULL REFERENCES credit_assignment.estates,
  status text NOT NULL CHECK (status IN ('DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED')),
  settlement_count integer NOT NULL CHECK (settlement_count BETWEEN 1 AND 50000),
  -- Sums of its lines as they were sent: of payments, of what was received beyond balances, and of abatements.
  total_settled_amount numeric(24, 2) NOT NULL CHECK (total_settled_amount >= 0),
  total_surplus numeric(24, 2) NOT NULL CHECK (total_surplus >= 0),
  total_abated numeric(24, 2) NOT NULL CHECK (total_abated >= 0),
  -- Its number among all batches of the originator in its year. Others wait for its lock, so that it is given at the end of the transaction that
  -- creates the batch.
  number integer CHECK (number > 0),
  year integer GENERATED ALWAYS AS (extract(year FROM created_at AT TIME ZONE 'America/Sao_Paulo')) STORED,
  -- Who sent it; by a signed request, the SHA-256 of the key in DER.
  sender text NOT NULL CHECK (sender IN ('CLIENT', 'ACCOUNT', 'OPERATOR', 'PLATFORM')),
  sender_key text CHECK (sender_key ~ '^[0-9a-f]{64}$'),
  file_name text CHECK (length(file_name) BETWEEN 1 AND 200),
  -- SHA-256 of the lines of a file with payments that have no reference: they count once.
  file_digest text CHECK (file_digest ~ '^[0-9a-f]{64}$'),
  first_line integer CHECK (first_line > 0),
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
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  last_error text CHECK (length(last_error) BETWEEN 1 AND 500),
  quarantined_at timestamptz,
  rejection_rules jsonb,
  CHECK ((status = 'REJECTED') = (rejection_reason IS NOT NULL)),
  CHECK (status = 'REJECTED' OR error_count = 0),
  CHECK (status IN ('DRAFT', 'CANCELLED') OR submitted_at IS NOT NULL),
  CHECK (status <> 'SUBMITTED' OR process_after IS NOT NULL),
  CHECK ((status IN ('PROCESSED', 'REJECTED')) = (processed_at IS NOT NULL)),
  CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL)),
  CHECK (lease IS NULL OR status = 'PROCESSING'),
  CHECK ((lease IS NULL) = (leased_until IS NULL)),
  CHECK (rejection_rules IS NULL OR status = 'REJECTED'),
  CONSTRAINT settlement_batches_quarantined_processing CHECK (quarantined_at IS NULL OR lease IS NOT NULL)
);
CREATE UNIQUE INDEX settlement_batches_number ON credit_assignment.settlement_batches (originator_id, number, year);
CREATE INDEX settlement_batches_list ON credit_assignment.settlement_batches (originator_id, status, id);
CREATE INDEX settlement_batches_newest ON credit_assignment.settlement_batches (originator_id, id);
CREATE INDEX settlement_batches_credit_batch ON credit_assignment.settlement_batches (credit_batch_id, id);
CREATE INDEX settlement_batches_patrimony ON credit_assignment.settlement_batches (originator_id, patrimony_id, id);
CREATE INDEX settlement_batches_patrimony_status
  ON credit_assignment.settlement_batches (originator_id, patrimony_id, status, id);
CREATE INDEX settlement_batches_due ON credit_assignment.settlement_batches (coalesce(leased_until, process_after))
  WHERE status = 'SUBMITTED' OR lease IS NOT NULL;
CREATE INDEX settlement_batches_created ON credit_assignment.settlement_batches (originator_id, created_at, id);
CREATE INDEX settlement_batches_submitted ON credit_assignment.settlement_batches (originator_id, submitted_at, id)
  WHERE submitted_at IS NOT NULL;
CREATE INDEX settlement_batches_cancelled ON credit_assignment.settlement_batches (originator_id, cancelled_at, id)
  WHERE cancelled_at IS NOT NULL;
CREATE INDEX settlement_batches_quarantined ON credit_assignment.settlement_batches (quarantined_at) WHERE quarantined_at IS NOT NULL;
CREATE INDEX settlement_batches_leased ON credit_assignment.settlement_batches (originator_id) WHERE lease IS NOT NULL;

-- The last number that a batch of an originator got in a year.
CREATE TABLE credit_assignment.batch_numbers (
  originator_id uuid NOT NULL REFERENCES credit_assignment.originators,
  year integer NOT NULL,
  last integer NOT NULL CHECK (last > 0),
  PRIMARY KEY (originator_id, year)
);

-- What one receivable owes less since one day: it was paid, or abated and then not received. A batch may hold several for one.
CREATE TABLE credit_assignment.settlements (
  batch_id uuid NOT NULL REFERENCES credit_assignment.settlement_batches,
  -- Its place in the batch, from 0.
  position integer NOT NULL CHECK (position >= 0),
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  kind text NOT NULL CHECK (kind IN ('PAYMENT', 'ABATEMENT', 'DISCOUNT', 'REPURCHASE', 'SUBSTITUTION')),
  -- 0 where late interest and fines were received and nothing else.
  settled_amount numeric(20, 2) NOT NULL CHECK (settled_amount > 0 OR settled_amount = 0 AND kind = 'PAYMENT' AND surplus > 0),
  -- Late interest and fines that were received with it: no balance falls by them.
  surplus numeric(20, 2) NOT NULL CHECK (surplus >= 0 AND (kind IN ('PAYMENT', 'REPURCHASE') OR surplus = 0)),
  settled_date date NOT NULL,
  -- What the originator calls a payment, by which it is known when it comes again.
  payment_reference text CHECK (payment_reference ~ '^[A-Za-z0-9._:/-]{1,100}$'),
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- The receivable that takes its place in the estate.
  substitute_id uuid REFERENCES credit_assignment.receivables CHECK ((kind = 'SUBSTITUTION') = (substitute_id IS NOT NULL)),
  -- It was recorded before by its reference, and is not taken off the balance again.
  repeated boolean NOT NULL DEFAULT false,
  -- When an operator reversed it: so much of what it took off the balance is open again, and its surplus is returned.
  reversed_at timestamptz CHECK (reversed_at IS NULL OR NOT repeated),
  reversed_amount numeric(20, 2) NOT NULL DEFAULT 0 CHECK (reversed_amount BETWEEN 0 AND settled_amount),
  PRIMARY KEY (batch_id, position),
  CHECK (settled_amount = 0 OR (reversed_at IS NULL) = (reversed_amount = 0)),
  CHECK (reason IS NOT NULL OR kind IN ('PAYMENT', 'ABATEMENT'))
);
CREATE INDEX settlements_receivable ON credit_assignment.settlements (receivable_id);
-- A receivable takes the place of one at a time.
CREATE INDEX settlements_substitute ON credit_assignment.settlements (substitute_id) WHERE substitute_id IS NOT NULL;

-- The payments that were taken off balances, by their reference: each once for its receivable.
CREATE TABLE credit_assignment.payment_references (
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  payment_reference text NOT NULL,
  kind text NOT NULL,
  settled_amount numeric(20, 2) NOT NULL,
  surplus numeric(20, 2) NOT NULL,
  settled_date date NOT NULL,
  -- The batch that it came in first, and its place there.
  batch_id uuid NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (receivable_id, payment_reference),
  FOREIGN KEY (batch_id, position) REFERENCES credit_assignment.settlements (batch_id, position)
);

-- Payments of assigned credits that operators recorded on the assets, as tokenization told of them: each once.
CREATE TABLE credit_assignment.operator_payments (
  -- An instalment can be paid again once its payment was reversed.
  payment_id uuid PRIMARY KEY,
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  installment_number integer NOT NULL CHECK (installment_number > 0),
  -- What the asset took in, and what of it was still open of the receivable by then, in BRL.
  amount numeric(20, 2) NOT NULL CHECK (amount >= 0),
  taken numeric(20, 2) NOT NULL CHECK (taken BETWEEN 0 AND amount),
  paid_on date NOT NULL,
  recorded_at timestamptz NOT NULL,
  reversed_at timestamptz
);
CREATE UNIQUE INDEX operator_payments_stand ON credit_assignment.operator_payments (receivable_id, installment_number) WHERE reversed_at IS NULL;
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

-- Pieces of a batch, of either kind, that tokenization was told of and has not answered yet. With the last one the batch is processed.
CREATE TABLE credit_assignment.outstanding_pieces (
  batch_id uuid NOT NULL,
  piece integer NOT NULL CHECK (piece >= 0),
  PRIMARY KEY (batch_id, piece)
);

-- What acts of operators left open of the instalments of an asset: [{"dueDate", "amount"}], the earliest due first. An operator pays an instalment, or reverses
-- its payment, whatever stands before it; the last of these is where later payments begin.
CREATE TABLE credit_assignment.left_open (
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  -- Of the event that told of it.
  sequence bigint NOT NULL,
  unpaid jsonb NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (receivable_id, sequence)
);

-- The schedules that took the place of what was open of a receivable, as tokenization told of them. The last that stands is in force; the first is its own.
CREATE TABLE credit_assignment.renegotiations (
  id uuid PRIMARY KEY,
  receivable_id uuid NOT NULL REFERENCES credit_assignment.receivables,
  -- As those of a receivable.
  installments jsonb NOT NULL CHECK (jsonb_array_length(installments) BETWEEN 1 AND 480),
  -- Null where those of the contract stay.
  interest_rate numeric(14, 8) CHECK (interest_rate >= 0),
  day_count text CHECK (day_count IN ('BUS252', 'CIVIL_365', 'CIVIL_360')),
  -- By how much what is due rose, in BRL.
  raised numeric(20, 2) NOT NULL,
  reason text NOT NULL,
  recorded_at timestamptz NOT NULL,
  reverted_at timestamptz,
  CHECK ((interest_rate IS NULL) = (day_count IS NULL))
);
CREATE INDEX renegotiations_receivable ON credit_assignment.renegotiations (receivable_id, recorded_at);

-- Whatever the balance fell by covers the earliest due instalments first, of what the last act of an operator left open.
CREATE FUNCTION credit_assignment.keep_next_due_date() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE schedule jsonb := NEW.installments;
BEGIN
  IF NEW.open_balance = 0 THEN
    NEW.next_due_date := coalesce(NEW.renegotiated_due_date, NEW.due_date);
    RETURN NEW;
  END IF;
  -- Of 50,000 new contracts with 12 instalments, the query below would take 4.6 s.
  IF NEW.renegotiated_due_date IS NULL AND (schedule IS NULL OR NEW.open_balance = NEW.amount_due) THEN
    NEW.next_due_date := coalesce((schedule -> 0 ->> 'dueDate')::date, NEW.due_date);
    RETURN NEW;
  END IF;
  SELECT coalesce((SELECT unpaid FROM credit_assignment.left_open WHERE receivable_id = NEW.id ORDER BY sequence DESC LIMIT 1), schedule) INTO schedule;
  SELECT coalesce(min(due), NEW.next_due_date, NEW.due_date) INTO NEW.next_due_date FROM (
    SELECT "dueDate" AS due, sum(owed) OVER (ORDER BY "dueDate") AS reached, sum(owed) OVER () AS total
    FROM jsonb_to_recordset(schedule) AS one ("dueDate" date, amount numeric, principal numeric, interest numeric)
    CROSS JOIN LATERAL (SELECT coalesce(amount, principal + interest) AS owed) AS own) AS installment
  WHERE reached > total - NEW.open_balance;
  RETURN NEW;
END $$;
CREATE TRIGGER receivables_next_due BEFORE INSERT OR UPDATE OF open_balance, renegotiated_due_date ON credit_assignment.receivables
  FOR EACH ROW EXECUTE FUNCTION credit_assignment.keep_next_due_date();

-- By how much the amounts of a receivable changed, and when: what statements add up; nothing but 0 where only its schedule is another. The trigger alone writes it,
-- so that the changes of a receivable always add up to its amounts. Its open balance is assigned + renegotiated - (received - surplus) - abated - written_off.
CREATE TABLE credit_assignment.receivable_changes (
  receivable_id uuid NOT NULL,
  originator_id uuid NOT NULL,
  patrimony_id uuid NOT NULL,
  changed_at timestamptz NOT NULL,
  assigned numeric(20, 2) NOT NULL,
  renegotiated numeric(20, 2) NOT NULL,
  received numeric(20, 2) NOT NULL,
  surplus numeric(20, 2) NOT NULL,
  repurchased numeric(20, 2) NOT NULL,
  abated numeric(20, 2) NOT NULL,
  discounted numeric(20, 2) NOT NULL,
  substituted numeric(20, 2) NOT NULL,
  -- What was still open then; less what came in since.
  written_off numeric(20, 2) NOT NULL
);
CREATE INDEX receivable_changes_originator ON credit_assignment.receivable_changes (originator_id, changed_at);

CREATE FUNCTION credit_assignment.keep_receivable_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO credit_assignment.receivable_changes
  SELECT side.id, batch.originator_id, batch.patrimony_id, coalesce(max(side.changed_at) FILTER (WHERE sign = 1), transaction_timestamp()),
    sum(sign * (amount_due - renegotiated)) AS assigned, sum(sign * renegotiated) AS renegotiated,
    sum(sign * (amount_due - open_balance - abated + surplus)) AS received, sum(sign * surplus) AS surplus, sum(sign * repurchased) AS repurchased,
    sum(sign * abated) AS abated, sum(sign * discounted) AS discounted, sum(sign * substituted) AS substituted,
    sum(sign * CASE WHEN written_off_at IS NULL THEN 0 ELSE open_balance END) AS written_off
  FROM (SELECT -1 AS sign, before_rows.* FROM before_rows UNION ALL SELECT 1, after_rows.* FROM after_rows) AS side
  JOIN credit_assignment.credit_batches AS batch ON batch.id = side.batch_id
  WHERE side.status IN ('OPEN', 'SETTLED') GROUP BY side.id, batch.id;
  RETURN NULL;
END $$;
CREATE TRIGGER receivables_changed AFTER UPDATE ON credit_assignment.receivables
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION credit_assignment.keep_receivable_changes();

-- What an estate takes in keeps its versions: see `shared.keep_versions`.
SELECT shared.keep_versions('credit_assignment.eligibility_criteria', '{patrimony_id}');
-- Corrections of criteria are listed by their moment, and within it by their estate.
CREATE INDEX ON credit_assignment.eligibility_criteria_versions (superseded_at, patrimony_id)
  WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
-- The records that an import changed, by pages: see `shared.order_by_act`.
SELECT shared.order_by_act('credit_assignment.eligibility_criteria', '{patrimony_id}');
