import type { Context } from '../../../shared/context.js';
import { newId } from '../../../shared/ids.js';
import { AccountRow } from './account.entity.js';

/** What `me` shows. */
export type AccountFace = Pick<AccountRow, 'id' | 'ownerType' | 'email' | 'name' | 'company'>;

/** The public face of an account: one look-up by primary key, in plain SQL because every page of a panel asks for it. */
export async function findFace(context: Context, id: string): Promise<AccountFace | undefined> {
  const rows = await context.manager.query<AccountFace[]>(
    'SELECT id, owner_type AS "ownerType", email, name, company FROM accounts.accounts WHERE id = $1',
    [id],
  );
  return rows[0];
}

/** The accounts with an e-mail, in whatever case: at most one that was registered here, which then comes first, and those of the portal. */
export function findByEmail(context: Context, email: string): Promise<AccountRow[]> {
  return context.manager
    .createQueryBuilder(AccountRow, 'account')
    .where('lower(account.email) = lower(:email)', { email })
    .orderBy('account.ownerType', 'DESC')
    .getMany();
}

/** The account that was registered here with an e-mail. */
export async function findRegistered(context: Context, email: string): Promise<AccountRow | undefined> {
  const [first] = await findByEmail(context, email);
  return first?.ownerType === 'EMISSOES_USER' ? first : undefined;
}

/** Whether there is any account. */
export function hasAccounts(context: Context): Promise<boolean> {
  return context.manager.exists(AccountRow);
}

/** Locks an account until the end of the transaction: whoever counts what it has, waits for the others who do. */
export function lockAccount(context: Context, id: string): Promise<AccountRow | null> {
  return context.manager.findOne(AccountRow, { where: { id }, lock: { mode: 'for_no_key_update' } });
}

export type NewAccount = Pick<AccountRow, 'email' | 'name' | 'company' | 'passwordHash' | 'confirmedAt'>;

/** Adds an account registered here; answers undefined when its e-mail has one, even one that is being added at this moment. */
export async function addRegistered(context: Context, account: NewAccount): Promise<AccountRow | undefined> {
  const now = context.clock.now();
  const [row] = await context.manager.query<{ id: string }[]>(
    `INSERT INTO accounts.accounts (id, owner_type, email, name, company, password_hash, created_at, confirmed_at)
     VALUES ($1, 'EMISSOES_USER', $2, $3, $4, $5, $6, $7)
     ON CONFLICT (lower(email)) WHERE owner_type = 'EMISSOES_USER' DO NOTHING RETURNING id`,
    [
      newId(now.getTime()),
      account.email,
      account.name,
      account.company,
      account.passwordHash,
      now,
      account.confirmedAt,
    ],
  );
  return row && load(context, row.id);
}

/** What the issuer's portal says of a user. */
export interface PortalUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Brings in an account of the issuer's portal, or what the portal now says of one that is known. */
export async function savePortalAccount(context: Context, user: PortalUser): Promise<AccountRow> {
  const now = context.clock.now();
  await context.manager.query(
    `INSERT INTO accounts.accounts (id, owner_type, email, name, portal_id, created_at, confirmed_at)
     VALUES ($1, 'AGENT_USER', $2, $3, $4, $5, $5)
     ON CONFLICT (portal_id) DO UPDATE SET email = excluded.email, name = excluded.name`,
    [newId(now.getTime()), user.email, user.name, user.id, now],
  );
  return context.manager.findOneByOrFail(AccountRow, { portalId: user.id });
}

/** Marks the e-mail of an account as confirmed; the first moment stays. */
export async function confirm(context: Context, id: string): Promise<AccountRow> {
  await context.manager.query('UPDATE accounts.accounts SET confirmed_at = coalesce(confirmed_at, $2) WHERE id = $1', [
    id,
    context.clock.now(),
  ]);
  return load(context, id);
}

/** Sets a new password and ends every session that began before. */
export async function replacePassword(context: Context, id: string, passwordHash: string): Promise<AccountRow> {
  await context.manager.query(
    'UPDATE accounts.accounts SET password_hash = $2, session_generation = session_generation + 1 WHERE id = $1',
    [id, passwordHash],
  );
  return load(context, id);
}

/** Most messages that one account's owner gets in an hour, whoever asks for them. */
export const mailsPerHour = 10;

/** Counts a message to an account's owner; answers false when the hour's share is used up, and nothing may be sent. */
export async function mayMail(context: Context, id: string): Promise<boolean> {
  const now = context.clock.now();
  const [, count] = await context.manager.query<[unknown, number]>(
    `UPDATE accounts.accounts SET mailed_at = array_append(ARRAY(SELECT m FROM unnest(mailed_at) m WHERE m > $2), $3::timestamptz)
     WHERE id = $1 AND (SELECT count(*) FROM unnest(mailed_at) m WHERE m > $2) < $4`,
    [id, new Date(now.getTime() - 3_600_000), now, mailsPerHour],
  );
  return count === 1;
}

function load(context: Context, id: string): Promise<AccountRow> {
  return context.manager.findOneByOrFail(AccountRow, { id });
}
