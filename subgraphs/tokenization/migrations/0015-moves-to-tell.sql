-- What the payments of a piece changed of the status of assets, until it is told: after its batch is processed, a piece at a time.
ALTER TABLE tokenization.settled_pieces
  -- Whom it is told.
  ADD COLUMN owner_id text,
  -- [{"assetId", "externalId", "patrimonyId", "previousStatus", "status", "currentBalance"}]
  ADD COLUMN moves jsonb;
CREATE INDEX settled_pieces_to_tell ON tokenization.settled_pieces (batch_id, piece) WHERE moves IS NOT NULL;
