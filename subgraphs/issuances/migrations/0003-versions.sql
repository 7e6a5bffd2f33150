-- Everything published keeps its versions: see `shared.keep_versions`. What a chain says is a log of its own, and reports have versions of their own.
SELECT shared.keep_versions('issuances.operations', '{id}', '{search_text,created_at,updated_at}');
SELECT shared.keep_versions('issuances.series', '{id}', '{engine_tranche_id,engine_tranche,engine_sequence,projection_sequence}');
SELECT shared.keep_versions('issuances.unit_prices', '{series_id,date}', '{engine_version,projected}');
SELECT shared.keep_versions('issuances.trustee_unit_prices', '{series_id,date}');
SELECT shared.keep_versions('issuances.guarantees', '{id}');
SELECT shared.keep_versions('issuances.documents', '{id}');
SELECT shared.keep_versions('issuances.obligations', '{id}');
SELECT shared.keep_versions('issuances.payments', '{id}', '{priced_until,paid_parts,projected_interest,projected_principal,projected_total}');
SELECT shared.keep_versions('issuances.operation_accounts', '{id}');
SELECT shared.keep_versions('issuances.permitted_investments', '{id}');
SELECT shared.keep_versions('issuances.assemblies', '{id}');
SELECT shared.keep_versions('issuances.communications', '{id}');
SELECT shared.keep_versions('issuances.participants', '{id}');
SELECT shared.keep_versions('issuances.credit_contracts', '{id}', '{engine_patrimony_id,engine_sequence,next_due_date}');
SELECT shared.keep_versions('issuances.contract_positions', '{operation_id,month,contract_id}');
SELECT shared.keep_versions('issuances.provisioning_bands', '{operation_id,from_days}');
SELECT shared.keep_versions('issuances.covenants', '{operation_id,external_id}');
SELECT shared.keep_versions('issuances.complete_months', '{operation_id,month}', '{stated_at}');

-- What was not paid of a payment at the end of a day, before the day on which it was paid whole. Of one that the engine does not keep the days of its parts are
-- not known: what was last open of it.
CREATE FUNCTION issuances.open_on(day date, payment uuid, total numeric, open numeric, paid_on date, parts jsonb) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN parts IS NOT NULL THEN greatest(total - (SELECT coalesce(sum((part ->> 1)::numeric), 0) FROM jsonb_array_elements(parts) AS part
      WHERE (part ->> 0)::date <= day), 0.00)
    ELSE coalesce(CASE WHEN paid_on IS NULL THEN open ELSE (SELECT was.open_value FROM issuances.payments_versions AS was
      WHERE was.id = payment AND was.paid_date IS NULL ORDER BY was.superseded_at DESC, was.record_version DESC LIMIT 1) END, total) END
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

-- Corrections are listed by their moment, and within it by their key: an act may change hundreds of thousands of rows at one moment, and a page of the list
-- is to cost as much as the page is long.
CREATE INDEX ON issuances.operations_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.series_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.unit_prices_versions (superseded_at, series_id, date) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.trustee_unit_prices_versions (superseded_at, series_id, date) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.guarantees_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.documents_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.obligations_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.payments_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.operation_accounts_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.permitted_investments_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.assemblies_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.communications_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.participants_versions (superseded_at, id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.provisioning_bands_versions (superseded_at, operation_id, from_days) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
CREATE INDEX ON issuances.covenants_versions (superseded_at, operation_id, external_id) WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;

-- The records that an import changed, by pages: see `shared.order_by_act`.
SELECT shared.order_by_act('issuances.operations', '{id}');
SELECT shared.order_by_act('issuances.series', '{id}');
SELECT shared.order_by_act('issuances.unit_prices', '{series_id,date}');
SELECT shared.order_by_act('issuances.trustee_unit_prices', '{series_id,date}');
SELECT shared.order_by_act('issuances.guarantees', '{id}');
SELECT shared.order_by_act('issuances.documents', '{id}');
SELECT shared.order_by_act('issuances.obligations', '{id}');
SELECT shared.order_by_act('issuances.payments', '{id}');
SELECT shared.order_by_act('issuances.operation_accounts', '{id}');
SELECT shared.order_by_act('issuances.permitted_investments', '{id}');
SELECT shared.order_by_act('issuances.assemblies', '{id}');
SELECT shared.order_by_act('issuances.communications', '{id}');
SELECT shared.order_by_act('issuances.participants', '{id}');
SELECT shared.order_by_act('issuances.credit_contracts', '{id}');
SELECT shared.order_by_act('issuances.contract_positions', '{operation_id,contract_id,month}');
SELECT shared.order_by_act('issuances.provisioning_bands', '{operation_id,from_days}');
SELECT shared.order_by_act('issuances.covenants', '{operation_id,external_id}');
SELECT shared.order_by_act('issuances.complete_months', '{operation_id,month}');

-- Reports as they were known at a moment.
CREATE FUNCTION issuances.monthly_reports(moment timestamptz) RETURNS SETOF issuances.monthly_reports LANGUAGE sql STABLE AS $$
  SELECT * FROM issuances.monthly_reports WHERE generated_at <= moment
$$;

-- What `asOf` reads beside the versions: see `shared/database/as-of/README.md`.

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

CREATE FUNCTION issuances.keep_operation_marks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET enable_nestloop = off AS $$
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

-- The operations that were voided and whose reports stand, with the act that withdrew each: see the check of names of the import.
CREATE VIEW issuances.withdrawn_operations AS
  SELECT * FROM (
    SELECT DISTINCT ON (v.id) v.id, v.ticker, v.slug, v.superseded_by AS act FROM issuances.operations_versions v
    WHERE v.voided AND NOT EXISTS (SELECT FROM issuances.operations o WHERE o.id = v.id) ORDER BY v.id, v.superseded_at DESC
  ) AS gone
  WHERE EXISTS (SELECT FROM issuances.monthly_reports r WHERE r.operation_id = gone.id);
