-- An operation that is withdrawn goes like any record that is voided: into `operations_versions`. Its final reports stand for ever: they stay behind, where
-- nobody comes by them, and are its own again when the withdrawal is taken back. So a report names an operation that is there when it is written.
ALTER TABLE issuances.monthly_reports DROP CONSTRAINT monthly_reports_operation_id_fkey;

-- As a foreign key does, it waits for whoever removes an operation, and keeps the operation until the transaction ends.
CREATE FUNCTION issuances.require_operations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lacking uuid;
BEGIN
  PERFORM FROM issuances.operations WHERE id IN (SELECT operation_id FROM added_rows) ORDER BY id FOR KEY SHARE;
  SELECT a.operation_id INTO lacking FROM added_rows a
    WHERE NOT EXISTS (SELECT FROM issuances.operations o WHERE o.id = a.operation_id) LIMIT 1;
  IF lacking IS NOT NULL THEN
    RAISE EXCEPTION '% names an operation that there is not: %', TG_TABLE_NAME, lacking USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER require_operations AFTER INSERT ON issuances.monthly_reports
  REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION issuances.require_operations();

-- How often the data of a withdrawn operation's months had changed when it went. Going and coming back count as changes of the same data: with the
-- operation these numbers come back, so that no report says that its data has changed.
CREATE TABLE issuances.withdrawn_inputs (
  operation_id uuid NOT NULL,
  month date NOT NULL,
  changes bigint NOT NULL CHECK (changes >= 0),
  PRIMARY KEY (operation_id, month)
);

-- The operations that were voided and whose reports stand, with the act that withdrew each: see the check of names of the import.
CREATE VIEW issuances.withdrawn_operations AS
  SELECT * FROM (
    SELECT DISTINCT ON (v.id) v.id, v.ticker, v.slug, v.superseded_by AS act FROM issuances.operations_versions v
    WHERE v.voided AND NOT EXISTS (SELECT FROM issuances.operations o WHERE o.id = v.id) ORDER BY v.id, v.superseded_at DESC
  ) AS gone
  WHERE EXISTS (SELECT FROM issuances.monthly_reports r WHERE r.operation_id = gone.id);
