-- A search as of an earlier moment finds a debtor by name only where the present row may be found by it too: see `assets/asset-list.store.ts`.

-- The assets as they stand, for a statement in which `tokenization.assets` is the assets of an earlier moment.
CREATE FUNCTION tokenization.present_assets() RETURNS SETOF tokenization.assets LANGUAGE sql STABLE AS $$
  SELECT * FROM tokenization.assets
$$;

-- An external id alone as search text, for an asset that has no present row: as in `0012-names-of-persons.sql`.
CREATE FUNCTION tokenization.external_id_text(external_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT btrim(regexp_replace(
    lower(regexp_replace(normalize(external_id, NFKD), U&'[\0300-\036F]+', '', 'g')),
    U&'[^a-z0-9\0080-\+10FFFF]+', ' ', 'g'))
$$;
