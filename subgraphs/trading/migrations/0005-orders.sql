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
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic),
  UNIQUE (id, synthetic),
  CONSTRAINT orders_client_order_id UNIQUE (wallet_id, client_order_id),
  CHECK ((amount IS NULL) <> (quote_amount IS NULL)),
  CHECK ((type = 'LIMIT') = (price IS NOT NULL)),
  CHECK ((time_in_force = 'GTD') = (expires_at IS NOT NULL)),
  CHECK ((status IN ('PENDING', 'PARTIALLY_FILLED')) = (closed_at IS NULL)),
  CHECK ((status = 'FILLED') = (filled_at IS NOT NULL))
);
CREATE INDEX orders_wallet ON trading.orders (wallet_id, id DESC);
CREATE INDEX orders_wallet_symbol ON trading.orders (wallet_id, symbol, id DESC);
CREATE INDEX orders_open ON trading.orders (company_id, wallet_id) WHERE closed_at IS NULL;
CREATE INDEX orders_expiry ON trading.orders (expires_at) WHERE closed_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX orders_quarantine ON trading.orders (quarantined_at) WHERE quarantined_at IS NOT NULL AND closed_at IS NULL;
CREATE INDEX orders_volume ON trading.orders (company_id, synthetic, created_at) INCLUDE (wallet_id, quote, filled_value);

-- The part of an order that goes to one venue. Its id is the client order id there.
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
  FOREIGN KEY (order_id, synthetic) REFERENCES trading.orders (id, synthetic)
);
CREATE INDEX executions_order ON trading.executions (order_id);
CREATE INDEX executions_open ON trading.executions (session) WHERE state IN ('SENDING', 'OPEN', 'UNKNOWN');
CREATE INDEX executions_due ON trading.executions (next_look_at) WHERE next_look_at IS NOT NULL;

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
  order_id uuid PRIMARY KEY REFERENCES trading.orders,
  decision jsonb NOT NULL
);

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
