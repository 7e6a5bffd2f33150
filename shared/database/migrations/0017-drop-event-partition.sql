-- Drops one partition of the outbox whose events were all published before a moment; its name, or null when there is none to drop.
CREATE FUNCTION shared.drop_event_partition(p_before timestamptz) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT name FROM shared.drop_partition('shared.outbox', p_before, format(
    'SELECT FROM %%1$s WHERE published_at IS NULL UNION ALL SELECT FROM %%1$s WHERE published_at >= %L', p_before))
$$;
REVOKE EXECUTE ON FUNCTION shared.drop_event_partition(timestamptz) FROM PUBLIC;
