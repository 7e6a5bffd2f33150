-- Reports of months: preliminary until the month's positions are complete, then final, and issued again with a reason where a
-- final one turns out wrong. Contracts: the day of their write-off.

-- Months of which the house has said that all positions are there.
CREATE TABLE issuances.complete_months (
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  -- The first day of the month.
  month date NOT NULL CHECK (month = date_trunc('month', month::timestamp)::date),
  -- How many positions it was said to have, where that was said.
  positions integer CHECK (positions > 0),
  stated_at timestamptz NOT NULL,
  PRIMARY KEY (operation_id, month)
);

-- How often what a month's report is made of has changed: its positions, the write-offs of its contracts,
-- and the prices in force at its end. A count and no time,
-- so that no clock decides whether a report is older than its data.
CREATE TABLE issuances.report_inputs (
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  month date NOT NULL CHECK (month = date_trunc('month', month::timestamp)::date),
  changes bigint NOT NULL CHECK (changes >= 0),
  -- Whether there are positions of the month: looked up here, since a portfolio may have millions of them.
  has_positions boolean NOT NULL,
  PRIMARY KEY (operation_id, month)
);

-- What was stored before becomes the first version, and final.
ALTER TABLE issuances.monthly_reports
  ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  -- Why it was issued again.
  ADD COLUMN reason text CHECK (reason <> ''),
  -- `changes` of what it was made of.
  ADD COLUMN input_changes bigint NOT NULL DEFAULT 0 CHECK (input_changes >= 0),
  ADD CHECK ((version > 1) = (reason IS NOT NULL)),
  DROP CONSTRAINT monthly_reports_pkey,
  ADD PRIMARY KEY (operation_id, month, version);
ALTER TABLE issuances.monthly_reports ALTER COLUMN version DROP DEFAULT, ALTER COLUMN input_changes DROP DEFAULT;

-- A report that was stored from contracts while positions of its month came later is known by its base date, which is not the
-- month's last day: its data has changed since.
INSERT INTO issuances.report_inputs (operation_id, month, changes, has_positions)
SELECT known.operation_id, known.month,
  CASE WHEN stored.report -> 'portfolio' ->> 'baseDate' <> (known.month + interval '1 month' - interval '1 day')::date::text THEN 1 ELSE 0 END,
  true
FROM (SELECT DISTINCT operation_id, month FROM issuances.contract_positions) AS known
LEFT JOIN issuances.monthly_reports AS stored USING (operation_id, month);

CREATE FUNCTION issuances.count_position_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issuances.report_inputs AS known (operation_id, month, changes, has_positions)
  SELECT operation_id, month, 1, EXISTS (SELECT FROM issuances.contract_positions AS position
    WHERE position.operation_id = moved.operation_id AND position.month = moved.month)
  FROM (SELECT DISTINCT operation_id, month FROM changed_positions ORDER BY 1, 2) AS moved
  ON CONFLICT (operation_id, month) DO UPDATE SET changes = known.changes + 1, has_positions = excluded.has_positions;
  RETURN NULL;
END $$;
CREATE TRIGGER positions_added AFTER INSERT ON issuances.contract_positions
  REFERENCING NEW TABLE AS changed_positions FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_position_changes();
CREATE TRIGGER positions_changed AFTER UPDATE ON issuances.contract_positions
  REFERENCING NEW TABLE AS changed_positions FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_position_changes();
CREATE TRIGGER positions_removed AFTER DELETE ON issuances.contract_positions
  REFERENCING OLD TABLE AS changed_positions FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_position_changes();

-- A price matters to the months that are final and in whose last day it is the one in force: no later one lies between.
CREATE FUNCTION issuances.count_price_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issuances.report_inputs AS known (operation_id, month, changes, has_positions)
  SELECT DISTINCT series.operation_id, stored.month, 1, false
  FROM changed_prices AS changed
  JOIN issuances.series ON series.id = changed.series_id
  JOIN issuances.monthly_reports AS stored
    ON stored.operation_id = series.operation_id AND stored.month + interval '1 month' > changed.date
  WHERE NOT EXISTS (SELECT FROM issuances.unit_prices AS later
    WHERE later.series_id = changed.series_id AND later.date > changed.date AND later.date < stored.month + interval '1 month')
  ORDER BY 1, 2
  ON CONFLICT (operation_id, month) DO UPDATE SET changes = known.changes + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER prices_added AFTER INSERT ON issuances.unit_prices
  REFERENCING NEW TABLE AS changed_prices FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_price_changes();
CREATE TRIGGER prices_changed AFTER UPDATE ON issuances.unit_prices
  REFERENCING NEW TABLE AS changed_prices FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_price_changes();
CREATE TRIGGER prices_removed AFTER DELETE ON issuances.unit_prices
  REFERENCING OLD TABLE AS changed_prices FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_price_changes();

-- The day from which a contract is out of the portfolio. Where nobody says it, it is the day of the position that first told of the
-- write-off; of what was written off before this migration only the last position is known.
ALTER TABLE issuances.credit_contracts ADD COLUMN written_off_date date;
UPDATE issuances.credit_contracts SET written_off_date = position_date WHERE status = 'WRITTEN_OFF';
ALTER TABLE issuances.credit_contracts ADD CHECK ((status = 'WRITTEN_OFF') = (written_off_date IS NOT NULL));
CREATE INDEX credit_contracts_written_off ON issuances.credit_contracts (operation_id) WHERE status = 'WRITTEN_OFF';

CREATE FUNCTION issuances.date_write_off() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.written_off_date := CASE WHEN NEW.status = 'WRITTEN_OFF' THEN coalesce(NEW.written_off_date, NEW.position_date) END;
  RETURN NEW;
END $$;
CREATE TRIGGER credit_contracts_write_off BEFORE INSERT OR UPDATE ON issuances.credit_contracts
  FOR EACH ROW WHEN ((NEW.status = 'WRITTEN_OFF') <> (NEW.written_off_date IS NOT NULL))
  EXECUTE FUNCTION issuances.date_write_off();

-- A write-off that is recorded, moved or taken back changes the final months in which the contract had a balance, from its day on.
CREATE FUNCTION issuances.count_write_offs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issuances.report_inputs AS known (operation_id, month, changes, has_positions)
  SELECT DISTINCT NEW.operation_id, stored.month, 1, true
  FROM issuances.monthly_reports AS stored JOIN issuances.contract_positions AS position
    ON position.operation_id = stored.operation_id AND position.month = stored.month AND position.contract_id = NEW.id
  WHERE stored.operation_id = NEW.operation_id AND position.closing_balance > 0
    AND stored.month + interval '1 month' > least(OLD.written_off_date, NEW.written_off_date)
  ORDER BY 2
  ON CONFLICT (operation_id, month) DO UPDATE SET changes = known.changes + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER write_offs_counted AFTER UPDATE ON issuances.credit_contracts
  FOR EACH ROW WHEN (OLD.written_off_date IS DISTINCT FROM NEW.written_off_date)
  EXECUTE FUNCTION issuances.count_write_offs();
