-- When an operator said what became of an execution: what its venue says of it afterwards is no business of the client's.
ALTER TABLE trading.executions ADD COLUMN resolved_at timestamptz;
