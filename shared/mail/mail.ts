import type { Context } from '../context.js';
import type { KeyRing } from '../crypto.js';
import { newId } from '../ids.js';
import { sealedMail } from '../sealed.js';

/** A message as its reader will see it. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Addresses that the message asks its reader to open. */
  readonly links: readonly string[];
}

export interface StoredMail extends Mail {
  readonly sentAt: string;
}

/** Writes mail into the outbox of the transaction under way; the mailer sends it after the commit. */
export type QueueMail = (context: Context, mail: Mail) => Promise<void>;

/** Mail bodies are sealed at rest: they carry links that open accounts. */
export function createMailQueue(keyRing: KeyRing): QueueMail {
  return async (context, mail) => {
    const now = context.clock.now();
    const { to, subject, text, html, links } = mail;
    await context.manager.query(
      `INSERT INTO shared.mails (id, recipient, subject, body, next_attempt_at, created_at) VALUES ($1, $2, $3, $4, $5, $5)`,
      [newId(now.getTime()), to, subject, keyRing.seal(sealedMail, JSON.stringify({ text, html, links })), now],
    );
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

/** Opens a row's sealed body. */
export function mailFrom(keyRing: KeyRing, row: MailRow): Mail {
  // Sealed by createMailQueue and by nobody else, so the shape inside is known.
  const body = JSON.parse(keyRing.open(sealedMail, row.body)) as Pick<Mail, 'text' | 'html' | 'links'>;
  return { to: row.recipient, subject: row.subject, ...body };
}

/** What is known of a message that went to an address: its text is none of it. */
export interface MailNote {
  readonly subject: string;
  readonly createdAt: Date;
  /** When the mail server took it; null while it waits, and where it was given up. */
  readonly sentAt: Date | null;
}

/** The messages to an address that are kept, the newest first; they are deleted 30 days after they were sent. */
export function listMailsTo(context: Context, to: string, limit: number): Promise<MailNote[]> {
  return context.manager.query(
    `SELECT subject, created_at AS "createdAt", sent_at AS "sentAt" FROM shared.mails
     WHERE lower(recipient) = lower($1) ORDER BY created_at DESC, id DESC LIMIT $2`,
    [to, limit],
  );
}

/** Deletes the messages to an address that were sent or given up. */
export async function eraseMailsTo(context: Context, to: string): Promise<void> {
  await context.manager.query(
    'DELETE FROM shared.mails WHERE lower(recipient) = lower($1) AND coalesce(sent_at, failed_at) IS NOT NULL',
    [to],
  );
}

/** The development mailbox: what would have been sent to an address, newest first, at most 50. What was sealed under a lost master key is left out. */
export async function readMailbox(context: Context, keyRing: KeyRing, to: string): Promise<StoredMail[]> {
  const rows: MailRow[] = await context.manager.query(
    `SELECT id, recipient, subject, body, attempts, created_at, sent_at FROM shared.mails
     WHERE lower(recipient) = lower($1) AND body IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 50`,
    [to],
  );
  const readable = rows.filter((row) => keyRing.inspect(sealedMail, row.body).plain !== undefined);
  return readable.map((row) => ({ ...mailFrom(keyRing, row), sentAt: (row.sent_at ?? row.created_at).toISOString() }));
}
