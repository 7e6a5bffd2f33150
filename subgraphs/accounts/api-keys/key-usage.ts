import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { forgetKeyDays, listKeyDays, listOwnKeys, type KeyDayRow } from './api-key.store.js';
import { apiKeys, developerKeys } from './key-kind.js';

export interface KeyWindow {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: Date;
}

/** Reads the present window of a key. Undefined where this process does not count requests. */
export type ReadKeyWindow = ((keyId: string, limit: number) => Promise<KeyWindow>) | undefined;

export interface KeyUse {
  readonly keyId: string;
  readonly window: KeyWindow | null;
  readonly days: readonly Pick<KeyDayRow, 'day' | 'requests' | 'refused'>[];
}

export interface KeyUsageParts {
  /** Requests per minute of keys without their own limit. */
  readonly rateLimit: number;
  readonly readKeyWindow: ReadKeyWindow;
}

/** Maximum number of keys in one request: as many as an account can have at work, without those in a grace period. */
export const maxKeysRead = apiKeys.maxWorking + developerKeys.maxWorking;
const daysShown = 30;
const dayMs = 86_400_000;

/** Returns, in the order of their ids, the present window, and each of the last 30 days, oldest first. @throws {ApiError} BAD_REQUEST for more than `maxKeysRead` keys, NOT_FOUND if one is not the caller's */
export async function readKeyUsage(
  context: Context,
  { rateLimit, readKeyWindow }: KeyUsageParts,
  keyIds: readonly string[],
): Promise<KeyUse[]> {
  if (keyIds.length > maxKeysRead)
    refuse('BAD_REQUEST', [{ path: 'keyIds', message: `must be ${maxKeysRead} ids at most` }]);
  const ids = [...new Set(keyIds)];
  const own = await listOwnKeys(context, context.principal.ownerId, ids.filter(isUuid));
  const limits = new Map(own.map((key) => [key.id, key.rateLimit ?? rateLimit]));
  const days = lastDays(context.clock.now());
  const rows = await listKeyDays(context, [...limits.keys()], days[0] ?? '');
  const byDay = new Map(rows.map((row) => [`${row.keyId} ${row.day}`, row]));
  return Promise.all(
    ids.map(async (keyId) => {
      const limit = limits.get(keyId);
      if (limit === undefined) throw new ApiError('NOT_FOUND', { message: `The account has no key ${keyId}` });
      return {
        keyId,
        window: (await readKeyWindow?.(keyId, limit)) ?? null,
        days: days.map((day) => {
          const { requests = 0, refused = 0 } = byDay.get(`${keyId} ${day}`) ?? {};
          return { day, requests, refused };
        }),
      };
    }),
  );
}

export function forgetOldKeyDays(context: Context): Promise<void> {
  return forgetKeyDays(context, lastDays(context.clock.now())[0] ?? '');
}

/** Returns the last 30 days with today, oldest first. */
function lastDays(now: Date): string[] {
  return Array.from({ length: daysShown }, (_, index) =>
    civilDate(new Date(now.getTime() - (daysShown - 1 - index) * dayMs)),
  );
}
