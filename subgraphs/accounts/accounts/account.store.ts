import type { Pool } from 'pg';
import { readTogether } from '../../../shared/database/read-together.js';
import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { AccountRow } from './account.entity.js';

/** The fields that `me` shows. */
export type AccountFace = Pick<AccountRow, 'id' | 'ownerType' | 'email' | 'name' | 'company'>;

/** Returns the public fields of an account, in plain SQL because every page of a panel requests them. */
export const findFace = readTogether<Readonly<AccountFace>>(async ({ manager }, ids) => {
  const faces = await manager.rows<AccountFace>(
    'SELECT id, owner_type AS "ownerType", email, name, company FROM accounts.accounts WHERE id = ANY ($1::uuid[])',
    [ids],
  );
  return new Map(faces.map((face) => [face.id, face]));
});

export function readersOf(
  context: Context,
  ids: readonly string[],
): Promise<Pick<AccountRow, 'id' | 'ownerType' | 'email' | 'name' | 'mailLanguage'>[]> {
  return context.manager.rows(
    `SELECT id, owner_type AS "ownerType", email, name, mail_language AS "mailLanguage" FROM accounts.accounts
     WHERE id = ANY ($1::uuid[]) ORDER BY id`,
    [ids],
  );
}

/** Makes others wait on all instances until the end of the transaction, so that what one of them reads stays true until it commits. */
export async function takeTurn(context: Context, email: string): Promise<void> {
  await context.manager.execute(`SELECT pg_advisory_xact_lock(hashtextextended('accounts.email ' || lower($1), 0))`, [
    email,
  ]);
}

/** Returns the account that owns an e-mail, ignoring case: the confirmed one registered here, else one of the portal. */
export async function findOwner(context: Context, email: string): Promise<AccountRow | undefined> {
  const row = await context.manager
    .createQueryBuilder(AccountRow, 'account')
    .where('lower(account.email) = lower(:email) AND account.confirmedAt IS NOT NULL', { email })
    .orderBy('account.ownerType', 'DESC')
    .limit(1)
    .getOne();
  return row ?? undefined;
}

/** Returns the account registered here that logs in with an e-mail, confirmed or pending: there is one at most. */
export async function findRegistered(context: Context, email: string): Promise<AccountRow | undefined> {
  const row = await context.manager
    .createQueryBuilder(AccountRow, 'account')
    .where(`lower(account.email) = lower(:email) AND account.ownerType = 'EMISSOES_USER'`, { email })
    .getOne();
  return row ?? undefined;
}

export function hasAccounts(context: Context): Promise<boolean> {
  return context.manager.exists(AccountRow);
}

export function findAccount(context: Context, id: string): Promise<AccountRow | null> {
  return context.manager.findOneBy(AccountRow, { id });
}

/** Locks an account until the end of the transaction, so that transactions that count its keys or sessions run one after another. */
export function lockAccount(context: Context, id: string): Promise<AccountRow | null> {
  return context.manager.findOne(AccountRow, { where: { id }, lock: { mode: 'for_no_key_update' } });
}

export type NewAccount = Pick<
  AccountRow,
  'email' | 'name' | 'company' | 'passwordHash' | 'mailLanguage' | 'confirmedAt'
>;

/** Inserts a registered account; returns undefined if it is confirmed and its e-mail already has a confirmed account. */
export async function addRegistered(context: Context, account: NewAccount): Promise<AccountRow | undefined> {
  const now = context.clock.now();
  const row = await context.manager.row<{ id: string }>(
    `INSERT INTO accounts.accounts (id, owner_type, email, name, company, password_hash, created_at, confirmed_at, mail_language)
     VALUES ($1, 'EMISSOES_USER', $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (lower(email)) WHERE owner_type = 'EMISSOES_USER' AND confirmed_at IS NOT NULL DO NOTHING RETURNING id`,
    [
      newId(now.getTime()),
      account.email,
      account.name,
      account.company,
      account.passwordHash,
      now,
      account.confirmedAt,
      account.mailLanguage,
    ],
  );
  return row && load(context, row.id);
}

