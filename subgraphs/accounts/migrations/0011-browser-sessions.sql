-- Sessions of browsers, which a cookie authenticates: of accounts, of operators, and of credentials that trade. Second factors of their owners.

ALTER TABLE accounts.sessions
  ALTER COLUMN account_id DROP NOT NULL,
  ADD COLUMN operator_id uuid REFERENCES accounts.operators,
  -- The key that the operator logged in with: its roles are those of the session, and its end is the end of the session.
  ADD COLUMN operator_key_id uuid REFERENCES accounts.operator_keys,
  -- A credential of trading, another domain.
  ADD COLUMN trading_credential_id uuid,
  ADD COLUMN owner_id uuid GENERATED ALWAYS AS (coalesce(account_id, operator_id, trading_credential_id)) STORED,
  -- SHA-256 of the cookie's value; null for a session that a token authenticates.
  ADD COLUMN cookie_hash bytea CONSTRAINT sessions_cookie UNIQUE CHECK (octet_length(cookie_hash) = 32),
  -- How long the session of a browser lives without a request.
  ADD COLUMN idle_seconds integer CHECK (idle_seconds BETWEEN 1 AND 43200),
  -- When a second factor was proved in this session first.
  ADD COLUMN second_factor_at timestamptz,
  -- When its owner last proved to be there, at the log-in or later.
  ADD COLUMN proved_at timestamptz,
  ADD CHECK (num_nonnulls(account_id, operator_id, trading_credential_id) = 1),
  ADD CHECK (num_nonnulls(operator_id, operator_key_id) <> 1),
  ADD CHECK (num_nonnulls(cookie_hash, idle_seconds, proved_at) IN (0, 3)),
  ADD CHECK (account_id IS NOT NULL OR cookie_hash IS NOT NULL);
CREATE INDEX sessions_owner ON accounts.sessions (owner_id, created_at DESC);

-- The owner of a second factor is an account, an operator, or a credential of trading.
CREATE TABLE accounts.passkeys (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('ACCOUNT', 'OPERATOR', 'TRADER')),
  -- As the authenticator names it.
  credential_id bytea NOT NULL CONSTRAINT passkeys_credential UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  -- COSE.
  public_key bytea NOT NULL CHECK (octet_length(public_key) BETWEEN 1 AND 4096),
  -- How often the authenticator has signed; always 0 for one that does not count.
  counter bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
  transports text[] NOT NULL CHECK (cardinality(transports) <= 10),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkeys_owner ON accounts.passkeys (owner_id, created_at);

CREATE TABLE accounts.totp_secrets (
  owner_id uuid PRIMARY KEY,
  owner_kind text NOT NULL CHECK (owner_kind IN ('ACCOUNT', 'OPERATOR', 'TRADER')),
  -- Encrypted: a code is computed from it.
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Null until a first code has shown that the application has the secret.
  confirmed_at timestamptz,
  -- The time step of the last code: neither it nor an earlier one is accepted again.
  last_step bigint NOT NULL DEFAULT 0,
  last_used_at timestamptz
);

CREATE TABLE accounts.recovery_codes (
  owner_id uuid NOT NULL,
  -- SHA-256 of the code, which has 80 random bits.
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (owner_id, code_hash)
);

-- Challenges of WebAuthn that wait to be signed. Each is deleted when it is used.
CREATE TABLE accounts.challenges (
  -- SHA-256 of the challenge.
  challenge_hash bytea PRIMARY KEY CHECK (octet_length(challenge_hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('LOGIN', 'PROVE', 'REGISTER')),
  -- The session that it was made for; null before the log-in. No reference: a session may be deleted before its challenges expire.
  session_id uuid,
  expires_at timestamptz NOT NULL,
  CHECK ((session_id IS NULL) = (purpose = 'LOGIN'))
);
CREATE INDEX challenges_session ON accounts.challenges (session_id, expires_at) WHERE session_id IS NOT NULL;
CREATE INDEX challenges_expiry ON accounts.challenges (expires_at);
