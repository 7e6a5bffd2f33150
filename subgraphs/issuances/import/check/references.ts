import { inCsv, notFaulty } from '../../../../shared/import/check/references.js';
import type { Kind } from '../../../../shared/import/model/kind.js';
import { stageOf } from '../../../../shared/import/write/sql.js';
import { contracts } from '../model/credits.js';
import { series } from '../model/operations.js';

/** The contract that a position names, where its operation is known. */
export const unknownContracts = `
  SELECT s.file, s.line, s.path, 'contractExternalId' AS field, 'is "' || s.owner_contract || '", and the operation has no such contract' AS message
  FROM import_contract_positions s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  LEFT JOIN issuances.credit_contracts c ON c.operation_id = k.id AND c.external_id = s.owner_contract
  LEFT JOIN import_credit_contracts i ON lower(i.owner_operation) = k.ticker AND i.external_id = s.owner_contract
  WHERE ${inCsv} AND c.id IS NULL AND i.id IS NULL AND ${notFaulty(contracts, 'k.ticker', 's.owner_contract')}`;

/** The series that a record of an operation names: it has to be there, and to belong to that operation. */
export function foreignSeries(kind: Kind): string[] {
  if (!kind.fields.some(({ refersTo }) => refersTo !== undefined)) return [];
  return [
    `SELECT s.file, s.line, s.path, 'trancheTicker' AS field,
      'is "' || s.series_ticker || CASE WHEN e.id IS NULL THEN '", and there is no such series' ELSE '", a series of another operation' END AS message
    FROM ${stageOf(kind)} s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
    LEFT JOIN known_series e ON e.ticker = lower(s.series_ticker)
    WHERE s.series_ticker IS NOT NULL AND e.operation_id IS DISTINCT FROM k.id AND ${notFaulty(series, `''`, 's.series_ticker')}`,
  ];
}
