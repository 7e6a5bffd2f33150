-- Parts of settlement batches whose payments are in the assets: a part that is told twice changes nothing the second time.
CREATE TABLE tokenization.settled_pieces (
  -- The settlement batch, of credit assignment.
  batch_id uuid NOT NULL,
  piece integer NOT NULL CHECK (piece >= 0),
  PRIMARY KEY (batch_id, piece)
);
