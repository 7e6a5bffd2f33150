-- Links that reset a password have a limit of their own: registrations of an e-mail by strangers do not use it up.
ALTER TABLE accounts.accounts ADD COLUMN reset_mailed_at timestamptz[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN accounts.accounts.reset_mailed_at IS 'When messages that were requested by forgot-password were mailed, of the last hour';
