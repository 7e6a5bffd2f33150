-- The ledger: who is owed what, and how it came to that. Entries are added and never changed; the only way to add one is
-- `trading.post_journals`, since the role of the program may read these tables and no more (shared/database/grants.ts).
-- Credits are positive (README, the sign of the ledger).

CREATE TABLE trading.ledger_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN (
    'AVAILABLE', 'LOCKED',
    'FEES', 'SPREAD', 'ROUNDING', 'VENUE_FEES', 'CAPITAL', 'PRINCIPAL',
    'VENUE', 'CUSTODY', 'DEPOSITS_IN_TRANSIT', 'WITHDRAWALS_IN_TRANSIT')),
  -- Of a client's account; null for an account of the house.
  wallet_id uuid,
  -- Where the house holds the funds of an account of kind VENUE.
  venue text CHECK (venue ~ '^[a-z][a-z0-9_-]{0,39}$'),
  currency text NOT NULL REFERENCES trading.currencies,
  synthetic boolean NOT NULL,
  -- An account of the house is several rows, so that trades do not wait for one another; its balance is the sum of them.
  stripe smallint NOT NULL CHECK (stripe BETWEEN 0 AND 15),
  -- Whose it is: the wallet, the venue, or nobody's in particular.
  owner text NOT NULL GENERATED ALWAYS AS (coalesce(wallet_id::text, venue, '')) STORED,
  -- What its last entry says.
  balance numeric NOT NULL DEFAULT 0,
  entry_count bigint NOT NULL DEFAULT 0 CHECK (entry_count >= 0),
  last_posted_at timestamptz,
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic),
  UNIQUE (owner, kind, currency, synthetic, stripe),
  -- For the entries, which are of its currency and of its world.
  UNIQUE (id, currency, synthetic),
  CHECK ((kind IN ('AVAILABLE', 'LOCKED')) = (wallet_id IS NOT NULL)),
  CHECK ((kind = 'VENUE') = (venue IS NOT NULL)),
  CHECK (wallet_id IS NULL OR stripe = 0),
  CHECK ((entry_count = 0) = (last_posted_at IS NULL) AND (entry_count > 0 OR balance = 0)),
  CONSTRAINT ledger_accounts_client_balance CHECK (wallet_id IS NULL OR balance >= 0)
) WITH (fillfactor = 50);

-- Movements of funds that happened together, for one reason.
CREATE TABLE trading.journals (
  -- UUID version 7.
  id uuid NOT NULL,
  -- What makes posting it again change nothing.
  key text NOT NULL CONSTRAINT journals_key UNIQUE CHECK (length(key) BETWEEN 1 AND 300),
  -- What kind of thing it was posted for, as `order.fill`, and which one.
  cause text NOT NULL CHECK (cause ~ '^[a-z][a-z_.]{0,59}$'),
  cause_id text NOT NULL CHECK (length(cause_id) BETWEEN 1 AND 200),
  synthetic boolean NOT NULL,
  -- SHA-256 of what it was asked to post.
  digest bytea NOT NULL,
  posted_at timestamptz NOT NULL,
  PRIMARY KEY (id, synthetic)
);

-- What a journal does to an account: one entry at most.
CREATE TABLE trading.entries (
  account_id bigint NOT NULL,
  -- From 1, without gaps.
  number bigint NOT NULL CHECK (number > 0),
  journal_id uuid NOT NULL,
  currency text NOT NULL,
  synthetic boolean NOT NULL,
  amount numeric NOT NULL CHECK (amount <> 0 AND abs(amount) < 1e24 AND scale(amount) <= 18),
  -- Of the account, after this entry.
  balance numeric NOT NULL,
  -- The same for all entries of a journal; of an account each is later than the one before.
  posted_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, posted_at),
  FOREIGN KEY (account_id, currency, synthetic) REFERENCES trading.ledger_accounts (id, currency, synthetic),
  FOREIGN KEY (journal_id, synthetic) REFERENCES trading.journals (id, synthetic)
) PARTITION BY RANGE (posted_at);
CREATE INDEX entries_journal ON trading.entries (journal_id);

-- Takes what belongs to no month that was made. It is there so that posting never stops, and a finding when it is not empty.
CREATE TABLE trading.entries_other PARTITION OF trading.entries DEFAULT;

