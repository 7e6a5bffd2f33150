/** SQL that creates temporary tables of the operations, series and on-chain contracts after this import. */
export const createKnown = `
  CREATE TEMP TABLE known_operations ON COMMIT DROP AS
  SELECT coalesce(o.id, s.id) AS id, coalesce(lower(o.ticker), lower(s.ticker)) AS ticker,
    CASE WHEN s.id IS NULL THEN o.maturity_date ELSE s.maturity_date END AS maturity_date
  FROM (SELECT DISTINCT ON (lower(ticker)) * FROM import_operations ORDER BY lower(ticker), file, line) s
  FULL JOIN issuances.operations o ON lower(o.ticker) = lower(s.ticker);
  ANALYZE known_operations;

  CREATE TEMP TABLE known_series ON COMMIT DROP AS
  SELECT coalesce(e.id, s.id) AS id, coalesce(lower(e.ticker), lower(s.ticker)) AS ticker,
    coalesce(e.operation_id, s.operation_id) AS operation_id,
    coalesce(s.issue_date, e.issue_date) AS issue_date, coalesce(s.maturity_date, e.maturity_date) AS maturity_date
  FROM (
    SELECT DISTINCT ON (lower(s.ticker)) s.*, k.id AS operation_id FROM import_series s
    LEFT JOIN known_operations k ON k.ticker = lower(s.owner_operation) ORDER BY lower(s.ticker), file, line
  ) s
  FULL JOIN issuances.series e ON lower(e.ticker) = lower(s.ticker);
  ANALYZE known_series;

  CREATE TEMP TABLE known_onchain_contracts ON COMMIT DROP AS
  SELECT coalesce(e.id, s.id) AS id, coalesce(e.chain_id, s.chain_id) AS chain_id, coalesce(lower(e.address), lower(s.address)) AS address,
    coalesce(e.operation_id, s.operation_id) AS operation_id
  FROM (
    SELECT DISTINCT ON (s.chain_id, lower(s.address)) s.*, k.id AS operation_id FROM import_onchain_contracts s
    LEFT JOIN known_operations k ON k.ticker = lower(s.owner_operation) ORDER BY s.chain_id, lower(s.address), file, line
  ) s
  FULL JOIN issuances.onchain_contracts e ON e.chain_id = s.chain_id AND lower(e.address) = lower(s.address);
  ANALYZE known_onchain_contracts`;
