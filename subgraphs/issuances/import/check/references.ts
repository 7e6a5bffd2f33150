import { inCsv, notFaulty } from '../../../../shared/import/check.js';
import { givenBy, violation } from '../../../../shared/import/import-rules.js';
import type { Kind } from '../../../../shared/import/model/kind.js';
import { stageOf } from '../../../../shared/import/write/sql.js';
import { contracts } from '../model/credits.js';
import { series } from '../model/operations.js';

/** Checks that the contract of a position exists, if its operation does. */
export const unknownContracts = `
  SELECT s.file, s.line, s.path, 'contractExternalId' AS field, ${violation('CONTRACT_UNKNOWN', { value: 's.owner_contract' })}
  FROM import_contract_positions s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  LEFT JOIN issuances.credit_contracts c ON c.operation_id = k.id AND c.external_id = s.owner_contract
  LEFT JOIN import_credit_contracts i ON lower(i.owner_operation) = k.ticker AND i.external_id = s.owner_contract
  WHERE ${inCsv} AND c.id IS NULL AND i.id IS NULL AND ${notFaulty(contracts, 'k.ticker', 's.owner_contract')}`;

/** Checks that the series of an operation's record exists and belongs to that operation. */
export function foreignSeries(kind: Kind): string[] {
  if (!kind.fields.some(({ refersTo }) => refersTo !== undefined)) return [];
  return [
    `SELECT s.file, s.line, s.path, 'trancheTicker' AS field,
      CASE WHEN e.id IS NULL THEN 'SERIES_UNKNOWN' ELSE 'SERIES_FOREIGN' END AS rule, ${givenBy({ value: 's.series_ticker' })} AS given
    FROM ${stageOf(kind)} s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
    LEFT JOIN known_series e ON e.ticker = lower(s.series_ticker)
    WHERE s.series_ticker IS NOT NULL AND e.operation_id IS DISTINCT FROM k.id AND ${notFaulty(series, `''`, 's.series_ticker')}`,
  ];
}

/** A month can be complete only if it has positions, in the input or in the database. */
export const completeWithoutPositions = `
  SELECT s.file, s.line, s.path, 'month' AS field,
    ${violation('NO_POSITIONS', { value: `to_char(s.month, 'YYYY-MM')` })}
  FROM import_complete_months s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  WHERE NOT EXISTS (SELECT FROM issuances.report_inputs i WHERE i.operation_id = k.id AND i.month = s.month AND i.has_positions)
  AND NOT EXISTS (SELECT FROM import_contract_positions p WHERE lower(p.owner_operation) = k.ticker AND p.month = s.month)`;

/** Compares the stated number of positions of a complete month with the actual one. */
export const otherPositions = `
  SELECT s.file, s.line, s.path, 'positions' AS field,
    ${violation('OTHER_POSITIONS', { value: 's.positions', count: 'known.count', month: `to_char(s.month, 'YYYY-MM')` })}
  FROM import_complete_months s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  CROSS JOIN LATERAL (
    SELECT count(*) FROM (
      SELECT c.external_id FROM issuances.contract_positions p JOIN issuances.credit_contracts c ON c.id = p.contract_id
      WHERE p.operation_id = k.id AND p.month = s.month
      UNION SELECT p.owner_contract FROM import_contract_positions p WHERE lower(p.owner_operation) = k.ticker AND p.month = s.month
    ) AS position
  ) AS known
  WHERE s.positions IS NOT NULL AND known.count > 0 AND known.count <> s.positions`;
