import type { Context } from '../../../shared/kernel/context.js';
import { actAsOriginator, type ClientAct } from '../originators/acting-originator.js';
import type { BatchKind } from './batch-kind.js';
import type { BatchRow } from './batch.store.js';
import { requireBatch } from './require-batch.js';

/** Acts for the client itself, or for a person of its account who may send for it. @throws {ApiError} that of the kind for a batch that the caller may not see, FORBIDDEN, and those of the act */
export async function actOnBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  id: string,
  named: ClientAct,
  act: (client: Context) => Promise<Row>,
): Promise<Row> {
  if (context.principal.kind === 'CLIENT') return act(context);
  const { originatorId } = await requireBatch(context, kind, id);
  return actAsOriginator(context, originatorId, named, act);
}
