/**
 * SQL of the audit log entries that led to the current state of a row, as `behind (act)`, for the start of a statement: the entry that recorded the row; if
 * that one undid another (a withdrawal, an import), the entry that had recorded it before; and so on.
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
