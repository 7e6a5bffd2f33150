import type { Context, Principal } from '../../shared/kernel/context.js';
import { openDatabase, type Database } from '../../shared/database/database.js';
import { newId } from '../../shared/kernel/ids.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { claimItems } from '../../shared/work/queue/work-items.store.js';
import { undecided } from '../../subgraphs/credit-assignment/processing/engine.js';
import { processBatch, concludeBatches } from '../../subgraphs/credit-assignment/processing/process-batch.js';
import { settlementBatches } from '../../subgraphs/credit-assignment/settlement-batches/settlement-batch.kind.js';
import { applySettlements } from '../../subgraphs/tokenization/assignments/apply-settlements.js';
import { takeOperatorPayments } from '../../subgraphs/credit-assignment/receivables/take-operator-payments.js';
import { tellMoves } from '../../subgraphs/tokenization/assignments/tell-moves.js';
import { addTokenizedEstate } from './processing/kit.js';
import { contract, openCredit, type Contract, type CreditKit } from './kit.js';

export interface Payment {
  readonly contractId: string;
  readonly settledAmount: string;
  readonly settledDate: string;
}

/** What credit assignment and tokenization say of one contract. */
export interface Standing {
  readonly openBalance: string;
  readonly status: string;
  readonly currentBalance: string;
  readonly received: string;
  readonly assetStatus: string;
  readonly paidAmount: string;
  readonly paidOn: string | null;
  readonly nextDueDate: string | null;
}

export const settlementFields =
  'id creditBatchId patrimonyId status settlementCount totalSettledAmount rejectionReason createdAt submittedAt processedAt';
const settleText = `mutation ($creditBatchId: ID!, $settlements: [SettlementInput!]!, $draft: Boolean) {
  createSettlementBatch(creditBatchId: $creditBatchId, settlements: $settlements, draft: $draft) { ${settlementFields} } }`;

export function payment(contractId: string, settledAmount: string, settledDate = '2026-11-19'): Payment {
  return { contractId, settledAmount, settledDate };
}

export async function openSettlements() {
  const kit = await openCredit();
  const source = await openDatabase({ url: kit.database.url, poolSize: 10, applicationName: 'settlements' });
  const { manager } = source;
  /** The same domain's context, on a data source that knows tokenization's rows too. */
  const platform: Context = { ...kit.context, manager };
  await addTokenizedEstate(platform, kit.patrimonyId);
  const drain = async () => {
    const relay = createRelay(platform, {
      consumers: [applySettlements, concludeBatches(settlementBatches), takeOperatorPayments, tellMoves],
    });
    while ((await relay.drain()) > 0);
  };
  const settle = (principal: Principal, creditBatchId: string, settlements: readonly object[], draft?: boolean) =>
    kit.run(settleText, { creditBatchId, settlements, ...(draft === undefined ? {} : { draft }) }, principal);
  return {
    ...kit,
    platform,
    /** A batch that was processed, and the ids of its receivables, which are those of its assets. */
    assigned: (principal: Principal, given: readonly Contract[] = [contract('A'), contract('B')]) =>
      assign(kit, source, principal, given),
    settle,
    /** Makes a batch of payments that nothing is wrong with, and answers its id. */
    settled: async (...of: Parameters<typeof settle>) => {
      const { data, error } = await settle(...of);
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return (data?.['createSettlementBatch'] as { id: string }).id;
    },
    /** Lets the grace pass, and processes what is due. */
    process: async () => {
      kit.clock.advance(30_000);
      await processDue(platform);
      await drain();
    },
    drain,
    standings: async (ids: readonly string[]): Promise<Standing[]> => {
      const rows = await source.query<(Standing & { id: string })[]>(standingText, [ids]);
      return ids.flatMap((id) => rows.flatMap(({ id: own, ...standing }) => (own === id ? [standing] : [])));
    },
    /** Names of what webhooks were told of a batch, in their order. */
    told: async (id: string) => {
      const rows = await source.query<{ topic: string }[]>(
        `SELECT topic FROM shared.outbox WHERE key = $1 AND topic LIKE 'settlement%'
           AND topic NOT IN ('settlement_batch.submitted', 'settlement_batch.cancelled', 'settlement_batch.payments_reversed') ORDER BY position`,
        [id],
      );
      return rows.map(({ topic }) => topic);
    },
    close: async () => {
      await source.destroy();
      await kit.close();
    },
  };
}

export async function processDue(context: Context): Promise<void> {
  for (;;) {
    const lease = newId();
    const claim = { lease, leaseMs: 60_000, limit: 10 };
    const claimed = await claimItems<{ id: string }>(context, undecided(settlementBatches), claim);
    if (claimed.length === 0) return;
    for (const { id } of claimed) await processBatch(context, settlementBatches, id, lease);
  }
}

const standingText = `
  SELECT receivable.id, receivable.open_balance AS "openBalance", receivable.status, asset.current_balance AS "currentBalance",
    asset.received, asset.status AS "assetStatus", instalment.paid_amount AS "paidAmount", instalment.paid_on::text AS "paidOn",
    asset.next_due_date::text AS "nextDueDate"
  FROM credit_assignment.receivables AS receivable JOIN tokenization.assets AS asset USING (id)
    JOIN tokenization.asset_installments AS instalment ON instalment.asset_id = asset.id
  WHERE receivable.id = ANY ($1::uuid[])`;

async function assign(kit: CreditKit, source: Database, principal: Principal, given: readonly Contract[]) {
  const { id } = await kit.create(principal, given);
  return { id, ids: await markAssigned(source, id) };
}

/** Puts a credit batch, and the assets of its estate, where their processing on 2026-01-05 leaves them; answers the ids of its receivables. */
export async function markAssigned(source: Database, id: string): Promise<string[]> {
  await source.query(
    `UPDATE credit_assignment.credit_batches SET status = 'PROCESSED', submitted_at = created_at,
       processed_at = '2026-01-05T15:00:00Z' WHERE id = $1`,
    [id],
  );
  const [rows] = await source.query<[{ id: string; position: number }[], number]>(
    `UPDATE credit_assignment.receivables SET status = 'OPEN', changed_at = '2026-01-05T15:00:00Z' WHERE batch_id = $1 RETURNING id, position`,
    [id],
  );
  await source.query(
    `INSERT INTO tokenization.assets (id, patrimony_id, external_id, type, status, debtor_name, debtor_document, original_value,
       current_balance, interest_rate, installments, next_due_date, final_due_date, batch_id, batch_name, search_text,
       originator_id, created_at, updated_at)
     SELECT receivable.id, batch.patrimony_id, external_id || receivable.id, 'CCB', 'ACTIVE', 'Não informado', debtor_document,
       face_value, face_value, 0, 1, due_date, due_date, batch_id, batch.name, lower(external_id), originator_id, now(), now()
     FROM credit_assignment.receivables AS receivable JOIN credit_assignment.credit_batches AS batch ON batch.id = batch_id
     WHERE batch_id = $1`,
    [id],
  );
  await source.query(
    `INSERT INTO tokenization.asset_installments (asset_id, installment_number, due_date, amount, status)
     SELECT id, 1, due_date, face_value, 'PENDING' FROM credit_assignment.receivables WHERE batch_id = $1`,
    [id],
  );
  return rows.sort((one, other) => one.position - other.position).map((row) => row.id);
}