-- Funds of a client that are set aside. What remains of all open ones is the balance of the LOCKED account.
CREATE TABLE trading.holds (
  id uuid PRIMARY KEY,
  wallet_id uuid NOT NULL,
  synthetic boolean NOT NULL,
  currency text NOT NULL REFERENCES trading.currencies,
  amount numeric NOT NULL CHECK (amount > 0),
  remaining numeric NOT NULL,
  cause text NOT NULL CHECK (cause ~ '^[a-z][a-z_.]{0,59}$'),
  cause_id text NOT NULL CHECK (length(cause_id) BETWEEN 1 AND 200),
  opened_at timestamptz NOT NULL,
  -- When nothing remained: it was spent, or released.
  closed_at timestamptz,
  FOREIGN KEY (wallet_id, synthetic) REFERENCES trading.wallets (id, synthetic),
  CHECK (remaining BETWEEN 0 AND amount),
  CHECK ((remaining = 0) = (closed_at IS NOT NULL))
);
CREATE INDEX holds_open ON trading.holds (wallet_id, currency) WHERE closed_at IS NULL;

-- What was proved of an account in a month that is over: nothing of that month is read again to prove the account.
CREATE TABLE trading.entry_sums (
  account_id bigint NOT NULL REFERENCES trading.ledger_accounts,
  -- The first day of the month.
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  entries bigint NOT NULL CHECK (entries > 0),
  amount numeric NOT NULL,
  -- Number and balance of the last entry of the month.
  last_number bigint NOT NULL,
  balance numeric NOT NULL,
  PRIMARY KEY (account_id, month)
);
CREATE TABLE trading.proved_months (
  month date PRIMARY KEY,
  entries bigint NOT NULL,
  proved_at timestamptz NOT NULL
);

-- What a proof found wrong; open until an operator resolves it.
CREATE TABLE trading.reconciliation_findings (
  id uuid PRIMARY KEY,
  -- Which promise of the ledger is broken.
  invariant text NOT NULL CHECK (invariant ~ '^[A-Z_]{1,60}$'),
  currency text REFERENCES trading.currencies,
  synthetic boolean,
  -- Of which account, wallet or month; empty for the whole.
  subject text NOT NULL CHECK (length(subject) <= 200),
  expected text NOT NULL,
  actual text NOT NULL,
  found_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  resolved_at timestamptz,
  -- What the operator says that it was.
  resolution text CHECK (length(resolution) BETWEEN 1 AND 1000),
  CHECK ((resolved_at IS NULL) = (resolution IS NULL))
);
CREATE UNIQUE INDEX reconciliation_findings_open ON trading.reconciliation_findings
  (invariant, currency, synthetic, subject) NULLS NOT DISTINCT WHERE resolved_at IS NULL;
CREATE INDEX reconciliation_findings_newest ON trading.reconciliation_findings (id DESC);

-- Currencies in which nothing new is traded for the time being.
CREATE TABLE trading.currency_halts (
  currency text NOT NULL REFERENCES trading.currencies,
  synthetic boolean NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  halted_at timestamptz NOT NULL,
  PRIMARY KEY (currency, synthetic)
);

-- Nothing that was posted changes, whoever asks and by whatever way.
CREATE FUNCTION trading.refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'trading.% takes no % but through trading.post_journals', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'insufficient_privilege', HINT = 'Correct by another journal';
END $$;

CREATE TRIGGER journals_stand BEFORE UPDATE OR DELETE OR TRUNCATE ON trading.journals
  FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_ledger_change();
CREATE TRIGGER entries_stand BEFORE UPDATE OR DELETE OR TRUNCATE ON trading.entries
  FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_ledger_change();
CREATE TRIGGER holds_stand BEFORE DELETE OR TRUNCATE ON trading.holds
  FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_ledger_change();
CREATE TRIGGER ledger_accounts_stand BEFORE DELETE OR TRUNCATE ON trading.ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_ledger_change();
-- The trigger of a partition is for statements that name it; those that name the table fire the table's.
CREATE TRIGGER entries_stand BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON trading.entries_other
  FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_ledger_change();
-- Always: also where a session says that it replays a replica.
ALTER TABLE trading.journals ENABLE ALWAYS TRIGGER journals_stand;
ALTER TABLE trading.entries ENABLE ALWAYS TRIGGER entries_stand;
ALTER TABLE trading.holds ENABLE ALWAYS TRIGGER holds_stand;
ALTER TABLE trading.ledger_accounts ENABLE ALWAYS TRIGGER ledger_accounts_stand;
ALTER TABLE trading.entries_other ENABLE ALWAYS TRIGGER entries_stand;

