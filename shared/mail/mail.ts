import type { Context } from '../context.js';
import type { KeyRing } from '../crypto.js';
import { newId } from '../ids.js';

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

const purpose = 'mail';

/** Mail bodies are sealed at rest: they carry links that open accounts. */
export function createMailQueue(keyRing: KeyRing): QueueMail {
  return async (context, mail) => {
    const now = context.clock.now();
    const { to, subject, text, html, links } = mail;
    await context.manager.query(
      `INSERT INTO shared.mails (id, recipient, subject, body, next_attempt_at, created_at) VALUES ($1, $2, $3, $4, $5, $5)`,
      [newId(now.getTime()), to, subject, keyRing.seal(purpose, JSON.stringify({ text, html, links })), now],
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
  const body = JSON.parse(keyRing.open(purpose, row.body)) as Pick<Mail, 'text' | 'html' | 'links'>;
  return { to: row.recipient, subject: row.subject, ...body };
}

/** The development mailbox: what would have been sent to an address, newest first, at most 50. */
export async function readMailbox(context: Context, keyRing: KeyRing, to: string): Promise<StoredMail[]> {
  const rows: MailRow[] = await context.manager.query(
    `SELECT id, recipient, subject, body, attempts, created_at, sent_at FROM shared.mails
     WHERE lower(recipient) = lower($1) AND body IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 50`,
    [to],
  );
  return rows.map((row) => ({ ...mailFrom(keyRing, row), sentAt: (row.sent_at ?? row.created_at).toISOString() }));
}
