import type { Manager } from '../../database/manager.js';
import { broken } from '../import-rules.js';
import type { Kind } from '../model/kind.js';
import type { ErrorList } from '../report.js';
import { keptFields, keyFields, stageOf } from './sql.js';

const namedAtMost = 1000;

/**
 * Reports as errors the staged records of a kind whose owner no longer exists, or that refer to a record that no longer exists: a merge would omit the
 * former and empty the reference of the latter. Input from files is checked earlier; restored records are not.
 */
export async function refuseOrphans(manager: Manager, kind: Kind, errors: ErrorList): Promise<void> {
  const owners = (kind.parent?.columns ?? []).map(({ name }) => `r.${name}`);
  const keys = keyFields(kind).map(({ column, refersTo }) => `r.${refersTo?.staged ?? column}`);
  const lacking = [
    `r.ctid NOT IN (SELECT s.ctid FROM ${stageOf(kind)} s ${kind.source.join})`,
    ...keptFields(kind)
      .flatMap(({ refersTo }) => refersTo ?? [])
      .map(
        ({ staged, known }) =>
          `(r.${staged} IS NOT NULL AND NOT EXISTS (SELECT FROM ${known} k WHERE k.ticker = lower(r.${staged})))`,
      ),
  ];
  const rows = await manager.rows<{ record: string; total: string }>(
    `SELECT concat_ws(' ', ${[...owners, ...keys].join(', ')}) AS record, count(*) OVER () AS total FROM ${stageOf(kind)} r
     WHERE ${lacking.join(' OR ')} ORDER BY 1 LIMIT ${namedAtMost}`,
  );
  for (const { record } of rows) errors.add(0, 0, '', broken('RECORD_ORPHANED', { label: kind.label, record }));
  errors.addUnshown(Number(rows[0]?.total ?? 0) - rows.length);
}
