-- Rotation of keys, their use by day, the language of mail, and notices of expiry.

ALTER TABLE accounts.api_keys
  -- The key that was created in its place by a rotation; until `expires_at` both work.
  ADD COLUMN replaced_by uuid CONSTRAINT api_keys_replaced_by UNIQUE REFERENCES accounts.api_keys CHECK (replaced_by <> id),
  -- The last notice of its expiry that was mailed, in days ahead.
  ADD COLUMN expiry_notice_days smallint CHECK (expiry_notice_days IN (30, 10, 1));
ALTER TABLE accounts.developer_keys
  ADD COLUMN replaced_by uuid CONSTRAINT developer_keys_replaced_by UNIQUE REFERENCES accounts.developer_keys CHECK (replaced_by <> id),
  ADD COLUMN expiry_notice_days smallint CHECK (expiry_notice_days IN (30, 10, 1));
COMMENT ON COLUMN accounts.api_keys.replaced_by IS 'Key that a rotation created in its place; both work until expires_at';
COMMENT ON COLUMN accounts.api_keys.expiry_notice_days IS 'Last notice of expiry that was mailed, in days ahead: 30, 10 or 1';
COMMENT ON COLUMN accounts.developer_keys.replaced_by IS 'Key that a rotation created in its place; both work until expires_at';
COMMENT ON COLUMN accounts.developer_keys.expiry_notice_days IS 'Last notice of expiry that was mailed, in days ahead: 30, 10 or 1';
-- The job that mails notices of expiry reads the keys that expire soon.
CREATE INDEX api_keys_expiring ON accounts.api_keys (expires_at) WHERE revoked_at IS NULL AND replaced_by IS NULL;
CREATE INDEX developer_keys_expiring ON accounts.developer_keys (expires_at) WHERE revoked_at IS NULL AND replaced_by IS NULL;

ALTER TABLE accounts.accounts
  ADD COLUMN mail_language text NOT NULL DEFAULT 'PT_BR' CHECK (mail_language IN ('PT_BR', 'EN'));
COMMENT ON COLUMN accounts.accounts.mail_language IS 'Language of the mails that report on keys: PT_BR or EN';

CREATE TABLE accounts.key_days (
  key_id uuid NOT NULL,
  day date NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts.accounts,
  requests bigint NOT NULL DEFAULT 0 CHECK (requests >= 0),
  refused bigint NOT NULL DEFAULT 0 CHECK (refused >= 0),
  PRIMARY KEY (key_id, day)
);
COMMENT ON TABLE accounts.key_days IS 'Use of an API key or a developer key on one day, kept for 31 days';
COMMENT ON COLUMN accounts.key_days.key_id IS 'Key of either table; rows of a key are written only while it exists';
COMMENT ON COLUMN accounts.key_days.day IS 'Civil day in São Paulo';
COMMENT ON COLUMN accounts.key_days.account_id IS 'Account of the key';
COMMENT ON COLUMN accounts.key_days.requests IS 'Requests that the limit admitted';
COMMENT ON COLUMN accounts.key_days.refused IS 'Requests that the limit refused (429)';
CREATE INDEX key_days_account ON accounts.key_days (account_id);
CREATE INDEX key_days_age ON accounts.key_days (day);
