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

INSERT INTO trading.currencies (code, decimals, fiat) VALUES
  ('BRL', 2, true),
  ('BTC', 8, false),
  ('ETH', 8, false),
  ('USDT', 6, false);

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
-- What a company pays and how much it may do. A limit that is null does not hold.
CREATE TABLE trading.company_terms (
  company_id uuid PRIMARY KEY REFERENCES trading.companies,
  -- Fees of an execution, in percent of its value in the quote currency.
  maker_fee numeric(8, 6) NOT NULL CHECK (maker_fee BETWEEN 0 AND 10),
  taker_fee numeric(8, 6) NOT NULL CHECK (taker_fee BETWEEN 0 AND 10),
  -- Of one order, in BRL.
  max_order_value numeric(17, 2) CHECK (max_order_value > 0),
  -- Of the company with all its profiles: orders that are open at once, and value of a civil day in São Paulo in BRL.
  max_open_orders integer CHECK (max_open_orders BETWEEN 1 AND 1000000),
  max_daily_volume numeric(17, 2) CHECK (max_daily_volume > 0),
  -- The same of each profile, and of what the company trades for itself.
  profile_max_open_orders integer CHECK (profile_max_open_orders BETWEEN 1 AND 1000000),
  profile_max_daily_volume numeric(17, 2) CHECK (profile_max_daily_volume > 0),
  -- What the open quotes of a company may be worth in one market, in BRL.
  max_quoted_value numeric(17, 2) NOT NULL DEFAULT 5000000 CHECK (max_quoted_value > 0),
  updated_at timestamptz NOT NULL
);

-- What a program of a company logs in by. The secret is shown once and kept nowhere.
CREATE TABLE trading.credentials (
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES trading.companies,
  -- Public.
  api_key text NOT NULL CONSTRAINT credentials_api_key UNIQUE CHECK (api_key ~ '^svc_trd_[0-9A-Za-z]{17}$'),
  -- SHA-256 of the secret.
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'trade', 'withdraw']),
  -- Where it may be used from; null is anywhere.
  allowed_networks cidr[] CHECK (cardinality(allowed_networks) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  -- Null: it does not expire.
  expires_at timestamptz CHECK (expires_at > created_at),
  -- The last login or refresh.
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX credentials_company ON trading.credentials (company_id, created_at DESC);

-- A login, and all that is refreshed from it: it ends as a whole.
CREATE TABLE trading.token_families (
  id uuid PRIMARY KEY,
  credential_id uuid NOT NULL REFERENCES trading.credentials,
  created_at timestamptz NOT NULL,
  -- When its last refresh token expires.
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  ended_at timestamptz
);
CREATE INDEX token_families_live ON trading.token_families (credential_id, expires_at) WHERE ended_at IS NULL;
CREATE INDEX token_families_expiry ON trading.token_families (expires_at);

-- A refresh token: good for one use. A second one ends its family, so that those used are kept until they have expired.
CREATE TABLE trading.refresh_tokens (
  -- SHA-256 of the token.
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  family_id uuid NOT NULL REFERENCES trading.token_families,
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > issued_at),
  used_at timestamptz
);
CREATE INDEX refresh_tokens_family ON trading.refresh_tokens (family_id);
CREATE INDEX refresh_tokens_expiry ON trading.refresh_tokens (expires_at);
