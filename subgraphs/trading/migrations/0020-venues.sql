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
