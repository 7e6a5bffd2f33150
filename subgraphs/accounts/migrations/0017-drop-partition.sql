-- Drops one partition of the log of requests that ended before a moment; its name, or null when there is none to drop.
CREATE FUNCTION accounts.drop_request_partition(p_before timestamptz) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT name FROM shared.drop_partition('accounts.request_log', p_before, 'SELECT LIMIT 0')
$$;
REVOKE EXECUTE ON FUNCTION accounts.drop_request_partition(timestamptz) FROM PUBLIC;
