-- A later registration of an e-mail replaces the one that waits.
CREATE UNIQUE INDEX accounts_waiting_email ON accounts.accounts (lower(email)) WHERE confirmed_at IS NULL;
