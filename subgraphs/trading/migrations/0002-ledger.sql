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

-- What a journal does to an account: one entry at most. That it has its account and its journal, of its currency and world, the statement that inserts entries
-- proves (prove_entries), where foreign keys would look up both for every entry. Nothing takes either away: journals do not change, accounts neither in what
-- entries refer to.
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
  PRIMARY KEY (account_id, posted_at)
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
CREATE TRIGGER ledger_accounts_stay BEFORE UPDATE OF id, kind, wallet_id, venue, currency, synthetic, stripe ON trading.ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_ledger_change();
-- The trigger of a partition is for statements that name it; those that name the table fire the table's.
CREATE TRIGGER entries_stand BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON trading.entries_other
  FOR EACH STATEMENT EXECUTE FUNCTION trading.refuse_ledger_change();
-- Always: also where a session says that it replays a replica.
ALTER TABLE trading.journals ENABLE ALWAYS TRIGGER journals_stand;
ALTER TABLE trading.entries ENABLE ALWAYS TRIGGER entries_stand;
ALTER TABLE trading.holds ENABLE ALWAYS TRIGGER holds_stand;
ALTER TABLE trading.ledger_accounts ENABLE ALWAYS TRIGGER ledger_accounts_stand;
ALTER TABLE trading.ledger_accounts ENABLE ALWAYS TRIGGER ledger_accounts_stay;
ALTER TABLE trading.entries_other ENABLE ALWAYS TRIGGER entries_stand;

-- What was inserted belongs to accounts and journals that are there, balances in each journal and currency, is as exact as its currency
-- where it is a client's and leaves a client no less than nothing, follows from the entry before where that was inserted too, and is
-- what its account says now where it is the last.
CREATE FUNCTION trading.prove_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_wrong record;
BEGIN
  SELECT part.*, journal.id IS NULL AS lost INTO v_wrong
  FROM (
    SELECT entry.journal_id, entry.currency, entry.synthetic, min(entry.posted_at) AS posted_at, sum(entry.amount) AS total,
      bool_or(account.id IS NULL) AS astray,
      bool_or(account.wallet_id IS NOT NULL AND entry.balance < 0) AS poor,
      bool_or(account.wallet_id IS NOT NULL AND scale(trim_scale(entry.amount)) > currency.decimals) AS excess,
      bool_or(CASE WHEN entry.next_number IS NULL THEN
                (account.balance, account.entry_count, account.last_posted_at) IS DISTINCT FROM (entry.balance, entry.number, entry.posted_at) END
              OR entry.number <> entry.before_number + 1 OR entry.balance <> entry.before_balance + entry.amount
              OR entry.posted_at <= entry.before_posted_at) AS adrift
    FROM (
      SELECT inserted.*, lag(number) OVER in_order AS before_number, lag(balance) OVER in_order AS before_balance,
        lag(posted_at) OVER in_order AS before_posted_at, lead(number) OVER in_order AS next_number
      FROM inserted WINDOW in_order AS (PARTITION BY account_id ORDER BY number)
    ) AS entry
    LEFT JOIN trading.ledger_accounts AS account
      ON account.id = entry.account_id AND account.currency = entry.currency AND account.synthetic = entry.synthetic
    LEFT JOIN trading.currencies AS currency ON currency.code = entry.currency
    GROUP BY entry.journal_id, entry.currency, entry.synthetic
  ) AS part
  LEFT JOIN trading.journals AS journal ON journal.id = part.journal_id AND journal.synthetic = part.synthetic
  WHERE total <> 0 OR astray OR poor OR excess OR adrift OR journal.id IS NULL
  ORDER BY part.posted_at LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_wrong.lost OR v_wrong.astray THEN
    RAISE EXCEPTION 'An entry of journal % in % has no journal or no account of its currency and world', v_wrong.journal_id, v_wrong.currency
      USING ERRCODE = 'foreign_key_violation';
  ELSIF v_wrong.poor THEN
    RAISE EXCEPTION 'Journal % takes more % of a client than there is', v_wrong.journal_id, v_wrong.currency
      USING ERRCODE = 'check_violation', SCHEMA = 'trading', TABLE = 'ledger_accounts', CONSTRAINT = 'ledger_accounts_client_balance';
  ELSIF v_wrong.total <> 0 THEN
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

-- `trading.post_journals` posts the journals of a call together, in a handful of statements however many they are, as if one after the other, in the order
-- given. The functions before it are its parts.

-- What a journal does to an account. A journal is known by its position in the call, from 1.
CREATE TYPE trading.ledger_movement AS (position integer, account_id bigint, amount numeric);