-- What was inserted balances in each journal and currency, is as exact as its currency where it is a client's, and is
-- what its account says now.
CREATE FUNCTION trading.prove_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_wrong record;
BEGIN
  SELECT entry.journal_id, entry.currency, sum(entry.amount) AS total,
    bool_or(account.wallet_id IS NOT NULL AND scale(trim_scale(entry.amount)) > currency.decimals) AS excess,
    bool_or((account.balance, account.entry_count, account.last_posted_at)
            IS DISTINCT FROM (entry.balance, entry.number, entry.posted_at)) AS adrift
  INTO v_wrong
  FROM inserted AS entry
  JOIN trading.ledger_accounts AS account ON account.id = entry.account_id
  JOIN trading.currencies AS currency ON currency.code = entry.currency
  GROUP BY entry.journal_id, entry.currency
  HAVING sum(entry.amount) <> 0
    OR bool_or(account.wallet_id IS NOT NULL AND scale(trim_scale(entry.amount)) > currency.decimals)
    OR bool_or((account.balance, account.entry_count, account.last_posted_at)
               IS DISTINCT FROM (entry.balance, entry.number, entry.posted_at))
  LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_wrong.total <> 0 THEN
    RAISE EXCEPTION 'Journal % does not balance: its entries in % add up to %', v_wrong.journal_id, v_wrong.currency, v_wrong.total
      USING ERRCODE = 'LD003';
  ELSIF v_wrong.excess THEN
    RAISE EXCEPTION 'Journal % gives a client more decimals than % has', v_wrong.journal_id, v_wrong.currency USING ERRCODE = 'LD004';
  END IF;
  RAISE EXCEPTION 'Journal % has an entry in % that its account does not know', v_wrong.journal_id, v_wrong.currency
    USING ERRCODE = 'LD005';
END $$;
CREATE TRIGGER entries_prove AFTER INSERT ON trading.entries REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION trading.prove_entries();
ALTER TABLE trading.entries ENABLE ALWAYS TRIGGER entries_prove;

-- A change of an account, by whose it is: postings before it is known which row they meet.
CREATE TYPE trading.ledger_posting AS (owner text, kind text, currency text, amount numeric);

CREATE FUNCTION trading.stripe_of(p_kind text, p_stripe smallint) RETURNS smallint LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN p_kind IN ('AVAILABLE', 'LOCKED') THEN 0::smallint ELSE p_stripe END;

-- The accounts that some journals are about. Of a hold both accounts of its wallet are: whoever changes it has them locked.
CREATE FUNCTION trading.accounts_of(p_synthetic boolean, p_journals jsonb) RETURNS trading.ledger_posting[] LANGUAGE plpgsql AS $$
DECLARE
  v_accounts trading.ledger_posting[] := ARRAY(SELECT posting FROM jsonb_populate_recordset(
    NULL::trading.ledger_posting, jsonb_path_query_array(p_journals, '$[*].postings[*]')) AS posting);
  v_changes jsonb[] := ARRAY(SELECT jsonb_path_query(p_journals, '$[*].holds[*]'));
  v_holds uuid[];
BEGIN
  IF v_changes = '{}' THEN RETURN v_accounts; END IF;
  v_holds := ARRAY(SELECT (change->>'id')::uuid FROM unnest(v_changes) AS change);
  RETURN v_accounts || ARRAY(
    SELECT (held.owner, side.kind, held.currency, NULL)::trading.ledger_posting
    FROM (
      SELECT change->>'walletId', change->>'currency' FROM unnest(v_changes) AS change WHERE change->>'act' = 'open'
      UNION ALL
      SELECT wallet_id::text, currency FROM trading.holds WHERE id = ANY (v_holds) AND synthetic = p_synthetic
    ) AS held (owner, currency) CROSS JOIN (VALUES ('AVAILABLE'), ('LOCKED')) AS side (kind));
END $$;

-- Locks some accounts, those that are missing made before. Everybody locks in one order: clients' accounts by id, then the house's,
-- which others are more likely to wait for. Returns when the last entry of any was posted.
CREATE FUNCTION trading.lock_accounts(p_synthetic boolean, p_stripe smallint, p_accounts trading.ledger_posting[]) RETURNS timestamptz
LANGUAGE plpgsql AS $$
DECLARE
  v_ids bigint[];
  v_missing boolean;
  v_last timestamptz;
