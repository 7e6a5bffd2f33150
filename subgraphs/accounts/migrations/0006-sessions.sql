-- A session has a row, so that it can be listed and ended by itself. Tokens of before have none and are refused: everyone
-- who was logged in logs in once more.

CREATE TABLE accounts.sessions (
  -- The jti of its token.
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts.accounts,
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
  CHECK ((ended_at IS NULL) = (end_reason IS NULL))
);
CREATE INDEX sessions_account ON accounts.sessions (account_id, created_at DESC);
-- Those that are over, for whoever forgets them.
CREATE INDEX sessions_over ON accounts.sessions (least(ended_at, expires_at));

-- The networks that sessions of an account were opened from: a session from another one is told of by mail.
CREATE TABLE accounts.networks (
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  network text NOT NULL CHECK (length(network) BETWEEN 1 AND 64),
  last_opened_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, network)
);
CREATE INDEX networks_age ON accounts.networks (last_opened_at);

ALTER TABLE accounts.accounts
  -- A session ends by its own row now.
  DROP COLUMN session_generation,
  -- When the last notices went to the owner. They have a share of their own, which nobody else can use up.
  ADD COLUMN noticed_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(noticed_at) <= 10);
