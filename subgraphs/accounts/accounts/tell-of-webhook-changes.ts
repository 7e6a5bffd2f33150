import { z } from 'zod';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { Consumer } from '../../../shared/events/outbox/outbox.js';
import { payloadsOf } from '../../../shared/events/outbox/payloads.js';
import { readersOf } from './account.store.js';
import { notifyOwner, type MailDesk } from './mail-desk.js';
import { webhookChangedMail } from './notices.mails.js';

const changedWebhook = {
  topic: 'webhook.changed',
  form: z.object({
    ownerId: z.string(),
    data: z.object({ webhookId: z.uuid(), change: z.enum(['CREATED', 'MOVED']), at: z.coerce.date() }),
  }),
  subject: 'a changed webhook',
};

/**
 * Mails the owners of accounts about new webhooks and changed addresses of webhooks, within the limit of notices about access. The mail is written in the
 * transaction that consumes the event, so that there is exactly one.
 */
export function tellOfWebhookChanges(desk: MailDesk): Consumer {
  return async (tx, events) => {
    const changes = groupBy(await payloadsOf(tx, events, changedWebhook), ({ ownerId }) => ownerId);
    const ids = Array.from(changes.keys()).filter(isUuid);
    if (ids.length === 0) return;
    // In the order of their ids: each notice locks the row of its account, and relays work side by side.
    for (const reader of await readersOf(tx, ids)) {
      for (const { data } of changes.get(reader.id) ?? []) {
        const mail = webhookChangedMail(reader, data);
        if (!(await notifyOwner(tx, desk, reader, 'ACCESS', mail))) break;
      }
    }
  };
}
