import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import type { BatchKind } from './batch-kind.js';
import { lockBatch, type BatchRow, type OwnedBatch } from './batch.store.js';

/** Finds a batch that the caller may see. */
export async function findBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  id: string,
): Promise<Row | undefined> {
  return isUuid(id) ? loaderOf(context, kind.load).load(id.toLowerCase()) : undefined;
}

/** @throws {ApiError} the error of the kind for a batch that does not exist or belongs to someone else */
export async function requireBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  id: string,
): Promise<Row> {
  const batch = await findBatch(context, kind, id);
  if (batch === undefined) throw new ApiError(kind.notFound);
  return batch;
}

/** @throws {ApiError} as `requireBatch` */
export async function requireLockedBatch<Row extends BatchRow>(
  tx: Context,
  kind: BatchKind<Row>,
  id: string,
): Promise<OwnedBatch<Row>> {
  const batch = isUuid(id) ? await lockBatch(tx, kind, tx.principal.ownerId, id) : undefined;
  if (batch === undefined) throw new ApiError(kind.notFound);
  return batch;
}

/** Resolves references of other subgraphs to a batch by id, for callers who may see it. */
export function batchReference<Row extends BatchRow>(kind: BatchKind<Row>, show: (row: Row) => object): ReferenceRule {
  return {
    access: 'anyone',
    resolve: async (context, { id }) => {
      const row = typeof id === 'string' ? await findBatch(context, kind, id) : undefined;
      return row === undefined ? null : show(row);
    },
  };
}
