-- Files that operators upload for an import, in compressed pieces, until they are imported or for two hours.
CREATE TABLE accounts.import_pieces (
  owner_id text NOT NULL,
  file_id uuid NOT NULL,
  position integer NOT NULL CHECK (position BETWEEN 0 AND 255),
  piece bytea NOT NULL CHECK (length(piece) BETWEEN 1 AND 65536),
  added_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, file_id, position)
);
COMMENT ON TABLE accounts.import_pieces IS 'Pieces of files that operators upload for an import; kept for two hours at most';
COMMENT ON COLUMN accounts.import_pieces.owner_id IS 'Operator';
COMMENT ON COLUMN accounts.import_pieces.file_id IS 'Chosen by the client, once for each file';
COMMENT ON COLUMN accounts.import_pieces.position IS 'Position of the piece in the file compressed with gzip, from 0';
CREATE INDEX import_pieces_age ON accounts.import_pieces (added_at);
