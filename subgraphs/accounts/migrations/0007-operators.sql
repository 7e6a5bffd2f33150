-- Operators are people, each with keys of their own.

CREATE TABLE accounts.operators (
  id uuid PRIMARY KEY,
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  roles text[] NOT NULL CHECK (
    cardinality(roles) > 0 AND roles <@ ARRAY['read', 'publish', 'originate', 'administer']
  ),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
-- Whoever was revoked may be added again, as another operator.
CREATE UNIQUE INDEX operators_email ON accounts.operators (lower(email)) WHERE revoked_at IS NULL;

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
  revoked_at timestamptz
);
CREATE INDEX operator_keys_operator ON accounts.operator_keys (operator_id, created_at DESC);
