-- Credit assignment needs to know which estates are CLOSED: the announcement of an estate carries its status from here on, and
-- those that there are are announced again.
INSERT INTO shared.outbox (id, topic, key, payload, internal, created_at)
SELECT gen_random_uuid(), 'patrimony.registered', id,
  jsonb_build_object('id', id, 'ticker', ticker, 'name', name, 'status', status), true, now()
FROM tokenization.patrimonies ORDER BY lower(ticker);
