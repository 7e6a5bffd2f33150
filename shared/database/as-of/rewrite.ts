import { LRUCache } from 'lru-cache';

/** A statement and its parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The function that reads a table as of a moment, by the table's name: `issuances.series` by `issuances.series`. */
export type TablesAsOf = ReadonlyMap<string, string>;

// A table with its schema, each quoted or not; neither a column of a table (`a.b.c`), nor a call, nor a part of another name.
const qualified = /(?<![\w".$'])(?:"(\w+)"|([a-z_]\w*))\.(?:"(\w+)"|([a-z_]\w*))(?!["\w.]|\s*\()/gi;

const begins = /^[\s(]*(SELECT|WITH)\b/i;
const writes = /\b(INSERT|UPDATE|DELETE|MERGE|INTO|FOR\s+(KEY\s+)?SHARE)\b/i;

/** Whether a statement only reads, without locking rows. */
export function isRead(sql: string): boolean {
  return begins.test(sql) && !writes.test(sql);
}

/**
 * Creates a function that rewrites statements to read versioned tables as of a moment: each becomes a call of its function, with the moment as an
 * additional parameter. Other tables are read in their present state.
 */
export function createRewriter(tables: TablesAsOf): (statement: Statement, moment: Date) => Statement {
  const texts = new LRUCache<string, string>({ max: 500 });
  return ({ sql, parameters }, moment) => {
    const key = `${String(parameters.length)} ${sql}`;
    const text = texts.get(key) ?? rewritten(sql, tables, parameters.length + 1);
    texts.set(key, text);
    return text === sql ? { sql, parameters } : { sql: text, parameters: [...parameters, moment] };
  };
}

function rewritten(sql: string, tables: TablesAsOf, parameter: number): string {
  if (!isRead(sql)) throw new Error(`A past state is read-only, and this statement is not a read: ${sql.slice(0, 60)}`);
  return sql.replace(qualified, (found, ...names: (string | undefined)[]) => {
    const [quotedSchema, schema = quotedSchema, quotedTable, table = quotedTable] = names;
    const reader = tables.get(`${schema ?? ''}.${table ?? ''}`);
    if (reader === undefined) return found;
    return `${reader}($${String(parameter)}::timestamptz)`;
  });
}
