-- Estates, the series issued in them, and what a unit of each is worth.
-- Money is in BRL; percentages are percent numbers: 3.5 means 3,5 %. Days are civil days in São Paulo.

-- An estate ("patrimônio"): it isolates the assets and liabilities of one securitization.
CREATE TABLE tokenization.patrimonies (
  id uuid PRIMARY KEY,
  ticker text NOT NULL CHECK (ticker ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
  name text NOT NULL CHECK (name <> ''),
  slug text NOT NULL CHECK (slug ~ '^[A-Za-z0-9][A-Za-z0-9-]{0,119}$'),
  status text NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'CLOSED')),
  -- The published operation that stands on it, as issuances knows it.
  operation_ticker text CHECK (operation_ticker <> ''),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX patrimonies_ticker ON tokenization.patrimonies (lower(ticker));
CREATE UNIQUE INDEX patrimonies_slug ON tokenization.patrimonies (lower(slug));
CREATE INDEX patrimonies_operation ON tokenization.patrimonies (lower(operation_ticker)) WHERE operation_ticker IS NOT NULL;

-- A series ("tranche") with the policy by which its unit price is calculated (`unit-price/policy.ts`).
CREATE TABLE tokenization.tranches (
  id uuid PRIMARY KEY,
  patrimony_id uuid NOT NULL REFERENCES tokenization.patrimonies (id),
  ticker text NOT NULL CHECK (ticker ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
  name text NOT NULL CHECK (name <> ''),
  status text NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'FUNDRAISING', 'CLOSED')),
  class_name text NOT NULL CHECK (class_name IN ('SENIOR', 'MEZZANINE', 'JUNIOR', 'UNIQUE')),
  -- Units; each is a token.
  token_quantity bigint NOT NULL CHECK (token_quantity >= 0),
  invested_amount numeric(20, 2) NOT NULL DEFAULT 0 CHECK (invested_amount >= 0),
  remuneration_start_date date NOT NULL,
  issue_value numeric(24, 8) NOT NULL CHECK (issue_value > 0),
  day_count text NOT NULL CHECK (day_count IN ('BUS252', 'CIVIL_365', 'CIVIL_360')),
  -- Fixed rate, or spread over the indexer, in percent a year.
  rate numeric(14, 8) NOT NULL CHECK (rate > -100),
  indexer text NOT NULL CHECK (indexer IN ('NONE', 'DI', 'IPCA', 'IGPM')),
  di_percentage numeric(14, 8) CHECK (di_percentage >= 0),
  di_lag_business_days smallint CHECK (di_lag_business_days BETWEEN 0 AND 30),
  index_lag_months smallint CHECK (index_lag_months BETWEEN 0 AND 12),
  index_anniversary_day smallint CHECK (index_anniversary_day BETWEEN 1 AND 31),
  index_pro_rata text CHECK (index_pro_rata IN ('BUSINESS_DAYS', 'CALENDAR_DAYS', 'CALENDAR_DAYS_FOLLOWING')),
  index_base text CHECK (index_base IN ('START', 'YEARLY', 'ANNIVERSARY', 'LAST_EVENT')),
  -- What applies until an index number is published: see `projectionClauses`.
  projection text CHECK (projection IN ('PROVISIONAL', 'NONE', 'SETTLED_BY_DIFFERENCE')),
  amortization_of text NOT NULL DEFAULT 'BALANCE' CHECK (amortization_of IN ('BALANCE', 'ISSUE_VALUE')),
  -- Raised by whatever a price depends on (policy, schedule): prices of an older one are calculated anew.
  policy_version integer NOT NULL DEFAULT 1 CHECK (policy_version > 0),
  -- The newest price, kept here for lists; `unit_prices` holds it with all its factors.
  priced_on date,
  unit_price numeric(24, 8),
  nominal_value numeric(24, 8),
  interest numeric(24, 8),
  projected boolean NOT NULL DEFAULT false,
  -- Prices up to this day are those of the policy, calendar and index values below: the next run goes on after it, and a
  -- correction of an index value puts it back. Null: none are.
  priced_through date,
  priced_policy_version integer,
  priced_calendar_version integer,
  -- `index_revision` as the newest run found it.
  priced_index_revision bigint,
  -- What the newest run lacked, such as `IPCA 2026-03`; null when it lacked nothing.
  missing_input text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The published series of an operation whose units the tokens are; null where it is none. Issuances decides whether one exists.
  series_ticker text CHECK (series_ticker ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'),
  -- What the deed adds to a late payment: a fine in percent, and interest in percent a month. Null: nothing.
  late_fine_percent numeric(14, 8) CHECK (late_fine_percent BETWEEN 0 AND 100),
  late_interest_percent numeric(14, 8) CHECK (late_interest_percent BETWEEN 0 AND 100),
  late_interest_mode text CHECK (late_interest_mode IN ('SIMPLE_30', 'COMPOUND')),
  CHECK ((late_interest_percent IS NULL) = (late_interest_mode IS NULL)),
  CHECK ((indexer = 'DI') = (di_percentage IS NOT NULL)),
  CHECK ((indexer = 'DI') = (di_lag_business_days IS NOT NULL)),
  CHECK ((indexer IN ('IPCA', 'IGPM')) = (index_lag_months IS NOT NULL)),
  CHECK ((indexer IN ('IPCA', 'IGPM')) = (index_anniversary_day IS NOT NULL)),
  CHECK ((indexer IN ('IPCA', 'IGPM')) = (index_pro_rata IS NOT NULL)),
  CHECK ((indexer IN ('IPCA', 'IGPM')) = (index_base IS NOT NULL)),
  CHECK ((indexer IN ('IPCA', 'IGPM')) = (projection IS NOT NULL)),
  CHECK (num_nulls(priced_on, unit_price, nominal_value, interest) IN (0, 4)),
  CHECK (num_nulls(priced_policy_version, priced_calendar_version, priced_index_revision) IN (0, 3)),
  CHECK (priced_through IS NULL OR priced_policy_version IS NOT NULL)
);
CREATE UNIQUE INDEX tranches_ticker ON tokenization.tranches (lower(ticker));
CREATE INDEX tranches_patrimony ON tokenization.tranches (patrimony_id, lower(ticker));
CREATE INDEX tranches_status ON tokenization.tranches (status, lower(ticker));
-- A series finds its tranches by it, now and as of a moment.
CREATE INDEX tranches_series ON tokenization.tranches (lower(series_ticker)) WHERE series_ticker IS NOT NULL;

