-- Contracts of two chains may have one address: whoever deploys in the same way to both gets it.
DROP INDEX tokenization.collections_address;
CREATE UNIQUE INDEX collections_address ON tokenization.collections (lower(address), chain_id);
