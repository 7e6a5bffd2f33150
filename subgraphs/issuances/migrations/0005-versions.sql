-- Everything published keeps its versions: see `shared.keep_versions`. What a chain says is a log of its own, and reports have versions of their own.
SELECT shared.keep_versions('issuances.operations', '{id}', '{search_text,created_at,updated_at}');
SELECT shared.keep_versions('issuances.series', '{id}');
SELECT shared.keep_versions('issuances.unit_prices', '{series_id,date}');
SELECT shared.keep_versions('issuances.trustee_unit_prices', '{series_id,date}');
SELECT shared.keep_versions('issuances.guarantees', '{id}');
SELECT shared.keep_versions('issuances.documents', '{id}');
SELECT shared.keep_versions('issuances.obligations', '{id}');
SELECT shared.keep_versions('issuances.payments', '{id}');
SELECT shared.keep_versions('issuances.operation_accounts', '{id}');
SELECT shared.keep_versions('issuances.permitted_investments', '{id}');
SELECT shared.keep_versions('issuances.assemblies', '{id}');
SELECT shared.keep_versions('issuances.communications', '{id}');
SELECT shared.keep_versions('issuances.participants', '{id}');
SELECT shared.keep_versions('issuances.credit_contracts', '{id}');
SELECT shared.keep_versions('issuances.contract_positions', '{operation_id,month,contract_id}');
SELECT shared.keep_versions('issuances.provisioning_bands', '{operation_id,from_days}');
SELECT shared.keep_versions('issuances.covenants', '{operation_id,external_id}');
SELECT shared.keep_versions('issuances.complete_months', '{operation_id,month}', '{stated_at}');

-- An operation that is voided leaves its counters behind.
ALTER TABLE issuances.report_inputs DROP CONSTRAINT report_inputs_operation_id_fkey;

-- Reports as they were known at a moment.
CREATE FUNCTION issuances.monthly_reports(moment timestamptz) RETURNS SETOF issuances.monthly_reports LANGUAGE sql STABLE AS $$
  SELECT * FROM issuances.monthly_reports WHERE generated_at <= moment
$$;
