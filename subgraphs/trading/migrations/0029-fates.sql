-- How often in a row a venue has said that it does not have what was sent. A look that fails, or that finds it, begins anew.
ALTER TABLE trading.executions ADD COLUMN absences integer NOT NULL DEFAULT 0 CHECK (absences >= 0);
ALTER TABLE trading.hedge_orders
  ADD COLUMN absences integer NOT NULL DEFAULT 0 CHECK (absences >= 0),
  -- When an operator said what became of it: what its venue says of it afterwards changes nothing.
  ADD COLUMN resolved_at timestamptz;
