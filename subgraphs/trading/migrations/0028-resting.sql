-- What rests in a market is taken off its books before a quote is priced.
CREATE INDEX executions_resting ON trading.executions (symbol, synthetic) INCLUDE (venue, side, limit_price, amount, filled_amount)
  WHERE state IN ('SENDING', 'OPEN', 'UNKNOWN') AND time_in_force = 'GTC';
