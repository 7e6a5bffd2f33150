import type { FastifyInstance } from 'fastify';
import type { HostGuard } from '../gateway/edge/host-guard.js';
import { ApiError } from '../shared/errors.js';
import type { StoredMail } from '../shared/mail/mail.js';

export interface MailboxOptions {
  /** Keeps pages of other sites out that made their name resolve to this machine: what they read here opens accounts. */
  readonly guardHost: HostGuard;
  readonly readMailbox: (to: string) => Promise<StoredMail[]>;
}

/** The development mailbox: what would have been mailed. Open it only where no real person's mail can be in it. */
export function mailboxPlugin(app: FastifyInstance, { guardHost, readMailbox }: MailboxOptions): void {
  app.get('/dev/mailbox', async (request) => {
    guardHost(request.headers);
    const to =
      typeof request.query === 'object' && request.query !== null && 'to' in request.query
        ? request.query.to
        : undefined;
    if (typeof to !== 'string' || to === '') {
      throw new ApiError('BAD_REQUEST', {
        details: [{ path: 'to', message: 'Give the address whose mail you want: /dev/mailbox?to=ana@example.com' }],
      });
    }
    return readMailbox(to);
  });
}
