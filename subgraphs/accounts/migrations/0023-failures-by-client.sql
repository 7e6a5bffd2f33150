-- Attempts are counted by e-mail (or owner of factors) and client, and over all clients that are not known. They count for 15 minutes.
DELETE FROM accounts.login_failures;
ALTER TABLE accounts.login_failures
  -- The client; equal to email_digest in the count over all that are not known.
  ADD COLUMN client_digest bytea NOT NULL CHECK (octet_length(client_digest) = 32),
  DROP CONSTRAINT login_failures_pkey,
  ADD PRIMARY KEY (email_digest, client_digest),
  DROP CONSTRAINT login_failures_attempts_check,
  DROP CONSTRAINT login_failures_undecided_check,
  ADD CHECK (cardinality(attempts) <= 100),
  ADD CHECK (undecided BETWEEN 0 AND 100);
