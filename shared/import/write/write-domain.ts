import type { Context } from '../../kernel/context.js';
import type { ImportDomain, ErrorList, KindCount } from '../domain.js';
import type { Kind } from '../model/kind.js';
import { merge, type Effect } from './merge.js';
import { retract } from './retract.js';
import { stageOf, keptFields, keyFields } from './sql.js';
import type { Manager } from '../../database/manager.js';
import { broken } from '../import-rules.js';

export interface Written {
  readonly domain: ImportDomain;
  readonly counts: readonly KindCount[];
  readonly effects: ReadonlyMap<string, readonly Effect[]>;
}

export interface WriteOptions {
  /** Whether records are restored rows; rows marked for removal are then removed too. */
  readonly exact: boolean;
  /** The act to be undone: see `merge`. */
  readonly undoes: string | undefined;
  readonly errors: ErrorList;
}

/** Writes the staged records of a domain into its tables, parents first; marked records are removed last. */
export async function writeDomain(
  tx: Context,
  domain: ImportDomain,
  { exact, undoes, errors }: WriteOptions,
): Promise<Written> {
  const { kinds, prepare, release } = domain;
  const effects = new Map<string, readonly Effect[]>();
  const counts: KindCount[] = [];
  if (prepare !== undefined && !exact) await tx.manager.execute(prepare);
  for (const kind of kinds) {
    const staged = await countStaged(tx, kind);
    if (staged === 0 && !kind.replaces) continue;
    if (exact) await refuseOrphans(tx.manager, kind, errors);
    const done = await merge(tx.manager, kind, tx.clock.now(), undoes);
    effects.set(kind.name, done);
    const { created, changed, removed } = totalOf(done);
    if (staged + removed > 0)
      counts.push({ kind: kind.name, created, changed, unchanged: staged - created - changed, removed });
  }
  if (exact) await release?.(tx);
  if (exact) for (const kind of kinds.toReversed()) await retractKind(tx, kind, effects, counts);
  return { domain, counts, effects };
}

function totalOf(effects: readonly Effect[]): Pick<KindCount, 'created' | 'changed' | 'removed'> {
  const add = (part: 'created' | 'changed' | 'removed') => effects.reduce((sum, effect) => sum + effect[part], 0);
  return { created: add('created'), changed: add('changed'), removed: add('removed') };
}

async function retractKind(
  { manager }: Context,
  kind: Kind,
  effects: Map<string, readonly Effect[]>,
  counts: KindCount[],
): Promise<void> {
  if (!kind.recorded) return;
  const done = await retract(manager, kind);
  const { removed } = totalOf(done);
  if (removed === 0) return;
  effects.set(kind.name, [...(effects.get(kind.name) ?? []), ...done]);
  const count = counts.find((one) => one.kind === kind.name);
  if (count === undefined) counts.push({ kind: kind.name, created: 0, changed: 0, unchanged: 0, removed });
  else count.removed += removed;
}

async function countStaged({ manager }: Context, kind: Kind): Promise<number> {
  const row = await manager.row<{ count: number }>(`SELECT count(*)::integer AS count FROM ${stageOf(kind)}`);
  return row?.count ?? 0;
}

const namedAtMost = 1000;

/** Reports staged records whose owner or reference no longer exists: a merge would omit or empty them. Restored records were not checked earlier. */
async function refuseOrphans(manager: Manager, kind: Kind, errors: ErrorList): Promise<void> {
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
