-- Every registration is an account of its own until one of its e-mail is confirmed, which discards the others: nobody's
-- confirmation confirms what someone else registered.

DROP INDEX accounts.accounts_registered_email;
-- One confirmed account an e-mail among those made here.
CREATE UNIQUE INDEX accounts_confirmed_email ON accounts.accounts (lower(email))
  WHERE owner_type = 'EMISSOES_USER' AND confirmed_at IS NOT NULL;
-- Registrations that nobody confirmed, for whoever forgets them.
CREATE INDEX accounts_waiting ON accounts.accounts (created_at) WHERE confirmed_at IS NULL;

-- Used links too go with an account that is discarded.
DROP INDEX accounts.one_time_tokens_account;
CREATE INDEX one_time_tokens_account ON accounts.one_time_tokens (account_id, purpose);
