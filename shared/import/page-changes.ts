import type { Context } from '../kernel/context.js';
import type { CursorCodec } from '../graphql/cursor.js';
import { connectionPage, openPage, type ConnectionArguments, type ListPage } from '../graphql/list-page.js';
import type { ImportDomain, Changes, KindCount, RecordChange } from './domain.js';
import type { StoredImport } from './imports.store.js';
import type { Kind } from './model/kind.js';
import { readTouched, type TouchedRecord } from './write/act-page.js';

export type ChangingAct = Pick<StoredImport, 'id' | 'counts'>;

interface PlacedChange {
  readonly change: RecordChange;
  readonly position: readonly string[];
}

interface ChangeRange {
  readonly position: readonly string[];
  readonly backward: boolean;
  readonly limit: number;
}

/** How many records are read at once where many were touched without a change of their fields. */
const mostAtOnce = 1_000;

/** Reads a page of an act's changes, by kind in the order of writing, then by key. @throws {ApiError} BAD_REQUEST as `openPage` */
export async function pageChanges(
  context: Context,
  codec: CursorCodec,
  domains: readonly ImportDomain[],
  act: ChangingAct,
  wanted: ConnectionArguments & { readonly kind?: string | null | undefined },
): Promise<ListPage<RecordChange>> {
  const { kind = null } = wanted;
  const page = openPage(codec, connectionPage(wanted), {
    scope: JSON.stringify(['changes', act.id, kind]),
    usual: 100,
  });
  const found = await readFrom(context, kindsOf(domains, act, kind), act.id, { ...page, limit: page.limit + 1 });
  const { rows, ...taken } = page.take(found, ({ position }) => position);
  return { ...taken, rows: rows.map(({ change }) => change) };
}

export async function readImportChanges(
  context: Context,
  domains: readonly ImportDomain[],
  act: ChangingAct,
  limit: number,
): Promise<Changes> {
  const found = await readFrom(context, kindsOf(domains, act, null), act.id, { position: [], backward: false, limit });
  return { changes: found.map(({ change }) => change), total: countChanges(act) };
}

/** Counts an act's changes as stored when written: records that only moved in their list count, although the list of changes omits them. */
export function countChanges({ counts }: Pick<ChangingAct, 'counts'>, kind: string | null = null): number {
  const all = counts.filter((count) => kind === null || count.kind === kind);
  return all.reduce((sum, count) => sum + changed(count), 0);
}

const changed = ({ created, changed: others, removed }: KindCount) => created + others + removed;

/** The kinds of which an act changed records, in the order in which they are written. */
function kindsOf(domains: readonly ImportDomain[], { counts }: ChangingAct, wanted: string | null): readonly Kind[] {
  const touched = new Set(counts.map(({ kind }) => kind));
  return domains
    .flatMap(({ kinds }) => kinds)
    .filter(({ name, recorded }) => recorded && touched.has(name) && (wanted === null || name === wanted));
}

async function readFrom(
  context: Context,
  all: readonly Kind[],
  actId: string,
  { position: [kindName, ...key], backward, limit }: ChangeRange,
): Promise<PlacedChange[]> {
  const kinds = backward ? all.toReversed() : all;
  const first = kindName === undefined ? 0 : kinds.findIndex(({ name }) => name === kindName);
  const changes: PlacedChange[] = [];
  for (const kind of first < 0 ? [] : kinds.slice(first)) {
    const beyond = kind.name === kindName ? key : undefined;
    changes.push(...(await readKind(context, kind, { actId, beyond, backward, limit: limit - changes.length })));
    if (changes.length >= limit) break;
  }
  return changes;
}

/** Reads changes of a kind until there are `limit`, or no more. */
async function readKind(
  { manager }: Context,
  kind: Kind,
  { limit, beyond: begin, ...range }: Parameters<typeof readTouched>[2],
): Promise<PlacedChange[]> {
  const changes: PlacedChange[] = [];
  let beyond = begin;
  let step = limit;
  for (;;) {
    const found: readonly TouchedRecord[] = await readTouched(manager, kind, { ...range, beyond, limit: step });
    for (const { key, change } of found)
      if (change !== undefined && changes.length < limit) changes.push({ change, position: [kind.name, ...key] });
    if (changes.length >= limit || found.length < step) return changes;
    beyond = found.at(-1)?.key;
    step = Math.max(step, mostAtOnce);
  }
}
