import type { Context, Idempotency, IdempotencyName } from '../kernel/context.js';
import type { KeyRing } from '../security/crypto.js';
import { inTransaction } from '../database/transaction.js';
import type { GraphResult } from './executor.js';
import {
  findStored,
  isRefusedBefore,
  isUnfinished,
  lockName,
  namesOf,
  statusOf,
  stillRunning,
  store,
} from './idempotent-response.store.js';

/** Carries a 5xx result out of the transaction that it rolls back. */
class Undone extends Error {
  constructor(readonly response: GraphResult) {
    super('The operation failed and was rolled back');
  }
}

/**
 * Runs an operation at most once for an owner's key, and returns the same result to every repetition. The result is stored in the transaction that holds
 * the work, so a crash leaves both or neither.
 * - 2xx and 4xx are stored; after 5xx everything is rolled back, nothing is stored, and the key may be used again
 * - a refusal before the act (401, 403, 429, 503) is not stored either: when what it asks for is there, the same request may be sent again
 * - a second name of a request (its signature) leads to the result as its key does, and is looked up first; where only one of the two names is stored,
 *   the result is stored under the other as well, so that neither lets the request run again
 * - work that an act committed stays even though the result is 4xx, as it does without a key: counting a failed login, for example
 * @throws {ApiError} CONFLICT when the key was used for something else, or its first use is still in progress
 */
export async function once(
  context: Context,
  idempotency: Idempotency,
  keyRing: KeyRing,
  work: (tx: Context) => Promise<GraphResult>,
): Promise<GraphResult> {
  try {
    return await inTransaction(context, async (tx) => {
      const names = namesOf(idempotency);
      for (const name of names) await lockName(tx, name);
      const without: IdempotencyName[] = [];
      for (const name of names) {
        const stored = await findStored(tx, name, idempotency, keyRing);
        if (stored === undefined) {
          without.push(name);
          continue;
        }
        if (isUnfinished(stored)) throw stillRunning();
        idempotency.replayed = true;
        for (const further of without) await store(tx, further, idempotency, keyRing, stored);
        return stored;
      }
      const response = await inSavepoint(tx, work);
      if (!isRefusedBefore(response)) {
        for (const name of names) await store(tx, name, idempotency, keyRing, response);
      }
      return response;
    });
  } catch (error) {
    if (error instanceof Undone) return error.response;
    throw error;
  }
}

async function inSavepoint(tx: Context, work: (tx: Context) => Promise<GraphResult>): Promise<GraphResult> {
  await tx.manager.execute('SAVEPOINT work');
  const response = await work(tx);
  const status = tx.idempotency?.refused === true ? Math.max(400, statusOf(response)) : statusOf(response);
  if (status >= 500) throw new Undone(response);
  try {
    await tx.manager.execute('RELEASE SAVEPOINT work');
  } catch (error) {
    // A statement failed and the act turned that into its result. If the result is an error, it is still valid.
    if (status < 400) throw error;
    await tx.manager.execute('ROLLBACK TO SAVEPOINT work');
  }
  return response;
}
