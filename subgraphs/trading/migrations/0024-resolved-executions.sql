-- When an operator said what became of an execution: what its venue says of it afterwards is no business of the client's.
ALTER TABLE trading.executions ADD COLUMN resolved_at timestamptz;

-- What is not over yet: at its venue, or because fills of it that the venue has told of are not here.
DROP INDEX trading.executions_open;
CREATE INDEX executions_unsettled ON trading.executions (session)
  WHERE state IN ('SENDING', 'OPEN', 'UNKNOWN') OR filled_amount < reported_amount;
