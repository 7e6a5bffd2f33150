-- Requests per minute of keys follow the configuration (`RATE_LIMIT_API_KEY`), unless an operator gives a key a limit of its own. Until now each key kept
-- the number that was configured when it was made, and there was no other way to a number.
ALTER TABLE accounts.api_keys ALTER COLUMN rate_limit DROP NOT NULL;
ALTER TABLE accounts.developer_keys ALTER COLUMN rate_limit DROP NOT NULL;
UPDATE accounts.api_keys SET rate_limit = NULL;
UPDATE accounts.developer_keys SET rate_limit = NULL;