BEGIN
  LOOP
    SELECT array_agg(account.id), bool_or(account.id IS NULL) INTO v_ids, v_missing
    FROM unnest(p_accounts) AS wanted
    LEFT JOIN trading.ledger_accounts AS account ON account.owner = wanted.owner AND account.kind = wanted.kind
      AND account.currency = wanted.currency AND account.synthetic = p_synthetic AND account.stripe = trading.stripe_of(wanted.kind, p_stripe);
    EXIT WHEN v_missing IS NOT TRUE;
    INSERT INTO trading.ledger_accounts (kind, wallet_id, venue, currency, synthetic, stripe)
    SELECT kind, CASE WHEN kind IN ('AVAILABLE', 'LOCKED') THEN owner::uuid END,
      CASE WHEN kind NOT IN ('AVAILABLE', 'LOCKED') THEN nullif(owner, '') END, currency, p_synthetic, trading.stripe_of(kind, p_stripe)
    FROM unnest(p_accounts) ORDER BY owner, kind, currency ON CONFLICT DO NOTHING;
  END LOOP;
  SELECT max(last_posted_at) INTO v_last FROM (
    SELECT last_posted_at FROM trading.ledger_accounts WHERE id = ANY (v_ids)
    ORDER BY wallet_id IS NULL, id FOR NO KEY UPDATE) AS locked;
  RETURN v_last;
END $$;

-- Opens, spends of, or releases a hold, whose accounts are locked. Returns what that does to them.
CREATE FUNCTION trading.change_hold(p_synthetic boolean, p_change jsonb, p_journal trading.journals)
RETURNS trading.ledger_posting[] LANGUAGE plpgsql AS $$
DECLARE
  v_hold trading.holds;
  v_amount numeric := (p_change->>'amount')::numeric;
BEGIN
  IF p_change->>'act' = 'open' THEN
    INSERT INTO trading.holds (id, wallet_id, synthetic, currency, amount, remaining, cause, cause_id, opened_at)
    VALUES ((p_change->>'id')::uuid, (p_change->>'walletId')::uuid, p_synthetic, p_change->>'currency', v_amount, v_amount,
      p_journal.cause, p_journal.cause_id, p_journal.posted_at)
    RETURNING * INTO v_hold;
    RETURN ARRAY[(v_hold.wallet_id::text, 'AVAILABLE', v_hold.currency, -v_amount)::trading.ledger_posting,
                 (v_hold.wallet_id::text, 'LOCKED', v_hold.currency, v_amount)::trading.ledger_posting];
  END IF;
  SELECT * INTO v_hold FROM trading.holds WHERE id = (p_change->>'id')::uuid AND synthetic = p_synthetic;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no hold %', p_change->>'id' USING ERRCODE = 'LD002';
  END IF;
  IF p_change->>'act' = 'release' THEN
    v_amount := v_hold.remaining;
    -- It was spent or released before: there is nothing to give back.
    IF v_amount = 0 THEN RETURN '{}'; END IF;
  ELSIF p_change->>'act' IS DISTINCT FROM 'spend' OR v_amount IS NULL OR v_amount <= 0 OR v_amount > v_hold.remaining THEN
    RAISE EXCEPTION 'The hold % has % % left, which % % is not part of', v_hold.id, v_hold.remaining, v_hold.currency, v_amount, v_hold.currency
      USING ERRCODE = 'LD002';
  END IF;
  UPDATE trading.holds SET remaining = remaining - v_amount,
    closed_at = CASE WHEN remaining = v_amount THEN p_journal.posted_at END WHERE id = v_hold.id;
  IF p_change->>'act' = 'spend' THEN
    RETURN ARRAY[(v_hold.wallet_id::text, 'LOCKED', v_hold.currency, -v_amount)::trading.ledger_posting];
  END IF;
  RETURN ARRAY[(v_hold.wallet_id::text, 'LOCKED', v_hold.currency, -v_amount)::trading.ledger_posting,
               (v_hold.wallet_id::text, 'AVAILABLE', v_hold.currency, v_amount)::trading.ledger_posting];
END $$;

