-- An operator can disable an account: nobody logs in to it, and its sessions and keys are refused until it is enabled again.

ALTER TABLE accounts.accounts
  ADD COLUMN disabled_at timestamptz,
  -- For operators; its owner is not told.
  ADD COLUMN disabled_reason text CHECK (length(disabled_reason) BETWEEN 1 AND 500),
  ADD CONSTRAINT accounts_disabled CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL));