-- What a journal does to a hold, and the accounts of its wallet; these are null of a hold that is not there.
CREATE TYPE trading.hold_change AS (
  position integer, act text, id uuid, wallet_id uuid, currency text, amount numeric, available_id bigint, locked_id bigint);

-- Why a journal is refused. `position` is that of the first such journal.
CREATE TYPE trading.ledger_refusal AS (position integer, code text, "constraint" text, message text);

-- When the journal at a position is posted. Those of a call are a microsecond apart.
CREATE FUNCTION trading.moment_of(p_begun timestamptz, p_position integer) RETURNS timestamptz LANGUAGE sql STABLE
  RETURN p_begun + (p_position - 1) * interval '1 microsecond';

-- The changes of holds that some journals ask for, in their order.
CREATE FUNCTION trading.hold_changes_of(p_synthetic boolean, p_journals jsonb) RETURNS trading.hold_change[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT (change.position, change.act, change.id, change.wallet_id, change.currency, change.amount,
      coalesce(available.id, max(available.id) OVER same), coalesce(locked.id, max(locked.id) OVER same))::trading.hold_change
    FROM (
      SELECT given.position::integer, asked.number, asked.act, asked.id, asked.amount,
        CASE asked.act WHEN 'open' THEN asked.wallet_id ELSE held.wallet_id END AS wallet_id,
        CASE asked.act WHEN 'open' THEN asked.currency ELSE held.currency END AS currency
      FROM jsonb_array_elements(p_journals) WITH ORDINALITY AS given (journal, position)
      CROSS JOIN LATERAL ROWS FROM (
        jsonb_to_recordset(given.journal->'holds') AS (act text, id uuid, "walletId" uuid, currency text, amount numeric)
      ) WITH ORDINALITY AS asked (act, id, wallet_id, currency, amount, number)
      LEFT JOIN trading.holds AS held ON held.id = asked.id AND held.synthetic = p_synthetic
    ) AS change
    LEFT JOIN trading.ledger_accounts AS available ON available.owner = change.wallet_id::text AND available.kind = 'AVAILABLE'
      AND available.currency = change.currency AND available.synthetic = p_synthetic AND available.stripe = 0
    LEFT JOIN trading.ledger_accounts AS locked ON locked.owner = change.wallet_id::text AND locked.kind = 'LOCKED'
      AND locked.currency = change.currency AND locked.synthetic = p_synthetic AND locked.stripe = 0
    -- A hold that an earlier one of the journals opens has its accounts from there.
    WINDOW same AS (PARTITION BY change.id ORDER BY change.position, change.number)
    ORDER BY change.position, change.number);
END $$;

CREATE FUNCTION trading.stripe_of(p_kind text, p_stripe smallint) RETURNS smallint LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN p_kind IN ('AVAILABLE', 'LOCKED') THEN 0::smallint ELSE p_stripe END;

