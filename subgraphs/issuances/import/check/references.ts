import type { Kind } from '../model/kind.js';
import { stageOf } from '../write/sql.js';

/*
 * References that lead nowhere. Only a CSV line can name an owner that does not exist: in JSON a record lies inside its owner.
 * What the input itself holds, though with faults, is not missing.
 */

const inCsv = `s.path = ''`;

function notFaulty(table: string, owner: string, name: string): string {
  return `NOT EXISTS (SELECT FROM import_faulty b WHERE b.table_name = '${table}' AND lower(b.owner) = ${owner} AND lower(b.name) = lower(${name}))`;
}

/** Where lines say what they belong to, those with other faults included. */
function owners({ table }: Kind, column: string): string {
  return `(
    SELECT s.file, s.line, s.path, s.${column} AS owner FROM import_${table} s WHERE ${inCsv}
    UNION ALL SELECT file, line, '', owner FROM import_mentions WHERE table_name = '${table}'
  )`;
}

/** The owner that a line names. */
export function unknownOwners(kind: Kind): string | undefined {
  if (kind.parent === 'series') {
    return `
      SELECT s.file, s.line, s.path, 'trancheTicker' AS field, 'is "' || s.owner || '", and there is no such series' AS message
      FROM ${owners(kind, 'owner_series')} s
      WHERE lower(s.owner) NOT IN (SELECT ticker FROM known_series) AND ${notFaulty('series', `''`, 's.owner')}`;
  }
  if (kind.parent !== 'operation' && kind.parent !== 'contract') return undefined;
  return `
    SELECT s.file, s.line, s.path, 'operationTicker' AS field, 'is "' || s.owner || '", and there is no such operation' AS message
    FROM ${owners(kind, 'owner_operation')} s
    WHERE lower(s.owner) NOT IN (SELECT ticker FROM known_operations) AND ${notFaulty('operations', `''`, 's.owner')}`;
}

/** The contract that a position names, where its operation is known. */
export const unknownContracts = `
  SELECT s.file, s.line, s.path, 'contractExternalId' AS field, 'is "' || s.owner_contract || '", and the operation has no such contract' AS message
  FROM import_contract_positions s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  LEFT JOIN issuances.credit_contracts c ON c.operation_id = k.id AND c.external_id = s.owner_contract
  LEFT JOIN import_credit_contracts i ON lower(i.owner_operation) = k.ticker AND i.external_id = s.owner_contract
  WHERE ${inCsv} AND c.id IS NULL AND i.id IS NULL AND ${notFaulty('credit_contracts', 'k.ticker', 's.owner_contract')}`;

/** The series that a record of an operation names: it has to be there, and to belong to that operation. */
export function foreignSeries(kind: Kind): string | undefined {
  if (!kind.fields.some((field) => field.refersToSeries)) return undefined;
  return `
    SELECT s.file, s.line, s.path, 'trancheTicker' AS field,
      'is "' || s.series_ticker || CASE WHEN e.id IS NULL THEN '", and there is no such series' ELSE '", a series of another operation' END AS message
    FROM ${stageOf(kind)} s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
    LEFT JOIN known_series e ON e.ticker = lower(s.series_ticker)
    WHERE s.series_ticker IS NOT NULL AND e.operation_id IS DISTINCT FROM k.id AND ${notFaulty('series', `''`, 's.series_ticker')}`;
}