-- Instalments of a series: facts. PENDING becomes OVERDUE by date, both become PAID once they are paid in full.
CREATE TABLE tokenization.schedule_entries (
  tranche_id uuid NOT NULL REFERENCES tokenization.tranches (id),
  -- From 1; what the n-th event of the series pays has the number -n.
  installment_number integer NOT NULL CHECK (installment_number <> 0),
  -- The day up to which it accrues, and the business day on which it is due.
  calculation_date date NOT NULL,
  due_date date NOT NULL,
  interest_event text NOT NULL CHECK (interest_event IN ('PAID', 'INCORPORATED', 'ACCRUED')),
  -- Of the balance: what prices. The two below are what is shown, and may be absent.
  amortization_percentage numeric(14, 8) NOT NULL CHECK (amortization_percentage BETWEEN 0 AND 100),
  interest_percentage numeric(14, 8) CHECK (interest_percentage BETWEEN 0 AND 100),
  principal_percentage numeric(14, 8) CHECK (principal_percentage BETWEEN 0 AND 100),
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'PAID', 'OVERDUE')),
  -- For all units of the series. Known once its day has been priced, or paid.
  interest_value numeric(20, 2) CHECK (interest_value >= 0),
  principal_value numeric(20, 2) CHECK (principal_value >= 0),
  -- Of an event, by its rule.
  premium_value numeric(20, 2) NOT NULL DEFAULT 0 CHECK (premium_value >= 0),
  total_value numeric(20, 2) CHECK (total_value = interest_value + principal_value + premium_value),
  paid_on date,
  PRIMARY KEY (tranche_id, installment_number),
  -- Looked at after a statement: one that moves all instalments by a period may meet itself on the way. An event may share the day of an instalment.
  CONSTRAINT schedule_entries_day EXCLUDE USING btree (tranche_id WITH =, calculation_date WITH =) WHERE (installment_number > 0) DEFERRABLE,
  CHECK (due_date >= calculation_date),
  CHECK ((status = 'PAID') = (paid_on IS NOT NULL)),
  CHECK (num_nulls(interest_value, principal_value, total_value) IN (0, 3)),
  CHECK (status <> 'PAID' OR total_value IS NOT NULL)
);
-- The next payments of all series are listed by due date, overdue ones included; the review of due dates reads it too.
CREATE INDEX schedule_entries_open ON tokenization.schedule_entries (due_date) WHERE status <> 'PAID';

