import type { Context } from '../../kernel/context.js';
import type { KeyRing } from '../../security/crypto.js';
import { afterCommit } from '../../database/transaction.js';
import { newId } from '../../kernel/ids.js';
import { sealedMail } from '../../security/sealed.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly links: readonly string[];
}

export interface StoredMail extends Mail {
  readonly sentAt: string;
}

/** Writes mail into the outbox of the current transaction; the mailer sends it after the commit. */
export type QueueMail = (context: Context, mail: Mail) => Promise<void>;

export const mailDueTopic = 'mail.due';

/** Creates the mail queue. Bodies are stored sealed: they contain links that give access to accounts. */
export function createMailQueue(keyRing: KeyRing): QueueMail {
  return async (context, mail) => {
    const now = context.clock.now();
    const { to, subject, ...body } = mail;
    await context.manager.execute(
      `INSERT INTO shared.mails (id, recipient, subject, body, next_attempt_at, created_at) VALUES ($1, $2, $3, $4, $5, $5)`,
      [newId(now.getTime()), to, subject, keyRing.seal(sealedMail, JSON.stringify(body)), now],
    );
    afterCommit(context, () => void context.bus.publish(mailDueTopic, null));
  };
}

export interface MailRow {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: Buffer;
  readonly attempts: number;
  readonly created_at: Date;
  readonly sent_at: Date | null;
}

export function mailFrom(keyRing: KeyRing, row: MailRow): Mail {
  // Only `createMailQueue` seals this, so the shape of the content is known.
  const body = JSON.parse(keyRing.open(sealedMail, row.body)) as Omit<Mail, 'to' | 'subject'>;
  return { to: row.recipient, subject: row.subject, ...body };
}

export interface MailNote {
  readonly subject: string;
  readonly createdAt: Date;
  /** When the mail server accepted it; null while it is pending, and if it was given up. */
  readonly sentAt: Date | null;
}

/** Lists the stored messages to an address, newest first; they are deleted 30 days after they were sent or given up. */
export function listMailsTo(context: Context, to: string, limit: number): Promise<MailNote[]> {
  return context.manager.rows(
    `SELECT subject, created_at AS "createdAt", sent_at AS "sentAt" FROM shared.mails
     WHERE lower(recipient) = lower($1) ORDER BY created_at DESC, id DESC LIMIT $2`,
    [to, limit],
  );
}

export async function eraseMailsTo(context: Context, to: string): Promise<void> {
  await context.manager.execute(
    'DELETE FROM shared.mails WHERE lower(recipient) = lower($1) AND coalesce(sent_at, failed_at) IS NOT NULL',
    [to],
  );
}

/** Returns the development mailbox of an address: up to 50 messages, newest first. Leaves out those sealed under a lost master key. */
export async function readMailbox(context: Context, keyRing: KeyRing, to: string): Promise<StoredMail[]> {
  const rows = await context.manager.rows<MailRow>(
    `SELECT id, recipient, subject, body, attempts, created_at, sent_at FROM shared.mails
     WHERE lower(recipient) = lower($1) AND body IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 50`,
    [to],
  );
  const readable = rows.filter((row) => keyRing.inspect(sealedMail, row.body).plain !== undefined);
  return readable.map((row) => ({ ...mailFrom(keyRing, row), sentAt: (row.sent_at ?? row.created_at).toISOString() }));
}
