import { violation } from '../../../../shared/import/import-rules.js';

/** Months of a price index must be consecutive: a variation needs both of its ends. */
const missingMonths = `
  SELECT file, line, path, 'date' AS field,
    ${violation('MONTH_MISSING', { value: 'date', index: 'index_name', month: `to_char(lacking, 'YYYY-MM')` })}
  FROM (
    SELECT m.*, CASE
      WHEN lag(date) OVER months < date - interval '1 month' THEN date - interval '1 month'
      WHEN NOT lead(is_staged) OVER months AND lead(date) OVER months > date + interval '1 month' THEN date + interval '1 month'
    END AS lacking
    FROM (
      SELECT index_name, date, min(file) AS file, min(line) AS line, min(path) AS path, bool_or(is_staged) AS is_staged FROM (
        SELECT index_name, date, file, line, path, true AS is_staged FROM import_index_values WHERE index_name <> 'DI'
        UNION ALL SELECT index_name, date, NULL, NULL, NULL, false FROM tokenization.index_values WHERE index_name <> 'DI'
      ) one GROUP BY index_name, date
    ) m WINDOW months AS (PARTITION BY index_name ORDER BY date)
  ) m WHERE is_staged AND lacking IS NOT NULL`;

export const indexChecks: readonly string[] = [missingMonths];
