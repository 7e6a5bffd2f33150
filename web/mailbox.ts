import type { FastifyInstance } from 'fastify';
import { Fault } from '../shared/errors.js';
import type { StoredMail } from '../shared/mail/mail.js';

/** The development mailbox: what the house would have mailed. Open it only where no real person's mail can be in it. */
export function mailboxDoor(app: FastifyInstance, readMailbox: (to: string) => Promise<StoredMail[]>): void {
  app.get('/dev/mailbox', async (request) => {
    const to =
      typeof request.query === 'object' && request.query !== null && 'to' in request.query
        ? request.query.to
        : undefined;
    if (typeof to !== 'string' || to === '') {
      throw new Fault('BAD_REQUEST', {
        details: [{ path: 'to', message: 'Give the address whose mail you want: /dev/mailbox?to=ana@example.com' }],
      });
    }
    return readMailbox(to);
  });
}
