-- Tax ids within external ids are not searched any more, and neither are names of individual entrepreneurs (MEI), whose CNPJ is registered under the name of
-- a person.
UPDATE tokenization.assets a SET search_text = n.text
FROM (
  SELECT id, CASE WHEN length(debtor_document) <> 11 AND tokenization.is_natural_person(debtor_name, debtor_document)
    THEN tokenization.without_tax_ids(tokenization.external_id_text(external_id), debtor_document)
    ELSE tokenization.without_tax_ids(search_text, debtor_document) END AS text
  FROM tokenization.assets
  -- Only these can have a CPF, a tax id of the debtor, or a name that begins with the root of a CNPJ.
  WHERE replace(search_text, ' ', '') ~ '[0-9]{11}' OR strpos(replace(search_text, ' ', ''), lower(left(debtor_document, 8))) > 0
) AS n
WHERE a.id = n.id AND a.search_text <> n.text;
