import { z } from 'zod';
import type { Context } from '../../../../shared/kernel/context.js';
import { sha256 } from '../../../../shared/security/crypto.js';
import { watched, type WatchedQueue } from '../../../../shared/work/queue/watched-queue.js';
import type { WorkTable } from '../../../../shared/work/queue/work-items.store.js';
import type { OutputRef } from '../custody/custody.js';
import { transfersDueTopic } from '../wake.js';

/** A deposit that could not be applied. */
export interface SetAside {
  readonly id: string;
  readonly synthetic: boolean;
  /** See `outputOf`. */
  readonly output: string;
  /** The number of attempts. */
  readonly attempts: number;
}

/** Returns the deposits that were set aside, as a queue. @param worlds the worlds with a connected custody, by `synthetic` */
export function setAsideDeposits(worlds: readonly boolean[]): WorkTable {
  return {
    table: 'trading.set_aside_deposits',
    as: 'deposit',
    key: 'key',
    dueAt: 'due_at',
    leasedUntil: 'due_at',
    isOpen: `synthetic = ANY ('{${worlds.join()}}')`,
    columns: 'deposit.key AS id, deposit.synthetic, deposit.output, deposit.attempts',
  };
}

/** Returns the same deposits as operators see them. They are not held back: a deposit has to be credited, and harms nobody while it fails. */
export function watchedSetAside(worlds: readonly boolean[]): WatchedQueue {
  return watched(setAsideDeposits(worlds), {
    name: 'set-aside-deposits',
    isFailing: 'true',
    attempts: 'deposit.attempts',
    lastError: 'deposit.error',
    hasUuids: false,
    topic: transfersDueTopic,
    canRetry: true,
    canQuarantine: false,
  });
}

const outputForm = z.object({ network: z.string(), transaction: z.string(), output: z.number() });

/** Returns what identifies a deposit that was set aside at custody. */
export function outputOf({ output }: SetAside): OutputRef {
  return outputForm.parse(JSON.parse(output));
}

/** Sets a deposit aside, or counts another attempt for one that is and ends a claim on it. @param dueAt when it is tried again */
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
     ON CONFLICT (key) DO UPDATE SET attempts = known.attempts + 1, error = excluded.error, due_at = excluded.due_at,
       lease = NULL`,
    [sha256(`${String(synthetic)} ${text}`).toString('hex'), synthetic, text, error, clock.now(), dueAt],
  );
}

/** Removes a deposit that was applied after all, unless another claim has it by now. */
export async function deleteSetAside({ manager }: Context, key: string, lease: string): Promise<void> {
  await manager.execute('DELETE FROM trading.set_aside_deposits WHERE key = $1 AND lease = $2', [key, lease]);
}
