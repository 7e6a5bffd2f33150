/** Names lead to one estate each, and a series stays where it is. */

/** Tickers and slugs are one space of names. */
const sharedNames = `
  SELECT n.file, n.line, n.path, n.field, 'is "' || n.name || '", by which patrimony ' || o.ticker || ' is found' AS message
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
  SELECT s.file, s.line, s.path, 'ticker' AS field, 'is "' || s.ticker || '", a series of patrimony ' || p.ticker AS message
  FROM import_tranches s
  JOIN tokenization.tranches e ON lower(e.ticker) = lower(s.ticker)
  JOIN tokenization.patrimonies p ON p.id = e.patrimony_id AND lower(p.ticker) <> lower(s.owner_patrimony)`;

export const nameChecks: readonly string[] = [sharedNames, movedTranches];
