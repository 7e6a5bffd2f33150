-- The rules of `assets/debtor-name.ts` and `assets/tax-ids-in-text.ts`, for the rows that are stored (the next migration) and for earlier versions of them.
-- Most texts have no tax id and cost a look only: the functions with `SELECT` alone are made part of the statement.

-- The valid CPFs within a text, as they are written there.
CREATE FUNCTION tokenization.cpfs_in(text text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(found), '{}') FROM (
    SELECT part[1] AS found, regexp_replace(part[1], '[^0-9]', '', 'g') AS cpf FROM regexp_matches(text,
      '(?<![0-9])([0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{2})(?![0-9])', 'g') AS part) AS form
  WHERE cpf !~ '^(.)\1*$'
    AND (SELECT sum(substr(cpf, n, 1)::int * (11 - n)) FROM generate_series(1, 9) AS n) * 10 % 11 % 10 = substr(cpf, 10, 1)::int
    AND (SELECT sum(substr(cpf, n, 1)::int * (12 - n)) FROM generate_series(1, 10) AS n) * 10 % 11 % 10 = substr(cpf, 11, 1)::int
$$;

CREATE FUNCTION tokenization.remove_tax_ids(text text, tax_id text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  rest text := regexp_replace(text, array_to_string(string_to_array(tax_id, NULL), '[^0-9A-Za-z]?'), ' ', 'gi');
  cpf text;
BEGIN
  FOREACH cpf IN ARRAY tokenization.cpfs_in(rest) LOOP rest := replace(rest, cpf, ' '); END LOOP;
  RETURN btrim(regexp_replace(rest, ' +', ' ', 'g'));
END $$;

-- A normalised text without the tax id of the debtor, wherever it is, and without any other CPF.
CREATE FUNCTION tokenization.without_tax_ids(text text, tax_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN text ~ '[0-9]{3}[^0-9a-z]?[0-9]{3}[^0-9a-z]?[0-9]{3}[^0-9a-z]?[0-9]{2}' OR strpos(replace(text, ' ', ''), lower(tax_id)) > 0
    THEN tokenization.remove_tax_ids(text, tax_id) ELSE text END
$$;

CREATE FUNCTION tokenization.is_natural_person(debtor_name text, tax_id text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT length(tax_id) = 11
    OR (debtor_name ~ '[0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{3}[^0-9A-Za-z]?[0-9]{2}' AND tokenization.cpfs_in(debtor_name) <> '{}')
    OR (starts_with(ltrim(upper(debtor_name), ' ./-'), left(tax_id, 2))
      AND starts_with(upper(regexp_replace(debtor_name, '[-./\s]', '', 'g')), left(tax_id, 8))
      AND substr(upper(regexp_replace(debtor_name, '[-./\s]', '', 'g')), 9) ~ U&'[A-Z\00C0-\+10FFFF]')
$$;
