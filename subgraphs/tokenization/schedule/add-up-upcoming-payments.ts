import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { Projections } from './projections.js';
import { addUpPayments, type PaymentTotals, type UpcomingQuery } from './upcoming-payments.js';
import { openInstalments } from './schedule-writes.store.js';

const mostSeries = 500;
const mostPayments = 10_000;

/**
 * Adds up the payments of a query. Series are projected only where an amount is not known.
 * @throws {ApiError} BAD_REQUEST for more series or payments than are added up in one request
 */
export async function addUpUpcomingPayments(
  context: Context,
  projections: Projections,
  query: UpcomingQuery,
): Promise<PaymentTotals> {
  const instalments = await openInstalments(context, query, mostPayments + 1);
  const unknown = instalments.filter(({ interestValue }) => interestValue === null);
  const trancheIds = [...new Set(unknown.map(({ trancheId }) => trancheId))];
  if (instalments.length > mostPayments || trancheIds.length > mostSeries)
    throw new ApiError('BAD_REQUEST', {
      message: `Totals are of at most ${String(mostPayments)} payments and ${String(mostSeries)} series: send tickers, or a shorter period`,
    });
  const load = loaderOf(context, projections);
  const projected = await Promise.all(trancheIds.map(async (id) => [id, await load.load(id)] as const));
  return addUpPayments(instalments, new Map(projected));
}
