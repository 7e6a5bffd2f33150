-- What `asOf` reads beside the versions: see `shared/as-of/README.md`.

-- When an operation was last changed, and the text that it is found by, change with everything that belongs to it, and make no version of its row.
-- Here is what they were.
CREATE TABLE issuances.operation_marks (
  operation_id uuid NOT NULL,
  superseded_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  search_text text NOT NULL
);
CREATE INDEX operation_marks_place ON issuances.operation_marks (operation_id, superseded_at);
CREATE TRIGGER operation_marks_stand BEFORE UPDATE OR DELETE OR TRUNCATE ON issuances.operation_marks
  FOR EACH STATEMENT EXECUTE FUNCTION shared.refuse_version_change();

CREATE FUNCTION issuances.keep_operation_marks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO issuances.operation_marks (operation_id, superseded_at, updated_at, search_text)
  SELECT o.id, shared.version_moment(), o.updated_at, o.search_text FROM before_rows o JOIN after_rows n ON n.id = o.id
  WHERE (n.updated_at, n.search_text) IS DISTINCT FROM (o.updated_at, o.search_text);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION issuances.keep_operation_marks() FROM PUBLIC;
CREATE TRIGGER keep_marks AFTER UPDATE ON issuances.operations REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION issuances.keep_operation_marks();

-- Goes before `issuances.operations(timestamptz)`. What is not public now is not shown by asking for the past.
CREATE FUNCTION issuances.operations_as_of(moment timestamptz) RETURNS SETOF issuances.operations LANGUAGE sql STABLE AS $$
  SELECT past.* FROM issuances.operations(moment) AS o
  JOIN issuances.operations AS stands ON stands.id = o.id AND stands.is_public
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object('updated_at', m.updated_at, 'search_text', m.search_text) AS marks FROM issuances.operation_marks m
    WHERE m.operation_id = o.id AND m.superseded_at > moment ORDER BY m.superseded_at LIMIT 1) AS m ON true
  CROSS JOIN LATERAL jsonb_populate_record(o, coalesce(m.marks, '{}')) AS past
$$;

-- Whether a document is public, or was at last where it is there no more.
CREATE FUNCTION issuances.is_document_public(operation uuid, document text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT is_public FROM issuances.documents WHERE operation_id = operation AND external_id = document),
    (SELECT is_public AND NOT voided FROM issuances.documents_versions WHERE operation_id = operation AND external_id = document
     ORDER BY superseded_at DESC, record_version DESC LIMIT 1), true)
$$;
-- Likewise of documents.
CREATE FUNCTION issuances.documents_as_of(moment timestamptz) RETURNS SETOF issuances.documents LANGUAGE sql STABLE AS $$
  SELECT * FROM issuances.documents(moment) AS o WHERE issuances.is_document_public(o.operation_id, o.external_id)
$$;

-- Of what a chain says, what had happened by then, as it is known now: a log, of which nothing is corrected.
CREATE FUNCTION issuances.onchain_contracts(moment timestamptz) RETURNS SETOF issuances.onchain_contracts LANGUAGE sql STABLE AS $$
  SELECT * FROM issuances.onchain_contracts WHERE deployed_at <= moment
$$;
CREATE FUNCTION issuances.onchain_events(moment timestamptz) RETURNS SETOF issuances.onchain_events LANGUAGE sql STABLE AS $$
  SELECT * FROM issuances.onchain_events WHERE occurred_at <= moment
$$;

-- Versions are found by the operation, as the rows are.
CREATE INDEX ON issuances.series_versions (operation_id);
CREATE INDEX ON issuances.guarantees_versions (operation_id);
CREATE INDEX ON issuances.documents_versions (operation_id);
CREATE INDEX ON issuances.obligations_versions (operation_id);
CREATE INDEX ON issuances.payments_versions (operation_id);
CREATE INDEX ON issuances.operation_accounts_versions (operation_id);
CREATE INDEX ON issuances.permitted_investments_versions (operation_id);
CREATE INDEX ON issuances.assemblies_versions (operation_id);
CREATE INDEX ON issuances.communications_versions (operation_id);
CREATE INDEX ON issuances.participants_versions (operation_id);
CREATE INDEX ON issuances.credit_contracts_versions (operation_id);
