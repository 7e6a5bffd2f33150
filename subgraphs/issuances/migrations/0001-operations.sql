-- The securitization operations of the house and everything that is published about them.
-- Values are raw (numeric, date); display strings are made at the edge. Percentages are percent numbers: 3.5 means 3,5 %.
-- `external_id` is the record's name in the operator's source, or one derived from its content: with it an import is an upsert.

-- One row. Every transaction that changes anything that is published adds one, so that what was built from an older
-- revision is known to be old. The row's lock also lets one import at a time commit.
CREATE TABLE issuances.revision (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  value bigint NOT NULL DEFAULT 0 CHECK (value >= 0),
  -- How many of the changes named their operations: any other concerns all of them.
  named bigint NOT NULL DEFAULT 0 CHECK (named >= 0)
);
INSERT INTO issuances.revision DEFAULT VALUES;

-- A revision of each operation, so that what was built from one is kept when another changes: the number of the whole revision at its last change.
CREATE TABLE issuances.operation_revisions (
  operation_id uuid PRIMARY KEY,
  value bigint NOT NULL
);

CREATE TABLE issuances.operations (
  id uuid PRIMARY KEY,
  ticker text NOT NULL CHECK (ticker ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
  -- The slug of the estate, the other name by which an operation is found.
  slug text NOT NULL CHECK (slug ~ '^[A-Za-z0-9][A-Za-z0-9-]{0,119}$'),
  type text NOT NULL CHECK (type IN ('CR', 'CRI', 'CRA', 'DEB')),
  is_public boolean NOT NULL,
  -- A free label, shown as it is.
  status text NOT NULL CHECK (status <> ''),
  name text NOT NULL CHECK (name <> ''),
  sub text NOT NULL DEFAULT '',
  -- Path of the operation's page on the website.
  href text NOT NULL CHECK (href LIKE '/%'),
  chips text[] NOT NULL DEFAULT '{}',
  emission_number text CHECK (emission_number <> ''),
  emission_date date,
  maturity_date date,
  issuer text,
  -- 14 characters without punctuation: digits, or the alphanumeric form in force since July 2026.
  issuer_cnpj text CHECK (issuer_cnpj ~ '^[0-9A-Z]{12}[0-9]{2}$'),
  trustee text,
  lead_coordinator text,
  bookkeeper text,
  auditor text,
  backing_asset text,
  rating text,
  -- What the operation is for; the summary is absent when this is.
  summary_description text,
  summary_segment text,
  summary_use_of_proceeds text,
  summary_offering text,
  summary_highlights text[] NOT NULL DEFAULT '{}',
  -- Name, ticker, slug, issuer, backing asset and the series' codes, normalised by `searchText` (operations/search-text.ts).
  search_text text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (emission_date <= maturity_date)
);
CREATE UNIQUE INDEX operations_ticker ON issuances.operations (lower(ticker));
CREATE UNIQUE INDEX operations_slug ON issuances.operations (lower(slug));
-- A page of public operations, by ticker or by issue date, is read in its order.
CREATE INDEX operations_by_ticker ON issuances.operations (lower(ticker) COLLATE "C", id) WHERE is_public;
CREATE INDEX operations_by_emission ON issuances.operations (emission_date DESC NULLS LAST, id DESC) WHERE is_public;

CREATE TABLE issuances.series (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  number integer NOT NULL CHECK (number > 0),
  ticker text NOT NULL CHECK (ticker ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
  class text NOT NULL CHECK (class IN ('SENIOR', 'MEZZANINE', 'JUNIOR', 'UNIQUE')),
  status text NOT NULL CHECK (status <> ''),
  indexer text NOT NULL CHECK (indexer IN ('PREFIXED', 'CDI', 'IPCA', 'IGPM', 'TR', 'SELIC', 'USD')),
  -- How much of the index is paid, in percent: 110 in `110,00% do CDI`.
  indexer_percent numeric(9, 4) NOT NULL DEFAULT 100 CHECK (indexer_percent > 0),
  -- Fixed rate, or spread over the index, in percent per year.
  rate numeric(12, 6) NOT NULL DEFAULT 0,
  -- Shown instead of what indexer and rate say, where the deed has words of its own.
  remuneration_label text CHECK (remuneration_label <> ''),
  issue_date date NOT NULL,
  maturity_date date NOT NULL,
  isin text CHECK (isin ~ '^[A-Z]{2}[A-Z0-9]{9}[0-9]$'),
  if_code text CHECK (if_code <> ''),
  unit_value numeric(24, 8) NOT NULL CHECK (unit_value > 0),
  quantity numeric(20, 0) NOT NULL CHECK (quantity >= 0),
  issued_total numeric(24, 2) NOT NULL CHECK (issued_total >= 0),
  raised_amount numeric(24, 2) CHECK (raised_amount >= 0),
  subscribed_quotas numeric(20, 0) CHECK (subscribed_quotas >= 0),
  -- How much a typed price may differ from the one before, in percent, before it needs a reason.
  max_daily_change_percent numeric(9, 4) NOT NULL DEFAULT 5 CHECK (max_daily_change_percent > 0),
  -- The tranche whose prices, payments, status and quantity are those of the series, as tokenization announced it last; null where none names the series.
  engine_tranche_id uuid,
  engine_tranche text,
  engine_sequence bigint,
  -- The event that told last what its payments are expected to be.
  projection_sequence bigint,
  -- Why an operator types them although a tranche names the series.
  typed_reason text CHECK (typed_reason <> ''),
  CHECK (num_nulls(engine_tranche_id, engine_tranche, engine_sequence) IN (0, 3)),
  CHECK (issue_date <= maturity_date),
  UNIQUE (operation_id, number)
);
CREATE UNIQUE INDEX series_ticker ON issuances.series (lower(ticker));
CREATE INDEX series_engine_tranche ON issuances.series (engine_tranche_id) WHERE engine_tranche_id IS NOT NULL;

-- The issuer's unit price, one a series and day.
CREATE TABLE issuances.unit_prices (
  series_id uuid NOT NULL REFERENCES issuances.series (id),
  date date NOT NULL,
  value numeric(24, 8) NOT NULL CHECK (value >= 0),
  -- The version of the engine's price that it is; null for one that was typed.
  engine_version integer CHECK (engine_version > 0),
  -- Whether the engine made it with a projected index number.
  projected boolean NOT NULL DEFAULT false,
  PRIMARY KEY (series_id, date)
);

-- The series that each tranche names, as tokenization announced it last: an older book of another series is not taken any more.
CREATE TABLE issuances.engine_links (
  tranche_id uuid PRIMARY KEY,
  -- In lower case; null where it names none, or is gone.
  series_ticker text,
  event_sequence bigint NOT NULL
);

-- What the engine computed for series whose prices are typed: what typed prices are compared with.
CREATE TABLE issuances.engine_prices (
  series_id uuid NOT NULL REFERENCES issuances.series (id),
  date date NOT NULL,
  value numeric(24, 8) NOT NULL CHECK (value >= 0),
  version integer NOT NULL CHECK (version > 0),
  PRIMARY KEY (series_id, date)
);

-- The unit price that an independent trustee firm publishes for the same series.
CREATE TABLE issuances.trustee_unit_prices (
  series_id uuid NOT NULL REFERENCES issuances.series (id),
  date date NOT NULL,
  value numeric(24, 8) NOT NULL CHECK (value >= 0),
  -- The firm.
  trustee text NOT NULL CHECK (trustee <> ''),
  PRIMARY KEY (series_id, date)
);

CREATE TABLE issuances.guarantees (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  position integer NOT NULL CHECK (position >= 0),
  type text NOT NULL CHECK (type <> ''),
  description text NOT NULL DEFAULT '',
  status text NOT NULL CHECK (status <> ''),
  UNIQUE (operation_id, external_id)
);

CREATE TABLE issuances.documents (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  is_public boolean NOT NULL,
  name text,
  type text,
  url text CHECK (url ~ '^https?://'),
  reference_date date,
  created_at timestamptz NOT NULL,
  UNIQUE (operation_id, external_id)
);

-- One delivery that a debtor owes; its status follows from these facts and the day.
CREATE TABLE issuances.obligations (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  title text NOT NULL CHECK (title <> ''),
  description text NOT NULL DEFAULT '',
  -- Who has to deliver.
  responsible text,
  periodicity text NOT NULL CHECK (periodicity IN ('ONCE', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL')),
  due_date date NOT NULL,
  -- Calendar days after the due date in which a delivery still counts as punctual.
  grace_days integer NOT NULL DEFAULT 0 CHECK (grace_days >= 0),
  delivered_date date,
  -- The holders gave the delivery up.
  waived_date date,
  UNIQUE (operation_id, external_id)
);
CREATE INDEX obligations_due ON issuances.obligations (operation_id, due_date);

-- What the operation pays its holders. Without a series: a payment of the whole operation. An unknown amount is null.
CREATE TABLE issuances.payments (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  series_id uuid REFERENCES issuances.series (id),
  installment_number integer NOT NULL CHECK (installment_number >= 0),
  -- A free label: Juros, Amortização, Juros e amortização, Resgate antecipado…
  event text NOT NULL CHECK (event <> ''),
  -- Within the years that the table of holidays covers.
  due_date date NOT NULL CHECK (due_date BETWEEN '2000-01-01' AND '2078-12-31'),
  paid_date date,
  interest_value numeric(24, 2) CHECK (interest_value >= 0),
  principal_value numeric(24, 2) CHECK (principal_value >= 0),
  total_value numeric(24, 2) CHECK (total_value >= 0),
  -- What is not paid of the total, where a part is; and the units that are paid, where the series has another quantity now.
  open_value numeric(24, 2) CHECK (open_value >= 0),
  units numeric(20, 0) CHECK (units > 0),
  -- Of a payment of the engine: the last day whose unit price is with it. Of others the price of the due day is without it.
  priced_until date,
  -- Of a payment of the engine: day and value of each recorded payment of it.
  paid_parts jsonb CHECK (jsonb_typeof(paid_parts) = 'array'),
  -- Of a payment of the engine: what it expects the payment to be, while that is not known; interest and principal are null of a premium.
  projected_interest numeric(24, 2),
  projected_principal numeric(24, 2),
  projected_total numeric(24, 2),
  CONSTRAINT payments_natural UNIQUE NULLS NOT DISTINCT (operation_id, series_id, installment_number, event)
);
CREATE INDEX payments_due ON issuances.payments (operation_id, due_date);
-- The list of payments of all operations, by due date (payments/operation-payment.store.ts).
CREATE INDEX payments_by_due_date ON issuances.payments (due_date, id);

CREATE TABLE issuances.operation_accounts (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  -- What the account is for: Conta centralizadora, Fundo de reserva…
  purpose text NOT NULL CHECK (purpose <> ''),
  bank text NOT NULL CHECK (bank <> ''),
  branch text,
  account_number text,
  balance numeric(24, 2),
  -- The least that the deed asks for, where it does (reserve and expense funds).
  minimum_balance numeric(24, 2) CHECK (minimum_balance >= 0),
  balance_date date,
  CHECK ((balance IS NULL) = (balance_date IS NULL)),
  UNIQUE (operation_id, external_id)
);

CREATE TABLE issuances.permitted_investments (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  description text NOT NULL CHECK (description <> ''),
  institution text,
  -- At most this share of the available cash, in percent.
  limit_percent numeric(9, 4) CHECK (limit_percent BETWEEN 0 AND 100),
  invested_amount numeric(24, 2) CHECK (invested_amount >= 0),
  position_date date,
  CHECK ((invested_amount IS NULL) = (position_date IS NULL)),
  UNIQUE (operation_id, external_id)
);

CREATE TABLE issuances.assemblies (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  date date NOT NULL,
  -- Free labels: Assembleia geral de titulares, 1ª convocação, Realizada…
  type text NOT NULL CHECK (type <> ''),
  title text NOT NULL CHECK (title <> ''),
  call text,
  status text NOT NULL CHECK (status <> ''),
  agenda text NOT NULL DEFAULT '',
  resolution text,
  -- Share of the holders present, in percent.
  quorum_percent numeric(9, 4) CHECK (quorum_percent BETWEEN 0 AND 100),
  url text CHECK (url ~ '^https?://'),
  UNIQUE (operation_id, external_id)
);

CREATE TABLE issuances.communications (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  kind text NOT NULL CHECK (kind IN ('NOTICE', 'MATERIAL_FACT')),
  date date NOT NULL,
  title text NOT NULL CHECK (title <> ''),
  description text NOT NULL DEFAULT '',
  UNIQUE (operation_id, external_id)
);
CREATE INDEX communications_date ON issuances.communications (operation_id, date);

CREATE TABLE issuances.participants (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  name text NOT NULL CHECK (name <> ''),
  position integer NOT NULL CHECK (position >= 0),
  logo_url text CHECK (logo_url ~ '^https?://'),
  functions text[] NOT NULL DEFAULT '{}',
  UNIQUE (operation_id, name)
);

CREATE TABLE issuances.onchain_contracts (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  -- The series that the contract tokenizes, where it is one.
  series_id uuid REFERENCES issuances.series (id),
  -- The chain's number (EIP-155) and its name.
  chain_id integer NOT NULL CHECK (chain_id > 0),
  network text NOT NULL CHECK (network <> ''),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  standard text NOT NULL CHECK (standard <> ''),
  name text NOT NULL,
  symbol text NOT NULL,
  token_quantity numeric(30, 0) NOT NULL CHECK (token_quantity >= 0),
  total_supply numeric(30, 0) NOT NULL CHECK (total_supply >= 0),
  deployed_at timestamptz NOT NULL,
  explorer_url text CHECK (explorer_url ~ '^https?://'),
  -- Which announcement it stands by: of two the one with the greater number is right. Null when none came.
  chain_revision bigint,
  -- SHA-256 of what that announcement said.
  chain_digest bytea CHECK (octet_length(chain_digest) = 32),
  CHECK ((chain_revision IS NULL) = (chain_digest IS NULL))
);
CREATE UNIQUE INDEX onchain_contracts_address ON issuances.onchain_contracts (chain_id, lower(address));
CREATE INDEX onchain_contracts_operation ON issuances.onchain_contracts (operation_id);

CREATE TABLE issuances.onchain_events (
  contract_id uuid NOT NULL REFERENCES issuances.onchain_contracts (id),
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  -- A free label: MINT, TRANSFER, BURN, PAYMENT…
  type text NOT NULL CHECK (type <> ''),
  from_address text CHECK (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  to_address text CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  token_quantity numeric(30, 0) CHECK (token_quantity >= 0),
  occurred_at timestamptz NOT NULL,
  PRIMARY KEY (contract_id, transaction_hash, log_index)
);
CREATE INDEX onchain_events_time ON issuances.onchain_events (contract_id, occurred_at);

-- The slugs of estates, by which their operations are found too, as tokenization announced them. The event with the greatest number counts
-- (`shared.outbox.position`); an estate that was deleted has no slug.
CREATE TABLE issuances.estate_slugs (
  patrimony_id uuid PRIMARY KEY,
  slug text,
  operation_ticker text,
  event_sequence bigint NOT NULL
);
CREATE INDEX estate_slugs_slug ON issuances.estate_slugs (lower(slug));
