-- A series that is withdrawn goes like any record that is voided: into `tranches_versions`, and out of everything that reads `tranches`. Its prices stand for
-- ever, and its contract is a fact of its chain. Both stay behind, where nobody comes by them, and are those of the series again when the withdrawal is
-- taken back. So they name a series that is there when they are written, and no foreign key keeps it from going later.
ALTER TABLE tokenization.unit_prices DROP CONSTRAINT unit_prices_tranche_id_fkey;
ALTER TABLE tokenization.collections DROP CONSTRAINT collections_tranche_id_fkey;
ALTER TABLE tokenization.reprice_requests DROP CONSTRAINT reprice_requests_tranche_id_fkey;

-- As a foreign key does, it waits for whoever removes a series, and keeps the series until the transaction ends.
CREATE FUNCTION tokenization.require_tranches() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lacking uuid;
BEGIN
  PERFORM FROM tokenization.tranches WHERE id IN (SELECT tranche_id FROM added_rows) ORDER BY id FOR KEY SHARE;
  SELECT a.tranche_id INTO lacking FROM added_rows a
    WHERE a.tranche_id IS NOT NULL AND NOT EXISTS (SELECT FROM tokenization.tranches t WHERE t.id = a.tranche_id) LIMIT 1;
  IF lacking IS NOT NULL THEN
    RAISE EXCEPTION '% names a series that there is not: %', TG_TABLE_NAME, lacking USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER require_tranches AFTER INSERT ON tokenization.unit_prices
  REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION tokenization.require_tranches();
CREATE TRIGGER require_tranches AFTER INSERT ON tokenization.collections
  REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION tokenization.require_tranches();
CREATE TRIGGER require_tranches AFTER INSERT ON tokenization.reprice_requests
  REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION tokenization.require_tranches();

-- The series that were voided and whose prices stand, with the act that withdrew each: see the check of names of the import.
CREATE VIEW tokenization.withdrawn_tranches AS
  SELECT * FROM (
    SELECT DISTINCT ON (v.id) v.id, v.ticker, v.token_quantity, v.patrimony_id, v.superseded_by AS act FROM tokenization.tranches_versions v
    WHERE v.voided AND NOT EXISTS (SELECT FROM tokenization.tranches t WHERE t.id = v.id) ORDER BY v.id, v.superseded_at DESC
  ) AS gone
  WHERE EXISTS (SELECT FROM tokenization.unit_prices u WHERE u.tranche_id = gone.id)
    OR EXISTS (SELECT FROM tokenization.collections c WHERE c.tranche_id = gone.id);

-- The estates that were voided with such a series, or with credits that originators had assigned.
CREATE VIEW tokenization.withdrawn_patrimonies AS
  SELECT * FROM (
    SELECT DISTINCT ON (v.id) v.id, v.ticker, v.slug, v.name, v.superseded_by AS act FROM tokenization.patrimonies_versions v
    WHERE v.voided AND NOT EXISTS (SELECT FROM tokenization.patrimonies p WHERE p.id = v.id) ORDER BY v.id, v.superseded_at DESC
  ) AS gone
  WHERE EXISTS (SELECT FROM tokenization.withdrawn_tranches t WHERE t.patrimony_id = gone.id)
    OR EXISTS (SELECT FROM tokenization.assets_versions a WHERE a.patrimony_id = gone.id AND a.originator_id IS NOT NULL);
