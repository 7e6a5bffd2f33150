import { z } from 'zod';
import { keyset, type PageRange } from '../../../../shared/graphql/list-page.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { itemsOf, valuesOf } from '../../../../shared/kernel/group-by.js';
import { sha256 } from '../../../../shared/security/crypto.js';
import { watched, type WatchedQueue } from '../../../../shared/work/queue/watched-queue.js';
import type { WorkTable } from '../../../../shared/work/queue/work-items.store.js';
import type { OutputRef, CustodyAddress } from '../custody/custody.js';
import { networks } from '../networks.js';
import { transfersDueTopic } from '../wake.js';
import type { DepositState } from './deposit.js';

/** A deposit, as it is stored. Amounts are decimal text in its currency. */
export interface DepositRow extends OutputRef {
  readonly id: string;
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly currency: string;
  readonly address: string;
  readonly amount: string;
  readonly credited: string;
  /** The part of the credit that was taken back since it was last credited. */
  readonly takenBack: string;
  readonly decimals: number;
  readonly state: DepositState;
  /** The newest revision that custody reported: a whole number as text. */
  readonly revision: string;
  readonly confirmations: number;
  /** Whether it was in no block when custody last reported it. */
  readonly reorganised: boolean;
  readonly resolution: string | null;
  readonly seenAt: Date;
  readonly confirmedAt: Date | null;
  /** Since when it is in quarantine; null for another one. */
  readonly quarantinedAt: Date | null;
}

export const depositColumns = `d.id, d.wallet_id AS "walletId", d.synthetic, d.currency, d.network, d.address, d.transaction, d.output,
  trim_scale(d.amount)::text AS amount, trim_scale(d.credited)::text AS credited,
  trim_scale(d.taken_back)::text AS "takenBack", (SELECT c.decimals FROM trading.currencies c WHERE c.code = d.currency) AS decimals, d.state, d.revision::text AS revision, d.confirmations,
  d.reorganised, d.resolution, d.seen_at AS "seenAt", d.confirmed_at AS "confirmedAt", d.quarantined_at AS "quarantinedAt"`;

