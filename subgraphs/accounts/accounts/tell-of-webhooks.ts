import { z } from 'zod';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { QueueMail } from '../../../shared/work/mail/mail.js';
import type { Consumer } from '../../../shared/events/outbox/outbox.js';
import { payloadsOf } from '../../../shared/events/outbox/payloads.js';
import { webhookDeactivatedMail } from './account.mails.js';
import { readersOf } from './account.store.js';

const deactivation = {
  topic: 'webhook.deactivated',
  form: z.object({ ownerId: z.string(), data: z.object({ url: z.string(), reason: z.string() }) }),
  subject: 'a deactivated webhook',
};

/**
 * Mails the owners of webhooks that were deactivated. The mail is written in the transaction that consumes the event, so
 * that there is exactly one, even if the event is delivered several times. An event of invalid form is logged and skipped.
 */
export function tellOfWebhooks(queueMail: QueueMail): Consumer {
  return async (tx, events) => {
    const ended = await payloadsOf(tx, events, deactivation);
    const ids = ended.map(({ ownerId }) => ownerId).filter(isUuid);
    if (ids.length === 0) return;
    const readers = new Map((await readersOf(tx, ids)).map((reader) => [reader.id, reader]));
    for (const { ownerId, data } of ended) {
      const reader = readers.get(ownerId);
      if (reader === undefined) continue;
      await queueMail(tx, webhookDeactivatedMail(reader, { url: data.url, gone: data.reason === 'GONE' }));
    }
  };
}
