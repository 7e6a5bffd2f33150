-- Keys may also read what an originator assigned, for the account that it is linked with.
ALTER TABLE accounts.developer_keys
  DROP CONSTRAINT developer_keys_scopes_check,
  ADD CONSTRAINT developer_keys_scopes_check CHECK (
    cardinality(scopes) > 0
    AND scopes <@ ARRAY['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write', 'operator']
  );
