/**
 * SQL of the acts that made a row what it is, as `behind (act)`, for a statement to begin with: the act that recorded it; where that took another act back (a
 * withdrawal, an import), the act that had recorded it before; and so on.
 * @param table one that keeps versions
 * @param row which row of it: conditions on columns of its key
 */
export const actsBehind = (table: string, row: string): string => `
  WITH RECURSIVE behind AS (
    SELECT recorded_by AS act FROM ${table} WHERE ${row}
    UNION
    SELECT v.recorded_by FROM behind JOIN shared.imports i ON i.id = behind.act
    JOIN ${table}_versions v ON v.superseded_by = i.reverts WHERE ${row}
  )`;
