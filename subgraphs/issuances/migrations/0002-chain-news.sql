-- Contracts whose facts come from their chain, and no longer from an import alone.
ALTER TABLE issuances.onchain_contracts
  -- Which announcement it stands by: of two the one with the greater number is right. Null when none came.
  ADD COLUMN chain_revision bigint,
  -- SHA-256 of what that announcement said.
  ADD COLUMN chain_digest bytea CHECK (octet_length(chain_digest) = 32),
  ADD CHECK ((chain_revision IS NULL) = (chain_digest IS NULL));
