-- The part of the credit that was taken back: all of it of a deposit that is REVERSED; of one in quarantine, or written off, what the client still had.
ALTER TABLE trading.deposits
  ADD COLUMN taken_back numeric NOT NULL DEFAULT 0,
  ADD CONSTRAINT deposits_taken_back CHECK (taken_back >= 0 AND taken_back <= credited) NOT VALID;
