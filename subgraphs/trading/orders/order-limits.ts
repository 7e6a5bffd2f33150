import type { Context } from '../../../shared/kernel/context.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError, byRule, type BrokenRule } from '../../../shared/kernel/errors.js';
import type { Desk } from './desk.js';
import type { Terms } from '../profiles/profile.store.js';
import type { OrderRow } from './order.store.js';
import { readUsage, readVolume } from './usage.store.js';

/** Concurrent orders of a company with limits wait: otherwise each would find room for itself. The order of locks is the same in every transaction. */
export async function lockLimits(
  { manager }: Context,
  all: readonly { readonly companyId: string; readonly terms: Terms }[],
): Promise<void> {
  const limited = all.filter(({ terms }) => isLimited(terms)).map(({ companyId }) => companyId);
  if (limited.length === 0) return;
  await manager.execute(
    `SELECT count(pg_advisory_xact_lock(hashtextextended(id, 7)))
     FROM (SELECT DISTINCT id FROM unnest($1::text[]) AS one (id) ORDER BY id) AS company`,
    [limited],
  );
}

/** Whether the limits depend on a company's and its wallets' open orders or traded volume. */
export function isLimited({
  maxOpenOrders,
  maxDailyVolume,
  profileMaxOpenOrders,
  profileMaxDailyVolume,
}: Terms): boolean {
  return [maxOpenOrders, maxDailyVolume, profileMaxOpenOrders, profileMaxDailyVolume].some((limit) => limit !== null);
}

/** Converts a value in a quote currency to BRL, at the present mid price of its market; undefined where there is none. */
export function inBrl(desk: Desk, value: Decimal, currency: string, synthetic: boolean): Decimal | undefined {
  if (currency === 'BRL') return value;
  const { bid, ask } = desk.markets.ticker(synthetic, `${currency}/BRL`);
  return bid === undefined || ask === undefined ? undefined : value.times(bid.plus(ask)).dividedBy(2);
}

/** @param value worst case, in the order's quote currency @throws {ApiError} UNPROCESSABLE, which names the limit */
export async function requireWithinLimits(
  tx: Context,
  desk: Desk,
  terms: Terms,
  order: Pick<OrderRow, 'companyId' | 'walletId' | 'synthetic' | 'quote'>,
  value: Decimal,
): Promise<void> {
  const worth = inBrl(desk, value, order.quote, order.synthetic);
  const exceeds = (limit: string | null, sum: Decimal | undefined) =>
    limit !== null && (sum === undefined || sum.greaterThan(limit));
  if (exceeds(terms.maxOrderValue, worth))
    throw beyond(byRule('LIMIT_ORDER_VALUE', { max: terms.maxOrderValue ?? '' }));
  if (terms.maxOpenOrders !== null || terms.profileMaxOpenOrders !== null) {
    const { openOrders, ownOpenOrders } = await readUsage(tx, order);
    const { maxOpenOrders: max, profileMaxOpenOrders: ownMax } = terms;
    if (max !== null && openOrders >= max) throw beyond(byRule('LIMIT_OPEN_ORDERS', { count: openOrders, max }));
    if (ownMax !== null && ownOpenOrders >= ownMax)
      throw beyond(byRule('LIMIT_WALLET_OPEN_ORDERS', { count: ownOpenOrders, max: ownMax }));
  }
  if (terms.maxDailyVolume === null && terms.profileMaxDailyVolume === null) return;
  const today = civilDate(tx.clock.now());
  let [all, own]: (Decimal | undefined)[] = [worth, worth];
  for (const { quote, value: traded, ownValue } of await readVolume(tx, order, today)) {
    const add = (sum: Decimal | undefined, more: string) => {
      const brl = inBrl(desk, new Decimal(more), quote, order.synthetic);
      return sum === undefined || brl === undefined ? undefined : sum.plus(brl);
    };
    [all, own] = [add(all, traded), add(own, ownValue)];
  }
  if (exceeds(terms.maxDailyVolume, all))
    throw beyond(byRule('LIMIT_DAILY_VOLUME', { max: terms.maxDailyVolume ?? '' }));
  if (exceeds(terms.profileMaxDailyVolume, own))
    throw beyond(byRule('LIMIT_WALLET_DAILY_VOLUME', { max: terms.profileMaxDailyVolume ?? '' }));
}

function beyond(limit: BrokenRule): ApiError {
  return new ApiError('UNPROCESSABLE', limit);
}
