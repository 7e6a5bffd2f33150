-- The credits behind the estates, and how they are found.

-- Trigrams let a part of a word be found through an index; a trusted extension, which the owner of a database may create.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

-- A credit right.
CREATE TABLE tokenization.assets (
  id uuid PRIMARY KEY,
  patrimony_id uuid NOT NULL REFERENCES tokenization.patrimonies (id),
  external_id text NOT NULL CHECK (external_id <> ''),
  type text NOT NULL CHECK (type IN ('CCB', 'CRI', 'CRA', 'DEBENTURE', 'PRECATORIO')),
  status text NOT NULL CHECK (status IN ('ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF')),
  debtor_name text NOT NULL CHECK (debtor_name <> ''),
  -- 11 digits (CPF), or 14 characters (CNPJ, also its alphanumeric form).
  debtor_document text NOT NULL CHECK (debtor_document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  original_value numeric(20, 2) NOT NULL CHECK (original_value > 0),
  -- What the estate paid for it; null where nobody said it.
  purchase_price numeric(20, 2) CHECK (purchase_price > 0),
  current_balance numeric(20, 2) NOT NULL CHECK (current_balance >= 0),
  -- With late interest and fines (surplus), by which the balance did not fall; it also fell by what was abated.
  received numeric(20, 2) NOT NULL DEFAULT 0 CHECK (received >= 0),
  surplus numeric(20, 2) NOT NULL DEFAULT 0 CHECK (surplus >= 0),
  abated numeric(20, 2) NOT NULL DEFAULT 0 CHECK (abated >= 0),
  -- Percent a year.
  interest_rate numeric(14, 8) NOT NULL CHECK (interest_rate >= 0),
  installments integer NOT NULL CHECK (installments BETWEEN 1 AND 1200),
  paid_installments integer NOT NULL DEFAULT 0 CHECK (paid_installments BETWEEN 0 AND installments),
  next_due_date date,
  final_due_date date NOT NULL,
  -- The import or assignment batch that brought it.
  batch_id uuid,
  batch_name text,
  -- External id, and the name of a debtor that is no natural person, in lower case without accents and tax ids; whoever writes these writes this.
  search_text text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The client of credit assignment that assigned it; null for what was imported. Each originator has external ids of its own.
  originator_id uuid,
  -- The number of the transaction that brought it (see asset_registrations).
  registration bigint NOT NULL DEFAULT current_setting('lastro.asset_registration')::bigint,
  CHECK ((batch_id IS NULL) = (batch_name IS NULL)),
  CHECK (status <> 'SETTLED' OR (current_balance = 0 AND paid_installments = installments))
);
CREATE INDEX assets_search ON tokenization.assets USING gin (search_text public.gin_trgm_ops);
CREATE UNIQUE INDEX assets_imported ON tokenization.assets (patrimony_id, external_id) WHERE originator_id IS NULL;
CREATE INDEX assets_registration ON tokenization.assets (registration, id);
-- A list that is narrowed merges the entries of every status and type that it takes, each in order.
CREATE INDEX assets_place ON tokenization.assets (status, type, registration, id);
CREATE INDEX assets_of_patrimony ON tokenization.assets (patrimony_id, status, type, registration, id);
-- What was written off may be assigned again.
CREATE UNIQUE INDEX assets_assigned_live ON tokenization.assets (patrimony_id, external_id, originator_id)
  WHERE originator_id IS NOT NULL AND status <> 'WRITTEN_OFF';

CREATE TABLE tokenization.asset_installments (
  asset_id uuid NOT NULL REFERENCES tokenization.assets (id),
  installment_number integer NOT NULL CHECK (installment_number > 0),
  due_date date NOT NULL,
  amount numeric(20, 2) NOT NULL CHECK (amount > 0),
  -- With what of it was abated.
  paid_amount numeric(20, 2) NOT NULL DEFAULT 0 CHECK (paid_amount >= 0),
  abated_amount numeric(20, 2) NOT NULL DEFAULT 0 CHECK (abated_amount BETWEEN 0 AND paid_amount),
  paid_on date,
  -- PENDING with a past due date is late; PAID when all of it came in.
  status text NOT NULL CHECK (status IN ('PENDING', 'PAID')),
  PRIMARY KEY (asset_id, installment_number),
  CHECK ((status = 'PAID') = (paid_on IS NOT NULL))
);
CREATE INDEX asset_installments_late ON tokenization.asset_installments (due_date, asset_id) WHERE status = 'PENDING';

-- The summary of the assets, kept by a trigger in the transaction that changes them, so that it always equals a recount. Totals of an estate that goes stay
-- behind, at nothing.
CREATE TABLE tokenization.asset_totals (
  patrimony_id uuid NOT NULL,
  type text NOT NULL,
  status text NOT NULL,
  count bigint NOT NULL,
  original_value numeric(24, 2) NOT NULL,
  current_balance numeric(24, 2) NOT NULL,
  received numeric(24, 2) NOT NULL,
  surplus numeric(24, 2) NOT NULL,
  abated numeric(24, 2) NOT NULL,
  PRIMARY KEY (patrimony_id, type, status)
);

-- In one statement and one order for everyone: two writers then wait for each other, and never in a circle.
CREATE FUNCTION tokenization.add_to_asset_totals(changes tokenization.asset_totals[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tokenization.asset_totals AS t (patrimony_id, type, status, count, original_value, current_balance, received, surplus, abated)
  SELECT patrimony_id, type, status, sum(count), sum(original_value), sum(current_balance), sum(received), sum(surplus), sum(abated)
  FROM unnest(changes) GROUP BY patrimony_id, type, status ORDER BY patrimony_id, type, status
  ON CONFLICT (patrimony_id, type, status) DO UPDATE SET count = t.count + EXCLUDED.count,
    original_value = t.original_value + EXCLUDED.original_value,
    current_balance = t.current_balance + EXCLUDED.current_balance, received = t.received + EXCLUDED.received,
    surplus = t.surplus + EXCLUDED.surplus, abated = t.abated + EXCLUDED.abated
$$;

CREATE FUNCTION tokenization.keep_asset_totals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tokenization.asset_totals[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT changes || array_agg(ROW(g.*)::tokenization.asset_totals) INTO changes FROM (
      SELECT patrimony_id, type, status, -count(*), -sum(original_value), -sum(current_balance), -sum(received), -sum(surplus), -sum(abated)
      FROM removed GROUP BY patrimony_id, type, status) AS g;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT changes || array_agg(ROW(g.*)::tokenization.asset_totals) INTO changes FROM (
      SELECT patrimony_id, type, status, count(*), sum(original_value), sum(current_balance), sum(received), sum(surplus), sum(abated)
      FROM added GROUP BY patrimony_id, type, status) AS g;
  END IF;
  PERFORM tokenization.add_to_asset_totals(changes);
  RETURN NULL;
END $$;
CREATE TRIGGER assets_added AFTER INSERT ON tokenization.assets REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tokenization.keep_asset_totals();
CREATE TRIGGER assets_changed AFTER UPDATE ON tokenization.assets REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tokenization.keep_asset_totals();
CREATE TRIGGER assets_removed AFTER DELETE ON tokenization.assets REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION tokenization.keep_asset_totals();

-- New schedules of assigned credits, and the instalments that each replaced, for who takes it back.
CREATE TABLE tokenization.renegotiations (
  id uuid PRIMARY KEY,
  asset_id uuid NOT NULL,
  -- Of the new instalments; no instalment of the credit had it before.
  first_number integer NOT NULL CHECK (first_number > 1),
  -- [{"installment_number", "due_date", "amount", "paid_amount", "abated_amount"}]
  replaced jsonb NOT NULL,
  -- Of the credit before.
  interest_rate numeric(14, 8) NOT NULL,
  recorded_at timestamptz NOT NULL,
  reverted_at timestamptz
);
CREATE UNIQUE INDEX renegotiations_asset ON tokenization.renegotiations (asset_id, first_number);

-- Parts of settlement batches whose payments are in the assets: a part that is told twice changes nothing the second time.
CREATE TABLE tokenization.settled_pieces (
  -- The settlement batch, of credit assignment.
  batch_id uuid NOT NULL,
  piece integer NOT NULL CHECK (piece >= 0),
  -- What its payments changed of the status of assets, and whom that is told, until it is told: after its batch is processed, a piece at a time.
  owner_id text,
  -- [{"assetId", "externalId", "patrimonyId", "previousStatus", "status", "currentBalance"}]
  moves jsonb,
  PRIMARY KEY (batch_id, piece)
);
CREATE INDEX settled_pieces_to_tell ON tokenization.settled_pieces (batch_id, piece) WHERE moves IS NOT NULL;

-- Assets stand in lists in the order in which they were registered, which is the order in which they were committed: whoever reads a list page by page sees
-- each of them once, whatever is registered meanwhile. `registration` numbers the transactions that brought assets; the ids order those of one transaction.
-- A transaction draws its number with its first asset. Where another one with a higher number is committed first, it takes a new number as it commits.
CREATE SEQUENCE tokenization.asset_registrations;

-- One row: the highest number that is committed. Whoever commits assets locks it last of all, and waits for nothing else while it holds the lock.
CREATE TABLE tokenization.last_asset_registration (registration bigint NOT NULL);
CREATE UNIQUE INDEX ON tokenization.last_asset_registration ((true));
INSERT INTO tokenization.last_asset_registration VALUES (0);

-- The numbers of transactions under way; no row of it is ever committed.
CREATE TABLE tokenization.asset_registrations_under_way (registration bigint PRIMARY KEY);

CREATE FUNCTION tokenization.begin_asset_registration() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  number bigint;
BEGIN
  IF coalesce(current_setting('lastro.asset_registration', true), '') <> '' THEN RETURN NULL; END IF;
  IF coalesce(current_setting('lastro.importing', true), '') <> '' THEN
    -- An import is long and may be large: its number is so far ahead that it never has to take another one. Only one import writes at a time.
    SELECT last_value + 1000000000 INTO number FROM tokenization.asset_registrations;
  ELSE
    number := nextval('tokenization.asset_registrations');
  END IF;
  PERFORM set_config('lastro.asset_registration', number::text, true);
  INSERT INTO tokenization.asset_registrations_under_way VALUES (number);
  RETURN NULL;
END $$;
CREATE TRIGGER assets_registered BEFORE INSERT ON tokenization.assets
  FOR EACH STATEMENT EXECUTE FUNCTION tokenization.begin_asset_registration();

-- As the owner: the role of the program draws numbers, and sets none.
CREATE FUNCTION tokenization.conclude_asset_registration() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  number bigint := NEW.registration;
  last bigint;
BEGIN
  SELECT registration INTO last FROM tokenization.last_asset_registration FOR UPDATE;
  IF number <= last THEN
    number := nextval('tokenization.asset_registrations');
    UPDATE tokenization.assets SET registration = number WHERE registration = NEW.registration;
  ELSIF number > (SELECT last_value FROM tokenization.asset_registrations) THEN
    PERFORM setval('tokenization.asset_registrations', number);
  END IF;
  UPDATE tokenization.last_asset_registration SET registration = number;
  DELETE FROM tokenization.asset_registrations_under_way WHERE registration = NEW.registration;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION tokenization.conclude_asset_registration() FROM PUBLIC;

CREATE CONSTRAINT TRIGGER assets_committed AFTER INSERT ON tokenization.asset_registrations_under_way DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION tokenization.conclude_asset_registration();

-- A word of one or two characters, which has no trigram of its own, begins a word: the blank before it makes one.
CREATE FUNCTION tokenization.search_condition(words text[], patrimony uuid, wanted_status text, wanted_type text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws(' AND ', string_agg(CASE WHEN length(word) < 3 THEN format('search_text ~ %L', '(^| )' || word)
    ELSE format('search_text LIKE %L', '%' || word || '%') END, ' AND '), 'patrimony_id = ' || quote_literal(patrimony::text),
    'status = ' || quote_literal(wanted_status), 'type = ' || quote_literal(wanted_type)) FROM unnest(words) AS word
$$;

-- A page of what a search finds, without all that it finds: the places behind one, in list order. Planned anew for every call: along the order of the list, which
-- ends as soon as the page is full, or through the trigrams. Where few are found, through the trigrams always: they may all be at the end of the list.
CREATE FUNCTION tokenization.search_assets(
  words text[], patrimony uuid, wanted_status text, wanted_type text, behind_registration bigint, behind_id uuid, is_backward boolean, are_few boolean, skipped bigint, taken bigint)
RETURNS TABLE (registration bigint, id uuid) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY EXECUTE format('WITH found AS %s (SELECT registration, id FROM tokenization.assets WHERE %s)
    SELECT registration, id FROM found WHERE (registration, id) %s (%L::bigint, %L::uuid) ORDER BY registration %6$s, id %6$s OFFSET %7$s LIMIT %8$s',
    CASE WHEN are_few THEN 'MATERIALIZED' ELSE 'NOT MATERIALIZED' END, tokenization.search_condition(words, patrimony, wanted_status, wanted_type),
    CASE WHEN is_backward THEN '<' ELSE '>' END, behind_registration, behind_id, CASE WHEN is_backward THEN 'DESC' ELSE 'ASC' END, skipped, taken);
END $$;

-- How many assets a search finds, up to a number.
CREATE FUNCTION tokenization.count_found_assets(words text[], patrimony uuid, wanted_status text, wanted_type text, most bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  found bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM (SELECT FROM tokenization.assets WHERE %s LIMIT %s) AS found',
    tokenization.search_condition(words, patrimony, wanted_status, wanted_type), most) INTO found;
  RETURN found;
END $$;

-- The places of what a search finds, up to a number and in no order: of a rare word these are all, found by one look at the trigrams instead of one for
-- their number and one for the page.
CREATE FUNCTION tokenization.some_found_assets(words text[], patrimony uuid, wanted_status text, wanted_type text, most bigint)
RETURNS TABLE (registration bigint, id uuid) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT registration, id FROM tokenization.assets WHERE %s LIMIT %s',
    tokenization.search_condition(words, patrimony, wanted_status, wanted_type), most);
END $$;

-- A search as of an earlier moment finds a debtor by name only where the present row may be found by it too: see `assets/asset-list.store.ts`.

-- The assets as they stand, for a statement in which `tokenization.assets` is the assets of an earlier moment.
CREATE FUNCTION tokenization.present_assets() RETURNS SETOF tokenization.assets LANGUAGE sql STABLE AS $$
  SELECT * FROM tokenization.assets
$$;

-- An external id alone as search text, for an asset that has no present row, normalized as `shared/kernel/format/normalize-text.ts` does it.
CREATE FUNCTION tokenization.external_id_text(external_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT btrim(regexp_replace(
    lower(regexp_replace(normalize(external_id, NFKD), U&'[\0300-\036F]+', '', 'g')),
    U&'[^a-z0-9\0080-\+10FFFF]+', ' ', 'g'))
$$;

-- The rules of `assets/debtor-name.ts` and `assets/tax-ids-in-text.ts`, for earlier versions of the rows.

-- The valid CPFs within a text, as they are written there.
CREATE FUNCTION tokenization.cpfs_in(text text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(found), '{}') FROM (
    SELECT part[1] AS found, regexp_replace(part[1], '[^0-9]', '', 'g') AS cpf FROM regexp_matches(text,
      '(?<![0-9])([0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{2})(?![0-9])', 'g') AS part) AS form
  WHERE cpf !~ '^(.)\1*$'
    AND (SELECT sum(substr(cpf, n, 1)::int * (11 - n)) FROM generate_series(1, 9) AS n) * 10 % 11 % 10 = substr(cpf, 10, 1)::int
    AND (SELECT sum(substr(cpf, n, 1)::int * (12 - n)) FROM generate_series(1, 10) AS n) * 10 % 11 % 10 = substr(cpf, 11, 1)::int
$$;

CREATE FUNCTION tokenization.is_natural_person(debtor_name text, tax_id text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT length(tax_id) = 11
    OR (debtor_name ~ '[0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{2}' AND tokenization.cpfs_in(debtor_name) <> '{}')
    OR (starts_with(ltrim(upper(debtor_name), ' ./-'), left(tax_id, 2))
      AND starts_with(upper(regexp_replace(debtor_name, '[-./\s]', '', 'g')), left(tax_id, 8))
      AND substr(upper(regexp_replace(debtor_name, '[-./\s]', '', 'g')), 9) ~ U&'[A-Z\00C0-\+10FFFF]')
$$;

-- The pattern of a debtor's tax id within a normalised text: the whole, or the part that determines it, also without zeros in front, as spreadsheets write it,
-- and in hexadecimal; of a CPF also its first seven digits, since the last four are shown beside them.
CREATE FUNCTION tokenization.own_tax_id(tax_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(form, '|' ORDER BY length(form) DESC) FROM (
    SELECT '(?:0' || gap || '){0,' || zeros || '}' || CASE WHEN length(tax_id) = 11
      THEN array_to_string(string_to_array(substr(left(tax_id, 9), zeros + 1), NULL), gap) || '(?:' || gap || array_to_string(string_to_array(substr(tax_id, 10), NULL), gap) || ')?'
      ELSE array_to_string(string_to_array(substr(left(tax_id, 8), zeros + 1), NULL), gap)
        || '(?:' || gap || array_to_string(string_to_array(substr(tax_id, 9, 4), NULL), gap)
        || '(?:' || gap || array_to_string(string_to_array(substr(tax_id, 13), NULL), gap) || ')?)?' END AS form
    FROM (SELECT '[^0-9A-Za-z]*' AS gap, CASE WHEN length(root) - length(ltrim(root, '0')) <= length(root) - 6
      THEN length(root) - length(ltrim(root, '0')) ELSE 0 END AS zeros
      FROM (SELECT left(tax_id, CASE length(tax_id) WHEN 11 THEN 9 ELSE 8 END) AS root) AS roots) AS parts
    UNION ALL
    SELECT to_hex(part::bigint) FROM unnest(ARRAY[left(tax_id, CASE length(tax_id) WHEN 11 THEN 9 ELSE 8 END), left(tax_id, 12), tax_id]) AS part
    WHERE tax_id ~ '^[0-9]+$' AND length(to_hex(part::bigint)) >= 6
    UNION ALL
    SELECT array_to_string(string_to_array(left(tax_id, part), NULL), '[^0-9A-Za-z]*') FROM unnest(ARRAY[9, 8, 7]) AS part WHERE length(tax_id) = 11
  ) AS forms
$$;

CREATE FUNCTION tokenization.remove_tax_ids(text text, tax_id text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  rest text := regexp_replace(text, tokenization.own_tax_id(tax_id), ' ', 'gi');
  cpf text;
BEGIN
  FOREACH cpf IN ARRAY tokenization.cpfs_in(rest) LOOP rest := replace(rest, cpf, ' '); END LOOP;
  RETURN btrim(regexp_replace(rest, ' +', ' ', 'g'));
END $$;

-- A normalised text without the tax id of the debtor, wherever it is, and without any other CPF. Most texts have nothing of it, and cost a look only.
CREATE FUNCTION tokenization.without_tax_ids(text text, tax_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN text ~ '[0-9]{3}[^0-9a-z]?[0-9]{3}[^0-9a-z]?[0-9]{3}[^0-9a-z]?[0-9]{2}'
      OR strpos(replace(text, ' ', ''), ltrim(lower(left(tax_id, CASE length(tax_id) WHEN 11 THEN 7 ELSE 8 END)), '0')) > 0
      OR (tax_id ~ '^[0-9]{11,14}$' AND text ~ '[0-9a-f]{6}' AND text ~ tokenization.own_tax_id(tax_id))
    THEN tokenization.remove_tax_ids(text, tax_id) ELSE text END
$$;