-- Payments of instalments that operators recorded. An instalment that an import marks as paid has none. They stand, also while their series is withdrawn;
-- a reversal says so in the row.
CREATE TABLE tokenization.schedule_payments (
  id uuid PRIMARY KEY,
  tranche_id uuid NOT NULL,
  installment_number integer NOT NULL,
  paid_on date NOT NULL,
  -- What was paid, and to what it was imputed.
  amount numeric(20, 2) NOT NULL CHECK (amount > 0),
  expenses numeric(20, 2) NOT NULL CHECK (expenses >= 0),
  fine numeric(20, 2) NOT NULL CHECK (fine >= 0),
  mora numeric(20, 2) NOT NULL CHECK (mora >= 0),
  remuneration numeric(20, 2) NOT NULL CHECK (remuneration >= 0),
  interest numeric(20, 2) NOT NULL CHECK (interest >= 0),
  principal numeric(20, 2) NOT NULL CHECK (principal >= 0),
  premium numeric(20, 2) NOT NULL CHECK (premium >= 0),
  reference text CHECK (length(reference) BETWEEN 1 AND 100),
  recorded_at timestamptz NOT NULL DEFAULT shared.version_moment(),
  -- The acts that recorded and reversed it, entries of `shared.audit_log`.
  recorded_by uuid DEFAULT shared.version_act(),
  reversed_at timestamptz,
  reversed_by uuid,
  reversal_reason text CHECK (length(reversal_reason) BETWEEN 1 AND 500),
  CHECK (amount = expenses + fine + mora + remuneration + interest + principal + premium),
  CHECK ((reversed_at IS NULL) = (reversal_reason IS NULL)),
  CHECK (reversed_by IS NULL OR reversed_at IS NOT NULL)
);
CREATE INDEX schedule_payments_of ON tokenization.schedule_payments (tranche_id, installment_number);
CREATE UNIQUE INDEX schedule_payments_reference ON tokenization.schedule_payments (tranche_id, reference);

-- What happened to a series beside its schedule, by its own numbers: declared, and withdrawn until it is paid. What it pays is a row of the schedule. Events
-- stand, also while their series is withdrawn.
CREATE TABLE tokenization.tranche_events (
  tranche_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  kind text NOT NULL CHECK (kind IN
    ('EXTRA_AMORTIZATION', 'EARLY_REDEMPTION', 'PARTIAL_REDEMPTION', 'INCORPORATION', 'GRACE', 'LATE_PAYMENT', 'WAIVER')),
  day date NOT NULL,
  -- The last day of a grace.
  through date CHECK (through >= day),
  -- The instalment of a late payment or a waiver.
  installment_number integer CHECK (installment_number > 0),
  -- Of the amortization, in percent of the base of the series; of a waiver, of the late charges.
  percent numeric(14, 8) CHECK (percent > 0 AND percent <= 100),
  -- The amount that was stated, of which the percentage was made.
  amount numeric(24, 2) CHECK (amount > 0),
  -- Units that are redeemed, and how they were drawn; null where all holders give the same share.
  quantity bigint CHECK (quantity > 0),
  lot text CHECK (length(lot) BETWEEN 1 AND 500),
  -- What becomes of the interest during a grace; null where it stays as it is.
  interest_event text CHECK (interest_event IN ('PAID', 'INCORPORATED', 'ACCRUED')),
  premium_rule text CHECK (premium_rule IN ('FLAT', 'YEARLY', 'MAKE_WHOLE')),
  premium_percent numeric(14, 8) CHECK (premium_percent > CASE premium_rule WHEN 'MAKE_WHOLE' THEN -1 ELSE 0 END AND premium_percent <= 1000),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  document text CHECK (length(document) BETWEEN 1 AND 500),
  -- The instalments that it changed or ended, as they were; and those after its day, where its premium is made of them.
  replaced jsonb NOT NULL,
  remaining jsonb NOT NULL,
  declared_at timestamptz NOT NULL DEFAULT shared.version_moment(),
  declared_by uuid DEFAULT shared.version_act(),
  withdrawn_at timestamptz,
  withdrawn_by uuid,
  withdrawal_reason text CHECK (length(withdrawal_reason) BETWEEN 1 AND 500),
  PRIMARY KEY (tranche_id, number),
  CHECK ((premium_rule IS NULL) = (premium_percent IS NULL)),
  CHECK ((withdrawn_at IS NULL) = (withdrawal_reason IS NULL))
);