-- Moves the accounts of one journal, which are locked, and writes an entry for each.
CREATE FUNCTION trading.write_entries(p_journal trading.journals, p_stripe smallint, p_postings trading.ledger_posting[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH change AS (
    SELECT owner, kind, currency, sum(amount) AS amount FROM unnest(p_postings)
    GROUP BY owner, kind, currency HAVING sum(amount) <> 0
  ), moved AS (
    UPDATE trading.ledger_accounts AS account
    SET balance = account.balance + change.amount, entry_count = account.entry_count + 1, last_posted_at = p_journal.posted_at
    FROM change
    WHERE account.owner = change.owner AND account.kind = change.kind AND account.currency = change.currency
      AND account.synthetic = p_journal.synthetic AND account.stripe = trading.stripe_of(change.kind, p_stripe)
    RETURNING account.id, account.entry_count, account.currency, change.amount, account.balance
  )
  INSERT INTO trading.entries (account_id, number, journal_id, currency, synthetic, amount, balance, posted_at)
  SELECT id, entry_count, p_journal.id, currency, p_journal.synthetic, amount, balance, p_journal.posted_at FROM moved;
END $$;

-- Posts journals of one world, all of them or none: `[{id, key, cause, causeId, postings: [{owner, kind, currency, amount}],
-- holds: [{act: open | spend | release, id, walletId, currency, amount}]}]`. LOCKED accounts move by holds alone. A journal whose key
-- is known changes nothing. Returns of each, in their order, `{id, repeated}`.
--
-- Errors: LD001 the key is known for another content; LD002 a hold that is not there, or has too little left; LD003 it does not
-- balance; LD004 more decimals than the currency has; LD006 a posting to LOCKED; constraint ledger_accounts_client_balance.
CREATE FUNCTION trading.post_journals(p_synthetic boolean, p_journals jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
-- A plan lasts as long as its connection: one that was made while a table was small must not read all of it when it is large.
SET enable_seqscan = off AS $$
DECLARE
  -- A connection keeps to one row of each account of the house, which is seldom another connection's.
  v_stripe smallint := pg_backend_pid() % 16;
  -- The moment is taken once all accounts are locked, and is later than any that they know, whatever becomes of the clock.
  v_last timestamptz := trading.lock_accounts(p_synthetic, v_stripe, trading.accounts_of(p_synthetic, p_journals));
  v_posted_at timestamptz := greatest(clock_timestamp(), v_last + interval '1 microsecond');
  v_results jsonb := '[]';
  v_given jsonb;
  v_change jsonb;
  v_postings trading.ledger_posting[];
  v_journal trading.journals;
  v_known trading.journals;
BEGIN
  FOR v_given IN SELECT value FROM jsonb_array_elements(p_journals) LOOP
    v_journal := ROW (v_given->>'id', v_given->>'key', v_given->>'cause', v_given->>'causeId', p_synthetic,
      sha256(convert_to((v_given - 'id')::text, 'UTF8')), v_posted_at);
    INSERT INTO trading.journals SELECT (v_journal).* ON CONFLICT ON CONSTRAINT journals_key DO NOTHING;
    IF NOT FOUND THEN
      SELECT * INTO STRICT v_known FROM trading.journals WHERE key = v_journal.key;
      IF (v_known.digest, v_known.synthetic) <> (v_journal.digest, p_synthetic) THEN
        RAISE EXCEPTION 'Another journal was posted with the key %', v_journal.key USING ERRCODE = 'LD001';
      END IF;
      v_results := v_results || jsonb_build_object('id', v_known.id, 'repeated', true);
      CONTINUE;
    END IF;
    SELECT coalesce(array_agg(posting), '{}') INTO v_postings
    FROM jsonb_populate_recordset(NULL::trading.ledger_posting, v_given->'postings') AS posting;
    IF EXISTS (SELECT FROM unnest(v_postings) AS posting WHERE posting.kind = 'LOCKED') THEN
      RAISE EXCEPTION 'Journal % posts to LOCKED, which holds alone move', v_journal.key USING ERRCODE = 'LD006';
    END IF;
    FOR v_change IN SELECT value FROM jsonb_array_elements(v_given->'holds') LOOP
      v_postings := v_postings || trading.change_hold(p_synthetic, v_change, v_journal);
    END LOOP;
    PERFORM trading.write_entries(v_journal, v_stripe, v_postings);
    v_results := v_results || jsonb_build_object('id', v_journal.id, 'repeated', false);
    v_posted_at := v_posted_at + interval '1 microsecond';
  END LOOP;
  RETURN v_results;
END $$;

-- Makes the months of entries from this one to a year ahead that are not there, and returns how many it made.
CREATE FUNCTION trading.make_entry_months() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
  v_month timestamptz;
  v_name text;
  v_made integer := 0;
BEGIN
  -- One after the other, where several instances ask.
  PERFORM pg_advisory_xact_lock(7261536171);
  FOR v_month IN SELECT date_trunc('month', now()) + step * interval '1 month' FROM generate_series(0, 12) AS step LOOP
    v_name := to_char(v_month, '"entries_"YYYY_MM');
    CONTINUE WHEN to_regclass('trading.' || v_name) IS NOT NULL;
    -- Made apart and attached: that lets others write to the table meanwhile.
    EXECUTE format('CREATE TABLE trading.%I (LIKE trading.entries INCLUDING CONSTRAINTS)', v_name);
    EXECUTE format('CREATE TRIGGER entries_stand BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON trading.%I
      FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_ledger_change()', v_name);
    EXECUTE format('ALTER TABLE trading.%I ENABLE ALWAYS TRIGGER entries_stand', v_name);
    EXECUTE format('ALTER TABLE trading.entries ATTACH PARTITION trading.%I FOR VALUES FROM (%L) TO (%L)',
      v_name, v_month, v_month + interval '1 month');
    v_made := v_made + 1;
  END LOOP;
  RETURN v_made;
END $$;
SELECT trading.make_entry_months();

-- Adds up the entries of a period, account by account, and counts those that do not follow from the one before.
CREATE FUNCTION trading.add_up_entries(p_from timestamptz, p_to timestamptz)
RETURNS TABLE (account_id bigint, entries bigint, amount numeric, first_number bigint, last_number bigint, opening numeric, broken bigint)
LANGUAGE sql STABLE AS $$
  SELECT account_id, count(*), sum(amount), min(number), max(number),
    max(balance - amount) FILTER (WHERE before_number IS NULL),
    count(*) FILTER (WHERE number <> before_number + 1 OR balance <> before_balance + amount)
  FROM (
    SELECT account_id, number, amount, balance,
      lag(number) OVER in_order AS before_number, lag(balance) OVER in_order AS before_balance
    FROM trading.entries WHERE posted_at >= p_from AND posted_at < p_to
    WINDOW in_order AS (PARTITION BY account_id ORDER BY posted_at)
  ) AS entry GROUP BY account_id
$$;

-- Proves a month that is over, and keeps its sums, so that it need not be read again. It stays unproved, and this returns false,
-- where an entry does not follow from the one before, the month does not begin where the one before ended, or a currency does not
-- add up to zero: the full proof then says which account it is.
CREATE FUNCTION trading.prove_month(p_month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  v_from timestamptz := p_month;
  v_to timestamptz := p_month + interval '1 month';
  v_entries bigint;
  v_broken boolean;
BEGIN
  IF extract(day FROM p_month) <> 1 OR now() < v_to + interval '1 hour' THEN
    RAISE EXCEPTION 'The month % is not over', p_month USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(7261536172);
  IF EXISTS (SELECT FROM trading.proved_months WHERE month = p_month) THEN RETURN true; END IF;
  IF EXISTS (SELECT FROM trading.proved_months WHERE month > p_month) THEN
    RAISE EXCEPTION 'A later month than % was proved', p_month USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH added AS MATERIALIZED (
    SELECT * FROM trading.add_up_entries(v_from, v_to)
  ), kept AS (
    INSERT INTO trading.entry_sums (account_id, month, entries, amount, last_number, balance)
    SELECT account_id, p_month, entries, amount, last_number, opening + amount FROM added
  )
  SELECT coalesce(sum(added.entries), 0),
    coalesce(bool_or(added.broken > 0 OR added.first_number <> coalesce(before.last_number, 0) + 1
                     OR added.opening <> coalesce(before.balance, 0)), false)
  INTO v_entries, v_broken
  FROM added LEFT JOIN LATERAL (
    SELECT last_number, balance FROM trading.entry_sums AS sums
    WHERE sums.account_id = added.account_id AND sums.month < p_month ORDER BY sums.month DESC LIMIT 1) AS before ON true;
  IF v_broken OR EXISTS (
    SELECT FROM trading.entry_sums AS sums JOIN trading.ledger_accounts AS account ON account.id = sums.account_id
    WHERE sums.month = p_month GROUP BY account.currency, account.synthetic HAVING sum(sums.amount) <> 0
  ) THEN
    DELETE FROM trading.entry_sums WHERE month = p_month;
    RETURN false;
  END IF;
  INSERT INTO trading.proved_months (month, entries, proved_at) VALUES (p_month, v_entries, now());
  RETURN true;
END $$;

-- The role of the program may call those that act for it (shared/database/grants.ts); nobody else.
REVOKE ALL ON FUNCTION trading.post_journals, trading.make_entry_months, trading.prove_month FROM PUBLIC;