-- Makes the accounts that some journals are about and that are not there.
CREATE FUNCTION trading.add_accounts(p_synthetic boolean, p_stripe smallint, p_journals jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO trading.ledger_accounts (kind, wallet_id, venue, currency, synthetic, stripe)
  SELECT kind, CASE WHEN kind IN ('AVAILABLE', 'LOCKED') THEN owner::uuid END,
    CASE WHEN kind NOT IN ('AVAILABLE', 'LOCKED') THEN nullif(owner, '') END, currency, p_synthetic, trading.stripe_of(kind, p_stripe)
  FROM (
    SELECT posting->>'owner', posting->>'kind', posting->>'currency' FROM jsonb_path_query(p_journals, '$[*].postings[*]') AS posting
    UNION
    SELECT change->>'walletId', side.kind, change->>'currency'
    FROM jsonb_path_query(p_journals, '$[*].holds[*] ? (@.act == "open")') AS change, (VALUES ('AVAILABLE'), ('LOCKED')) AS side (kind)
  ) AS wanted (owner, kind, currency)
  ORDER BY owner, kind, currency ON CONFLICT DO NOTHING;
END $$;

-- Changes holds whose accounts are locked, and returns what that does to the accounts. Where a change cannot be made, it says so in
-- `p_refusal`, and what it returns holds for the journals before.
CREATE FUNCTION trading.change_holds(
  p_synthetic boolean, p_journals jsonb, p_begun timestamptz, p_changes trading.hold_change[], p_before integer,
  OUT movements trading.ledger_movement[], OUT refusal trading.ledger_refusal)
LANGUAGE plpgsql AS $$
DECLARE
  v_refusals trading.ledger_refusal[];
BEGIN
  -- A hold is what it was before the call, or opened in it; less what was spent since; nothing once it was released.
  WITH story AS (
    SELECT change.*, held.ctid AS place,
      coalesce(held.remaining, sum(change.amount) FILTER (WHERE change.act = 'open') OVER earlier) AS funds,
      coalesce(sum(change.amount) FILTER (WHERE change.act = 'spend') OVER earlier, 0) AS spent,
      coalesce(bool_or(change.act = 'release') OVER earlier, false) AS released
    FROM unnest(p_changes) WITH ORDINALITY AS change (position, act, id, wallet_id, currency, amount, available_id, locked_id, number)
    -- One that was opened since the accounts were looked for is none yet: they are not locked.
    LEFT JOIN trading.holds AS held ON held.id = change.id AND held.synthetic = p_synthetic AND change.locked_id IS NOT NULL
    WHERE change.position < p_before
    WINDOW earlier AS (PARTITION BY change.id ORDER BY change.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ), step AS (
    SELECT story.*, state.remaining,
      CASE act WHEN 'open' THEN amount WHEN 'spend' THEN -amount WHEN 'release' THEN -state.remaining END AS gain,
      CASE act WHEN 'open' THEN funds IS NULL WHEN 'spend' THEN amount > 0 AND amount <= state.remaining
        WHEN 'release' THEN state.remaining IS NOT NULL END IS TRUE AS possible
    FROM story CROSS JOIN LATERAL (SELECT CASE WHEN released THEN 0 ELSE funds - spent END AS remaining) AS state
  ), ending AS MATERIALIZED (
    SELECT step.*, bool_and(possible) OVER hold AS certain, sum(gain) OVER hold AS total, row_number() OVER hold AS turn,
      trading.moment_of(p_begun, min(position) FILTER (WHERE remaining > 0 AND remaining + gain = 0) OVER hold) AS closed_at
    FROM step WINDOW hold AS (PARTITION BY id)
  ), opened AS (
    INSERT INTO trading.holds (id, wallet_id, synthetic, currency, amount, remaining, cause, cause_id, opened_at, closed_at)
    SELECT id, wallet_id, p_synthetic, currency, amount, total, p_journals->(position - 1)->>'cause', p_journals->(position - 1)->>'causeId',
      trading.moment_of(p_begun, position), closed_at
    FROM ending WHERE act = 'open' AND certain
  ), changed AS (
    UPDATE trading.holds AS hold SET remaining = hold.remaining + ending.total, closed_at = ending.closed_at
    FROM ending WHERE hold.ctid = ending.place AND ending.certain AND ending.turn = 1 AND ending.total <> 0
  )
  SELECT array_agg((ending.position, side.account_id, side.amount)::trading.ledger_movement),
    array_agg((ending.position, CASE ending.act WHEN 'open' THEN '23505' ELSE 'LD002' END, CASE ending.act WHEN 'open' THEN 'holds_pkey' END,
      CASE WHEN ending.act = 'open' THEN format('There is another hold %s', ending.id)
        WHEN ending.remaining IS NULL THEN format('There is no hold %s', ending.id)
        ELSE format('The hold %s has %s %s left, which %s %s is not part of', ending.id, ending.remaining, ending.currency, ending.amount, ending.currency)
      END)::trading.ledger_refusal ORDER BY ending.number) FILTER (WHERE NOT ending.possible)
  INTO movements, v_refusals
  FROM ending CROSS JOIN LATERAL (
    VALUES ('LOCKED', ending.locked_id, ending.gain), ('AVAILABLE', ending.available_id, -ending.gain)) AS side (kind, account_id, amount)
  WHERE side.kind = 'LOCKED' OR ending.act <> 'spend';
  refusal := v_refusals[1];
END $$;

-- Moves accounts, which are locked, and writes an entry for each account and journal. `p_ids` are those of the journals.
CREATE FUNCTION trading.write_entries(p_ids uuid[], p_begun timestamptz, p_movements trading.ledger_movement[], p_before integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH change AS (
    SELECT account_id, position, sum(amount) AS amount FROM unnest(p_movements) WHERE position < p_before
    GROUP BY account_id, position HAVING sum(amount) <> 0
  ), running AS (
    SELECT account_id, position, amount, row_number() OVER so_far AS number, sum(amount) OVER so_far AS total,
      lead(position) OVER so_far AS next
    FROM change WINDOW so_far AS (PARTITION BY account_id ORDER BY position ROWS UNBOUNDED PRECEDING)
  ), entry AS MATERIALIZED (
    SELECT account.ctid AS place, account.id, account.currency, account.synthetic, account.entry_count + running.number AS number,
      account.balance + running.total AS balance, running.amount, running.position, running.next,
      trading.moment_of(p_begun, running.position) AS posted_at
    FROM running LEFT JOIN trading.ledger_accounts AS account ON account.id = running.account_id
  ), moved AS (
    UPDATE trading.ledger_accounts AS account
    SET balance = entry.balance, entry_count = entry.number, last_posted_at = entry.posted_at
    FROM entry WHERE account.ctid = entry.place AND entry.next IS NULL
  )
  INSERT INTO trading.entries (account_id, number, journal_id, currency, synthetic, amount, balance, posted_at)
  SELECT id, number, p_ids[position], currency, synthetic, amount, balance, posted_at FROM entry;
END $$;
-- Locks the accounts that some journals are about, those that are missing made before. Everybody locks in one order: clients' accounts
-- by id, then the house's, which others are more likely to wait for. `last` is when the last entry of any was posted, `forbidden` the
-- first journal that posts to LOCKED.
CREATE FUNCTION trading.lock_movements(
  p_synthetic boolean, p_stripe smallint, p_journals jsonb,
  OUT movements trading.ledger_movement[], OUT changes trading.hold_change[], OUT last timestamptz, OUT forbidden integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_ids bigint[];
  v_missing boolean;
BEGIN
  FOR v_try IN 1..2 LOOP
    SELECT array_agg((given.position, account.id, posting.amount)::trading.ledger_movement), array_agg(account.id),
      bool_or(account.id IS NULL), min(given.position) FILTER (WHERE posting.kind = 'LOCKED')
    INTO movements, v_ids, v_missing, forbidden
    FROM jsonb_array_elements(p_journals) WITH ORDINALITY AS given (journal, position)
    CROSS JOIN LATERAL jsonb_to_recordset(given.journal->'postings') AS posting (owner text, kind text, currency text, amount numeric)
    LEFT JOIN trading.ledger_accounts AS account ON account.owner = posting.owner AND account.kind = posting.kind
      AND account.currency = posting.currency AND account.synthetic = p_synthetic AND account.stripe = trading.stripe_of(posting.kind, p_stripe);
    IF jsonb_path_exists(p_journals, '$[*].holds[*]') THEN
      changes := trading.hold_changes_of(p_synthetic, p_journals);
      -- Of a hold both accounts of its wallet are locked: whoever changes it has them.
      SELECT v_ids || array_agg(change.available_id) || array_agg(change.locked_id),
        coalesce(v_missing, false) OR bool_or(change.act = 'open' AND (change.available_id IS NULL OR change.locked_id IS NULL))
      INTO v_ids, v_missing FROM unnest(changes) AS change;
    END IF;
    EXIT WHEN v_missing IS NOT TRUE;
    IF v_try = 2 THEN
      RAISE EXCEPTION 'A journal names an owner of an account in another form than the ledger' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM trading.add_accounts(p_synthetic, p_stripe, p_journals);
  END LOOP;
  SELECT max(last_posted_at) INTO last FROM (
    SELECT last_posted_at FROM trading.ledger_accounts WHERE id = ANY (v_ids)
    ORDER BY wallet_id IS NULL, id FOR NO KEY UPDATE) AS locked;
END $$;

-- Writes journals whose keys are not known, and returns the ids of all and what is said of each. `fresh` says which were written; it is
-- null where all were.
CREATE FUNCTION trading.write_journals(
  p_synthetic boolean, p_journals jsonb, p_begun timestamptz,
  OUT ids uuid[], OUT results jsonb, OUT fresh boolean[], OUT refusal trading.ledger_refusal)
LANGUAGE plpgsql AS $$
DECLARE
  v_moments timestamptz[];
  v_refusals trading.ledger_refusal[];
BEGIN
  -- In the order of their keys: so nobody waits for a key of one who waits for them.
  WITH written AS (
    INSERT INTO trading.journals (id, key, cause, cause_id, synthetic, digest, posted_at)
    SELECT (journal->>'id')::uuid, journal->>'key', journal->>'cause', journal->>'causeId', p_synthetic,
      sha256(convert_to((journal - 'id')::text, 'UTF8')), trading.moment_of(p_begun, position::integer)
    FROM jsonb_array_elements(p_journals) WITH ORDINALITY AS given (journal, position) ORDER BY journal->>'key', position
    ON CONFLICT ON CONSTRAINT journals_key DO NOTHING RETURNING id, posted_at
  )
  SELECT array_agg(id ORDER BY posted_at), array_agg(posted_at),
    jsonb_agg(jsonb_build_object('id', id, 'repeated', false) ORDER BY posted_at) INTO ids, v_moments, results FROM written;
  IF cardinality(ids) = jsonb_array_length(p_journals) THEN RETURN; END IF;
  SELECT array_agg(known.id ORDER BY position), array_agg(given.fresh ORDER BY position),
    jsonb_agg(jsonb_build_object('id', known.id, 'repeated', NOT given.fresh) ORDER BY position),
    array_agg((position, 'LD001', NULL, format('Another journal was posted with the key %s', given.key))::trading.ledger_refusal ORDER BY position)
      FILTER (WHERE (known.digest, known.synthetic) IS DISTINCT FROM (given.digest, p_synthetic))
  INTO ids, fresh, results, v_refusals
  FROM (
    SELECT position::integer, journal->>'key' AS key, sha256(convert_to((journal - 'id')::text, 'UTF8')) AS digest,
      coalesce(trading.moment_of(p_begun, position::integer) = ANY (v_moments), false) AS fresh
    FROM jsonb_array_elements(p_journals) WITH ORDINALITY AS one (journal, position)
  ) AS given LEFT JOIN trading.journals AS known ON known.key = given.key;
  refusal := v_refusals[1];
END $$;

-- Posts journals of one world, all of them or none: `[{id, key, cause, causeId, postings: [{owner, kind, currency, amount}],
-- holds: [{act: open | spend | release, id, walletId, currency, amount}]}]`. LOCKED accounts move by holds alone. A journal whose key
-- is known changes nothing. Returns of each, in their order, `{id, repeated}`. Where several are refused, the first says why.
--
-- Errors: LD001 the key is known for another content; LD002 a hold that is not there, or has too little left; LD003 it does not
-- balance; LD004 more decimals than the currency has; LD006 a posting to LOCKED; constraints ledger_accounts_client_balance, holds_pkey.
CREATE FUNCTION trading.post_journals(p_synthetic boolean, p_journals jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
-- A plan lasts as long as its connection: it finds rows by index, whatever the tables held and the call asked for when it was made.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- A connection keeps to one row of each account of the house, which is seldom another connection's.
  v_stripe smallint := pg_backend_pid() % 16;
  v_locked record := trading.lock_movements(p_synthetic, v_stripe, p_journals);
  -- The moment is taken once all accounts are locked, and is later than any that they know, whatever becomes of the clock.
  v_begun timestamptz := greatest(clock_timestamp(), v_locked.last + interval '1 microsecond');
  v_written record := trading.write_journals(p_synthetic, p_journals, v_begun);
  v_held record;
  v_movements trading.ledger_movement[] := v_locked.movements;
  v_changes trading.hold_change[] := v_locked.changes;
  v_refusal trading.ledger_refusal := v_written.refusal;
  -- Only what comes before the first journal that is refused can be refused earlier.
  v_before integer := coalesce(v_refusal.position, jsonb_array_length(p_journals) + 1);
BEGIN
  IF v_locked.forbidden < v_before THEN
    v_before := v_locked.forbidden;
    v_refusal := (v_before, 'LD006', NULL, format('Journal %s posts to LOCKED, which holds alone move', v_written.ids[v_before]));
  END IF;
  IF v_written.fresh IS NOT NULL THEN
    v_movements := ARRAY(SELECT movement FROM unnest(v_movements) AS movement WHERE v_written.fresh[movement.position]);
    v_changes := ARRAY(SELECT change FROM unnest(v_changes) AS change WHERE v_written.fresh[change.position]);
  END IF;
  IF v_changes <> '{}' THEN
    v_held := trading.change_holds(p_synthetic, p_journals, v_begun, v_changes, v_before);
    v_movements := v_movements || v_held.movements;
    IF (v_held.refusal).position IS NOT NULL THEN
      v_refusal := v_held.refusal;
      v_before := v_refusal.position;
    END IF;
  END IF;
  PERFORM trading.write_entries(v_written.ids, v_begun, v_movements, v_before);
  IF v_refusal.position IS NOT NULL THEN
    RAISE EXCEPTION USING MESSAGE = v_refusal.message, ERRCODE = v_refusal.code, CONSTRAINT = coalesce(v_refusal."constraint", '');
  END IF;
  RETURN coalesce(v_written.results, '[]');
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

-- Journals by which operators corrected the ledger: why, and who. What they moved is in their entries.
CREATE TABLE trading.corrections (
  -- Given by the operator. The key of the journal has `correction:` before it.
  key text PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 200),
  journal_id uuid NOT NULL UNIQUE,
  synthetic boolean NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  operator_id text NOT NULL CHECK (operator_id <> ''),
  posted_at timestamptz NOT NULL,
  FOREIGN KEY (journal_id, synthetic) REFERENCES trading.journals (id, synthetic)
);
