import { z } from 'zod';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { QueueMail } from '../../../shared/work/mail/mail.js';
import { type Consumer, payloadsOf } from '../../../shared/events/outbox/outbox.js';
import { webhookDeactivatedMail, originatorKeyMail } from './account.mails.js';
import { readersOf } from './account.store.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { notifyOwner, type MailDesk } from './mail-desk.js';
import { webhookChangedMail } from './notices.mails.js';

const deactivation = {
  topic: 'webhook.deactivated',
  form: z.object({ ownerId: z.string(), data: z.object({ url: z.string(), reason: z.string() }) }),
  subject: 'a deactivated webhook',
};

/** Runs in the transaction that consumes the event, so that there is exactly one mail. An event of invalid form is logged and skipped. */
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

const changedWebhook = {
  topic: 'webhook.changed',
  form: z.object({
    ownerId: z.string(),
    data: z.object({ webhookId: z.uuid(), change: z.enum(['CREATED', 'MOVED']), at: z.coerce.date() }),
  }),
  subject: 'a changed webhook',
};

/** Respects the limit of notices about access; runs in the transaction that consumes the event, so that there is exactly one mail. */
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

const changedKey = {
  topic: 'originator_key.changed',
  form: z.object({
    ownerId: z.string(),
    data: z.object({
      client: z.string(),
      change: z.enum(['ADDED', 'REVOKED']),
      fingerprint: z.string(),
      at: z.coerce.date(),
    }),
  }),
  subject: 'a changed signing key',
};

/** Runs in the transaction that consumes the event, so that there is exactly one mail. */
export function tellOfOriginatorKeys(queueMail: QueueMail): Consumer {
  return async (tx, events) => {
    const changes = await payloadsOf(tx, events, changedKey);
    const ids = changes.map(({ ownerId }) => ownerId).filter(isUuid);
    if (ids.length === 0) return;
    const readers = new Map((await readersOf(tx, ids)).map((reader) => [reader.id, reader]));
    for (const { ownerId, data } of changes) {
      const reader = readers.get(ownerId);
      if (reader !== undefined) await queueMail(tx, originatorKeyMail(reader, data));
    }
  };
}
