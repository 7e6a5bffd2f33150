import type { Consumer } from '../../../shared/events/outbox/outbox.js';
import { createRelay } from '../../../shared/events/outbox/relay.js';
import type { Context, Principal } from '../../../shared/kernel/context.js';
import { batchKinds } from '../../../subgraphs/credit-assignment/processing/batch-kinds.js';
import { concludeBatches } from '../../../subgraphs/credit-assignment/processing/process-batch.js';
import { creditBatches } from '../../../subgraphs/credit-assignment/credit-batches/credit-batch.kind.js';
import { createProcessingEngine } from '../../../subgraphs/credit-assignment/processing/engine.js';
import { registerAssets } from '../../../subgraphs/tokenization/assignments/register-assets.js';
import { openCredit, type Contract } from '../kit.js';

export interface StoredBatch {
  readonly status: string;
  readonly reason: string | null;
  readonly errors: readonly { index: number; externalId: string; path: string; message: string }[];
  readonly errorCount: number;
  readonly assigned: number;
  /** Receivables of it by status, and assets with their ids. */
  readonly pending: number;
  readonly open: number;
  readonly assets: number;
  readonly installments: number;
}

/** What hears of events in a house, as far as credit batches are concerned. */
export const consumers: readonly Consumer[] = [registerAssets, concludeBatches(creditBatches)];

export async function addTokenizedEstate(
  { manager }: Pick<Context, 'manager'>,
  patrimonyId: string,
  slug = 'pat-1',
): Promise<void> {
  await manager.query(
    `INSERT INTO tokenization.patrimonies (id, ticker, name, slug, status, created_at, updated_at)
     VALUES ($1, upper($2), 'Patrimônio 1', $2, 'ACTIVE', now(), now())`,
    [patrimonyId, slug],
  );
}

export async function openProcessing() {
  const kit = await openCredit();
  const { manager } = kit.context;
  await addTokenizedEstate(kit.context, kit.patrimonyId);
  const rows = <T>(text: string, parameters: readonly unknown[] = []) => manager.query<T[]>(text, [...parameters]);
  return {
    ...kit,
    rows,
    /** Makes a batch and submits it. */
    submitted: async (principal: Principal, given?: readonly Contract[]) => {
      const { id } = await kit.create(principal, given);
      const { error } = await kit.submit(principal, id);
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return id;
    },
    /** Lets the grace pass, and has what is due processed by an engine of its own. */
    process: async () => {
      kit.clock.advance(30_000);
      await createProcessingEngine(kit.context, batchKinds).drain();
    },
    drain: async () => {
      await createRelay(kit.context, { consumers }).drain();
    },
    batch: async (id: string) => {
      const [row] = await rows<StoredBatch>(batchText, [id]);
      if (row === undefined) throw new Error(`There is no batch ${id}`);
      return row;
    },
    /** What was told of a batch to whoever may listen, in its order. */
    told: (id: string) =>
      rows<{ topic: string; payload: Record<string, unknown> }>(
        'SELECT topic, payload FROM shared.outbox WHERE key = $1 AND NOT internal ORDER BY position',
        [id],
      ),
  };
}

const receivables = 'FROM credit_assignment.receivables AS receivable WHERE batch_id = batch.id';
const batchText = `
  SELECT status, rejection_reason AS reason, errors, error_count AS "errorCount",
    (SELECT count(*)::integer FROM credit_assignment.assigned_contracts
     WHERE receivable_id IN (SELECT id ${receivables})) AS assigned,
    (SELECT count(*)::integer ${receivables} AND status = 'PENDING') AS pending,
    (SELECT count(*)::integer ${receivables} AND status = 'OPEN') AS open,
    (SELECT count(*)::integer FROM tokenization.assets AS asset WHERE asset.batch_id = batch.id
       AND asset.id IN (SELECT id ${receivables})) AS assets,
    (SELECT count(*)::integer FROM tokenization.asset_installments
     WHERE asset_id IN (SELECT id ${receivables})) AS installments
  FROM credit_assignment.credit_batches AS batch WHERE id = $1`;
