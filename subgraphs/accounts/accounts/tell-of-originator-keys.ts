import { z } from 'zod';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { QueueMail } from '../../../shared/work/mail/mail.js';
import type { Consumer } from '../../../shared/events/outbox/outbox.js';
import { payloadsOf } from '../../../shared/events/outbox/payloads.js';
import { originatorKeyMail } from './account.mails.js';
import { readersOf } from './account.store.js';

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

/**
 * Mails the owners of accounts about signing keys of their originators that people of the account registered or revoked. The mail is written in the transaction
 * that consumes the event, so that there is exactly one.
 */
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
