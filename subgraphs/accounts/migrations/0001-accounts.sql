-- Accounts of people and operators, what they prove themselves with, the keys of their programs, and what they follow.

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
  -- When the last messages went to the owner, so that nobody can flood a mailbox through us.
  mailed_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(mailed_at) <= 10),
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  -- When the last notices went to the owner. They have a share of their own, which nobody else can use up.
  noticed_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(noticed_at) <= 10),
  -- When an operator disabled it: nobody logs in to it, and its sessions and keys are refused until it is enabled again.
  disabled_at timestamptz,
  -- For operators; its owner is not told.
  disabled_reason text CHECK (length(disabled_reason) BETWEEN 1 AND 500),
  -- Language of the mails to it: PT_BR or EN.
  mail_language text NOT NULL DEFAULT 'PT_BR' CHECK (mail_language IN ('PT_BR', 'EN')),
  -- When links that reset a password were mailed, of the last hour: registrations of an e-mail by strangers do not use this limit up.
  reset_mailed_at timestamptz[] NOT NULL DEFAULT '{}',
  CHECK (
    CASE owner_type
      WHEN 'EMISSOES_USER' THEN company IS NOT NULL AND password_hash IS NOT NULL AND portal_id IS NULL
      ELSE company IS NULL AND password_hash IS NULL AND portal_id IS NOT NULL AND confirmed_at IS NOT NULL
    END
  ),
  CONSTRAINT accounts_disabled CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
CREATE INDEX accounts_email ON accounts.accounts (lower(email));
-- Every registration is an account of its own until one of its e-mail is confirmed: nobody's confirmation confirms what someone else registered. Those of the
-- portal are identified by portal_id: it may pass an e-mail on.
CREATE UNIQUE INDEX accounts_confirmed_email ON accounts.accounts (lower(email))
  WHERE owner_type = 'EMISSOES_USER' AND confirmed_at IS NOT NULL;
-- Registrations that nobody confirmed, for whoever forgets them.
CREATE INDEX accounts_waiting ON accounts.accounts (created_at) WHERE confirmed_at IS NULL;
-- A later registration of an e-mail replaces the one that waits.
CREATE UNIQUE INDEX accounts_waiting_email ON accounts.accounts (lower(email)) WHERE confirmed_at IS NULL;

