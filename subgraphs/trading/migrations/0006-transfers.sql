-- Funds that come in and go out. Nothing here moves funds by itself: the ledger does, in the transaction of the change.

-- Where a wallet takes deposits in on a network, from the first time that somebody asked.
CREATE TABLE trading.deposit_addresses (
  wallet_id uuid NOT NULL,
  synthetic boolean NOT NULL,
  network text NOT NULL CHECK (network ~ '^[a-z][a-z0-9-]{1,39}$'),
  -- In its one canonical form.
  address text NOT NULL CHECK (length(address) BETWEEN 1 AND 200),
  memo text CHECK (length(memo) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (wallet_id, network),
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic),
  -- What comes in is credited to whoever has the address.
  UNIQUE NULLS NOT DISTINCT (synthetic, network, address, memo)
);

-- An output of a transaction of a network that pays to an address of a wallet.
CREATE TABLE trading.deposits (
  id uuid PRIMARY KEY,
  wallet_id uuid NOT NULL,
  synthetic boolean NOT NULL,
  currency text NOT NULL REFERENCES trading.currencies,
  network text NOT NULL,
  address text NOT NULL,
  transaction text NOT NULL CHECK (length(transaction) BETWEEN 1 AND 200),
  output integer NOT NULL CHECK (output >= 0),
  -- What arrived, exactly, and what of it the client is credited: no more decimals than the currency has.
  amount numeric NOT NULL CHECK (amount > 0 AND amount < 1e24),
  credited numeric NOT NULL CHECK (credited >= 0 AND credited <= amount),
  state text NOT NULL CHECK (state IN ('SEEN', 'CONFIRMED', 'REVERSED', 'QUARANTINED', 'WRITTEN_OFF')),
  -- The newest that custody told of it: what is older and comes later changes nothing.
  revision bigint NOT NULL,
  confirmations integer NOT NULL CHECK (confirmations >= 0),
  resolution text CHECK (length(resolution) BETWEEN 1 AND 1000),
  seen_at timestamptz NOT NULL,
  -- When it was credited last.
  confirmed_at timestamptz,
  updated_at timestamptz NOT NULL,
  -- The part of the credit that was taken back: all of it of a deposit that is REVERSED; of one in quarantine, or written off, what the client still had.
  taken_back numeric NOT NULL DEFAULT 0,
  -- Whether custody last reported that the transaction is in no block: it tells of it when that changes.
  reorganised boolean NOT NULL DEFAULT false,
  -- Since when it is in quarantine; null for the others.
  quarantined_at timestamptz,
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic),
  CONSTRAINT deposits_output UNIQUE (synthetic, network, transaction, output),
  CHECK (state NOT IN ('CONFIRMED', 'QUARANTINED', 'WRITTEN_OFF') OR confirmed_at IS NOT NULL),
  CONSTRAINT deposits_taken_back CHECK (taken_back >= 0 AND taken_back <= credited)
);
CREATE INDEX deposits_wallet ON trading.deposits (wallet_id, id DESC);
-- What halts withdrawals of its wallet in its currency.
CREATE INDEX deposits_quarantined ON trading.deposits (wallet_id, currency) WHERE state = 'QUARANTINED';
-- Deposits that wait for confirmations, whatever happened to them before.
CREATE INDEX deposits_unconfirmed ON trading.deposits (synthetic, updated_at) WHERE state <> 'CONFIRMED' AND NOT reorganised;

-- What custody told of deposits and could not be taken in: it is asked for again, and holds up no other.
CREATE TABLE trading.set_aside_deposits (
  -- SHA-256 of world and output.
  key text PRIMARY KEY,
  synthetic boolean NOT NULL,
  -- Network, transaction and output as JSON: text, since custody may have told what no column takes.
  output text NOT NULL,
  -- How often it could not be taken in, why last, and when it is tried again; whoever tries puts this ahead, and so has it alone.
  attempts integer NOT NULL CHECK (attempts > 0),
  error text NOT NULL CHECK (length(error) BETWEEN 1 AND 500),
  first_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  -- The token of the claim under which a deposit is tried again: a claim that ran out writes nothing more.
  lease uuid
);
CREATE INDEX set_aside_deposits_due ON trading.set_aside_deposits (synthetic, due_at);

-- How far the house has read what custody tells of deposits.
CREATE TABLE trading.custody_cursors (
  synthetic boolean PRIMARY KEY,
  position text NOT NULL
);
INSERT INTO trading.custody_cursors (synthetic, position) VALUES (false, ''), (true, '');

