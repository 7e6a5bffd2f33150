-- Requests made with keys of accounts, where REQUEST_LOG_DAYS is set.

-- The key begins with the time, so that the table can be partitioned by it. No reference to accounts: rows are written while their key is locked, and deleted with
-- the account after its keys.
CREATE TABLE accounts.request_log (
  at timestamptz NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  request_id uuid,
  method text NOT NULL CHECK (method ~ '^[A-Z]{1,20}$'),
  route text NOT NULL CHECK (length(route) BETWEEN 1 AND 200),
  status smallint NOT NULL CHECK (status BETWEEN 100 AND 599),
  error_code text CHECK (error_code ~ '^[A-Z_]{1,40}$'),
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  response_bytes bigint CHECK (response_bytes >= 0),
  PRIMARY KEY (at, id)
);
COMMENT ON TABLE accounts.request_log IS 'A request made with a key of an account; no path, query, header or body of it';
COMMENT ON COLUMN accounts.request_log.at IS 'End of the request';
COMMENT ON COLUMN accounts.request_log.id IS 'Distinguishes requests of one moment';
COMMENT ON COLUMN accounts.request_log.account_id IS 'Account of the key';
COMMENT ON COLUMN accounts.request_log.key_id IS 'API key or developer key';
COMMENT ON COLUMN accounts.request_log.request_id IS 'Id of the request; null where the caller chose one that is no UUID';
COMMENT ON COLUMN accounts.request_log.method IS 'HTTP method';
COMMENT ON COLUMN accounts.request_log.route IS 'Template of the route, such as /v1/emissoes/operacoes/{ticker}';
COMMENT ON COLUMN accounts.request_log.status IS 'HTTP status';
COMMENT ON COLUMN accounts.request_log.error_code IS 'Code of the registry of errors; of the graph that of the first error';
COMMENT ON COLUMN accounts.request_log.duration_ms IS 'Milliseconds from the arrival of the request to the end of its response';
COMMENT ON COLUMN accounts.request_log.response_bytes IS 'Bytes of the body of the response as sent; null where its length was not known before';
-- Lists of an account, newest first.
CREATE INDEX request_log_account ON accounts.request_log (account_id, at DESC, id DESC);
-- Errors of an account, grouped.
CREATE INDEX request_log_errors ON accounts.request_log (account_id, at) WHERE status >= 400 OR error_code IS NOT NULL;
-- One request by its id.
CREATE INDEX request_log_request ON accounts.request_log (request_id) WHERE request_id IS NOT NULL;
