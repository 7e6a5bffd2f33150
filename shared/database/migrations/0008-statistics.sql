-- Statistics after a large import are made by the owner of the table: the role of the program is none.
CREATE FUNCTION shared.analyze_table(of_table regclass) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('ANALYZE %s', of_table);
END $$;
