-- The token of the claim under which a deposit is tried again: a claim that ran out writes nothing more.
ALTER TABLE trading.set_aside_deposits ADD COLUMN lease uuid;