CREATE TABLE trading.withdrawals (
  -- Also the id of its hold, and the client id that custody knows it by.
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES trading.companies,
  wallet_id uuid NOT NULL,
  synthetic boolean NOT NULL,
  currency text NOT NULL REFERENCES trading.currencies,
  network text NOT NULL,
  address text NOT NULL CHECK (length(address) BETWEEN 1 AND 200),
  -- What arrives, and what the house takes besides.
  amount numeric NOT NULL CHECK (amount > 0 AND amount < 1e24),
  fee numeric NOT NULL CHECK (fee >= 0),
  -- In BRL when it was asked for; null where no price was known.
  value_brl numeric CHECK (value_brl >= 0),
  approvals_needed smallint NOT NULL CHECK (approvals_needed BETWEEN 0 AND 5),
  -- UNCONFIRMED: it was sent, and custody does not know of it. An operator finds out.
  state text NOT NULL CHECK (state IN
    ('AWAITING_APPROVAL', 'READY', 'SENDING', 'SENT', 'QUARANTINED', 'UNCONFIRMED', 'COMPLETED', 'FAILED', 'REJECTED')),
  -- Of the travel rule; null where they were not given.
  beneficiary_name text CHECK (length(beneficiary_name) BETWEEN 1 AND 200),
  beneficiary_tax_id text CHECK (beneficiary_tax_id ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  self_custody boolean,
  -- What the network knows it by, once it was sent.
  transaction text CHECK (length(transaction) BETWEEN 1 AND 200),
  failure text CHECK (length(failure) BETWEEN 1 AND 1000),
  -- How often custody was asked to send it, or where it is, while its fate was unknown.
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- When something is to be done for it, and who does it: a lease that runs out then.
  due_at timestamptz,
  lease uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  sent_at timestamptz,
  completed_at timestamptz,
  -- The credential by which it was requested, so that the operator who issued it, and has seen its secret, does not approve it.
  requested_with uuid REFERENCES trading.credentials,
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic),
  CHECK ((state IN ('FAILED', 'REJECTED')) = (failure IS NOT NULL)),
  CHECK ((state = 'COMPLETED') = (completed_at IS NOT NULL)),
  CHECK (state NOT IN ('SENT', 'COMPLETED') OR sent_at IS NOT NULL),
  CONSTRAINT withdrawals_unconfirmed_sent CHECK (state <> 'UNCONFIRMED' OR sent_at IS NOT NULL),
  -- COMPLETED and due: custody is asked about a withdrawal that is said to have come back.
  CONSTRAINT withdrawals_due_state CHECK (
    CASE WHEN due_at IS NULL THEN state NOT IN ('READY', 'SENDING', 'SENT') ELSE state IN ('READY', 'SENDING', 'SENT', 'COMPLETED') END)
);
CREATE INDEX withdrawals_wallet ON trading.withdrawals (wallet_id, id DESC);
CREATE INDEX withdrawals_due ON trading.withdrawals (due_at) WHERE due_at IS NOT NULL;
-- For the limit of a day.
CREATE INDEX withdrawals_company ON trading.withdrawals (company_id, currency, created_at);
-- What waits for operators.
CREATE INDEX withdrawals_waiting ON trading.withdrawals (state, id) WHERE state IN ('AWAITING_APPROVAL', 'QUARANTINED', 'UNCONFIRMED');

-- Who approved a withdrawal: each operator once.
CREATE TABLE trading.withdrawal_approvals (
  withdrawal_id uuid NOT NULL REFERENCES trading.withdrawals,
  operator_id text NOT NULL CHECK (length(operator_id) BETWEEN 1 AND 200),
  -- By the clock of the database, as the times of the audit log are.
  decided_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The account with the operator's e-mail: its companies' withdrawals are decided by others.
  account_id text,
  PRIMARY KEY (withdrawal_id, operator_id)
);

-- Who said that a withdrawal which had arrived came back: each operator once.
CREATE TABLE trading.withdrawal_returns (
  withdrawal_id uuid NOT NULL REFERENCES trading.withdrawals,
  operator_id text NOT NULL CHECK (length(operator_id) BETWEEN 1 AND 200),
  decided_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  account_id text,
  PRIMARY KEY (withdrawal_id, operator_id)
);

-- How much of a currency a company may withdraw in 24 hours, with all its profiles; no row: any amount.
CREATE TABLE trading.withdrawal_limits (
  company_id uuid NOT NULL REFERENCES trading.companies,
  currency text NOT NULL REFERENCES trading.currencies,
  daily numeric NOT NULL CHECK (daily >= 0 AND daily < 1e24),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, currency)
);

-- Companies that withdraw to addresses of their list alone.
CREATE TABLE trading.withdrawal_allow_lists (
  company_id uuid PRIMARY KEY REFERENCES trading.companies,
  enabled_at timestamptz NOT NULL
);

-- Addresses that a company may withdraw to. It takes a while until a new one may be used.
CREATE TABLE trading.withdrawal_addresses (
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES trading.companies,
  network text NOT NULL,
  address text NOT NULL CHECK (length(address) BETWEEN 1 AND 200),
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  usable_at timestamptz NOT NULL,
  -- Whose it is, which the travel rule asks for; null where the company did not say it.
  owner_name text CHECK (length(owner_name) BETWEEN 1 AND 200),
  owner_tax_id text CHECK (owner_tax_id ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  self_custody boolean,
  CONSTRAINT withdrawal_addresses_once UNIQUE (company_id, network, address)
);

-- The simulated provider's own side: what its networks know. The house reads it through the `Custody` port alone.
CREATE TABLE trading.simulated_deposits (
  -- Grows with every change of a row, in the order in which changes are committed.
  revision bigint PRIMARY KEY,
  synthetic boolean NOT NULL,
  network text NOT NULL,
  transaction text NOT NULL,
  output integer NOT NULL,
  address text NOT NULL,
  currency text NOT NULL,
  amount numeric NOT NULL CHECK (amount > 0),
  -- When the transaction came into a block; null while it is in none, after a reorganisation.
  included_at timestamptz,
  UNIQUE (synthetic, network, transaction, output)
);

CREATE TABLE trading.simulated_sends (
  -- The id by which the house sends: sending again changes nothing.
  client_id uuid PRIMARY KEY,
  synthetic boolean NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  currency text NOT NULL,
  amount numeric NOT NULL CHECK (amount > 0),
  transaction text NOT NULL UNIQUE,
  -- Why the network returned it; null where it did not.
  returned text,
  included_at timestamptz NOT NULL
);
