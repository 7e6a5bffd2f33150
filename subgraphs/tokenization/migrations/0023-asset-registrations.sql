-- Assets stand in lists in the order in which they were registered, which is the order in which they were committed: whoever reads a list page by page sees
-- each of them once, whatever is registered meanwhile. `registration` numbers the transactions that brought assets; the ids order those of one transaction.
-- All assets that are there keep their order, that of their ids.
ALTER TABLE tokenization.assets ADD COLUMN registration bigint NOT NULL DEFAULT 0;
ALTER TABLE tokenization.assets_versions ADD COLUMN registration bigint NOT NULL DEFAULT 0;
ALTER TABLE tokenization.assets_versions ALTER COLUMN registration DROP DEFAULT;
ALTER TABLE tokenization.assets ALTER COLUMN registration SET DEFAULT current_setting('lastro.asset_registration')::bigint;
SELECT shared.keep_versions('tokenization.assets', '{id}', '{search_text,created_at,updated_at,registration}');

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

DROP INDEX tokenization.assets_place;
DROP INDEX tokenization.assets_of_patrimony;
CREATE INDEX assets_registration ON tokenization.assets (registration, id);
CREATE INDEX assets_place ON tokenization.assets (status, type, registration, id);
CREATE INDEX assets_of_patrimony ON tokenization.assets (patrimony_id, status, type, registration, id);

-- The places of the assets whose search text holds all of some words, in order, 24 bytes each: registration and id. Planned anew for every call, as before.
DROP FUNCTION tokenization.find_assets(text[], uuid, text, text);
CREATE FUNCTION tokenization.find_asset_places(words text[], patrimony uuid, wanted_status text, wanted_type text) RETURNS bytea
LANGUAGE plpgsql STABLE AS $$
DECLARE
  condition text := (SELECT string_agg(format('search_text LIKE %L', '%' || word || '%'), ' AND ') FROM unnest(words) AS word);
  found bytea;
BEGIN
  IF patrimony IS NOT NULL THEN condition := condition || format(' AND patrimony_id = %L', patrimony); END IF;
  IF wanted_status IS NOT NULL THEN condition := condition || format(' AND status = %L', wanted_status); END IF;
  IF wanted_type IS NOT NULL THEN condition := condition || format(' AND type = %L', wanted_type); END IF;
  EXECUTE 'SELECT string_agg(int8send(registration) || uuid_send(id), '''' ORDER BY registration, id) FROM tokenization.assets WHERE '
    || condition INTO found;
  RETURN coalesce(found, '');
END $$;
