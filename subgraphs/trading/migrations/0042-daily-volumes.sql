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

INSERT INTO trading.daily_volumes (company_id, synthetic, day, wallet_id, quote, value)
  SELECT company_id, synthetic, (closed_at AT TIME ZONE 'America/Sao_Paulo')::date, wallet_id, quote, sum(filled_value)
  FROM trading.orders WHERE closed_at >= now() - interval '2 days' GROUP BY 1, 2, 3, 4, 5;
-- contract: the previous version finds what closed on a day by a scan of its index of the wallet, for the moment that it still runs
DROP INDEX trading.orders_volume;
