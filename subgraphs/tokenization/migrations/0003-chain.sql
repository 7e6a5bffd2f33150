-- The token contracts of the series on public chains, and what their events say.

-- How far a chain is known.
CREATE TABLE tokenization.chains (
  -- The chain's number (EIP-155).
  chain_id integer PRIMARY KEY CHECK (chain_id > 0),
  head_block bigint NOT NULL CHECK (head_block >= 0),
  -- What is in this block and before stands for ever; it never falls.
  final_block bigint NOT NULL CHECK (final_block >= -1),
  -- How many blocks the node let us read at once.
  range_blocks integer NOT NULL CHECK (range_blocks > 0),
  read_at timestamptz NOT NULL
);

-- Blocks up to which events were read and that are not final yet, and the last final one: a reorganisation is found by them.
CREATE TABLE tokenization.chain_blocks (
  chain_id integer NOT NULL,
  number bigint NOT NULL CHECK (number >= 0),
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  PRIMARY KEY (chain_id, number)
);

-- An ERC-721A contract whose tokens are the units of a series: a fact of its chain, which stays when the series is withdrawn.
CREATE TABLE tokenization.collections (
  id uuid PRIMARY KEY,
  tranche_id uuid NOT NULL UNIQUE,
  chain_id integer NOT NULL CHECK (chain_id > 0),
  network text NOT NULL CHECK (network <> ''),
  -- With the checksum of EIP-55.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  explorer_url text CHECK (explorer_url ~ '^https?://'),
  deployed_block bigint NOT NULL CHECK (deployed_block >= 0),
  -- What the contract says of itself, as of `read_block`; null until it was asked.
  deployed_at timestamptz,
  name text,
  symbol text,
  total_supply numeric(78, 0) CHECK (total_supply >= 0),
  read_block bigint,
  read_at timestamptz,
  -- The last block whose events are here.
  scanned_block bigint NOT NULL CHECK (scanned_block >= deployed_block - 1),
  -- When events were last held against the contract; null when something has happened since.
  checked_at timestamptz,
  -- Movements that do not follow from those before them: a token moved from whom it did not belong to.
  gaps integer NOT NULL DEFAULT 0 CHECK (gaps >= 0),
  -- What does not agree between contract and events; null when all does.
  problem text,
  -- Raised by whatever is published of it; the other is the one that others were last told of.
  revision bigint NOT NULL DEFAULT 0,
  announced_revision bigint NOT NULL DEFAULT 0 CHECK (announced_revision <= revision),
  announced_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK (num_nulls(deployed_at, name, symbol, total_supply, read_block, read_at) IN (0, 6))
);
CREATE INDEX collections_scan ON tokenization.collections (chain_id, scanned_block);
-- Contracts of two chains may have one address: whoever deploys in the same way to both gets it.
CREATE UNIQUE INDEX collections_address ON tokenization.collections (lower(address), chain_id);

-- Tokens that changed hands in one log, or in logs that follow each other: then `log_index` is the first one's.
CREATE TABLE tokenization.chain_events (
  chain_id integer NOT NULL,
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  collection_id uuid NOT NULL REFERENCES tokenization.collections (id),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  type text NOT NULL CHECK (type IN ('MINT', 'TRANSFER', 'BURN')),
  from_address text NOT NULL CHECK (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  first_token_id numeric(78, 0) NOT NULL CHECK (first_token_id >= 0),
  last_token_id numeric(78, 0) NOT NULL CHECK (last_token_id >= first_token_id),
  occurred_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX chain_events_collection ON tokenization.chain_events (collection_id, block_number, log_index);

-- Who owns which tokens as of `collections.scanned_block`; ranges of one collection do not overlap.
CREATE TABLE tokenization.token_ranges (
  collection_id uuid NOT NULL REFERENCES tokenization.collections (id),
  first_token_id numeric(78, 0) NOT NULL CHECK (first_token_id >= 0),
  last_token_id numeric(78, 0) NOT NULL CHECK (last_token_id >= first_token_id),
  owner text NOT NULL CHECK (owner ~ '^0x[0-9a-fA-F]{40}$'),
  PRIMARY KEY (collection_id, first_token_id)
);
