import type { FastifyInstance } from 'fastify';
import type { HostGuard } from '../../../gateway/http/host-guard.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { StoredMail } from '../../../shared/work/mail/mail.js';

export interface MailboxOptions {
  /** Refuses pages of other sites whose name was made to resolve to this machine (DNS rebinding): the mails hold tokens that open accounts. */
  readonly guardHost: HostGuard;
  readonly readMailbox: (to: string) => Promise<StoredMail[]>;
}

/** Serves the development mailbox: mails that would have been sent. Register it only where it cannot hold mail of real people. */
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
