-- Names of natural persons (a CPF has 11 digits, a CNPJ 14 characters) are no longer searched: their assets are found by the external id
-- alone, normalized as `shared/format/normalize-text.ts` does it. Whoever writes an external id, a debtor's
-- name or its tax id writes `search_text` with it, from the external id and the name of a legal person.
UPDATE tokenization.assets a SET search_text = n.text
FROM (
  SELECT id, btrim(regexp_replace(
    lower(regexp_replace(normalize(external_id, NFKD), U&'[\0300-\036F]+', '', 'g')),
    U&'[^a-z0-9\0080-\+10FFFF]+', ' ', 'g')) AS text
  FROM tokenization.assets WHERE length(debtor_document) = 11
) AS n
WHERE a.id = n.id AND a.search_text <> n.text;