-- Units that are redeemed leave their series once that is paid, and come back if it is not any more. Its later instalments pay for those that are left.
CREATE FUNCTION tokenization.take_redeemed_units() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  act text := current_setting('lastro.act', true);
BEGIN
  -- It follows from the payment: an act that is taken back takes the payment back, and does not restore the units too.
  PERFORM set_config('lastro.act', '', true);
  UPDATE tokenization.tranches t SET token_quantity = t.token_quantity + CASE NEW.status WHEN 'PAID' THEN -event.quantity ELSE event.quantity END,
    policy_version = t.policy_version + 1
  FROM tokenization.tranche_events AS event
  WHERE t.id = NEW.tranche_id AND event.tranche_id = t.id AND event.number = -NEW.installment_number AND event.quantity IS NOT NULL;
  PERFORM set_config('lastro.act', coalesce(act, ''), true);
  RETURN NULL;
END $$;
CREATE TRIGGER take_redeemed_units AFTER UPDATE OF status ON tokenization.schedule_entries FOR EACH ROW
  WHEN (NEW.installment_number < 0 AND (OLD.status = 'PAID') <> (NEW.status = 'PAID')) EXECUTE FUNCTION tokenization.take_redeemed_units();

-- What a unit of a series was worth on a day, with all factors. Rows stand for ever, also when their series is withdrawn (see require_tranches); a correction
-- is a new version.
CREATE TABLE tokenization.unit_prices (
  tranche_id uuid NOT NULL,
  date date NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  policy_version integer NOT NULL CHECK (policy_version > 0),
  calendar_version integer NOT NULL,
  accrual_start date NOT NULL,
  index_start date NOT NULL,
  business_days integer NOT NULL CHECK (business_days >= 0),
  calendar_days integer NOT NULL CHECK (calendar_days >= 0),
  vne numeric(24, 8) NOT NULL,
  index_factor numeric(24, 8) NOT NULL,
  -- Whether a projection of an index number is part of the factor.
  projected boolean NOT NULL DEFAULT false,
  vna numeric(24, 8) NOT NULL,
  di_product numeric(32, 16) NOT NULL,
  di_factor numeric(24, 8) NOT NULL,
  spread_factor numeric(24, 9) NOT NULL,
  interest_factor numeric(24, 9) NOT NULL,
  interest_j numeric(24, 8) NOT NULL,
  unit_price numeric(24, 8) NOT NULL,
  amortization numeric(36, 18) NOT NULL,
  payment numeric(36, 18) NOT NULL,
  next_vne numeric(24, 8) NOT NULL,
  calculated_at timestamptz NOT NULL,
  -- The act that recorded it, an entry of `shared.audit_log`; null for the program.
  recorded_by uuid DEFAULT shared.version_act(),
  PRIMARY KEY (tranche_id, date, version),
  CHECK (unit_price = vna + interest_j)
);
CREATE INDEX unit_prices_corrected ON tokenization.unit_prices (calculated_at, tranche_id, date, version) WHERE version > 1;

