import type { Context } from '../../kernel/context.js';
import type { KeyRing } from '../../security/crypto.js';
import { sqlNow } from '../../database/statement-time.js';
import { messageOf } from '../../kernel/thrown.js';
import { once } from '../../memo.js';
import { watched } from '../queue/watched-queue.js';
import { endClaim, type WorkTable } from '../queue/work-items.store.js';
import { createWorkQueue, type Hold, type WorkQueue, failingWork } from '../queue/work-queue.js';
import { mailDueTopic, mailFrom, type MailRow } from './mail.js';

export interface Mailer extends Pick<WorkQueue, 'start' | 'stop'> {
  sendDue(): Promise<number>;
}

export interface MailerOptions {
  /** Without it, messages stay in the development mailbox. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly pollMs?: number;
  /** How long a message may be under way before another process sends it; the connection to the mail server is closed well before. */
  readonly leaseMs?: number;
}

/** Minutes to wait after each failed attempt, 25 hours in all; after the last one the message is given up. The links of a message live for 24 hours at most. */
const backoffMinutes = [1, 5, 15, 60, 240, 480, 720];

export const mails: WorkTable = {
  table: 'shared.mails',
  as: 'mail',
  key: 'id',
  dueAt: 'next_attempt_at',
  leasedUntil: 'next_attempt_at',
  isOpen: 'sent_at IS NULL AND failed_at IS NULL AND quarantined_at IS NULL',
  onClaim: 'attempts = mail.attempts + 1',
  columns: 'mail.id, mail.recipient, mail.subject, mail.body, mail.attempts, mail.created_at, mail.sent_at',
};

/** The same as operators see them, with those that were given up; recipients, subjects and bodies are not shown. */
export const watchedMails = watched(mails, {
  name: 'mail',
  isFailing: 'mail.last_error IS NOT NULL OR mail.attempts > 1',
  attempts: 'mail.attempts',
  lastError: 'mail.last_error',
  givenUp: {
    is: 'mail.failed_at IS NOT NULL',
    reopen: 'attempts = CASE WHEN mail.failed_at IS NULL THEN mail.attempts ELSE 0 END, failed_at = NULL',
  },
  topic: mailDueTopic,
  canRetry: true,
  canQuarantine: true,
});

/** Claims before sending and marks after acceptance, so no transaction stays open; after a crash a message is sent again. Accepted bodies are deleted. */
export function createMailer(context: Context, keyRing: KeyRing, options: MailerOptions): Mailer {
  const { smtpUrl, from, pollMs, leaseMs = 120_000 } = options;
  const transport =
    smtpUrl === undefined
      ? undefined
      : once(async () => {
          const { createTransport } = await import('nodemailer');
          const [connectionTimeout, greetingTimeout, socketTimeout] = [10_000, 10_000, 20_000];
          return createTransport({ url: smtpUrl, pool: true, connectionTimeout, greetingTimeout, socketTimeout });
        });
  let accepted = 0;

  const send = async (own: Context, row: MailRow, { lease, deadline: signal }: Hold): Promise<void> => {
    const { id } = row;
    try {
      const { to, subject, text, html } = mailFrom(keyRing, row);
      const sender = await transport?.();
      await sender?.sendMail({ from, to, subject, text, html, messageId: `<${id}@lastro>`, signal });
    } catch (error) {
      await postpone(own, row, lease, error);
      return;
    }
    const set = `sent_at = ${sqlNow}, body = CASE WHEN $5 THEN NULL ELSE body END`;
    await endClaim(own, mails, { id, lease }, { set, parameters: [transport !== undefined] });
    accepted += 1;
  };

  const queue = createWorkQueue<MailRow>(context, {
    table: mails,
    work: send,
    failure: 'What came of a message could not be written; it is sent again',
    leaseMs,
    topic: mailDueTopic,
    ...(pollMs !== undefined && { pollMs }),
  });
  return {
    start: () => queue.start(),
    sendDue: async () => {
      const before = accepted;
      await queue.drain();
      return accepted - before;
    },
    stop: async () => {
      await queue.stop();
      (await transport?.())?.close();
    },
  };
}

async function postpone(context: Context, { id, attempts }: MailRow, lease: string, error: unknown): Promise<void> {
  const minutes = backoffMinutes[attempts - 1];
  const reason = messageOf(error);
  context.log.warn({ mail: id, attempt: attempts, reason }, 'The mail server did not accept a message');
  const set = `failed_at = CASE WHEN $5 THEN ${sqlNow} END, last_error = $6`;
  const parameters = [minutes === undefined, reason.slice(0, 500)];
  await endClaim(context, mails, { id, lease }, { afterMs: (minutes ?? 0) * 60_000, set, parameters });
}

/** Gauge of the age of the oldest message that the mail server did not accept. */
export const failingMails = failingWork(watchedMails, 'mail', 'mail.created_at');
