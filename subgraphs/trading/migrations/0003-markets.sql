-- Which pairs can be traded, by what rules, and what they have cost. Real and synthetic orders share the catalogue; prices are apart.

CREATE TABLE trading.markets (
  -- As `BTC/BRL`.
  symbol text PRIMARY KEY CHECK (symbol = base || '/' || quote),
  base text NOT NULL REFERENCES trading.currencies,
  quote text NOT NULL REFERENCES trading.currencies CHECK (quote <> base),
  -- Decimals that the price and the amount of an order have at most.
  price_decimals smallint NOT NULL CHECK (price_decimals BETWEEN 0 AND 18),
  amount_decimals smallint NOT NULL CHECK (amount_decimals BETWEEN 0 AND 18),
  -- Least amount of an order, in the base currency.
  min_order_size numeric NOT NULL CHECK (min_order_size > 0 AND scale(trim_scale(min_order_size)) <= amount_decimals),
  -- How far from the mid a market order may trade, in percent.
  collar_percent numeric NOT NULL CHECK (collar_percent > 0 AND collar_percent <= 50),
  status text NOT NULL CHECK (status IN ('ACTIVE', 'HALTED')),
  halt_reason text CHECK (length(halt_reason) BETWEEN 1 AND 500),
  updated_at timestamptz NOT NULL,
  CONSTRAINT markets_halt_reason CHECK ((status = 'HALTED') = (halt_reason IS NOT NULL))
);

-- The kill switch: one row, which says whether anything is traded at all.
CREATE TABLE trading.trading_switch (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  halted boolean NOT NULL,
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  changed_at timestamptz NOT NULL,
  CHECK (halted = (reason IS NOT NULL))
);
INSERT INTO trading.trading_switch (halted, reason, changed_at) VALUES (false, NULL, now());

-- Who writes the candles of a world: one process at a time. The epoch grows with each new writer.
CREATE TABLE trading.candle_writers (
  synthetic boolean PRIMARY KEY,
  holder uuid NOT NULL,
  epoch bigint NOT NULL CHECK (epoch > 0),
  held_until timestamptz NOT NULL
);

-- Open, high, low and close of an interval, in the quote currency, and the volume in the base currency.
CREATE TABLE trading.candles (
  synthetic boolean NOT NULL,
  symbol text NOT NULL REFERENCES trading.markets,
  -- Of the candle: '1h', '4h', '1d' or '1w'. Only hours are written; the others are rolled up.
  length text NOT NULL CHECK (length IN ('1h', '4h', '1d', '1w')),
  opened_at timestamptz NOT NULL,
  open numeric NOT NULL,
  high numeric NOT NULL,
  low numeric NOT NULL CHECK (low > 0),
  close numeric NOT NULL,
  volume numeric NOT NULL CHECK (volume >= 0),
  -- Whether it is made of trades; else of mid prices, since there was no trade.
  traded boolean NOT NULL,
  -- When the first and the last price of it was seen.
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  -- Of an hour: which writer wrote it last, and the volume that writers before it had counted.
  epoch bigint NOT NULL DEFAULT 0,
  volume_before numeric NOT NULL DEFAULT 0 CHECK (volume_before >= 0),
  PRIMARY KEY (synthetic, symbol, length, opened_at),
  CHECK (open BETWEEN low AND high AND close BETWEEN low AND high),
  CHECK (traded OR volume = 0)
);

-- Exchanges that the operator adds. The simulated ones are in the program.
CREATE TABLE trading.venues (
  id uuid PRIMARY KEY,
  -- What the ledger, executions and fills call it: never given twice. The simulated exchanges have names of their own.
  name text NOT NULL UNIQUE CHECK (name ~ '^[a-z][a-z0-9-]{1,29}$' AND name !~ '^(aurora|boreal)(-|$)'),
  -- As ccxt calls it: `binance`.
  exchange text NOT NULL CHECK (exchange ~ '^[a-z0-9_]{1,40}$'),
  -- The markets that are traded there, as `BTC/BRL`.
  symbols text[] NOT NULL CHECK (cardinality(symbols) BETWEEN 1 AND 50),
  -- Sealed JSON: the keys of the house's account.
  credentials bytea NOT NULL CHECK (octet_length(credentials) > 0),
  -- Whether it is the exchange's own test system.
  sandbox boolean NOT NULL,
  -- In percent of a trade's value, where they are not what the exchange says.
  maker_fee numeric(8, 6) CHECK (maker_fee BETWEEN 0 AND 10),
  taker_fee numeric(8, 6) CHECK (taker_fee BETWEEN 0 AND 10),
  -- Further settings of ccxt. No secrets.
  settings jsonb NOT NULL CHECK (jsonb_typeof(settings) = 'object'),
  -- When what the house had there before the first order was put into the books.
  capital_booked_at timestamptz,
  created_at timestamptz NOT NULL,
  -- From then on it gets no new orders.
  retired_at timestamptz,
  CHECK ((maker_fee IS NULL) = (taker_fee IS NULL))
);