CREATE FUNCTION tokenization.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Rows of % stand for ever: write a new version', TG_TABLE_NAME;
END $$;
CREATE TRIGGER unit_prices_stand BEFORE UPDATE OR DELETE ON tokenization.unit_prices
  FOR EACH ROW EXECUTE FUNCTION tokenization.refuse_change();

CREATE TRIGGER tranche_events_stand
  BEFORE DELETE OR UPDATE OF tranche_id, number, kind, day, through, installment_number, percent, amount, quantity, lot, interest_event, premium_rule,
    premium_percent, reason, document, replaced, remaining, declared_at, declared_by ON tokenization.tranche_events
  FOR EACH ROW EXECUTE FUNCTION tokenization.refuse_change();

CREATE TRIGGER schedule_payments_stand
  BEFORE DELETE OR UPDATE OF id, tranche_id, installment_number, paid_on, amount, expenses, fine, mora, remuneration, interest, principal, premium, reference,
    recorded_at, recorded_by ON tokenization.schedule_payments
  FOR EACH ROW EXECUTE FUNCTION tokenization.refuse_change();

-- What the market publishes: DI by day in percent a year; IPCA and IGPM as index numbers by month (its first day).
-- A correction is a new version.
CREATE TABLE tokenization.index_values (
  index_name text NOT NULL CHECK (index_name IN ('DI', 'IPCA', 'IGPM')),
  date date NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  value numeric(24, 10) NOT NULL CHECK (value >= 0),
  -- The day of its import in São Paulo where no other one is given. A correction keeps it.
  published_on date NOT NULL,
  recorded_at timestamptz NOT NULL,
  recorded_by uuid DEFAULT shared.version_act(),
  source_file integer,
  source_line integer,
  PRIMARY KEY (index_name, date, version),
  CHECK (index_name = 'DI' OR (value > 0 AND EXTRACT(day FROM date) = 1))
);
CREATE INDEX ON tokenization.index_values (recorded_at, index_name, date, version) WHERE version > 1;
-- The records that an import changed, as `shared.order_by_act` has them for tables with versions.
CREATE INDEX index_values_of_act ON tokenization.index_values (recorded_by, index_name, date) WHERE recorded_by IS NOT NULL;
CREATE TRIGGER index_values_stand BEFORE UPDATE OR DELETE ON tokenization.index_values
  FOR EACH ROW EXECUTE FUNCTION tokenization.refuse_change();

CREATE FUNCTION tokenization.date_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.published_on := (NEW.recorded_at AT TIME ZONE 'America/Sao_Paulo')::date;
  RETURN NEW;
END $$;
CREATE TRIGGER index_values_dated BEFORE INSERT ON tokenization.index_values
  FOR EACH ROW WHEN (NEW.published_on IS NULL) EXECUTE FUNCTION tokenization.date_publication();

-- What is expected of an index number before it is published: the variation of the month in percent. A day uses the newest projection that was published by then.
CREATE TABLE tokenization.projected_index_values (
  index_name text NOT NULL CHECK (index_name IN ('IPCA', 'IGPM')),
  month date NOT NULL CHECK (EXTRACT(day FROM month) = 1),
  published_on date NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  -- Null: it was withdrawn, because it had been imported by mistake.
  percent numeric(14, 8) CHECK (percent > -100),
  source text NOT NULL CHECK (source <> ''),
  recorded_at timestamptz NOT NULL,
  recorded_by uuid DEFAULT shared.version_act(),
  source_file integer,
  source_line integer,
  PRIMARY KEY (index_name, month, published_on, version)
);
CREATE INDEX ON tokenization.projected_index_values (recorded_at, index_name, month, published_on, version) WHERE version > 1;
CREATE INDEX projected_index_values_of_act ON tokenization.projected_index_values (recorded_by, index_name, month, published_on)
  WHERE recorded_by IS NOT NULL;
CREATE TRIGGER projected_index_values_stand BEFORE UPDATE OR DELETE ON tokenization.projected_index_values
  FOR EACH ROW EXECUTE FUNCTION tokenization.refuse_change();

