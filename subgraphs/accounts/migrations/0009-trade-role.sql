-- Operators of trading. Whoever could do everything can do this as well.
ALTER TABLE accounts.operators
  DROP CONSTRAINT operators_roles_check,
  ADD CONSTRAINT operators_roles_check CHECK (
    cardinality(roles) > 0 AND roles <@ ARRAY['read', 'publish', 'originate', 'trade', 'administer']
  );
UPDATE accounts.operators SET roles = ARRAY['read', 'publish', 'originate', 'trade', 'administer']
WHERE roles @> ARRAY['read', 'publish', 'originate', 'administer'];
