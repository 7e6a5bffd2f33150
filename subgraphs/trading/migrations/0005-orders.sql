-- Orders of clients, what becomes of them at venues, and their executions.

CREATE TABLE trading.orders (
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES trading.companies,
  wallet_id uuid NOT NULL,
  synthetic boolean NOT NULL,
  client_order_id text CHECK (client_order_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  symbol text NOT NULL REFERENCES trading.markets,
  base text NOT NULL REFERENCES trading.currencies,
  quote text NOT NULL REFERENCES trading.currencies,
  side text NOT NULL CHECK (side IN ('BUY', 'SELL')),
  type text NOT NULL CHECK (type IN ('MARKET', 'LIMIT')),
  time_in_force text NOT NULL CHECK (time_in_force IN ('GTC', 'IOC', 'FOK', 'GTD')),
  post_only boolean NOT NULL,
  -- One of the two is what was asked for.
  amount numeric CHECK (amount > 0),
  quote_amount numeric CHECK (quote_amount > 0),
  price numeric CHECK (price > 0),
  expires_at timestamptz,
  status text NOT NULL CHECK (status IN ('PENDING', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED')),
  -- Why it was rejected, or is not filled whole.
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- What was set aside for it; null where it was refused at once.
  hold_id uuid UNIQUE,
  -- Fees that were agreed when it was placed, in percent of the value.
  maker_fee numeric NOT NULL CHECK (maker_fee >= 0),
  taker_fee numeric NOT NULL CHECK (taker_fee >= 0),
  -- Executed: in base; in quote as the client paid or got it, and exactly; the fee likewise.
  filled_amount numeric NOT NULL DEFAULT 0 CHECK (filled_amount >= 0),
  filled_value numeric NOT NULL DEFAULT 0 CHECK (filled_value >= 0),
  exact_value numeric NOT NULL DEFAULT 0 CHECK (exact_value >= 0),
  fee numeric NOT NULL DEFAULT 0 CHECK (fee >= 0),
  exact_fee numeric NOT NULL DEFAULT 0 CHECK (exact_fee >= 0),
  cancel_requested_at timestamptz,
  -- Since when its fate has to be found out by an operator.
  quarantined_at timestamptz,
  created_at timestamptz NOT NULL,
  filled_at timestamptz,
  closed_at timestamptz,
  -- The quote that it executes: each at most once.
  quote_id uuid CONSTRAINT orders_quote UNIQUE,
  -- The worst price at which any part of it may be executed, in every round (see executions); null where it is sent once.
  worst_price numeric CONSTRAINT orders_worst_price CHECK (worst_price IS NULL
    OR worst_price > 0 AND time_in_force = 'IOC'
      AND (price IS NULL OR CASE side WHEN 'BUY' THEN worst_price <= price ELSE worst_price >= price END)),
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic),
  UNIQUE (id, synthetic),
  CONSTRAINT orders_client_order_id UNIQUE (wallet_id, client_order_id),
  CHECK ((amount IS NULL) <> (quote_amount IS NULL)),
  CHECK ((type = 'LIMIT') = (price IS NOT NULL)),
  CHECK ((time_in_force = 'GTD') = (expires_at IS NOT NULL)),
  CHECK ((status IN ('PENDING', 'PARTIALLY_FILLED')) = (closed_at IS NULL)),
  CHECK ((status = 'FILLED') = (filled_at IS NOT NULL)),
  FOREIGN KEY (quote_id, synthetic) REFERENCES trading.quotes (id, synthetic),
  CONSTRAINT orders_of_quotes CHECK (quote_id IS NULL OR (status = 'FILLED' AND hold_id IS NULL))
);
CREATE INDEX orders_wallet ON trading.orders (wallet_id, id DESC);
CREATE INDEX orders_wallet_symbol ON trading.orders (wallet_id, symbol, id DESC);
CREATE INDEX orders_open ON trading.orders (company_id, wallet_id) WHERE closed_at IS NULL;
CREATE INDEX orders_expiry ON trading.orders (expires_at) WHERE closed_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX orders_quarantine ON trading.orders (quarantined_at) WHERE quarantined_at IS NOT NULL AND closed_at IS NULL;
-- Lists of open orders, and of those that ended in one way: neither walks through the history of a wallet.
CREATE INDEX orders_wallet_open ON trading.orders (wallet_id, id DESC) WHERE closed_at IS NULL;
CREATE INDEX orders_wallet_status ON trading.orders (wallet_id, status, id DESC);

-- The part of an order that goes to one venue. Its id is the client order id there. An order that may not wait, and whose executions ended with a rest, is
-- routed again: each round has executions and a routing of its own.
CREATE TABLE trading.executions (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL,
  synthetic boolean NOT NULL,
  venue text NOT NULL,
  symbol text NOT NULL,
  side text NOT NULL CHECK (side IN ('BUY', 'SELL')),
  amount numeric NOT NULL CHECK (amount > 0),
  limit_price numeric NOT NULL CHECK (limit_price > 0),
  time_in_force text NOT NULL CHECK (time_in_force IN ('GTC', 'IOC', 'FOK')),
  post_only boolean NOT NULL,
  -- SENDING: it leaves at this moment; UNKNOWN: whether the venue has it has to be found out; OPEN: the venue has it.
  state text NOT NULL CHECK (state IN ('SENDING', 'OPEN', 'UNKNOWN', 'FILLED', 'CANCELLED', 'REJECTED')),
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- What the venue says was executed in all; its fills may still be on their way.
  reported_amount numeric NOT NULL DEFAULT 0 CHECK (reported_amount >= 0),
  filled_amount numeric NOT NULL DEFAULT 0 CHECK (filled_amount >= 0),
  -- The process that deals with it.
  session uuid NOT NULL,
  looks integer NOT NULL DEFAULT 0,
  next_look_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- When an operator said what became of an execution: what its venue says of it afterwards is no business of the client's.
  resolved_at timestamptz,
  -- How often in a row a venue has said that it does not have what was sent. A look that fails, or that finds it, begins anew.
  absences integer NOT NULL DEFAULT 0 CHECK (absences >= 0),
  round smallint NOT NULL DEFAULT 1 CONSTRAINT executions_round CHECK (round BETWEEN 1 AND 3),
  FOREIGN KEY (order_id, synthetic) REFERENCES trading.orders (id, synthetic),
  -- What may rest is sent once, and so is what is filled whole or not at all.
  CONSTRAINT executions_again CHECK (round = 1 OR (time_in_force = 'IOC' AND NOT post_only))
);
CREATE INDEX executions_due ON trading.executions (next_look_at) WHERE next_look_at IS NOT NULL;
-- What is not over yet: at its venue, or because fills of it that the venue has told of are not here.
CREATE INDEX executions_unsettled ON trading.executions (session)
  WHERE state IN ('SENDING', 'OPEN', 'UNKNOWN') OR filled_amount < reported_amount;
-- Finds the executions of an order. A round is planned once, with one execution for a venue.
CREATE UNIQUE INDEX executions_round_venue ON trading.executions (order_id, round, venue);
-- Before a quote is priced, resting orders at the prices that a book shows are taken off it, and those that ended since it was read.
CREATE INDEX executions_resting_price ON trading.executions (symbol, synthetic, venue, side, limit_price)
  INCLUDE (amount, filled_amount, updated_at) WHERE state IN ('SENDING', 'OPEN', 'UNKNOWN') AND time_in_force = 'GTC';
CREATE INDEX executions_rested ON trading.executions (symbol, synthetic, venue, side, updated_at)
  INCLUDE (limit_price, amount) WHERE state IN ('FILLED', 'CANCELLED') AND time_in_force = 'GTC';

-- What a venue executed. Each trade counts once, however often it is reported.
CREATE TABLE trading.fills (
  venue text NOT NULL,
  trade_id text NOT NULL CHECK (length(trade_id) BETWEEN 1 AND 200),
  execution_id uuid NOT NULL REFERENCES trading.executions,
  price numeric NOT NULL CHECK (price > 0),
  amount numeric NOT NULL CHECK (amount > 0),
  -- Charged to the house by the venue.
  venue_fee numeric NOT NULL,
  venue_fee_currency text NOT NULL,
  liquidity text NOT NULL CHECK (liquidity IN ('MAKER', 'TAKER')),
  traded_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (venue, trade_id)
);
CREATE INDEX fills_execution ON trading.fills (execution_id);

-- Why an order went where it went: what the router saw and decided.
CREATE TABLE trading.routings (
  order_id uuid NOT NULL REFERENCES trading.orders,
  decision jsonb NOT NULL,
  -- What the router saw of an order that it refused is kept for 30 days; of one that left for venues for as long as the order.
  kept_until timestamptz,
  round smallint NOT NULL DEFAULT 1 CONSTRAINT routings_round CHECK (round BETWEEN 1 AND 3),
  PRIMARY KEY (order_id, round),
  -- An order that was refused has no further round.
  CONSTRAINT routings_refused CHECK (round = 1 OR kept_until IS NULL)
);
CREATE INDEX routings_kept_until ON trading.routings (kept_until) WHERE kept_until IS NOT NULL;

-- Processes that deal with executions. What one leaves behind that is not heard of any more, another takes over.
CREATE TABLE trading.sessions (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL
);

-- Dead-man timers: cancels all open orders of a wallet unless it is set again in time.
CREATE TABLE trading.cancel_timers (
  wallet_id uuid PRIMARY KEY REFERENCES trading.wallets,
  fires_at timestamptz NOT NULL
);
CREATE INDEX cancel_timers_due ON trading.cancel_timers (fires_at);

-- What the orders of a wallet that closed on a day (in Brasília) came to: a daily limit reads these rows, not the orders of its company. Kept by a trigger in the
-- transaction that changes the orders, so that they always equal a sum of the orders.
CREATE TABLE trading.daily_volumes (
  company_id uuid NOT NULL REFERENCES trading.companies,
  synthetic boolean NOT NULL,
  day date NOT NULL,
  wallet_id uuid NOT NULL,
  quote text NOT NULL,
  value numeric NOT NULL,
  PRIMARY KEY (company_id, synthetic, day, wallet_id, quote)
);
-- They forget what is no longer asked for.
CREATE INDEX daily_volumes_age ON trading.daily_volumes (day);

-- In one order for everyone: two writers then wait for each other, and never in a circle.
CREATE FUNCTION trading.add_to_daily_volumes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO trading.daily_volumes AS t (company_id, synthetic, day, wallet_id, quote, value)
    SELECT company_id, synthetic, (closed_at AT TIME ZONE 'America/Sao_Paulo')::date AS day, wallet_id, quote, sum(filled_value)
    FROM after WHERE closed_at IS NOT NULL AND filled_value <> 0
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (company_id, synthetic, day, wallet_id, quote) DO UPDATE SET value = t.value + excluded.value;
  ELSE
    INSERT INTO trading.daily_volumes AS t (company_id, synthetic, day, wallet_id, quote, value)
    SELECT company_id, synthetic, (closed_at AT TIME ZONE 'America/Sao_Paulo')::date AS day, wallet_id, quote, sum(value)
    FROM (
      SELECT company_id, synthetic, closed_at, wallet_id, quote, filled_value AS value FROM after WHERE closed_at IS NOT NULL
      UNION ALL SELECT company_id, synthetic, closed_at, wallet_id, quote, -filled_value FROM before WHERE closed_at IS NOT NULL
    ) AS changed
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(value) <> 0 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (company_id, synthetic, day, wallet_id, quote) DO UPDATE SET value = t.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_placed_volume AFTER INSERT ON trading.orders REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION trading.add_to_daily_volumes();
CREATE TRIGGER orders_changed_volume AFTER UPDATE ON trading.orders REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION trading.add_to_daily_volumes();
