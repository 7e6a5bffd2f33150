-- An earlier announcement of an estate could arrive after a later one, and credit assignment went by it. Every estate is announced once more as it is; one that was
-- deleted, as CLOSED, unless another one has its ticker now. Under the lock of imports: an import that is being written announces before this.
SELECT pg_advisory_xact_lock(4702231905);
-- The ids are UUIDs of version 7, as those of all events: the outbox is divided by their time.
INSERT INTO shared.outbox (id, topic, key, payload, internal, created_at)
SELECT overlay(overlay(gen_random_uuid()::text PLACING '7' FROM 15) PLACING left(moment, 8) || '-' || right(moment, 4) FROM 1)::uuid,
  'patrimony.registered', id, jsonb_build_object('id', id, 'ticker', ticker, 'name', name, 'status', status), true, now()
FROM (
  SELECT id, ticker, name, status FROM tokenization.patrimonies
  UNION ALL (
    SELECT DISTINCT ON (v.id) v.id, v.ticker, v.name, 'CLOSED' FROM tokenization.patrimonies_versions v
    WHERE NOT EXISTS (SELECT FROM tokenization.patrimonies p WHERE p.id = v.id OR lower(p.ticker) = lower(v.ticker))
    ORDER BY v.id, v.voided DESC, v.superseded_at DESC)
) AS known, lpad(to_hex(floor(extract(epoch FROM now()) * 1000)::bigint), 12, '0') AS moment;
