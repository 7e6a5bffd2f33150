import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { byRule, errorAt } from '../../../shared/rule-error.js';
import { apiKeys, developerKeys } from '../api-keys/key-kind.js';
import { lockKeyLimit, setKeyLimit, type LimitedKeyRow } from './limited-key.store.js';

const maxRateLimit = 10_000_000;

/**
 * Gives an API key or a developer key its own limit in requests per minute, or lets it use the configuration again (null). Takes effect
 * everywhere within a second. Repeating it changes nothing.
 * @throws {ApiError} BAD_REQUEST for an invalid limit, NOT_FOUND if no key has the prefix
 */
export async function limitKey(
  context: Context,
  forgetKey: (prefix: string) => void,
  { prefix, rateLimit }: { readonly prefix: string; readonly rateLimit: number | null },
): Promise<LimitedKeyRow> {
  if (rateLimit !== null && (rateLimit < 1 || rateLimit > maxRateLimit)) {
    refuse('BAD_REQUEST', [errorAt('rateLimit', 'WHOLE_NUMBER_RANGE', { min: 1, max: maxRateLimit })]);
  }
  const kind = [apiKeys, developerKeys].find(({ prefixForm }) => prefixForm.test(prefix));
  return inTransaction(context, async (tx) => {
    const before = kind && (await lockKeyLimit(tx, kind.table, prefix));
    if (kind === undefined || before === undefined) throw new ApiError('NOT_FOUND', byRule('KEY_PREFIX_UNKNOWN'));
    await setKeyLimit(tx, kind.table, before.id, rateLimit);
    await recordAudit(tx, {
      action: 'limitKey',
      subject: { type: kind.subject, id: before.id },
      before: { prefix, rateLimit: before.rateLimit },
      after: { prefix, rateLimit },
    });
    afterCommit(tx, () => forgetKey(prefix));
    return { ...before, rateLimit };
  });
}
