import type { Context } from '../../../shared/kernel/context.js';

export function findDemoOriginator({ manager }: Context, accountId: string, name: string): Promise<string | undefined> {
  return manager.value(
    'SELECT id FROM credit_assignment.originators WHERE account_id = $1 AND name = $2 ORDER BY id LIMIT 1',
    [accountId, name],
  );
}

/** Whether the demo of a client is complete: its last step is the cancelled batch. */
export async function isWhole({ manager }: Context, originatorId: string): Promise<boolean> {
  const rows = await manager.rows<unknown>(
    `SELECT FROM credit_assignment.settlement_batches WHERE originator_id = $1 AND status = 'CANCELLED' LIMIT 1`,
    [originatorId],
  );
  return rows.length > 0;
}

export async function statesOf(
  { manager }: Context,
  originatorId: string,
): Promise<{ readonly credits: ReadonlySet<string>; readonly settlements: ReadonlySet<string> }> {
  const rows = await manager.rows<{ kind: string; status: string }>(
    `SELECT DISTINCT 'credits' AS kind, status FROM credit_assignment.credit_batches WHERE originator_id = $1
     UNION SELECT DISTINCT 'settlements', status FROM credit_assignment.settlement_batches WHERE originator_id = $1`,
    [originatorId],
  );
  const of = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map(({ status }) => status));
  return { credits: of('credits'), settlements: of('settlements') };
}

export function processedReceivables(
  { manager }: Context,
  originatorId: string,
): Promise<readonly { readonly batchId: string; readonly id: string; readonly faceValue: string }[]> {
  return manager.rows(
    `SELECT batch_id AS "batchId", id, face_value AS "faceValue" FROM credit_assignment.receivables
     WHERE batch_id = (SELECT id FROM credit_assignment.credit_batches
                       WHERE originator_id = $1 AND status = 'PROCESSED' ORDER BY id LIMIT 1)
     ORDER BY position`,
    [originatorId],
  );
}
