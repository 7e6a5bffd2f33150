-- Who trades, for whom, and in which wallets. Amounts are decimals of a currency, as exact as the currency is.

-- What can be held.
CREATE TABLE trading.currencies (
  -- As the exchanges write it: BRL, BTC, USDT.
  code text PRIMARY KEY CHECK (code ~ '^[A-Z0-9]{2,12}$'),
  -- Decimals of an amount that a client holds. Client amounts have no more.
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 18),
  -- Whether it is a fiat currency, which leaves by a payment system and not by a chain.
  fiat boolean NOT NULL
);

-- A company that trades for its own clients. It logs in by its credentials.
CREATE TABLE trading.companies (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- The account whose webhooks are told of its orders and funds.
  account_id text CHECK (account_id <> ''),
  -- Requests a minute; null is what the configuration says.
  rate_limit integer CHECK (rate_limit BETWEEN 1 AND 10000000),
  status text NOT NULL CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX companies_account ON trading.companies (account_id) WHERE account_id IS NOT NULL;

-- A client of a company, for whom it trades.
CREATE TABLE trading.profiles (
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES trading.companies,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- CPF (11 digits) or CNPJ (14 characters), without punctuation.
  tax_id text NOT NULL CHECK (tax_id ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  tax_id_type text NOT NULL CHECK (tax_id_type IN ('CPF', 'CNPJ')),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 320),
  -- Who suspended it; null while nobody has. What the operator suspended the company cannot activate.
  suspended_by text CHECK (suspended_by IN ('COMPANY', 'OPERATOR', 'BOTH')),
  status text NOT NULL GENERATED ALWAYS AS (CASE WHEN suspended_by IS NULL THEN 'ACTIVE' ELSE 'SUSPENDED' END) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (company_id, id),
  CHECK ((tax_id_type = 'CPF') = (length(tax_id) = 11)),
  -- Two companies may serve the same person; one company serves a person once.
  CONSTRAINT profiles_tax_id UNIQUE (company_id, tax_id)
);

-- What a company (profile_id is null) or a profile of it holds. Real and synthetic funds lie in wallets of their own.
CREATE TABLE trading.wallets (
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES trading.companies,
  profile_id uuid,
  synthetic boolean NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (company_id, profile_id) REFERENCES trading.profiles (company_id, id),
  -- For the constraints that keep real and synthetic records apart.
  UNIQUE (id, synthetic),
  CONSTRAINT wallets_of UNIQUE NULLS NOT DISTINCT (company_id, profile_id, synthetic)
);

INSERT INTO trading.currencies (code, decimals, fiat) VALUES
  ('BRL', 2, true),
  ('BTC', 8, false),
  ('ETH', 8, false),
  ('USDT', 6, false);
