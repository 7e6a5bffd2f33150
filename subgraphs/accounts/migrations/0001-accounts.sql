-- Accounts of people, what they prove themselves with, and the API keys of their programs.

CREATE TABLE accounts.accounts (
  id uuid PRIMARY KEY,
  -- EMISSOES_USER registered here; AGENT_USER is known from the issuer's portal, which keeps the password.
  owner_type text NOT NULL CHECK (owner_type IN ('EMISSOES_USER', 'AGENT_USER')),
  -- As it was typed; compared as lower(email).
  email text NOT NULL CHECK (email = btrim(email) AND length(email) BETWEEN 3 AND 254),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  company text CHECK (length(company) BETWEEN 1 AND 200),
  password_hash text CHECK (password_hash LIKE '$argon2id$%'),
  portal_id text UNIQUE CHECK (length(portal_id) BETWEEN 1 AND 200),
  -- Sessions of an older generation have ended.
  session_generation integer NOT NULL DEFAULT 0 CHECK (session_generation >= 0),
  -- When the last messages went to the owner, so that nobody can flood a mailbox through us.
  mailed_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(mailed_at) <= 10),
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  CHECK (
    CASE owner_type
      WHEN 'EMISSOES_USER' THEN company IS NOT NULL AND password_hash IS NOT NULL AND portal_id IS NULL
      ELSE company IS NULL AND password_hash IS NULL AND portal_id IS NOT NULL AND confirmed_at IS NOT NULL
    END
  )
);
-- One account an e-mail among those made here. Those of the portal are identified by portal_id: it may pass an e-mail on.
CREATE UNIQUE INDEX accounts_registered_email ON accounts.accounts (lower(email)) WHERE owner_type = 'EMISSOES_USER';
CREATE INDEX accounts_email ON accounts.accounts (lower(email));

-- Links in mail: only the SHA-256 of the token is here. Used means used_at is set; it is set once.
CREATE TABLE accounts.one_time_tokens (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  purpose text NOT NULL CHECK (purpose IN ('CONFIRM', 'RESET')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  used_at timestamptz
);
CREATE INDEX one_time_tokens_account ON accounts.one_time_tokens (account_id, purpose) WHERE used_at IS NULL;
CREATE INDEX one_time_tokens_expiry ON accounts.one_time_tokens (expires_at);

CREATE TABLE accounts.api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  -- The visible part, with svcpub_ before it.
  prefix text NOT NULL UNIQUE CHECK (prefix ~ '^svcpub_[0-9A-Za-z]{11}$'),
  -- SHA-256 of the whole key.
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- Requests a minute.
  rate_limit integer NOT NULL CHECK (rate_limit > 0),
  request_count bigint NOT NULL DEFAULT 0 CHECK (request_count >= 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_account ON accounts.api_keys (account_id, created_at DESC);

-- What session tokens are signed with. The private part is sealed by the key ring.
CREATE TABLE accounts.signing_keys (
  kid text PRIMARY KEY CHECK (kid <> ''),
  public_jwk jsonb NOT NULL CHECK (public_jwk ->> 'crv' = 'Ed25519' AND NOT public_jwk ? 'd'),
  private_jwk bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Known to every instance before the first token is signed with it.
  signs_from timestamptz NOT NULL CHECK (signs_from >= created_at)
);

-- Attempts to log in for one e-mail (an HMAC of it, for it need not be anyone's), oldest first, counted before the
-- password is looked at. A right password removes the row.
CREATE TABLE accounts.login_failures (
  email_digest bytea PRIMARY KEY CHECK (octet_length(email_digest) = 32),
  attempts timestamptz[] NOT NULL CHECK (cardinality(attempts) <= 10),
  -- How many of the attempts are still being verified.
  undecided integer NOT NULL CHECK (undecided BETWEEN 0 AND 10),
  last_attempt_at timestamptz NOT NULL
);
CREATE INDEX login_failures_age ON accounts.login_failures (last_attempt_at);

-- The operations that an account watches, by ticker in upper case: they belong to another domain.
CREATE TABLE accounts.follows (
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  ticker text NOT NULL CHECK (ticker = upper(ticker) AND ticker ~ '^[A-Z0-9][A-Z0-9._-]{0,39}$'),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, ticker)
);
