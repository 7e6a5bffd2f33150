-- What custody told of deposits and could not be taken in: it is asked for again, and holds up no other.
CREATE TABLE trading.set_aside_deposits (
  -- SHA-256 of world and output.
  key text PRIMARY KEY,
  synthetic boolean NOT NULL,
  -- Network, transaction and output as JSON: text, since custody may have told what no column takes.
  output text NOT NULL,
  -- How often it could not be taken in, why last, and when it is tried again; whoever tries puts this ahead, and so has it alone.
  attempts integer NOT NULL CHECK (attempts > 0),
  error text NOT NULL CHECK (length(error) BETWEEN 1 AND 500),
  first_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL
);
CREATE INDEX set_aside_deposits_due ON trading.set_aside_deposits (synthetic, due_at);