/** Inserts a deposit; one with a known output stays as it is. */
export async function insertDeposit({ manager, clock }: Context, row: DepositRow): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.deposits (id, wallet_id, synthetic, currency, network, address, transaction, output, amount, credited,
       state, revision, confirmations, reorganised, seen_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     ON CONFLICT ON CONSTRAINT deposits_output DO NOTHING`,
    [
      ...valuesOf(row, 'id', 'walletId', 'synthetic', 'currency', 'network', 'address', 'transaction', 'output'),
      ...valuesOf(row, 'amount', 'credited', 'state', 'revision', 'confirmations', 'reorganised', 'seenAt'),
      clock.now(),
    ],
  );
}

export function lockOutput(
  { manager }: Context,
  synthetic: boolean,
  { network, transaction, output }: OutputRef,
): Promise<DepositRow | undefined> {
  return manager.row(
    `SELECT ${depositColumns} FROM trading.deposits d
     WHERE d.synthetic = $1 AND d.network = $2 AND d.transaction = $3 AND d.output = $4 FOR NO KEY UPDATE`,
    [synthetic, network, transaction, output],
  );
}

export function lockDeposit({ manager }: Context, id: string): Promise<DepositRow | undefined> {
  return manager.row(`SELECT ${depositColumns} FROM trading.deposits d WHERE d.id = $1 FOR NO KEY UPDATE`, [id]);
}

export async function saveDeposit({ manager, clock }: Context, row: DepositRow): Promise<void> {
  await manager.execute(
    `UPDATE trading.deposits SET amount = $2, credited = $3, taken_back = $4, state = $5, revision = $6, confirmations = $7, reorganised = $8,
       resolution = $9, confirmed_at = $10, quarantined_at = $11, updated_at = $12 WHERE id = $1`,
    [
      ...valuesOf(row, 'id', 'amount', 'credited', 'takenBack', 'state', 'revision', 'confirmations'),
      ...valuesOf(row, 'reorganised', 'resolution', 'confirmedAt', 'quarantinedAt'),
      clock.now(),
    ],
  );
}

/** Lists deposits with too few confirmations in their block, whether they were reversed before or not, least recently looked up first. */
export function unconfirmedDeposits({ manager }: Context, synthetic: boolean, limit: number): Promise<DepositRow[]> {
  return manager.rows(
    `SELECT ${depositColumns} FROM trading.deposits d WHERE d.state <> 'CONFIRMED' AND NOT d.reorganised AND d.synthetic = $1
     ORDER BY d.updated_at LIMIT $2`,
    [synthetic, limit],
  );
}

/** Records that deposits are looked up now, so that others come first the next time. */
export async function noteLook({ manager, clock }: Context, ids: readonly string[]): Promise<void> {
  await manager.execute(
    `UPDATE trading.deposits SET updated_at = $2
     WHERE id IN (SELECT id FROM trading.deposits WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE)`,
    [ids, clock.now()],
  );
}

/** Whether a deposit of a wallet is in quarantine, which halts its withdrawals in every currency: the credited funds may have been sold. */
export async function hasQuarantine({ manager }: Context, walletId: string): Promise<boolean> {
  const row = await manager.row<{ halted: boolean }>(
    `SELECT EXISTS (SELECT FROM trading.deposits WHERE wallet_id = $1 AND state = 'QUARANTINED') AS halted`,
    [walletId],
  );
  return row?.halted === true;
}

/** The filter of a list of deposits; null does not narrow it. */
export interface DepositQuery {
  readonly walletId: string | null;
  readonly states: readonly DepositState[] | null;
}

/** SQL for the deposits that a query asks for: of the wallet `$1`, if any, in one of the states `$2`, if any. */
const asked = '($1::uuid IS NULL OR d.wallet_id = $1) AND ($2::text[] IS NULL OR d.state = ANY ($2))';

export function countDeposits({ manager }: Context, { walletId, states }: DepositQuery): Promise<number> {
  return manager.countRows(`SELECT count(*)::float8 AS count FROM trading.deposits d WHERE ${asked}`, [
    walletId,
    states,
  ]);
}

/** Lists the deposits of a page, newest first, and one more if there are more. */
export function listDeposits(
  { manager }: Context,
  { walletId, states }: DepositQuery,
  page: PageRange,
): Promise<DepositRow[]> {
  const { beyond, direction } = keyset('DESC', page);
  return manager.rows(
    `SELECT ${depositColumns} FROM trading.deposits d
     WHERE ${asked} AND ($3::uuid IS NULL OR d.id ${beyond} $3)
     ORDER BY d.id ${direction} LIMIT $4`,
    [walletId, states, page.after ?? null, page.limit + 1],
  );
}

export async function depositOwnersOf({ manager }: Context, walletIds: readonly string[]): Promise<OwnerRow[]> {
  const rows = await manager.rows<OwnerRow & { readonly id: string }>(
    `SELECT w.id, c.id AS "companyId", c.name AS "companyName", p.name AS "profileName" FROM trading.wallets w
     JOIN trading.companies c ON c.id = w.company_id LEFT JOIN trading.profiles p ON p.id = w.profile_id
     WHERE w.id = ANY ($1::uuid[])`,
    [walletIds],
  );
  return itemsOf(walletIds, rows, ({ id }) => id).map((row) => {
    if (row === undefined) throw new Error('A wallet has no company');
    return row;
  });
}

interface OwnerRow {
  readonly companyId: string;
  readonly companyName: string;
  readonly profileName: string | null;
}

export async function readPosition({ manager }: Context, synthetic: boolean): Promise<string> {
  return (
    (await manager.value<string>('SELECT position FROM trading.custody_cursors WHERE synthetic = $1', [synthetic])) ??
    ''
  );
}

/** Advances the position, unless another instance did: reading changes twice does no harm. */
export async function savePosition(
  { manager }: Context,
  synthetic: boolean,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await manager.execute('UPDATE trading.custody_cursors SET position = $3 WHERE synthetic = $1 AND position = $2', [
    synthetic,
    from,
    to,
  ]);
}

export interface DepositAddressRow extends CustodyAddress {
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly network: string;
}

export function listAddresses({ manager }: Context, walletId: string): Promise<DepositAddressRow[]> {
  return manager.rows(
    `SELECT wallet_id AS "walletId", synthetic, network, address, memo FROM trading.deposit_addresses WHERE wallet_id = $1`,
    [walletId],
  );
}

/** Stores an address; an existing one stays. */
export async function insertAddress({ manager, clock }: Context, row: DepositAddressRow): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.deposit_addresses (wallet_id, synthetic, network, address, memo, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (wallet_id, network) DO NOTHING`,
    [row.walletId, row.synthetic, row.network, row.address, row.memo, clock.now()],
  );
}