-- Links in mail: only the SHA-256 of the token is here. Used means used_at is set; it is set once.
CREATE TABLE accounts.one_time_tokens (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  purpose text NOT NULL CHECK (purpose IN ('CONFIRM', 'RESET')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  used_at timestamptz
);
CREATE INDEX one_time_tokens_expiry ON accounts.one_time_tokens (expires_at);
CREATE INDEX one_time_tokens_account ON accounts.one_time_tokens (account_id, purpose);

CREATE TABLE accounts.api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  -- The visible part, with svcpub_ before it.
  prefix text NOT NULL UNIQUE CHECK (prefix ~ '^svcpub_[0-9A-Za-z]{11}$'),
  -- SHA-256 of the whole key.
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- Requests a minute that an operator gave this key; null is what the configuration says.
  rate_limit integer CHECK (rate_limit > 0),
  request_count bigint NOT NULL DEFAULT 0 CHECK (request_count >= 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- The key that a rotation created in its place; both work until `expires_at`.
  replaced_by uuid CONSTRAINT api_keys_replaced_by UNIQUE REFERENCES accounts.api_keys CHECK (replaced_by <> id),
  -- The last notice of its expiry that was mailed, in days ahead.
  expiry_notice_days smallint CHECK (expiry_notice_days IN (30, 10, 1))
);
CREATE INDEX api_keys_account ON accounts.api_keys (account_id, created_at DESC);
-- The job that mails notices of expiry reads the keys that expire soon.
CREATE INDEX api_keys_expiring ON accounts.api_keys (expires_at) WHERE revoked_at IS NULL AND replaced_by IS NULL;

-- Keys of developers, for contracts on chain, credits and webhooks.
CREATE TABLE accounts.developer_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  -- The visible part, with svc_dev_ before it.
  prefix text NOT NULL UNIQUE CHECK (prefix ~ '^svc_dev_[0-9A-Za-z]{11}$'),
  -- SHA-256 of the whole key.
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  scopes text[] NOT NULL CHECK (
    cardinality(scopes) > 0 AND scopes <@ ARRAY['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write']
  ),
  -- Requests a minute that an operator gave this key; null is what the configuration says.
  rate_limit integer CHECK (rate_limit > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  revoked_at timestamptz,
  last_used_at timestamptz,
  request_count bigint NOT NULL DEFAULT 0 CHECK (request_count >= 0),
  replaced_by uuid CONSTRAINT developer_keys_replaced_by UNIQUE REFERENCES accounts.developer_keys CHECK (replaced_by <> id),
  expiry_notice_days smallint CHECK (expiry_notice_days IN (30, 10, 1))
);
CREATE INDEX developer_keys_account ON accounts.developer_keys (account_id, created_at DESC);
CREATE INDEX developer_keys_expiring ON accounts.developer_keys (expires_at) WHERE revoked_at IS NULL AND replaced_by IS NULL;

-- Use of an API key or a developer key on one day, kept for 31 days.
CREATE TABLE accounts.key_days (
  -- Key of either table; rows of a key are written only while it exists.
  key_id uuid NOT NULL,
  -- Civil day in São Paulo.
  day date NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  -- Requests that the limit admitted.
  requests bigint NOT NULL DEFAULT 0 CHECK (requests >= 0),
  -- Requests that the limit refused (429).
  refused bigint NOT NULL DEFAULT 0 CHECK (refused >= 0),
  PRIMARY KEY (key_id, day)
);
CREATE INDEX key_days_account ON accounts.key_days (account_id);
CREATE INDEX key_days_age ON accounts.key_days (day);

-- What session tokens are signed with. The private part is sealed by the key ring.
CREATE TABLE accounts.signing_keys (
  kid text PRIMARY KEY CHECK (kid <> ''),
  public_jwk jsonb NOT NULL CHECK (public_jwk ->> 'crv' = 'Ed25519' AND NOT public_jwk ? 'd'),
  private_jwk bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Known to every instance before the first token is signed with it.
  signs_from timestamptz NOT NULL CHECK (signs_from >= created_at)
);

-- Attempts to log in for one e-mail (an HMAC of it, for it need not be anyone's) from one client, oldest first, counted before the password is looked at. A
-- right password removes the row.
CREATE TABLE accounts.login_failures (
  email_digest bytea NOT NULL CHECK (octet_length(email_digest) = 32),
  -- The client; equal to email_digest in the count over all that are not known.
  client_digest bytea NOT NULL CHECK (octet_length(client_digest) = 32),
  attempts timestamptz[] NOT NULL CHECK (cardinality(attempts) <= 100),
  -- How many of the attempts are still being verified.
  undecided integer NOT NULL CHECK (undecided BETWEEN 0 AND 100),
  last_attempt_at timestamptz NOT NULL,
  PRIMARY KEY (email_digest, client_digest)
);
CREATE INDEX login_failures_age ON accounts.login_failures (last_attempt_at);

-- Operators are people, each with keys of their own.
CREATE TABLE accounts.operators (
  id uuid PRIMARY KEY,
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  roles text[] NOT NULL CHECK (
    cardinality(roles) > 0 AND roles <@ ARRAY['read', 'publish', 'originate', 'trade', 'administer']
  ),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  -- Language of mails: PT_BR or EN.
  mail_language text NOT NULL DEFAULT 'PT_BR' CHECK (mail_language IN ('PT_BR', 'EN'))
);
-- Whoever was revoked may be added again, as the same operator.
CREATE UNIQUE INDEX operators_email ON accounts.operators (lower(email));

CREATE TABLE accounts.operator_keys (
  id uuid PRIMARY KEY,
  operator_id uuid NOT NULL REFERENCES accounts.operators,
  -- The visible part, with svc_op_ before it.
  prefix text NOT NULL UNIQUE CHECK (prefix ~ '^svc_op_[0-9A-Za-z]{11}$'),
  -- SHA-256 of the whole key.
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  last_used_at timestamptz,
  request_count bigint NOT NULL DEFAULT 0 CHECK (request_count >= 0),
  revoked_at timestamptz,
  -- The other operator who issued it; null where it was the command line without an operator, or the demo.
  issued_by uuid,
  -- SHA-256 of the token of the link in mail by which its owner fetches the key; null once that was done. Until then nobody knows its secret.
  link_hash bytea UNIQUE CHECK (octet_length(link_hash) = 32),
  link_expires_at timestamptz,
  CHECK ((link_hash IS NULL) = (link_expires_at IS NULL))
);
CREATE INDEX operator_keys_operator ON accounts.operator_keys (operator_id, created_at DESC);

-- Sessions of accounts, by token, and of browsers, which a cookie authenticates: of accounts, of operators, and of credentials that trade.
CREATE TABLE accounts.sessions (
  -- The jti of its token.
  id uuid PRIMARY KEY,
  account_id uuid REFERENCES accounts.accounts,
  -- Where it was opened from: the /24 of an IPv4 address, the /64 of an IPv6 one.
  network text NOT NULL CHECK (length(network) BETWEEN 1 AND 64),
  -- What it was opened with, as the client calls itself, shortened.
  user_agent text CHECK (length(user_agent) BETWEEN 1 AND 120),
  created_at timestamptz NOT NULL,
  -- Written once a minute at most.
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  ended_at timestamptz,
  end_reason text CHECK (
    end_reason IN ('LOGOUT', 'ENDED', 'DISPLACED', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'DISABLED', 'OPERATOR')
  ),
  operator_id uuid REFERENCES accounts.operators,
  -- The key that the operator logged in with: its roles are those of the session, and its end is the end of the session.
  operator_key_id uuid REFERENCES accounts.operator_keys,
  -- A credential of trading, another domain.
  trading_credential_id uuid,
  owner_id uuid GENERATED ALWAYS AS (coalesce(account_id, operator_id, trading_credential_id)) STORED,
  -- SHA-256 of the cookie's value; null for a session that a token authenticates.
  cookie_hash bytea CONSTRAINT sessions_cookie UNIQUE CHECK (octet_length(cookie_hash) = 32),
  -- How long the session of a browser lives without a request.
  idle_seconds integer CHECK (idle_seconds BETWEEN 1 AND 43200),
  -- When a second factor was proved in this session first.
  second_factor_at timestamptz,
  -- When its owner last proved to be there, at the log-in or later.
  proved_at timestamptz,
  CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
  CHECK (num_nonnulls(account_id, operator_id, trading_credential_id) = 1),
  CHECK (num_nonnulls(operator_id, operator_key_id) <> 1),
  CHECK (num_nonnulls(cookie_hash, idle_seconds, proved_at) IN (0, 3)),
  CHECK (account_id IS NOT NULL OR cookie_hash IS NOT NULL)
);
CREATE INDEX sessions_account ON accounts.sessions (account_id, created_at DESC);
-- Those that are over, for whoever forgets them.
CREATE INDEX sessions_over ON accounts.sessions (least(ended_at, expires_at));
CREATE INDEX sessions_owner ON accounts.sessions (owner_id, created_at DESC);

-- The networks that sessions of an account were opened from: a session from another one is told of by mail.
CREATE TABLE accounts.networks (
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  network text NOT NULL CHECK (length(network) BETWEEN 1 AND 64),
  last_opened_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, network)
);
CREATE INDEX networks_age ON accounts.networks (last_opened_at);

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

-- Requests made with keys of accounts, where REQUEST_LOG_DAYS is set; no path, query, header or body of them. No reference to accounts: rows are written while
-- their key is locked, and deleted with the account after its keys.
CREATE TABLE accounts.request_log (
  -- End of the request.
  at timestamptz NOT NULL,
  -- Distinguishes requests of one moment.
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- API key or developer key.
  key_id uuid NOT NULL,
  -- Id of the request; null where the caller chose one that is no UUID.
  request_id uuid,
  method text NOT NULL CHECK (method ~ '^[A-Z]{1,20}$'),
  -- Template of the route, such as /v1/emissoes/operacoes/{ticker}.
  route text NOT NULL CHECK (length(route) BETWEEN 1 AND 200),
  status smallint NOT NULL CHECK (status BETWEEN 100 AND 599),
  -- Code of the registry of errors; of the graph that of the first error.
  error_code text CHECK (error_code ~ '^[A-Z_]{1,40}$'),
  -- Milliseconds from the arrival of the request to the end of its response.
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  -- Bytes of the body of the response as sent; null where its length was not known before.
  response_bytes bigint CHECK (response_bytes >= 0),
  PRIMARY KEY (at, id)
);
-- Lists of an account, newest first.
CREATE INDEX request_log_account ON accounts.request_log (account_id, at DESC, id DESC);
-- Errors of an account, grouped.
CREATE INDEX request_log_errors ON accounts.request_log (account_id, at) WHERE status >= 400 OR error_code IS NOT NULL;
-- One request by its id.
CREATE INDEX request_log_request ON accounts.request_log (request_id) WHERE request_id IS NOT NULL;

-- The operations that an account watches, by ticker in upper case: they belong to another domain.
CREATE TABLE accounts.follows (
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  ticker text NOT NULL CHECK (ticker = upper(ticker) AND ticker ~ '^[A-Z0-9][A-Z0-9._-]{0,39}$'),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, ticker)
);
-- How many watch an operation.
CREATE INDEX follows_ticker ON accounts.follows (ticker);

-- Pieces of files that operators upload for an import, until they are imported or for two hours.
CREATE TABLE accounts.import_pieces (
  owner_id text NOT NULL,
  -- Chosen by the client, once for each file.
  file_id uuid NOT NULL,
  -- Position of the piece in the file compressed with gzip, from 0.
  position integer NOT NULL CHECK (position BETWEEN 0 AND 255),
  piece bytea NOT NULL CHECK (length(piece) BETWEEN 1 AND 65536),
  added_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, file_id, position)
);
CREATE INDEX import_pieces_age ON accounts.import_pieces (added_at);