export interface PortalUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export async function savePortalAccount(context: Context, user: PortalUser): Promise<AccountRow> {
  const now = context.clock.now();
  await context.manager.execute(
    `INSERT INTO accounts.accounts (id, owner_type, email, name, portal_id, created_at, confirmed_at)
     VALUES ($1, 'AGENT_USER', $2, $3, $4, $5, $5)
     ON CONFLICT (portal_id) DO UPDATE SET email = excluded.email, name = excluded.name`,
    [newId(now.getTime()), user.email, user.name, user.id, now],
  );
  return context.manager.findOneByOrFail(AccountRow, { portalId: user.id });
}

/** Marks the e-mail of an account as confirmed; the first time is kept. */
export async function confirm(context: Context, id: string): Promise<AccountRow> {
  await context.manager.execute(
    'UPDATE accounts.accounts SET confirmed_at = coalesce(confirmed_at, $2) WHERE id = $1',
    [id, context.clock.now()],
  );
  return load(context, id);
}

export async function replacePassword(context: Context, id: string, passwordHash: string): Promise<AccountRow> {
  await context.manager.execute('UPDATE accounts.accounts SET password_hash = $2 WHERE id = $1', [id, passwordHash]);
  return load(context, id);
}

/** Writes a registration over the pending one of its e-mail, whose counts of mails stay; returns undefined where none is pending. */
export async function replaceWaiting(context: Context, account: NewAccount): Promise<AccountRow | undefined> {
  const id = await context.manager.value<string>(
    `UPDATE accounts.accounts SET email = $1, name = $2, company = $3, password_hash = $4, created_at = $5, mail_language = $6
     WHERE lower(email) = lower($1) AND confirmed_at IS NULL RETURNING id`,
    [account.email, account.name, account.company, account.passwordHash, context.clock.now(), account.mailLanguage],
  );
  return id === undefined ? undefined : load(context, id);
}

/** Locks pending registrations whose last message was sent before a given time; returns the ids of at most `limit`. */
export function lockForgotten(context: Context, before: Date, limit: number): Promise<string[]> {
  return context.manager.values(
    `SELECT id FROM accounts.accounts WHERE confirmed_at IS NULL AND created_at < $1 AND $1 > ALL (mailed_at || reset_mailed_at)
     ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [before, limit],
  );
}

/** Deletes accounts without any remaining references. */
export async function removeAccounts(context: Context, ids: readonly string[]): Promise<void> {
  await context.manager.execute('DELETE FROM accounts.accounts WHERE id = ANY ($1)', [ids]);
}

/** Limits, whoever requests the mails: about registrations and existing accounts (counted together), and resets, apart, so that registrations by strangers do not keep an owner from a reset. */
export const mailsPerHour = { REGISTRATION: 7, EXISTING: 2, RESET: 3 } as const;

export type MailKind = keyof typeof mailsPerHour;

const mailColumns = { REGISTRATION: 'mailed_at', EXISTING: 'mailed_at', RESET: 'reset_mailed_at' } as const;

/** Whether the hourly limit of an e-mail allows another message. Within `takeTurn` the result stays true. */
export async function mayMail(context: Context, email: string, kind: MailKind): Promise<boolean> {
  const row = await context.manager.row<{ sent: number }>(
    `SELECT count(*)::int AS sent FROM accounts.accounts, unnest(${mailColumns[kind]}) AS m WHERE lower(email) = lower($1) AND m > $2`,
    [email, anHourAgo(context)],
  );
  return row !== undefined && row.sent < mailsPerHour[kind];
}

export async function noteMail(context: Context, id: string, kind: MailKind): Promise<void> {
  const column = mailColumns[kind];
  await context.manager.execute(
    `UPDATE accounts.accounts SET ${column} = array_append(ARRAY(SELECT m FROM unnest(${column}) m WHERE m > $2), $3::timestamptz)
     WHERE id = $1`,
    [id, anHourAgo(context), context.clock.now()],
  );
}

/** Counts a notice unless the limit of the last hour is reached; returns whether it did. Notices have a limit of their own, which messages that strangers trigger do not use up. */
export async function takeNotice(context: Context, id: string, most: number): Promise<boolean> {
  return context.manager.changes(
    `UPDATE accounts.accounts SET noticed_at = array_append(ARRAY(SELECT m FROM unnest(noticed_at) m WHERE m > $2), $3::timestamptz)
     WHERE id = $1 AND (SELECT count(*) FROM unnest(noticed_at) m WHERE m > $2) < $4`,
    [id, anHourAgo(context), context.clock.now(), most],
  );
}

function anHourAgo(context: Context): Date {
  return new Date(context.clock.now().getTime() - 3_600_000);
}

function load(context: Context, id: string): Promise<AccountRow> {
  return context.manager.findOneByOrFail(AccountRow, { id });
}

export async function emailsById(
  { manager }: Context,
  ids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const rows = await manager.rows<{ id: string; email: string }>(
    'SELECT id, email FROM accounts.accounts WHERE id = ANY ($1)',
    [ids],
  );
  const byId = new Map(rows.map(({ id, email }) => [id, email]));
  return ids.map((id) => byId.get(id.toLowerCase()));
}

export interface Counter {
  /** Digest of the e-mail, or of the owner of second factors. */
  readonly email: Buffer;
  /** Digest of the client; for the count over all unknown clients, the digest of the e-mail. */
  readonly client: Buffer;
  readonly most: number;
}

const ofCounter = 'email_digest = $1 AND client_digest = $2';

/** Returns false if all places since a given time are taken. One statement, which locks the row while it counts, so that concurrent attempts never exceed the limit. */
export async function takePlace(
  pool: Pool,
  { email, client, most }: Counter,
  now: Date,
  since: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO accounts.login_failures AS known (email_digest, attempts, undecided, last_attempt_at, client_digest)
     VALUES ($1, ARRAY[$2::timestamptz], 1, $2, $5)
     ON CONFLICT (email_digest, client_digest) DO UPDATE SET
       attempts = array_append(ARRAY(SELECT a FROM unnest(known.attempts) a WHERE a > $3), $2::timestamptz),
       undecided = 1 + least(known.undecided, (SELECT count(*) FROM unnest(known.attempts) a WHERE a > $3)),
       last_attempt_at = $2
     WHERE (SELECT count(*) FROM unnest(known.attempts) a WHERE a > $3) < $4`,
    [email, now, since, most, client],
  );
  return rowCount === 1;
}

