-- Quotes (RFQ): prices at which the house trades with a client, each good once and for a short time.

-- How much of the books' price the house adds for a company, by value in BRL: of the part above `above_brl`. A company without rows has
-- the tiers of the house (quotes/spread.ts).
CREATE TABLE trading.spread_tiers (
  company_id uuid NOT NULL REFERENCES trading.companies,
  above_brl numeric(17, 2) NOT NULL CHECK (above_brl >= 0),
  percent numeric(8, 6) NOT NULL CHECK (percent BETWEEN 0 AND 50),
  PRIMARY KEY (company_id, above_brl)
);

-- What the open quotes of a company may be worth in one market, in BRL.
ALTER TABLE trading.company_terms
  ADD COLUMN max_quoted_value numeric(17, 2) NOT NULL DEFAULT 5000000 CHECK (max_quoted_value > 0);

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

-- The quote that an order executes: each at most once.
ALTER TABLE trading.orders
  ADD COLUMN quote_id uuid CONSTRAINT orders_quote UNIQUE,
  ADD FOREIGN KEY (quote_id, synthetic) REFERENCES trading.quotes (id, synthetic),
  ADD CONSTRAINT orders_of_quotes CHECK (quote_id IS NULL OR (status = 'FILLED' AND hold_id IS NULL));