/** Whether an address, in any of its spellings, is one for deposits to the house: of any wallet, on any network, real or synthetic. */
export async function isHouseAddress({ manager }: Context, spellings: readonly string[]): Promise<boolean> {
  const row = await manager.one<{ known: boolean }>(
    `SELECT EXISTS (SELECT FROM trading.deposit_addresses
       WHERE synthetic = ANY ('{false,true}') AND network = ANY ($1) AND address = ANY ($2)) AS known`,
    [[...new Set(networks.map(({ name }) => name))], spellings],
  );
  return row.known;
}

export function findAddressOwner(
  { manager }: Context,
  { synthetic, network, address, memo }: Omit<DepositAddressRow, 'walletId'>,
): Promise<string | undefined> {
  return manager.value(
    `SELECT wallet_id AS "walletId" FROM trading.deposit_addresses
     WHERE synthetic = $1 AND network = $2 AND address = $3 AND memo IS NOT DISTINCT FROM $4`,
    [synthetic, network, address, memo],
  );
}

export interface SetAside {
  readonly id: string;
  readonly synthetic: boolean;
  /** See `outputOf`. */
  readonly output: string;
  readonly attempts: number;
}

/** Returns the deposits that were set aside, as a queue. @param worlds the values of `synthetic` with a connected custody */
export function setAsideDeposits(worlds: readonly boolean[]): WorkTable {
  return {
    table: 'trading.set_aside_deposits',
    as: 'deposit',
    key: 'key',
    dueAt: 'due_at',
    leasedUntil: 'due_at',
    isOpen: `synthetic = ANY ('{${worlds.join()}}')`,
    columns: 'deposit.key AS id, deposit.synthetic, deposit.output, deposit.attempts',
  };
}

/** Returns the same deposits as operators see them. They are not held back: a deposit has to be credited, and harms nobody while it fails. */
export function watchedSetAside(worlds: readonly boolean[]): WatchedQueue {
  return watched(setAsideDeposits(worlds), {
    name: 'set-aside-deposits',
    isFailing: 'true',
    attempts: 'deposit.attempts',
    lastError: 'deposit.error',
    hasUuids: false,
    topic: transfersDueTopic,
    canRetry: true,
    canQuarantine: false,
  });
}

const outputForm = z.object({ network: z.string(), transaction: z.string(), output: z.number() });

export function outputOf({ output }: SetAside): OutputRef {
  return outputForm.parse(JSON.parse(output));
}

/** Sets a deposit aside, or counts another attempt for one that is and ends a claim on it. @param dueAt when it is tried again */
export async function saveSetAside(
  { manager, clock }: Context,
  synthetic: boolean,
  { network, transaction, output }: OutputRef,
  { error, dueAt }: { readonly error: string; readonly dueAt: Date },
): Promise<void> {
  const text = JSON.stringify({ network, transaction, output });
  await manager.execute(
    `INSERT INTO trading.set_aside_deposits AS known (key, synthetic, output, attempts, error, first_at, due_at)
     VALUES ($1, $2, $3, 1, $4, $5, $6)
     ON CONFLICT (key) DO UPDATE SET attempts = known.attempts + 1, error = excluded.error, due_at = excluded.due_at,
       lease = NULL`,
    [sha256(`${String(synthetic)} ${text}`).toString('hex'), synthetic, text, error, clock.now(), dueAt],
  );
}

/** Removes a deposit that was applied after all, unless another claim has it by now. */
export async function deleteSetAside({ manager }: Context, key: string, lease: string): Promise<void> {
  await manager.execute('DELETE FROM trading.set_aside_deposits WHERE key = $1 AND lease = $2', [key, lease]);
}
