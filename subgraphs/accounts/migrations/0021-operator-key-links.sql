-- A key that its owner fetches by a link in mail. Until then nobody knows its secret.
ALTER TABLE accounts.operator_keys
  -- The other operator who issued it; null where it was the command line without an operator, or the demo.
  ADD COLUMN issued_by uuid,
  -- SHA-256 of the token of the link; null once the key was fetched.
  ADD COLUMN link_hash bytea UNIQUE CHECK (octet_length(link_hash) = 32),
  ADD COLUMN link_expires_at timestamptz,
  ADD CHECK ((link_hash IS NULL) = (link_expires_at IS NULL));
