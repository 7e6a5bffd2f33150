import { repeated, reservedFor } from '../../../../shared/import/check.js';
import { violation } from '../../../../shared/import/import-rules.js';
import { series } from '../model/operations.js';

/** Tickers and slugs share one namespace: each must identify one operation. */
const sharedNames = `
  SELECT n.file, n.line, n.path, n.field, ${violation('NAME_OF_OPERATION', { value: 'n.name', ticker: 'o.ticker' })}
  FROM (
    SELECT file, line, path, 'ticker' AS field, lower(ticker) AS ticker, lower(ticker) AS name FROM import_operations
    UNION ALL SELECT file, line, path, 'slug', lower(ticker), lower(slug) FROM import_operations
  ) n JOIN (
    SELECT ticker, lower(ticker) AS name FROM issuances.operations
    UNION SELECT ticker, lower(slug) FROM issuances.operations
    UNION SELECT ticker, lower(ticker) FROM import_operations
    UNION SELECT ticker, lower(slug) FROM import_operations
  ) o ON o.name = n.name AND lower(o.ticker) <> n.ticker`;

/** Names of withdrawn records stay reserved: otherwise restoring such a record could fail. */
const withdrawnOperations = `
  SELECT DISTINCT ON (n.file, n.line, n.path, n.field) n.file, n.line, n.path, n.field,
    ${reservedFor('operation', 'n.name', 'w.act')}
  FROM (
    SELECT file, line, path, 'ticker' AS field, ticker AS name, ticker FROM import_operations
    UNION ALL SELECT file, line, path, 'slug', slug, ticker FROM import_operations
  ) n JOIN issuances.withdrawn_operations w ON lower(n.name) IN (lower(w.ticker), lower(w.slug))
  WHERE NOT EXISTS (SELECT FROM issuances.operations o WHERE lower(o.ticker) = lower(n.ticker))`;

const withdrawnSeries = `
  SELECT DISTINCT ON (s.file, s.line, s.path) s.file, s.line, s.path, 'ticker' AS field, ${reservedFor('series', 's.ticker', 'w.act')}
  FROM import_series s JOIN issuances.series_versions v ON lower(v.ticker) = lower(s.ticker)
  JOIN issuances.withdrawn_operations w ON w.id = v.operation_id AND w.act = v.superseded_by
  WHERE NOT EXISTS (SELECT FROM issuances.series e WHERE lower(e.ticker) = lower(s.ticker))`;

const movedSeries = `
  SELECT s.file, s.line, s.path, 'ticker' AS field, ${violation('SERIES_OF_OPERATION', { value: 's.ticker', ticker: 'o.ticker' })}
  FROM import_series s
  JOIN issuances.series e ON lower(e.ticker) = lower(s.ticker)
  JOIN issuances.operations o ON o.id = e.operation_id AND lower(o.ticker) <> lower(s.owner_operation)`;

const takenNumbers = `
  SELECT s.file, s.line, s.path, 'number' AS field, ${violation('NUMBER_OF_SERIES', { value: 's.number', ticker: 'e.ticker' })}
  FROM import_series s
  JOIN issuances.operations o ON lower(o.ticker) = lower(s.owner_operation)
  JOIN issuances.series e ON e.operation_id = o.id AND e.number = s.number AND lower(e.ticker) <> lower(s.ticker)`;

const matureAfterOperation = `
  SELECT s.file, s.line, s.path, 'maturityDate' AS field,
    ${violation('AFTER_OPERATION', { value: 's.maturity_date', other: 'k.maturity_date' })}
  FROM import_series s JOIN known_operations k ON k.ticker = lower(s.owner_operation) AND s.maturity_date > k.maturity_date`;

const pricesOutsideLife = ['unit_prices', 'trustee_unit_prices'].map(
  (table) => `
  SELECT s.file, s.line, s.path, 'date' AS field, ${violation('OUTSIDE_LIFE', { value: 's.date', from: 'k.issue_date', to: 'k.maturity_date' })}
  FROM import_${table} s JOIN known_series k ON k.ticker = lower(s.owner_series)
  WHERE s.date < k.issue_date OR s.date > k.maturity_date`,
);

const movedOnchainContracts = `
  SELECT s.file, s.line, s.path, 'address' AS field, ${violation('CONTRACT_OF_OPERATION', { ticker: 'o.ticker' })}
  FROM import_onchain_contracts s
  JOIN issuances.onchain_contracts e ON e.chain_id = s.chain_id AND lower(e.address) = lower(s.address)
  JOIN issuances.operations o ON o.id = e.operation_id AND lower(o.ticker) <> lower(s.owner_operation)`;

const bandsWithoutStart = `
  SELECT min(s.file) AS file, min(s.line) AS line, min(s.path) AS path, 'fromDays' AS field, ${violation('BANDS_WITHOUT_START')}
  FROM import_provisioning_bands s GROUP BY s.owner_operation HAVING min(s.from_days) > 0`;

export const consistencyChecks: readonly string[] = [
  sharedNames,
  withdrawnOperations,
  withdrawnSeries,
  movedSeries,
  repeated(series, ['lower(s.owner_operation)', 's.number'], 'number', (place) => violation('NUMBER_TAKEN', { place })),
  takenNumbers,
  matureAfterOperation,
  ...pricesOutsideLife,
  movedOnchainContracts,
  bandsWithoutStart,
];
