-- The credits behind operations, and the reports of months that are made of them.

-- The credits that stand behind an operation, as they stood on `position_date`. Name, document and external id never leave.
CREATE TABLE issuances.credit_contracts (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  debtor_name text NOT NULL CHECK (debtor_name <> ''),
  -- CPF or CNPJ without punctuation.
  debtor_document text NOT NULL CHECK (debtor_document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  -- A free label: CCB, CCI, CPR…
  type text NOT NULL CHECK (type <> ''),
  status text NOT NULL CHECK (status IN ('ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF')),
  original_value numeric(24, 2) NOT NULL CHECK (original_value > 0),
  outstanding_balance numeric(24, 2) NOT NULL CHECK (outstanding_balance >= 0),
  indexer text NOT NULL DEFAULT 'PREFIXED' CHECK (indexer IN ('PREFIXED', 'CDI', 'IPCA', 'IGPM', 'TR', 'SELIC', 'USD')),
  -- Fixed rate, or spread over the index, in percent per year.
  rate numeric(12, 6) NOT NULL,
  issue_date date NOT NULL,
  maturity_date date NOT NULL,
  installments integer NOT NULL CHECK (installments > 0),
  paid_installments integer NOT NULL CHECK (paid_installments BETWEEN 0 AND installments),
  -- Calendar days since the oldest instalment that is due and unpaid; 0 when there is none.
  days_late integer NOT NULL CHECK (days_late >= 0),
  -- What of the balance is due and unpaid; null where the operator does not say it.
  overdue_value numeric(24, 2) CHECK (overdue_value BETWEEN 0 AND outstanding_balance),
  uf text CHECK (uf ~ '^[A-Z]{2}$'),
  -- What the collateral of this credit is worth; null when it has none.
  collateral_value numeric(24, 2) CHECK (collateral_value > 0),
  position_date date NOT NULL,
  -- The day from which a contract is out of the portfolio. Where nobody says it, it is the day of the position that first told of the write-off.
  written_off_date date,
  -- Of a credit that an originator assigned to the estate of the operation, as tokenization announced it last; null for a contract of an import.
  engine_patrimony_id uuid,
  engine_sequence bigint,
  -- The day on which its oldest open instalment falls due: it is late from the next day on, without an event.
  next_due_date date,
  CHECK (num_nulls(engine_patrimony_id, engine_sequence) IN (0, 2)),
  CHECK (issue_date <= maturity_date),
  CHECK (status <> 'SETTLED' OR (outstanding_balance = 0 AND days_late = 0)),
  UNIQUE (operation_id, external_id),
  UNIQUE (operation_id, id),
  CHECK ((status = 'WRITTEN_OFF') = (written_off_date IS NOT NULL))
);
CREATE INDEX credit_contracts_engine ON issuances.credit_contracts (engine_patrimony_id) WHERE engine_patrimony_id IS NOT NULL;
CREATE INDEX credit_contracts_written_off ON issuances.credit_contracts (operation_id) WHERE status = 'WRITTEN_OFF';

-- A contract at the end of a past month, and what moved it there: from these come a month's report and the prepayment speed.
CREATE TABLE issuances.contract_positions (
  operation_id uuid NOT NULL,
  contract_id uuid NOT NULL,
  -- The first day of the month.
  month date NOT NULL CHECK (month = date_trunc('month', month::timestamp)::date),
  opening_balance numeric(24, 2) NOT NULL CHECK (opening_balance >= 0),
  -- Principal that was due in the month by the contract's own schedule.
  scheduled_principal numeric(24, 2) NOT NULL CHECK (scheduled_principal >= 0),
  -- Principal that was paid ahead of that schedule.
  prepaid_principal numeric(24, 2) NOT NULL CHECK (prepaid_principal >= 0),
  closing_balance numeric(24, 2) NOT NULL CHECK (closing_balance >= 0),
  days_late integer NOT NULL CHECK (days_late >= 0),
  overdue_value numeric(24, 2) CHECK (overdue_value BETWEEN 0 AND closing_balance),
  PRIMARY KEY (operation_id, month, contract_id),
  FOREIGN KEY (operation_id, contract_id) REFERENCES issuances.credit_contracts (operation_id, id)
);

-- An operation's own provisioning matrix: from `from_days` days late on, `rate` percent of the balance is provisioned.
-- No row: the matrix of the house. When there are rows, one starts at 0.
CREATE TABLE issuances.provisioning_bands (
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  from_days integer NOT NULL CHECK (from_days >= 0),
  label text NOT NULL CHECK (label <> ''),
  rate numeric(9, 4) NOT NULL CHECK (rate BETWEEN 0 AND 100),
  PRIMARY KEY (operation_id, from_days)
);

-- What the deed promises about a figure of the management report; all figures are percentages.
CREATE TABLE issuances.covenants (
  operation_id uuid NOT NULL REFERENCES issuances.operations (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  position integer NOT NULL CHECK (position >= 0),
  name text NOT NULL CHECK (name <> ''),
  metric text NOT NULL CHECK (metric IN ('SUBORDINATION', 'COVERAGE', 'LTV', 'LARGEST_DEBTOR', 'LARGEST_5_DEBTORS', 'LARGEST_10_DEBTORS',
    'LARGEST_20_DEBTORS', 'OVERDUE_OVER_30', 'OVERDUE_OVER_90', 'PROVISION')),
  comparison text NOT NULL CHECK (comparison IN ('AT_LEAST', 'AT_MOST')),
  threshold numeric(12, 4) NOT NULL,
  PRIMARY KEY (operation_id, external_id)
);

-- Final reports of months: written once, and issued again with a reason where one turns out wrong. They stand for ever, also when their operation is
-- withdrawn, and are its own again when the withdrawal is taken back: so a trigger asks for the operation, and no foreign key keeps it from going.
CREATE TABLE issuances.monthly_reports (
  operation_id uuid NOT NULL,
  -- The first day of the month.
  month date NOT NULL CHECK (month = date_trunc('month', month::timestamp)::date),
  report jsonb NOT NULL,
  generated_at timestamptz NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  -- Why it was issued again; of version 1, why the month was closed although something of it was missing.
  reason text CHECK (reason <> ''),
  -- `changes` of what it was made of.
  input_changes bigint NOT NULL CHECK (input_changes >= 0),
  PRIMARY KEY (operation_id, month, version),
  CHECK (version = 1 OR reason IS NOT NULL)
);

CREATE FUNCTION issuances.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A stored monthly report is never changed';
END $$;
CREATE TRIGGER monthly_reports_stand BEFORE UPDATE OR DELETE ON issuances.monthly_reports
  FOR EACH ROW EXECUTE FUNCTION issuances.refuse_change();

-- As a foreign key does, it waits for whoever removes an operation, and keeps the operation until the transaction ends.
CREATE FUNCTION issuances.require_operations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lacking uuid;
BEGIN
  PERFORM FROM issuances.operations WHERE id IN (SELECT operation_id FROM added_rows) ORDER BY id FOR KEY SHARE;
  SELECT a.operation_id INTO lacking FROM added_rows a
    WHERE NOT EXISTS (SELECT FROM issuances.operations o WHERE o.id = a.operation_id) LIMIT 1;
  IF lacking IS NOT NULL THEN
    RAISE EXCEPTION '% names an operation that there is not: %', TG_TABLE_NAME, lacking USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER require_operations AFTER INSERT ON issuances.monthly_reports
  REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION issuances.require_operations();

-- How often the data of a withdrawn operation's months had changed when it went. Going and coming back count as changes of the same data: with the
-- operation these numbers come back, so that no report says that its data has changed.
CREATE TABLE issuances.withdrawn_inputs (
  operation_id uuid NOT NULL,
  month date NOT NULL,
  changes bigint NOT NULL CHECK (changes >= 0),
  PRIMARY KEY (operation_id, month)
);

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

-- How often what a month's report is made of has changed: its positions, the write-offs of its contracts, its payments, and the prices in force at its end. A count and
-- no time, so that no clock decides whether a report is older than its data. An operation that is voided leaves its counters behind.
CREATE TABLE issuances.report_inputs (
  operation_id uuid NOT NULL,
  month date NOT NULL CHECK (month = date_trunc('month', month::timestamp)::date),
  changes bigint NOT NULL CHECK (changes >= 0),
  -- Whether there are positions of the month: looked up here, since a portfolio may have millions of them.
  has_positions boolean NOT NULL,
  PRIMARY KEY (operation_id, month)
);

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

-- A final month without positions is made of the contracts: of their state as it was known by its end. Those of originators are as recorded then.
CREATE FUNCTION issuances.count_contract_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issuances.report_inputs AS known (operation_id, month, changes, has_positions)
  SELECT DISTINCT operation_id, stored.month, 1, false
  FROM changed_contracts JOIN issuances.monthly_reports AS stored USING (operation_id)
  LEFT JOIN issuances.report_inputs AS input USING (operation_id, month)
  WHERE engine_patrimony_id IS NULL AND position_date < stored.month + interval '1 month' AND has_positions IS NOT TRUE
  ORDER BY 1, 2
  ON CONFLICT (operation_id, month) DO UPDATE SET changes = known.changes + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER contracts_added AFTER INSERT ON issuances.credit_contracts
  REFERENCING NEW TABLE AS changed_contracts FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_contract_changes();
CREATE TRIGGER contracts_changed AFTER UPDATE ON issuances.credit_contracts
  REFERENCING NEW TABLE AS changed_contracts FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_contract_changes();
CREATE TRIGGER contracts_removed AFTER DELETE ON issuances.credit_contracts
  REFERENCING OLD TABLE AS changed_contracts FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_contract_changes();

-- A price matters to the months that are final and in whose last day it is the one in force: no later one lies between.
CREATE FUNCTION issuances.count_price_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed issuances.unit_prices[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changed := ARRAY(SELECT n FROM changed_prices n WHERE (series_id, date, value) NOT IN (SELECT series_id, date, value FROM prices_before));
  ELSE
    changed := ARRAY(SELECT c FROM changed_prices c);
  END IF;
  INSERT INTO issuances.report_inputs AS known (operation_id, month, changes, has_positions)
  SELECT DISTINCT series.operation_id, stored.month, 1, false
  FROM unnest(changed) AS changed
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
CREATE TRIGGER prices_changed AFTER UPDATE ON issuances.unit_prices REFERENCING OLD TABLE AS prices_before NEW TABLE AS changed_prices
  FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_price_changes();
CREATE TRIGGER prices_removed AFTER DELETE ON issuances.unit_prices
  REFERENCING OLD TABLE AS changed_prices FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_price_changes();

-- A payment matters to the final months at whose end it was due or paid by then, and with what is open of it where it was not paid then: what is
-- different there on one side only changed.
CREATE FUNCTION issuances.count_payment_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed issuances.payments[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changed := ARRAY(SELECT n FROM changed_payments n UNION ALL SELECT o FROM payments_before o);
  ELSE
    changed := ARRAY(SELECT c FROM changed_payments c);
  END IF;
  INSERT INTO issuances.report_inputs AS known (operation_id, month, changes, has_positions)
  SELECT DISTINCT operation_id, month, 1, false FROM (
    SELECT stored.operation_id, stored.month FROM unnest(changed) AS payment
    JOIN (SELECT DISTINCT operation_id, month, month + interval '1 month' AS ended FROM issuances.monthly_reports
      WHERE operation_id = ANY (ARRAY(SELECT operation_id FROM unnest(changed)))) AS stored
      ON stored.operation_id = payment.operation_id AND stored.ended > least(payment.due_date, payment.paid_date)
    GROUP BY stored.operation_id, stored.month, payment.id, payment.series_id, payment.event, payment.due_date < stored.ended,
      coalesce(payment.paid_date < stored.ended, false), CASE WHEN payment.due_date < stored.ended AND (payment.paid_date < stored.ended) IS NOT TRUE
        THEN issuances.open_on((stored.ended - interval '1 day')::date, payment.id, payment.total_value, payment.open_value, payment.paid_date, payment.paid_parts) END
    HAVING count(*) = 1
  ) AS different ORDER BY 1, 2
  ON CONFLICT (operation_id, month) DO UPDATE SET changes = known.changes + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_added AFTER INSERT ON issuances.payments
  REFERENCING NEW TABLE AS changed_payments FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_payment_changes();
CREATE TRIGGER payments_changed AFTER UPDATE ON issuances.payments REFERENCING OLD TABLE AS payments_before NEW TABLE AS changed_payments
  FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_payment_changes();
CREATE TRIGGER payments_removed AFTER DELETE ON issuances.payments
  REFERENCING OLD TABLE AS changed_payments FOR EACH STATEMENT EXECUTE FUNCTION issuances.count_payment_changes();

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