export interface Places {
  readonly undecided: number;
  /** The first attempt that counts; null when none does. */
  readonly oldest: Date | null;
}

export async function readPlaces(pool: Pool, { email, client }: Counter, since: Date): Promise<Places | undefined> {
  const { rows } = await pool.query<Places>(
    `SELECT undecided, (SELECT min(a) FROM unnest(attempts) a WHERE a > $3) AS oldest
     FROM accounts.login_failures WHERE ${ofCounter}`,
    [email, client, since],
  );
  return rows[0];
}

/** Ends an attempt and keeps its place taken. */
export async function keepPlace(pool: Pool, { email, client }: Counter): Promise<void> {
  await pool.query(
    `UPDATE accounts.login_failures SET undecided = undecided - 1 WHERE ${ofCounter} AND undecided > 0`,
    [email, client],
  );
}

/** Ends an attempt and releases its place. */
export async function givePlaceBack(pool: Pool, { email, client }: Counter): Promise<void> {
  await pool.query(
    `UPDATE accounts.login_failures SET undecided = undecided - 1, attempts = trim_array(attempts, 1)
     WHERE ${ofCounter} AND undecided > 0 AND cardinality(attempts) > 0`,
    [email, client],
  );
}

export async function clearPlaces(pool: Pool, { email, client }: Counter): Promise<void> {
  await pool.query(`DELETE FROM accounts.login_failures WHERE ${ofCounter}`, [email, client]);
}

/** Releases every place of an e-mail, in the current transaction. */
export async function clearPlacesWithin(context: Context, email: Buffer): Promise<void> {
  await context.manager.execute('DELETE FROM accounts.login_failures WHERE email_digest = $1', [email]);
}

export async function clearOldPlaces(pool: Pool, before: Date): Promise<void> {
  await pool.query('DELETE FROM accounts.login_failures WHERE last_attempt_at < $1', [before]);
}
