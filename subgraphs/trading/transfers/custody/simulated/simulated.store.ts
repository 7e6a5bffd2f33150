import { arraysOf, valuesOf } from '../../../../../shared/kernel/group-by.js';
import type { Context } from '../../../../../shared/kernel/context.js';
import type { CustodyOrder, OutputRef } from '../custody.js';

// The provider's own data: the state of its networks. Only the simulated provider reads and writes it.

export interface SimulatedDepositRow extends OutputRef {
  readonly revision: string;
  readonly currency: string;
  readonly address: string;
  readonly amount: string;
  /** Null while the transaction is in no block. */
  readonly includedAt: Date | null;
}

export interface SimulatedSendRow {
  readonly network: string;
  readonly currency: string;
  readonly transaction: string;
  readonly returned: string | null;
  readonly includedAt: Date;
}

const depositColumns = `revision::text AS revision, network, transaction, output, address, currency,
  trim_scale(amount)::text AS amount, included_at AS "includedAt"`;

/** Returns the next revision for the current change: revisions are assigned one transaction at a time, so that no reader skips one. */
async function nextRevision({ manager }: Context): Promise<string> {
  await manager.execute('SELECT pg_advisory_xact_lock(7261536180)');
  return (
    (await manager.value<string>(
      'SELECT (coalesce(max(revision), 0) + 1)::text AS next FROM trading.simulated_deposits',
    )) ?? '1'
  );
}

export async function insertDeposit(
  tx: Context,
  synthetic: boolean,
  row: Omit<SimulatedDepositRow, 'revision' | 'includedAt'>,
): Promise<void> {
  await tx.manager.execute(
    `INSERT INTO trading.simulated_deposits
       (revision, synthetic, network, transaction, output, address, currency, amount, included_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      await nextRevision(tx),
      synthetic,
      ...valuesOf(row, 'network', 'transaction', 'output', 'address', 'currency', 'amount'),
      tx.clock.now(),
    ],
  );
}

export async function moveDeposits(
  tx: Context,
  synthetic: boolean,
  transaction: string,
  includedAt: Date | null,
): Promise<boolean> {
  const moved = await tx.manager.rows<unknown>(
    `WITH moved AS (
       UPDATE trading.simulated_deposits SET included_at = $3, revision = $4
       WHERE synthetic = $1 AND transaction = $2 RETURNING revision)
     SELECT revision FROM moved`,
    [synthetic, transaction, includedAt, await nextRevision(tx)],
  );
  return moved.length > 0;
}

export function depositsAfter(
  { manager }: Context,
  synthetic: boolean,
  position: string,
  limit: number,
): Promise<SimulatedDepositRow[]> {
  return manager.rows(
    `SELECT ${depositColumns} FROM trading.simulated_deposits WHERE synthetic = $1 AND revision > $2::bigint
     ORDER BY trading.simulated_deposits.revision LIMIT $3`,
    [synthetic, position === '' ? '0' : position, limit],
  );
}

export function findDeposits(
  { manager }: Context,
  synthetic: boolean,
  outputs: readonly OutputRef[],
): Promise<SimulatedDepositRow[]> {
  return manager.rows(
    `SELECT ${depositColumns} FROM trading.simulated_deposits
     WHERE synthetic = $1 AND (network, transaction, output) IN (SELECT * FROM unnest($2::text[], $3::text[], $4::integer[]))`,
    [synthetic, ...arraysOf(outputs, 'network', 'transaction', 'output')],
  );
}

/** Inserts an order; one with a known client id stays as it was. */
export async function insertSend(
  { manager, clock }: Context,
  synthetic: boolean,
  order: CustodyOrder & { readonly transaction: string; readonly returned: string | null },
): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.simulated_sends
       (client_id, synthetic, network, address, currency, amount, transaction, returned, included_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (client_id) DO NOTHING`,
    [
      order.clientId,
      synthetic,
      ...valuesOf(order, 'network', 'address', 'currency', 'amount', 'transaction', 'returned'),
      clock.now(),
    ],
  );
}

/** Adds up deposits in a block, less what was sent for good, and what it was given without a deposit, which only the journals know. An operator's correction moves nothing here. */
export async function readBalances({ manager }: Context, synthetic: boolean): Promise<ReadonlyMap<string, string>> {
  const rows = await manager.rows<{ currency: string; amount: string }>(
    `SELECT currency, sum(amount)::text AS amount FROM (
       SELECT currency, amount FROM trading.simulated_deposits WHERE synthetic = $1 AND included_at IS NOT NULL
       UNION ALL
       SELECT currency, -amount FROM trading.simulated_sends WHERE synthetic = $1 AND returned IS NULL
       UNION ALL
       SELECT account.currency, -entry.amount FROM trading.ledger_accounts AS account
         JOIN trading.entries AS entry ON entry.account_id = account.id JOIN trading.journals AS journal ON journal.id = entry.journal_id
       WHERE account.kind = 'CUSTODY' AND account.synthetic = $1 AND journal.cause !~ '^(deposit|withdrawal|operator)[.]'
     ) AS moved GROUP BY currency`,
    [synthetic],
  );
  return new Map(rows.map(({ currency, amount }) => [currency, amount]));
}

export function findSend(
  { manager }: Context,
  synthetic: boolean,
  clientId: string,
): Promise<SimulatedSendRow | undefined> {
  return manager.row(
    `SELECT network, currency, transaction, returned, included_at AS "includedAt" FROM trading.simulated_sends
     WHERE synthetic = $1 AND client_id = $2`,
    [synthetic, clientId],
  );
}
