-- The use of developers' keys, counted as that of API keys is.

ALTER TABLE accounts.developer_keys
  ADD COLUMN last_used_at timestamptz,
  ADD COLUMN request_count bigint NOT NULL DEFAULT 0 CHECK (request_count >= 0);
