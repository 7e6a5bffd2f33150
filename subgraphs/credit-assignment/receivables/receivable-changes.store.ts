import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { NewContract } from '../credit-batches/check-contracts.js';

/** Rows per statement: their ids and their text are built without yielding to the event loop. */
const rowsPerStatement = 1_000;
/** External ids per statement. */
const idsPerStatement = 5_000;

/**
 * Inserts contracts into a batch, in their order.
 * @param position position of the first contract
 */
export async function addReceivables(
  { manager, clock }: Context,
  batchId: string,
  position: number,
  contracts: readonly NewContract[],
): Promise<void> {
  const nowMs = clock.now().getTime();
  for (let start = 0; start < contracts.length; start += rowsPerStatement) {
    const piece = contracts.slice(start, start + rowsPerStatement);
    await manager.execute(
      `INSERT INTO credit_assignment.receivables
         (id, batch_id, position, external_id, debtor_document, face_value, due_date, status, open_balance)
       SELECT id, $1, $2::integer + ordinality - 1, external_id, debtor_document, face_value, due_date, 'PENDING', face_value
       FROM unnest($3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::date[])
         WITH ORDINALITY AS contract (id, external_id, debtor_document, face_value, due_date, ordinality)`,
      [
        batchId,
        position + start,
        piece.map(() => newId(nowMs)),
        ...arraysOf(piece, 'externalId', 'debtorDocument', 'faceValue', 'dueDate'),
      ],
    );
  }
}

/** Returns those of the given external ids that a batch has. */
export async function externalIdsIn(
  { manager }: Context,
  batchId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < externalIds.length; start += idsPerStatement) {
    const rows = await manager.rows<{ externalId: string }>(
      `SELECT external_id AS "externalId" FROM credit_assignment.receivables
       WHERE batch_id = $1 AND external_id = ANY ($2::text[])`,
      [batchId, externalIds.slice(start, start + idsPerStatement)],
    );
    for (const { externalId } of rows) found.push(externalId);
  }
  return found;
}

/** Removes all contracts of a batch that was never submitted. */
export async function removeReceivables({ manager }: Context, batchId: string): Promise<void> {
  await manager.execute('DELETE FROM credit_assignment.receivables WHERE batch_id = $1', [batchId]);
}

/**
 * Removes a contract of a batch that was never submitted, and moves up those after it.
 * @returns its face value in BRL; undefined where the batch does not have it
 */
export async function removeReceivable(
  { manager }: Context,
  batchId: string,
  externalId: string,
): Promise<string | undefined> {
  const removed = await manager.row<{ position: number; faceValue: string }>(
    `DELETE FROM credit_assignment.receivables WHERE batch_id = $1 AND external_id = $2
     RETURNING position, face_value AS "faceValue"`,
    [batchId, externalId],
  );
  if (removed === undefined) return undefined;
  await manager.execute(
    'UPDATE credit_assignment.receivables SET position = position - 1 WHERE batch_id = $1 AND position > $2',
    [batchId, removed.position],
  );
  return removed.faceValue;
}
