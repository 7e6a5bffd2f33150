import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { sha256 } from '../../../shared/security/crypto.js';
import { refuse, unless, errorAt } from '../../../shared/kernel/errors.js';
import { graphNames, type PageInput } from '../../../shared/graphql/list-page.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { HeldBalance, WalletStatement } from './ledger.type.js';
import { listCurrencies } from '../markets/market.store.js';
import { type WalletRef, readMovements, type MovementPlace, type MovementRow } from './ledger.store.js';
import { correctionCause } from './corrections/correction.js';

const usualLimit = 20;

type Held = Shape<HeldBalance>;

export interface Movement extends MovementRow {
  readonly balance: Held;
}

export interface StatementPeriod {
  readonly currency: string;
  /** Start of the period, inclusive (ISO 8601). */
  readonly from: string;
  /** End of the period, exclusive; null for now. */
  readonly to: string | null;
}

export interface Statement extends Omit<Shape<WalletStatement>, 'movements' | 'nextToken'> {
  readonly movements: readonly Movement[];
}

/** The start of the next page: a place, the balances after it, and the end of the period. */
type Start = MovementPlace & { readonly available: string; readonly locked: string; readonly until: string };

/** A period without an end ends with the time of the first page, for all pages. @throws {ApiError} BAD_REQUEST for an unknown currency, a period or limit out of bounds, a foreign cursor */
export async function readStatement(
  context: Context,
  codec: CursorCodec,
  wallet: WalletRef,
  { limit: wanted, cursor, ...page }: StatementPeriod & { readonly cursor: string | null } & Pick<PageInput, 'limit'>,
): Promise<Statement> {
  const first = wanted ?? usualLimit;
  requireBounds({ name: graphNames.limit, value: first, min: 1, max: 100 });
  const decimals = await requireStatement(context, page);
  const scope = JSON.stringify([wallet.id, page.currency, page.from, page.to]);
  const start = cursor === null ? null : startOf(codec.open(scope, cursor, graphNames.cursor));
  const to = page.to ?? start?.until ?? context.clock.now().toISOString();
  refuse('BAD_REQUEST', unless(to >= page.from, errorAt('from', 'NOT_IN_FUTURE')));
  const { rows, hasNextPage, ...read } = await readPage(context, wallet, { ...page, first, to, start, decimals });
  const cursorAfter = (shown: readonly Movement[]) => {
    const last = shown.at(-1);
    return last === undefined ? null : codec.seal(scope, [...placeOf(last, shown, start), to]);
  };
  const [startCursor, endCursor] = [cursorAfter(rows.slice(0, 1)), cursorAfter(rows)];
  const pageInfo = { hasNextPage, hasPreviousPage: start !== null, startCursor, endCursor };
  return { ...read, currency: page.currency, movements: rows, pageInfo };
}

/** @returns the decimals of the currency */
async function requireStatement(context: Context, { currency, from, to }: StatementPeriod): Promise<number> {
  const known = (await listCurrencies(context)).find(({ code }) => code === currency);
  refuse('BAD_REQUEST', [
    ...unless(known !== undefined, errorAt('currency', 'CURRENCY_UNKNOWN')),
    ...unless(to === null || to >= from, errorAt('to', 'NOT_BEFORE', { field: 'from' })),
  ]);
  return known?.decimals ?? 0;
}

interface Page extends Pick<Statement, 'from' | 'to' | 'opening' | 'closing'> {
  readonly rows: readonly Movement[];
  readonly hasNextPage: boolean;
}

interface PageRequest {
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly first: number;
  readonly start: Start | null;
  readonly decimals: number;
}

async function readPage(
  context: Context,
  wallet: WalletRef,
  { currency, from, to, first, start, decimals }: PageRequest,
): Promise<Page> {
  const query = { wallet, currency, from, to, after: start, limit: first + 1 };
  const row = await readMovements(context, query);
  const held = (available: Decimal | string, locked: Decimal | string): Held => ({
    available: new Decimal(available).toFixed(decimals),
    locked: new Decimal(locked).toFixed(decimals),
    total: new Decimal(available).plus(locked).toFixed(decimals),
  });
  let available = new Decimal(start?.available ?? row.openingAvailable);
  let locked = new Decimal(start?.locked ?? row.openingLocked);
  const rows = row.movements.slice(0, first).map((movement): Movement => {
    available = available.plus(movement.available);
    locked = locked.plus(movement.locked);
    return {
      ...withOwnIds(wallet, movement),
      available: new Decimal(movement.available).toFixed(decimals),
      locked: new Decimal(movement.locked).toFixed(decimals),
      fee: movement.fee === null ? null : new Decimal(movement.fee).toFixed(decimals),
      balance: held(available, locked),
    };
  });
  return {
    from,
    to,
    opening: held(row.openingAvailable, row.openingLocked),
    closing: held(row.closingAvailable, row.closingLocked),
    rows,
    hasNextPage: row.movements.length > first,
  };
}

/** Another client of the same correction would see the same journal id and key: both are replaced by an id of the wallet's own. */
function withOwnIds({ id }: WalletRef, movement: MovementRow): MovementRow {
  if (movement.cause !== correctionCause) return movement;
  const hex = sha256(`${movement.journalId}/${id}`).toString('hex');
  const own = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return { ...movement, journalId: own.join('-'), causeId: own.join('-') };
}

function placeOf({ postedAt, balance }: Movement, rows: readonly Movement[], start: Start | null): string[] {
  const before = start?.postedAt === postedAt ? start.seen : 0;
  const seen = before + rows.filter((row) => row.postedAt === postedAt).length;
  return [postedAt, String(seen), balance.available, balance.locked];
}

function startOf([postedAt = '', seen = '', available = '', locked = '', until = '']: readonly string[]): Start {
  return { postedAt, seen: Number(seen), available, locked, until };
}
