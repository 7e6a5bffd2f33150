-- Whether custody last reported that the transaction is in no block: it tells of it when that changes. Deposits from before this column that are not
-- in a block are looked up once; most of those that were reversed are known to be so.
ALTER TABLE trading.deposits ADD COLUMN reorganised boolean NOT NULL DEFAULT false;
UPDATE trading.deposits SET reorganised = true WHERE state = 'REVERSED';
