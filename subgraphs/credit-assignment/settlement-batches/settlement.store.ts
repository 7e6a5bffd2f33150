import type { Context } from '../../../shared/context.js';
import type { NewSettlement } from './check-settlements.js';

/** Rows of one statement: their text is made in one turn of the event loop. */
const rowsPerStatement = 1_000;

/** Writes payments into a new batch, in their order. */
export async function addSettlements(
  { manager }: Context,
  batchId: string,
  settlements: readonly NewSettlement[],
): Promise<void> {
  for (let start = 0; start < settlements.length; start += rowsPerStatement) {
    const piece = settlements.slice(start, start + rowsPerStatement);
    await manager.query(
      `INSERT INTO credit_assignment.settlements (batch_id, position, receivable_id, settled_amount, settled_date)
       SELECT $1, $2::integer + ordinality - 1, receivable_id, settled_amount, settled_date
       FROM unnest($3::uuid[], $4::numeric[], $5::date[])
         WITH ORDINALITY AS settlement (receivable_id, settled_amount, settled_date, ordinality)`,
      [
        batchId,
        start,
        piece.map(({ contractId }) => contractId),
        piece.map(({ settledAmount }) => settledAmount),
        piece.map(({ settledDate }) => settledDate),
      ],
    );
  }
}

/** A payment that cannot be taken. */
export interface RefusedSettlement {
  /** Its place in the batch, from 0. */
  readonly position: number;
  /** UNKNOWN is no receivable of the credit batch. */
  readonly kind: 'UNKNOWN' | 'SETTLED' | 'OVERPAID';
  readonly externalId: string | null;
  readonly openBalance: string | null;
  /** The payments of its receivable up to this one, together. */
  readonly paid: string;
}

/** The first payments that cannot be taken. */
export interface Refusal {
  readonly refused: readonly RefusedSettlement[];
  /** How many there are in all. */
  readonly total: number;
  /** Whether any of all of them is of a receivable that was settled before. */
  readonly anySettled: boolean;
}

type RefusalRow = RefusedSettlement & Omit<Refusal, 'refused'>;

/**
 * Which of some payments are more than is open of their receivables: those of one receivable are added up in their order.
 * @param entries SQL of the payments, with `position`, `receivable_id` and `settled_amount`; $1 is the credit batch, $2 the limit
 */
const refusalText = (entries: string): string => `
  SELECT judged.*, (count(*) OVER ())::integer AS total, bool_or(kind = 'SETTLED') OVER () AS "anySettled" FROM (
    SELECT entry.position::integer, receivable.external_id AS "externalId", receivable.open_balance AS "openBalance", entry.paid,
      CASE WHEN receivable.id IS NULL THEN 'UNKNOWN' WHEN receivable.status = 'SETTLED' THEN 'SETTLED' ELSE 'OVERPAID' END AS kind
    FROM (SELECT position, receivable_id, sum(settled_amount) OVER (PARTITION BY receivable_id ORDER BY position) AS paid
          FROM (${entries}) AS entries) AS entry
      LEFT JOIN credit_assignment.receivables AS receivable
        ON receivable.id = entry.receivable_id AND receivable.batch_id = $1
    WHERE receivable.id IS NULL OR entry.paid > receivable.open_balance) AS judged
  ORDER BY position LIMIT $2`;

/** Which payments that are to become a batch cannot be taken as the receivables stand now, at most `limit` of them. */
export async function refusalOfNew(
  { manager }: Context,
  creditBatchId: string,
  settlements: readonly NewSettlement[],
  limit: number,
): Promise<Refusal> {
  const rows: RefusalRow[] = await manager.query(
    refusalText(`SELECT ordinality - 1 AS position, receivable_id, settled_amount
      FROM unnest($3::uuid[], $4::numeric(20, 2)[]) WITH ORDINALITY AS given (receivable_id, settled_amount, ordinality)`),
    [
      creditBatchId,
      limit,
      plainArray(settlements.map(({ contractId }) => contractId)),
      plainArray(settlements.map(({ settledAmount }) => settledAmount)),
    ],
  );
  return toRefusal(rows);
}

/** PostgreSQL's text of an array of UUIDs or numbers, whose form was checked: pg would look at each of 50,000 for what to escape. */
function plainArray(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}

/** Which payments of a batch cannot be taken as the receivables stand now, at most `limit` of them. */
export async function refusalOfBatch(
  { manager }: Context,
  creditBatchId: string,
  batchId: string,
  limit: number,
): Promise<Refusal> {
  const rows: RefusalRow[] = await manager.query(
    refusalText(
      'SELECT position, receivable_id, settled_amount FROM credit_assignment.settlements WHERE batch_id = $3',
    ),
    [creditBatchId, limit, batchId],
  );
  return toRefusal(rows);
}

function toRefusal(rows: readonly RefusalRow[]): Refusal {
  const [first] = rows;
  return {
    refused: rows.map(({ position, kind, externalId, openBalance, paid }) => ({
      position,
      kind,
      externalId,
      openBalance,
      paid,
    })),
    total: first?.total ?? 0,
    anySettled: first?.anySettled ?? false,
  };
}
