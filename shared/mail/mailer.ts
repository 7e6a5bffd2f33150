import { createTransport } from 'nodemailer';
import type { Context } from '../context.js';
import type { KeyRing } from '../crypto.js';
import { inTransaction } from '../database/transaction.js';
import { messageOf } from '../thrown.js';
import { mailFrom, type MailRow } from './mail.js';

export interface Mailer {
  /** Sends the due messages and returns how many the server accepted. */
  sendDue(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export interface MailerOptions {
  /** Without it, messages stay in the development mailbox. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly pollMs?: number;
}

/** Minutes to wait after each failed attempt; after the last one the message is given up. */
const backoffMinutes = [1, 5, 15, 60, 240];
const leaseMinutes = 2;

/**
 * Sends queued mail. A message is leased before it is sent and marked once the server has accepted it, so that no transaction stays open during the
 * delivery; after a crash in between it is sent again rather than never. Its body is deleted once accepted.
 */
export function createMailer(context: Context, keyRing: KeyRing, options: MailerOptions): Mailer {
  const { smtpUrl, from, pollMs = 500 } = options;
  const transport =
    smtpUrl === undefined
      ? undefined
      : createTransport({
          url: smtpUrl,
          pool: true,
          connectionTimeout: 10_000,
          greetingTimeout: 10_000,
          socketTimeout: 20_000,
        });
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  let stopped = false;
  let failing = false;

  const send = async (row: MailRow): Promise<boolean> => {
    try {
      const { to, subject, text, html } = mailFrom(keyRing, row);
      await transport?.sendMail({ from, to, subject, text, html, messageId: `<${row.id}@lastro>` });
    } catch (error) {
      await postpone(context, row, error);
      return false;
    }
    await context.manager.execute(
      `UPDATE shared.mails SET sent_at = $2, body = CASE WHEN $3 THEN NULL ELSE body END WHERE id = $1`,
      [row.id, context.clock.now(), transport !== undefined],
    );
    return true;
  };

  const sendDue = async () => {
    let sent = 0;
    while (!stopped) {
      const row = await lease(context);
      if (row === undefined) break;
      if (await send(row)) sent += 1;
    }
    return sent;
  };

  const loop = () => {
    timer = setTimeout(() => {
      underWay = sendDue()
        .then(() => {
          failing = false;
        })
        .catch((error: unknown) => {
          if (!failing) context.log.error({ err: error }, 'Mail could not be sent; it is tried again');
          failing = true;
        })
        .finally(() => {
          if (!stopped) loop();
        });
    }, pollMs);
  };

  return {
    sendDue,
    start: loop,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await underWay;
      transport?.close();
    },
  };
}

/** Leases one message: the lease of several could expire while the first ones keep a slow server busy. */
async function lease(context: Context): Promise<MailRow | undefined> {
  const now = context.clock.now();
  return inTransaction(context, async (tx) => {
    const row = await tx.manager.row<MailRow>(
      `SELECT id, recipient, subject, body, attempts, created_at, sent_at FROM shared.mails
       WHERE sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= $1
       ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [now],
    );
    if (row === undefined) return undefined;
    await tx.manager.execute('UPDATE shared.mails SET next_attempt_at = $2, attempts = attempts + 1 WHERE id = $1', [
      row.id,
      new Date(now.getTime() + leaseMinutes * 60_000),
    ]);
    return row;
  });
}

async function postpone(context: Context, row: MailRow, error: unknown): Promise<void> {
  const now = context.clock.now();
  const minutes = backoffMinutes[row.attempts];
  const reason = messageOf(error);
  context.log.warn({ mail: row.id, attempt: row.attempts + 1, reason }, 'The mail server did not accept a message');
  await context.manager.execute(
    'UPDATE shared.mails SET next_attempt_at = $2, failed_at = $3, last_error = $4 WHERE id = $1',
    [
      row.id,
      new Date(now.getTime() + (minutes ?? 0) * 60_000),
      minutes === undefined ? now : null,
      reason.slice(0, 500),
    ],
  );
}
