import { reservedFor } from '../../../../shared/import/check/withdrawn.js';
import { violation } from '../../../../shared/import/import-rules.js';

/** Checks that a name identifies one estate, and that a series keeps its estate. */

/** Tickers and slugs share one namespace. */
const sharedNames = `
  SELECT n.file, n.line, n.path, n.field, ${violation('NAME_OF_PATRIMONY', { value: 'n.name', ticker: 'o.ticker' })}
  FROM (
    SELECT file, line, path, 'ticker' AS field, lower(ticker) AS ticker, lower(ticker) AS name FROM import_patrimonies
    UNION ALL SELECT file, line, path, 'slug', lower(ticker), lower(slug) FROM import_patrimonies
  ) n JOIN (
    SELECT ticker, lower(ticker) AS name FROM tokenization.patrimonies
    UNION SELECT ticker, lower(slug) FROM tokenization.patrimonies
    UNION SELECT ticker, lower(ticker) FROM import_patrimonies
    UNION SELECT ticker, lower(slug) FROM import_patrimonies
  ) o ON o.name = n.name AND lower(o.ticker) <> n.ticker`;

const movedTranches = `
  SELECT s.file, s.line, s.path, 'ticker' AS field, ${violation('SERIES_OF_PATRIMONY', { value: 's.ticker', ticker: 'p.ticker' })}
  FROM import_tranches s
  JOIN tokenization.tranches e ON lower(e.ticker) = lower(s.ticker)
  JOIN tokenization.patrimonies p ON p.id = e.patrimony_id AND lower(p.ticker) <> lower(s.owner_patrimony)`;

/** Names of withdrawn records stay reserved: otherwise restoring such a record could fail. */
const withdrawnTranches = `
  SELECT s.file, s.line, s.path, 'ticker' AS field, ${reservedFor('series', 's.ticker', 'w.act')}
  FROM import_tranches s JOIN tokenization.withdrawn_tranches w ON lower(w.ticker) = lower(s.ticker)
  WHERE NOT EXISTS (SELECT FROM tokenization.tranches t WHERE lower(t.ticker) = lower(s.ticker))`;

const withdrawnPatrimonies = `
  SELECT DISTINCT ON (n.file, n.line, n.path, n.field) n.file, n.line, n.path, n.field,
    ${reservedFor('patrimony', 'n.name', 'w.act')}
  FROM (
    SELECT file, line, path, 'ticker' AS field, ticker AS name, ticker FROM import_patrimonies
    UNION ALL SELECT file, line, path, 'slug', slug, ticker FROM import_patrimonies
  ) n JOIN tokenization.withdrawn_patrimonies w ON lower(n.name) IN (lower(w.ticker), lower(w.slug))
  WHERE NOT EXISTS (SELECT FROM tokenization.patrimonies p WHERE lower(p.ticker) = lower(n.ticker))`;

export const nameChecks: readonly string[] = [sharedNames, movedTranches, withdrawnTranches, withdrawnPatrimonies];
