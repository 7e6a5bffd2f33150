import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { type PublishedEvent, payloadOf } from '../../../shared/events/outbox/outbox.js';
import { addNews } from './digest.store.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { lockAccount } from '../accounts/account.store.js';
import { findMailSettings, storeMailSettings } from '../mail-settings/mail-settings.store.js';
import type { EndTokens } from './end-token.js';

const topic = 'operation.updated';
const form = z.object({
  ticker: z.string(),
  kind: z.string(),
  reference: z.iso.date(),
  occurredAt: z.iso.datetime(),
  correction: z.boolean().default(false),
  seriesTicker: z.string().nullable().default(null),
  unitPrice: z.string().nullable().default(null),
});

/** Stores what was published about operations, for digests. */
export async function takeOperationNews(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const news = events
    .filter((event) => event.topic === topic)
    .flatMap((event) => {
      const payload = payloadOf(tx, event, form, 'news of an operation');
      return payload === undefined ? [] : [{ eventId: event.id, eventSequence: event.sequence, ...payload }];
    });
  await addNews(tx, news);
}

/** Responds in the same way for an account that was deleted. @throws {ApiError} UNPROCESSABLE for a token that is not valid */
export async function endDigests(context: Context, tokens: EndTokens, token: string): Promise<true> {
  const accountId = tokens.accountOf(token);
  if (accountId === undefined)
    throw new ApiError('UNPROCESSABLE', {
      message: 'The link is not valid any more: choose in your account how often digests come',
    });
  await inTransaction(context, async (tx) => {
    if ((await lockAccount(tx, accountId)) === null) return;
    const settings = await findMailSettings(tx, accountId);
    if (settings !== undefined) await storeMailSettings(tx, accountId, { ...settings, digest: 'NONE' });
  });
  return true;
}
