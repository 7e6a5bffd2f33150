-- A page of what a search finds, without all that it finds: the places behind one, in list order. Planned anew for every call: through the trigrams where the words are rare, along
-- the order of the list where they are not, which ends as soon as the page is full.
CREATE FUNCTION tokenization.search_assets(
  words text[], patrimony uuid, wanted_status text, wanted_type text, behind_registration bigint, behind_id uuid, is_backward boolean, skipped bigint, taken bigint)
RETURNS TABLE (registration bigint, id uuid) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT registration, id FROM tokenization.assets WHERE %s AND (registration, id) %s (%L::bigint, %L::uuid)
    ORDER BY registration %5$s, id %5$s OFFSET %6$s LIMIT %7$s',
    tokenization.search_condition(words, patrimony, wanted_status, wanted_type), CASE WHEN is_backward THEN '<' ELSE '>' END, behind_registration, behind_id,
    CASE WHEN is_backward THEN 'DESC' ELSE 'ASC' END, skipped, taken);
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
