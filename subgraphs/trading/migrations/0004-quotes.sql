-- Quotes (RFQ): prices at which the house trades with a client, each good once and for a short time.

-- How much of the books' price the house adds for a company, by value in BRL: of the part above `above_brl`. A company without rows has
-- the tiers of the house (quotes/spread.ts).
CREATE TABLE trading.spread_tiers (
  company_id uuid NOT NULL REFERENCES trading.companies,
  above_brl numeric(17, 2) NOT NULL CHECK (above_brl >= 0),
  percent numeric(8, 6) NOT NULL CHECK (percent BETWEEN 0 AND 50),
  PRIMARY KEY (company_id, above_brl)
);

-- From the first request for a price until it is executed or expires.
CREATE TABLE trading.quotes (
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES trading.companies,
  wallet_id uuid NOT NULL,
  synthetic boolean NOT NULL,
  symbol text NOT NULL REFERENCES trading.markets,
  base text NOT NULL REFERENCES trading.currencies,
  quote text NOT NULL REFERENCES trading.currencies,
  side text NOT NULL CHECK (side IN ('BUY', 'SELL')),
  -- In the base currency.
  amount numeric NOT NULL CHECK (amount > 0),
  -- With the decimals of its market: `quote_amount` is price × amount, rounded against the client.
  price numeric NOT NULL CHECK (price > 0),
  -- In the quote currency: what the client pays or gets without the fee, and the fee.
  quote_amount numeric NOT NULL CHECK (quote_amount > 0),
  fee numeric NOT NULL CHECK (fee >= 0 AND fee <= quote_amount),
  -- Agreed with the company, in percent of `quote_amount`.
  maker_fee numeric NOT NULL CHECK (maker_fee >= 0),
  taker_fee numeric NOT NULL CHECK (taker_fee >= 0),
  -- What the books, with the fees of the venues, would have cost or brought.
  book_value numeric NOT NULL CHECK (book_value > 0),
  -- By how much `quote_amount` is worse than that, in percent.
  spread numeric NOT NULL CHECK (spread >= 0),
  value_brl numeric NOT NULL CHECK (value_brl >= 0),
  -- What it was made of, as it is kept with an order (routings.decision).
  decision jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('OPEN', 'EXECUTED')),
  created_at timestamptz NOT NULL,
  -- From then on an open one is expired.
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  executed_at timestamptz CHECK (executed_at BETWEEN created_at AND expires_at),
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic),
  UNIQUE (id, synthetic),
  CHECK ((state = 'EXECUTED') = (executed_at IS NOT NULL)),
  CHECK (CASE side WHEN 'BUY' THEN quote_amount >= book_value ELSE quote_amount <= book_value END)
);
CREATE INDEX quotes_open_wallet ON trading.quotes (wallet_id, expires_at) WHERE state = 'OPEN';
CREATE INDEX quotes_open_company ON trading.quotes (company_id, symbol, expires_at) INCLUDE (synthetic, value_brl) WHERE state = 'OPEN';
CREATE INDEX quotes_expiry ON trading.quotes (expires_at) WHERE state = 'OPEN';

-- What the house trades at venues against a quote that was executed, so that it keeps no position of it.
CREATE TABLE trading.hedges (
  quote_id uuid PRIMARY KEY,
  synthetic boolean NOT NULL,
  -- DONE: all that venues take of it was traded, and its result is in SPREAD.
  state text NOT NULL CHECK (state IN ('OPEN', 'DONE')),
  -- In the base currency: what the venues executed so far.
  hedged_amount numeric NOT NULL DEFAULT 0 CHECK (hedged_amount >= 0),
  -- In the quote currency: what that came to.
  hedged_value numeric NOT NULL DEFAULT 0 CHECK (hedged_value >= 0),
  -- When it is to be looked at; whoever looks puts this ahead, and so has it alone until then.
  due_at timestamptz NOT NULL,
  done_at timestamptz,
  -- Why nothing could be sent for it when that was last tried; null where something was sent since.
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- When it had been open for too long, which operators are told once.
  overdue_at timestamptz,
  FOREIGN KEY (quote_id, synthetic) REFERENCES trading.quotes (id, synthetic),
  CHECK ((state = 'DONE') = (done_at IS NOT NULL))
);
CREATE INDEX hedges_due ON trading.hedges (due_at) WHERE state = 'OPEN';

-- What was sent to one venue for a hedge. Its id is the client order id there; it is sent once, and looked up where its fate is unknown.
CREATE TABLE trading.hedge_orders (
  id uuid PRIMARY KEY,
  quote_id uuid NOT NULL REFERENCES trading.hedges,
  venue text NOT NULL,
  amount numeric NOT NULL CHECK (amount > 0),
  limit_price numeric NOT NULL CHECK (limit_price > 0),
  state text NOT NULL CHECK (state IN ('SENDING', 'OPEN', 'UNKNOWN', 'FILLED', 'CANCELLED', 'REJECTED')),
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  reported_amount numeric NOT NULL DEFAULT 0 CHECK (reported_amount >= 0),
  filled_amount numeric NOT NULL DEFAULT 0 CHECK (filled_amount >= 0),
  looks integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  absences integer NOT NULL DEFAULT 0 CHECK (absences >= 0),
  -- When an operator said what became of it: what its venue says of it afterwards changes nothing.
  resolved_at timestamptz
);
CREATE INDEX hedge_orders_quote ON trading.hedge_orders (quote_id);

-- What a venue executed of it. Each trade counts once, however often it is reported.
CREATE TABLE trading.hedge_fills (
  venue text NOT NULL,
  trade_id text NOT NULL CHECK (length(trade_id) BETWEEN 1 AND 200),
  hedge_order_id uuid NOT NULL REFERENCES trading.hedge_orders,
  price numeric NOT NULL CHECK (price > 0),
  amount numeric NOT NULL CHECK (amount > 0),
  venue_fee numeric NOT NULL,
  venue_fee_currency text NOT NULL,
  traded_at timestamptz NOT NULL,
  PRIMARY KEY (venue, trade_id)
);
CREATE INDEX hedge_fills_order ON trading.hedge_fills (hedge_order_id);
