-- Keys of developers, for contracts on chain, webhooks and the acts of operators.

CREATE TABLE accounts.developer_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  -- The visible part, with svc_dev_ before it.
  prefix text NOT NULL UNIQUE CHECK (prefix ~ '^svc_dev_[0-9A-Za-z]{11}$'),
  -- SHA-256 of the whole key.
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  scopes text[] NOT NULL CHECK (
    cardinality(scopes) > 0 AND scopes <@ ARRAY['contracts:read', 'webhooks:read', 'webhooks:write', 'operator']
  ),
  -- Requests a minute.
  rate_limit integer NOT NULL CHECK (rate_limit > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  revoked_at timestamptz
);
CREATE INDEX developer_keys_account ON accounts.developer_keys (account_id, created_at DESC);
