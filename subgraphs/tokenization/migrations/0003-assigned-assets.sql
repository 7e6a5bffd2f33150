-- Credits that originators assign stand beside those that are imported: each originator has external ids of its own.
-- The client of credit assignment that assigned it; null for what was imported.
ALTER TABLE tokenization.assets ADD COLUMN originator_id uuid;
ALTER TABLE tokenization.assets DROP CONSTRAINT assets_patrimony_id_external_id_key;
CREATE UNIQUE INDEX assets_imported ON tokenization.assets (patrimony_id, external_id) WHERE originator_id IS NULL;
CREATE UNIQUE INDEX assets_assigned ON tokenization.assets (patrimony_id, originator_id, external_id) WHERE originator_id IS NOT NULL;

-- The estates that there are, told once; from here on the import tells of each.
INSERT INTO shared.outbox (id, topic, key, payload, internal, created_at)
SELECT gen_random_uuid(), 'patrimony.registered', id, jsonb_build_object('id', id, 'ticker', ticker, 'name', name), true, now()
FROM tokenization.patrimonies ORDER BY lower(ticker);
