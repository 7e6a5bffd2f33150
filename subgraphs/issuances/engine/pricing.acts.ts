import { inTransaction } from '../../../shared/database/transaction.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, requireFound } from '../../../shared/kernel/errors.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { raiseRevision } from '../revision/revision.js';
import type { PriceSource } from '../series/series-list.type.js';
import type { SeriesRow } from '../series/series.store.js';
import { wantSeries } from './book.js';
import { lockSeries, setTyped } from './book.store.js';

/** The engine's whole book is asked for in either case: to write it, or to compare. @throws {ApiError} BAD_REQUEST for the reason, NOT_FOUND, CONFLICT for a series that no tranche names */
export async function setPricing(
  context: Context,
  ticker: string,
  pricing: PriceSource,
  reason: string,
): Promise<SeriesRow> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const before = requireFound(await lockSeries(tx, ticker), `There is no series ${ticker}`);
    const { id, operationId, engineTranche } = before;
    if (engineTranche === null)
      throw new ApiError('CONFLICT', { message: `No tranche names the series ${before.ticker}: its prices are typed` });
    const typedReason = pricing === 'TYPED' ? said : null;
    await setTyped(tx, id, typedReason);
    await raiseRevision(tx, [operationId]);
    await wantSeries(tx, [before.ticker]);
    await recordAudit(tx, {
      action: 'setSeriesPricing',
      subject: { type: 'series', id: before.ticker },
      before: { typedReason: before.typedReason },
      after: { pricing, reason: said },
    });
    return { ...before, typedReason };
  });
}