-- One number, raised by whoever adds index values or projections. Its row is locked until that transaction ends, and shared by whoever
-- prices: no price is made while the values that it is made of change.
CREATE TABLE tokenization.index_revision (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  value bigint NOT NULL
);
INSERT INTO tokenization.index_revision (value) VALUES (0);

-- A correction puts the series of its index back to the last day that it cannot have changed: its own day for DI; for the
-- number of a month, which counts from the anniversary in the month before it at the earliest, the same day of that month.
-- The first number of a month takes the place of projections from its publication on, or on all days where differences are settled.
-- The price of the first day of a series depends on none.
CREATE FUNCTION tokenization.put_prices_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tokenization.index_revision SET value = value + 1;
  UPDATE tokenization.tranches t SET priced_through = greatest(changed.day, t.remuneration_start_date)
  FROM (
    SELECT index_name, clause, min(CASE
        WHEN index_name = 'DI' THEN CASE WHEN version > 1 THEN date END
        WHEN version > 1 OR clause = 'SETTLED_BY_DIFFERENCE' THEN (date - interval '1 month')::date
        WHEN clause = 'PROVISIONAL' THEN published_on - 1 END) AS day
    FROM added CROSS JOIN (VALUES ('PROVISIONAL'), ('NONE'), ('SETTLED_BY_DIFFERENCE'), (NULL)) AS deed (clause) GROUP BY index_name, clause
  ) AS changed
  WHERE t.indexer = changed.index_name AND t.projection IS NOT DISTINCT FROM changed.clause
    AND changed.day IS NOT NULL AND t.priced_through > greatest(changed.day, t.remuneration_start_date);
  RETURN NULL;
END $$;
CREATE TRIGGER index_values_added AFTER INSERT ON tokenization.index_values REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tokenization.put_prices_back();

-- A projection counts from its publication on.
CREATE FUNCTION tokenization.put_projected_prices_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tokenization.index_revision SET value = value + 1;
  UPDATE tokenization.tranches t SET priced_through = greatest(projected.day, t.remuneration_start_date)
  FROM (SELECT index_name, min(published_on) - 1 AS day FROM added GROUP BY index_name) AS projected
  WHERE t.indexer = projected.index_name AND t.projection <> 'NONE'
    AND t.priced_through > greatest(projected.day, t.remuneration_start_date);
  RETURN NULL;
END $$;
CREATE TRIGGER projected_index_values_added AFTER INSERT ON tokenization.projected_index_values REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tokenization.put_projected_prices_back();

-- Asked by an operator: that prices are made now. Who asks is answered at once; a run answers the request.
CREATE TABLE tokenization.reprice_requests (
  id uuid PRIMARY KEY,
  -- The one series to price from its start; null for all that are due.
  tranche_id uuid,
  -- How many series were marked.
  series integer NOT NULL CHECK (series >= 0),
  requested_at timestamptz NOT NULL,
  -- When it is to be processed: at once, or at the end of a lease.
  due_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- Rows that were written, and what lacked: `[{"input": "IPCA 2026-03", "series": 2}]`.
  prices integer CHECK (prices >= 0),
  missing jsonb NOT NULL DEFAULT '[]',
  -- Why some series could not be priced.
  fault text CHECK (fault <> ''),
  -- The token of the claim under which it is processed.
  lease uuid,
  -- How often the computation failed, and why the last time.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  last_error text CHECK (length(last_error) BETWEEN 1 AND 500),
  -- When an operator held it back.
  quarantined_at timestamptz,
  CHECK ((finished_at IS NOT NULL) = (prices IS NOT NULL OR fault IS NOT NULL)),
  CONSTRAINT reprice_requests_quarantined_open CHECK (quarantined_at IS NULL OR finished_at IS NULL)
);
CREATE INDEX reprice_requests_due ON tokenization.reprice_requests (due_at) WHERE finished_at IS NULL;
CREATE INDEX reprice_requests_quarantined ON tokenization.reprice_requests (quarantined_at) WHERE quarantined_at IS NOT NULL;
