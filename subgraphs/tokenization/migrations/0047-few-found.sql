-- The places of what a search finds, up to a number and in no order: of a rare word these are all, found by one look at the trigrams instead of one for
-- their number and one for the page.
CREATE FUNCTION tokenization.some_found_assets(words text[], patrimony uuid, wanted_status text, wanted_type text, most bigint)
RETURNS TABLE (registration bigint, id uuid) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT registration, id FROM tokenization.assets WHERE %s LIMIT %s',
    tokenization.search_condition(words, patrimony, wanted_status, wanted_type), most);
END $$;
