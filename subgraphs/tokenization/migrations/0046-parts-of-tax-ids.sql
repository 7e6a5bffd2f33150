-- Seven digits of a CPF are not searched either: its last four are shown beside them. As in `assets/tax-ids-in-text.ts`.

CREATE OR REPLACE FUNCTION tokenization.own_tax_id(tax_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
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

-- Most texts have nothing of it, and cost a look only.
CREATE OR REPLACE FUNCTION tokenization.without_tax_ids(text text, tax_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN text ~ '[0-9]{3}[^0-9a-z]?[0-9]{3}[^0-9a-z]?[0-9]{3}[^0-9a-z]?[0-9]{2}'
      OR strpos(replace(text, ' ', ''), ltrim(lower(left(tax_id, CASE length(tax_id) WHEN 11 THEN 7 ELSE 8 END)), '0')) > 0
      OR (tax_id ~ '^[0-9]{11,14}$' AND text ~ '[0-9a-f]{6}' AND text ~ tokenization.own_tax_id(tax_id))
    THEN tokenization.remove_tax_ids(text, tax_id) ELSE text END
$$;

UPDATE tokenization.assets a SET search_text = n.text
FROM (SELECT id, tokenization.without_tax_ids(search_text, debtor_document) AS text FROM tokenization.assets) AS n
WHERE a.id = n.id AND a.search_text <> n.text;
