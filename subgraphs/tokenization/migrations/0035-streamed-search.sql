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

CREATE FUNCTION tokenization.search_condition(words text[], patrimony uuid, wanted_status text, wanted_type text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws(' AND ', string_agg(format('search_text LIKE %L', '%' || word || '%'), ' AND '), 'patrimony_id = ' || quote_literal(patrimony::text),
    'status = ' || quote_literal(wanted_status), 'type = ' || quote_literal(wanted_type)) FROM unnest(words) AS word
$$;
