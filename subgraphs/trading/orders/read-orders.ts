import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { Catalogue } from '../markets/catalogue.js';
import { requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { OrderFilter } from './order.js';
import { findOrder, listOrders, type OrderRow } from './order.store.js';

export interface OrderPageRequest {
  readonly symbol?: string | null | undefined;
  readonly status?: OrderFilter | null | undefined;
  readonly limit?: number | null | undefined;
  readonly nextToken?: string | null | undefined;
}

const usualLimit = 50;
const maxLimit = 100;

export interface OrderReading {
  readonly cursors: CursorCodec;
  readonly catalogue: Catalogue;
}

/**
 * Returns a page of the orders of a wallet, newest first.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours; MARKET_NOT_AVAILABLE for a symbol of no market; NOT_FOUND for
 *   an unknown profile
 */
export async function readOrders(
  context: Context,
  { cursors, catalogue }: OrderReading,
  choice: WalletChoice,
  { symbol = null, status, limit, nextToken }: OrderPageRequest,
): Promise<{ readonly rows: readonly OrderRow[]; readonly nextToken: string | null }> {
  const wanted = limit ?? usualLimit;
  requireBounds({ name: 'limit', value: wanted, min: 1, max: maxLimit });
  const wallet = await requireWallet(context, choice);
  // Markets are halted, and never removed: a symbol without one is a typing error, and its empty list would look like the truth.
  if (symbol !== null) await catalogue.require(context, symbol);
  const scope = JSON.stringify([wallet.id, symbol, status ?? null]);
  const [after = null] = nextToken == null ? [] : cursors.open(scope, nextToken, 'nextToken');
  const found = await listOrders(context, {
    walletId: wallet.id,
    synthetic: wallet.synthetic,
    symbol,
    status: status ?? null,
    after,
    limit: wanted + 1,
  });
  const rows = found.slice(0, wanted);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, nextToken: last === undefined ? null : cursors.seal(scope, [last.id]) };
}

/**
 * Returns an order of a wallet.
 * @throws {ApiError} NOT_FOUND
 */
export async function requireOrder(context: Context, choice: WalletChoice, orderId: string): Promise<OrderRow> {
  const wallet = await requireWallet(context, choice);
  const order = isUuid(orderId) ? await findOrder(context, wallet, orderId) : undefined;
  if (order === undefined) throw new ApiError('NOT_FOUND', { message: 'The wallet has no such order' });
  return order;
}
