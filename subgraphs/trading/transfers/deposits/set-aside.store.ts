import { z } from 'zod';
import type { Context } from '../../../../shared/context.js';
import { sha256 } from '../../../../shared/crypto.js';
import type { OutputRef } from '../custody/custody.js';

/** A deposit that could not be applied. */
export interface SetAside {
  readonly key: string;
  readonly output: OutputRef;
  /** The number of attempts. */
  readonly attempts: number;
  /** The error of the last attempt. */
  readonly error: string;
}

const outputForm = z.object({ network: z.string(), transaction: z.string(), output: z.number() });

/** Sets a deposit aside, or counts another attempt for one that is. @param dueAt when it is tried again */
export async function saveSetAside(
  { manager, clock }: Context,
  synthetic: boolean,
  { network, transaction, output }: OutputRef,
  { error, dueAt }: { readonly error: string; readonly dueAt: Date },
): Promise<void> {
  const text = JSON.stringify({ network, transaction, output });
  await manager.execute(
    `INSERT INTO trading.set_aside_deposits AS known (key, synthetic, output, attempts, error, first_at, due_at)
     VALUES ($1, $2, $3, 1, $4, $5, $6)
     ON CONFLICT (key) DO UPDATE SET attempts = known.attempts + 1, error = excluded.error, due_at = excluded.due_at`,
    [sha256(`${String(synthetic)} ${text}`).toString('hex'), synthetic, text, error, clock.now(), dueAt],
  );
}

/** Leases deposits that are due for another attempt, longest due first, until the given time. */
export async function takeSetAside(
  { manager, clock }: Context,
  synthetic: boolean,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<SetAside[]> {
  const rows = await manager.rows<Omit<SetAside, 'output'> & { readonly output: string }>(
    `UPDATE trading.set_aside_deposits AS taken SET due_at = $3
     WHERE key IN (SELECT key FROM trading.set_aside_deposits WHERE synthetic = $1 AND due_at <= $2
       ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED)
     RETURNING key, output, attempts, error`,
    [synthetic, clock.now(), until, limit],
  );
  return rows.map((row) => ({ ...row, output: outputForm.parse(JSON.parse(row.output)) }));
}

/** Removes a deposit that was applied after all. */
export async function deleteSetAside({ manager }: Context, key: string): Promise<void> {
  await manager.execute('DELETE FROM trading.set_aside_deposits WHERE key = $1', [key]);
}
