-- Estates are announced with their slugs and operations, by which issuances finds operations: every estate once more, as it is. Under the lock of imports: an
-- import that is being written announces before this. The ids are UUIDs of version 7, as those of all events.
SELECT pg_advisory_xact_lock(4702231905);
INSERT INTO shared.outbox (id, topic, key, payload, internal, created_at)
SELECT overlay(overlay(gen_random_uuid()::text PLACING '7' FROM 15) PLACING left(moment, 8) || '-' || right(moment, 4) FROM 1)::uuid,
  'patrimony.registered', id,
  jsonb_build_object('id', id, 'ticker', ticker, 'name', name, 'status', status, 'slug', slug, 'operationTicker', operation_ticker), true, now()
FROM tokenization.patrimonies, lpad(to_hex(floor(extract(epoch FROM now()) * 1000)::bigint), 12, '0') AS moment;
