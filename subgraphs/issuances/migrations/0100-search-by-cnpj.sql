-- Operations are found by the CNPJ of their issuer, as its digits and as people write it (operations/search-text.ts).
UPDATE issuances.operations SET search_text = concat_ws(
  ' ', search_text, lower(issuer_cnpj), regexp_replace(lower(issuer_cnpj), '(..)(...)(...)(....)(..)', '\1 \2 \3 \4 \5')
)
WHERE issuer_cnpj IS NOT NULL;
