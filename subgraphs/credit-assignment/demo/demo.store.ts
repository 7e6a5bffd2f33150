import type { Context } from '../../../shared/context.js';

/** The id of the client with a name that is linked with an account. */
export async function findDemoOriginator(
  { manager }: Context,
  accountId: string,
  name: string,
): Promise<string | undefined> {
  const [row]: { id: string }[] = await manager.query(
    'SELECT id FROM credit_assignment.originators WHERE account_id = $1 AND name = $2 ORDER BY id LIMIT 1',
    [accountId, name],
  );
  return row?.id;
}

/** Whether the demo of a client is whole: what is cancelled last stays so. */
export async function isWhole({ manager }: Context, originatorId: string): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    `SELECT FROM credit_assignment.settlement_batches WHERE originator_id = $1 AND status = 'CANCELLED' LIMIT 1`,
    [originatorId],
  );
  return rows.length > 0;
}

/** States in which a client has a batch of credits, and of settlements. */
export async function statesOf(
  { manager }: Context,
  originatorId: string,
): Promise<{ readonly credits: ReadonlySet<string>; readonly settlements: ReadonlySet<string> }> {
  const rows: { kind: string; status: string }[] = await manager.query(
    `SELECT DISTINCT 'credits' AS kind, status FROM credit_assignment.credit_batches WHERE originator_id = $1
     UNION SELECT DISTINCT 'settlements', status FROM credit_assignment.settlement_batches WHERE originator_id = $1`,
    [originatorId],
  );
  const of = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map(({ status }) => status));
  return { credits: of('credits'), settlements: of('settlements') };
}

/** A batch of a client that is processed, and its receivables in their order. */
export async function processedReceivables(
  { manager }: Context,
  originatorId: string,
): Promise<readonly { readonly batchId: string; readonly id: string; readonly faceValue: string }[]> {
  return manager.query(
    `SELECT batch_id AS "batchId", id, face_value AS "faceValue" FROM credit_assignment.receivables
     WHERE batch_id = (SELECT id FROM credit_assignment.credit_batches
                       WHERE originator_id = $1 AND status = 'PROCESSED' ORDER BY id LIMIT 1)
     ORDER BY position`,
    [originatorId],
  );
}
